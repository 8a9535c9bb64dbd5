#![allow(unused_variables)]

#[derive(schemars::JsonSchema)]
struct Point {
    x: f64,
}

/// Takes a point.
#[byre::tool]
async fn take(point: Point, more: Vec<Point>) -> f64 {
    point.x
}

fn main() {}
