struct Pair(i64, i64);

/// Adds.
#[byre::tool]
async fn add(Pair(a, b): Pair) -> i64 {
    a + b
}

fn main() {}
