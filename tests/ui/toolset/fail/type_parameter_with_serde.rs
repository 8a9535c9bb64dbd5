struct Warehouse<T>(T);

#[byre::toolset]
impl<T> Warehouse<T> {
    /// Counts.
    #[tool]
    async fn count(&self, #[serde(default)] of: Vec<T>) -> usize {
        of.len()
    }
}

fn main() {}
