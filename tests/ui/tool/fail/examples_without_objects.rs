/// Adds.
#[byre::tool(examples = [{"a": 1}, [1]])]
async fn add(a: i64) -> i64 {
    a
}

fn main() {}
