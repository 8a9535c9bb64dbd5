/// Adds.
#[byre::tool]
async fn add(#[cfg_attr(all(), serde(renmae = "b"))] a: i64) -> i64 {
    a
}

fn main() {}
