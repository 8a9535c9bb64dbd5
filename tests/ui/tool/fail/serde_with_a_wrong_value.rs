/// Adds.
#[byre::tool]
async fn add(#[serde(rename = 5)] a: i64) -> i64 {
    a
}

fn main() {}
