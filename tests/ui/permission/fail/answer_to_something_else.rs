#![allow(unused_variables)]

use byre::permission::{ElicitationAnswer, PermissionRequest};

#[byre::permission]
async fn decide(request: PermissionRequest) -> ElicitationAnswer {
    ElicitationAnswer::decline()
}

fn main() {}
