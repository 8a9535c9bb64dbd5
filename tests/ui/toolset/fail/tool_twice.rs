struct Warehouse;

#[byre::toolset]
impl Warehouse {
    /// Counts.
    #[tool]
    #[tool(read_only)]
    async fn count(&self) -> u8 {
        1
    }
}

fn main() {}
