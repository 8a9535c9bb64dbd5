struct Point;

/// Gives a point.
#[byre::tool]
async fn give() -> Point {
    Point
}

fn main() {}
