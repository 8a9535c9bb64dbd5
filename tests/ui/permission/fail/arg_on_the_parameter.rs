#![allow(unused_variables)]

use byre::permission::{PermissionAnswer, PermissionRequest};

#[byre::permission]
async fn decide(#[arg(default)] request: PermissionRequest) -> PermissionAnswer {
    PermissionAnswer::allow()
}

fn main() {}
