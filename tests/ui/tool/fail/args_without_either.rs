struct Point {
    x: i64,
}

/// Adds.
#[byre::tool]
async fn add(a: byre::Args<Point>) -> i64 {
    a.x
}

fn main() {}
