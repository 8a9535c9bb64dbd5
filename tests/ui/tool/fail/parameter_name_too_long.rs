#![allow(unused_variables)]

/// Adds.
#[byre::tool]
async fn add(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: i64) -> i64 {
    1
}

fn main() {}
