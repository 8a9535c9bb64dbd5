/// Adds.
#[byre::tool]
async fn add(#[schemars(rnage(min = 1))] a: i64) -> i64 {
    a
}

fn main() {}
