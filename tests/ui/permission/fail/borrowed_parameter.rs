#![allow(unused_variables)]

use byre::permission::{PermissionAnswer, PermissionRequest};

#[byre::permission]
async fn decide(request: &PermissionRequest) -> PermissionAnswer {
    PermissionAnswer::allow()
}

fn main() {}
