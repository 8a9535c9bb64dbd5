#![allow(unused_variables)]

#[byre::permission(nmae = "x")]
fn decide<T>(request: &str, other: T) -> impl Sized {}

fn main() {}
