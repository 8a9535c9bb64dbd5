/// Adds.
#[byre::tool]
async fn add(#[serde(default)] byre::State(a): byre::State<i64>) -> i64 {
    a
}

fn main() {}
