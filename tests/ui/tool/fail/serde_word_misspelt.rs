/// Adds.
#[byre::tool]
async fn add(#[serde(defalt)] a: i64) -> i64 {
    a
}

fn main() {}
