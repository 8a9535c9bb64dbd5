#![allow(unused_variables)]

use byre::permission::PermissionAnswer;

#[byre::permission]
async fn decide(tool_name: String) -> PermissionAnswer {
    PermissionAnswer::allow()
}

fn main() {}
