struct Warehouse;

#[byre::toolset(prefixx = "stock_")]
impl Warehouse {
    /// Counts.
    #[tool]
    async fn count(&self) -> u8 {
        1
    }
}

fn main() {}
