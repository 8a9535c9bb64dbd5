/// Adds.
#[byre::tool(nmae = "plus", readonly, flavour = 3)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
