struct Warehouse;

struct Stock;

#[byre::toolset]
impl Warehouse {
    /// Counts.
    #[tool]
    async fn count(&self) -> Stock {
        Stock
    }
}

fn main() {}
