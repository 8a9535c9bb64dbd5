#![allow(unused_variables)]

/// Adds.
#[byre::tool]
async fn add((a, b): (i64, i64), _: u8, ref c: u8, d @ _: u8) -> i64 {
    a + b
}

fn main() {}
