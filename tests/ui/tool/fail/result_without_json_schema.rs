#[derive(serde::Serialize)]
struct Point {
    x: f64,
}

/// Gives a point.
#[byre::tool]
async fn give() -> Result<Point, String> {
    Ok(Point { x: 1.0 })
}

fn main() {}
