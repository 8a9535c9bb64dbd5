/// Adds.
#[byre::tool]
async fn add(#[serde(default)] a: i64, #[schemars(range(min = 1))] b: i64, #[inline] c: i64) -> i64 {
    a + b + c
}

fn main() {}
