struct Warehouse;

#[byre::toolset(prefix = "stock ")]
impl Warehouse {
    /// Counts.
    #[tool]
    async fn count(&self) -> u8 {
        1
    }
}

fn main() {}
