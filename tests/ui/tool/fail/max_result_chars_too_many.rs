/// Adds.
#[byre::tool(max_result_chars = 500_001)]
async fn add(a: i64) -> i64 {
    a
}

fn main() {}
