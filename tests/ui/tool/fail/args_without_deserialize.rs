#[derive(schemars::JsonSchema)]
struct Point {
    x: i64,
}

/// Adds.
#[byre::tool]
async fn add(byre::Args(a): byre::Args<Point>) -> i64 {
    a.x
}

fn main() {}
