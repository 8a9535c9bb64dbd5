/// Adds.
#[byre::tool(meta(1 = 2))]
async fn add(a: i64) -> i64 {
    a
}

fn main() {}
