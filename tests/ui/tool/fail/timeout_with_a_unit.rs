/// Adds.
#[byre::tool(timeout = "30s")]
async fn add(a: i64) -> i64 {
    a
}

fn main() {}
