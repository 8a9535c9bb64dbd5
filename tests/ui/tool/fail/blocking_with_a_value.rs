/// Adds.
#[byre::tool(blocking = true)]
async fn add(a: i64) -> i64 {
    a
}

fn main() {}
