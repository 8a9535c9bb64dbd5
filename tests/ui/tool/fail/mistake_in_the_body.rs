/// Adds.
#[byre::tool]
async fn add(a: i64, b: i64) -> i64 {
    let sum: String = a + b;
    sum.
}

fn main() {}
