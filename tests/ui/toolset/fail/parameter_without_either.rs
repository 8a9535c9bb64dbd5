struct Warehouse;

struct Stock(u8);

#[byre::toolset]
impl Warehouse {
    /// Counts.
    #[tool]
    async fn count(&self, of: Stock) -> u8 {
        of.0
    }
}

fn main() {}
