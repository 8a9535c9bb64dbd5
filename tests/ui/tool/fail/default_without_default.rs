#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
struct Point {
    x: f64,
}

/// Takes a point.
#[byre::tool]
async fn take(#[arg(default)] point: Point) -> f64 {
    point.x
}

fn main() {}
