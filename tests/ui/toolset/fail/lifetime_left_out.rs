struct Warehouse<'a>(&'a str);

#[byre::toolset]
impl Warehouse<'_> {
    /// Counts.
    #[tool]
    async fn count(&self) -> usize {
        self.0.len()
    }
}

fn main() {}
