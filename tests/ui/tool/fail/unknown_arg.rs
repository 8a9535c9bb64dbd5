/// Adds.
#[byre::tool]
async fn add(#[arg(defualt = 1)] a: i64, #[arg] b: i64, #[arg(default, default)] c: i64) -> i64 {
    a + b + c
}

fn main() {}
