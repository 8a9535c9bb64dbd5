struct Warehouse<'a>(&'a str);

#[byre::toolset]
impl<'a> Warehouse<'a> {
    /// Counts.
    #[tool]
    async fn count(&self) -> usize {
        self.0.len()
    }
}

fn main() {}
