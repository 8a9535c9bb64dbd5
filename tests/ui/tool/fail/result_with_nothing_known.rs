struct Point;
struct Failure;

/// Gives a point.
#[byre::tool]
async fn give() -> Result<Point, Failure> {
    Err(Failure)
}

fn main() {}
