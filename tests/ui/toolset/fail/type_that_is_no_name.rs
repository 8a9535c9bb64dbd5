trait Count {}

#[byre::toolset]
impl dyn Count + Send + Sync {
    /// Counts.
    #[tool]
    async fn count(&self) -> u8 {
        1
    }
}

fn main() {}
