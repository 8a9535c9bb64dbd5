/// Adds.
#[byre::tool]
async fn add(#[serde(default)] #[arg(default = 2)] a: i64) -> i64 {
    a
}

fn main() {}
