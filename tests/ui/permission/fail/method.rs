#![allow(unused_variables)]

use byre::permission::{PermissionAnswer, PermissionRequest};

struct Policy;

impl Policy {
    #[byre::permission]
    async fn decide(&self, request: PermissionRequest) -> PermissionAnswer {
        PermissionAnswer::allow()
    }
}

fn main() {}
