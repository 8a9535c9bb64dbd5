#![allow(unused_variables)]

#[byre::hook(nmae = "x")]
fn stop<T>(input: &str, other: T) -> impl Sized {}

fn main() {}
