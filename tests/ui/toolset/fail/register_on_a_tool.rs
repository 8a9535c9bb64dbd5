struct Warehouse;

#[byre::toolset]
impl Warehouse {
    /// Counts.
    #[tool(register = false)]
    async fn count(&self) -> u8 {
        1
    }
}

fn main() {}
