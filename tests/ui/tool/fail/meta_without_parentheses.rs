/// Adds.
#[byre::tool(meta = "x")]
async fn add(a: i64) -> i64 {
    a
}

fn main() {}
