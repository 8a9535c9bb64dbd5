use byre::permission::PermissionRequest;

#[byre::permission]
async fn decide(request: PermissionRequest) -> bool {
    request.tool_name == "Read"
}

fn main() {}
