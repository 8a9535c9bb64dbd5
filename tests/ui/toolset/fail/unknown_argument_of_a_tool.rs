struct Warehouse;

#[byre::toolset]
impl Warehouse {
    /// Counts.
    #[tool(readonly)]
    async fn count(&self) -> u8 {
        1
    }
}

fn main() {}
