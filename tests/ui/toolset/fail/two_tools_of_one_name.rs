struct Warehouse;

#[byre::toolset(prefix = "stock_")]
impl Warehouse {
    /// Counts.
    #[tool]
    async fn count(&self) -> u8 {
        1
    }

    /// Counts.
    #[tool(name = "stock_count")]
    async fn other(&self) -> u8 {
        1
    }
}

fn main() {}
