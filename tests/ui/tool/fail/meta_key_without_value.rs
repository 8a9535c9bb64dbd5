/// Adds.
#[byre::tool(meta(owner))]
async fn add(a: i64) -> i64 {
    a
}

fn main() {}
