/// Adds.
#[byre::tool]
async fn add(#[cfg_attr(all(), arg(default))] a: i64) -> i64 {
    a
}

fn main() {}
