struct Warehouse;

impl Warehouse {
    /// Counts.
    #[byre::tool]
    async fn count(&self) -> u8 {
        1
    }
}

fn main() {}
