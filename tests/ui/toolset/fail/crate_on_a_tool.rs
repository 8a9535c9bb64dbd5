struct Warehouse;

#[byre::toolset]
impl Warehouse {
    /// Counts.
    #[tool(crate = ::byre)]
    async fn count(&self) -> u8 {
        1
    }
}

fn main() {}
