use byre::permission::PermissionAnswer;

#[byre::permission]
async fn decide() -> PermissionAnswer {
    PermissionAnswer::allow()
}

fn main() {}
