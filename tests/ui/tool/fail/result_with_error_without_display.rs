struct Failure;

/// Fails.
#[byre::tool]
async fn fail() -> Result<String, Failure> {
    Err(Failure)
}

fn main() {}
