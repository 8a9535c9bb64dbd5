#![allow(unused_variables)]

use byre::permission::{PermissionAnswer, PermissionRequest};

#[byre::permission(nam = "x", matcher = "Bash")]
async fn decide(request: PermissionRequest) -> PermissionAnswer {
    PermissionAnswer::allow()
}

fn main() {}
