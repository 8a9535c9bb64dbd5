/// Adds.
#[byre::tool]
async fn add(#[inline] a: i64) -> i64 {
    a
}

fn main() {}
