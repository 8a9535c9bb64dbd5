/// Adds.
#[byre::tool]
async fn add(#[cfg_attr(all(), doc = "The first.")] a: i64) -> i64 {
    a
}

fn main() {}
