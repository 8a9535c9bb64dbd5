/// Counts.
#[byre::toolset]
async fn count() -> u8 {
    1
}

fn main() {}
