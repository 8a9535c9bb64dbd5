/// Adds.
#[byre::tool(meta(owner = 1, "owner" = 2))]
async fn add(a: i64) -> i64 {
    a
}

fn main() {}
