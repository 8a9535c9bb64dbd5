use byre::permission::{PermissionAnswer, PermissionRequest};

#[byre::permission]
fn decide(request: PermissionRequest) -> PermissionAnswer {
    PermissionAnswer::deny(request.tool_name)
}

fn main() {}
