struct Warehouse;

#[byre::toolset]
impl Warehouse {
    /// Counts.
    #[tool]
    async fn count(&self) -> u8 {
        self.
    }
}

fn main() {}
