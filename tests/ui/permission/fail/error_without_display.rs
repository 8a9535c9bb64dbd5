#![allow(unused_variables)]

use byre::permission::{PermissionAnswer, PermissionRequest};

struct Failure;

#[byre::permission]
async fn decide(request: PermissionRequest) -> Result<PermissionAnswer, Failure> {
    Err(Failure)
}

fn main() {}
