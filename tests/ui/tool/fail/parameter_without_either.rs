struct Point {
    x: f64,
}

/// Takes a point.
#[byre::tool]
async fn take(point: Point) -> f64 {
    point.x
}

fn main() {}
