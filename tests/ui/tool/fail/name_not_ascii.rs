/// Adds.
#[byre::tool]
async fn größe(a: i64) -> i64 {
    a
}

fn main() {}
