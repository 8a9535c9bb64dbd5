/// Adds.
#[byre::tool(always_load = "no")]
async fn add(a: i64) -> i64 {
    a
}

fn main() {}
