/// Adds.
#[byre::tool(server = "")]
async fn add(a: i64) -> i64 {
    a
}

fn main() {}
