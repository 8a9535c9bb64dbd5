//! Two functions that both register are refused at the start, with their places.

use byre::permission::{PermissionAnswer, PermissionRequest};

#[byre::permission]
async fn one(_: PermissionRequest) -> PermissionAnswer {
    PermissionAnswer::allow()
}

#[byre::permission]
async fn two(_: PermissionRequest) -> PermissionAnswer {
    PermissionAnswer::allow()
}

fn main() {
    let error = byre::Session::builder().check().unwrap_err();
    assert_eq!(error.kind(), byre::ErrorKind::Configuration);
    let text = error.to_string();
    for part in ["`one`", "`two`", "several_registered.rs:5", "several_registered.rs:10"] {
        assert!(text.contains(part), "{text} does not say {part}");
    }
    byre::Session::builder().can_use_tool(|request, _| one(request)).check().unwrap();
    byre::Session::builder().without_permission_handler().check().unwrap();
}
