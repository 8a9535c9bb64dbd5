/// Adds.
#[byre::tool(meta("anthropic/alwaysLoad" = false, "anthropic/maxResultSizeChars" = 1000))]
async fn add(a: i64) -> i64 {
    a
}

fn main() {}
