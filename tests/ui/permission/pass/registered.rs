//! One function is found by itself, and any other order of parameters is fine.
#![deny(warnings)]

use byre::permission::{PermissionAnswer, PermissionContext, PermissionRequest};

#[byre::permission(name = "the policy")]
async fn decide(
    PermissionContext { .. }: PermissionContext,
    PermissionRequest { tool_name, .. }: PermissionRequest,
) -> Result<PermissionAnswer, std::io::Error> {
    Ok(PermissionAnswer::deny(tool_name))
}

/// Not found by itself.
#[byre::permission(register = false)]
async fn other(_: PermissionRequest) -> PermissionAnswer {
    PermissionAnswer::allow()
}

fn main() {
    byre::Session::builder().check().unwrap();
    byre::Session::builder().can_use_tool(|request, _| other(request)).check().unwrap();
}
