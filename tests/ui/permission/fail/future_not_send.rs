use std::rc::Rc;

use byre::permission::{PermissionAnswer, PermissionRequest};

async fn pause() {}

#[byre::permission]
async fn decide(request: PermissionRequest) -> PermissionAnswer {
    let rc = Rc::new(request);
    pause().await;
    PermissionAnswer::deny(rc.tool_name.clone())
}

fn main() {}
