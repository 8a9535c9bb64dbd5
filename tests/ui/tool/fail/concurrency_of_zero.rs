/// Adds.
#[byre::tool(concurrency = 0)]
async fn add(a: i64) -> i64 {
    a
}

fn main() {}
