/// Adds.
#[byre::tool]
async fn add(#[arg(default = 1.5)] a: i64) -> i64 {
    a
}

fn main() {}
