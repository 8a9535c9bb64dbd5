/// Adds.
#[byre::tool(name = 3, title, read_only = "yes", crate)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn main() {}
