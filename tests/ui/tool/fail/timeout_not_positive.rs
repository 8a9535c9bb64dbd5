/// Adds.
#[byre::tool(timeout = 0)]
async fn add(a: i64) -> i64 {
    a
}

fn main() {}
