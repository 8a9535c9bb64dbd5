#[derive(serde::Serialize)]
struct Point {
    x: f64,
}

/// Gives a point.
#[byre::tool]
async fn give() -> byre::Json<Point> {
    byre::Json(Point { x: 1.0 })
}

fn main() {}
