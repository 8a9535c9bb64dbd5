#[derive(Default, serde::Deserialize)]
struct Point(i64);

/// Adds.
#[byre::tool]
async fn add(#[serde(default)] a: Point) -> i64 {
    a.0
}

fn main() {}
