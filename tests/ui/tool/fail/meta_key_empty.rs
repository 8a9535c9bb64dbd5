/// Adds.
#[byre::tool(meta("" = 2))]
async fn add(a: i64) -> i64 {
    a
}

fn main() {}
