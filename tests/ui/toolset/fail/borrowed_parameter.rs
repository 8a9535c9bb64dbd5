struct Warehouse;

#[byre::toolset]
impl Warehouse {
    /// Counts.
    #[tool]
    async fn count(&self, kind: &str) -> usize {
        kind.len()
    }
}

fn main() {}
