/// Adds.
#[byre::tool]
async fn add(größe: i64) -> i64 {
    größe
}

fn main() {}
