struct Warehouse;

#[byre::toolset(server = 5)]
impl Warehouse {
    /// Counts.
    #[tool]
    async fn count(&mut self, of: &str) -> usize {
        of.len()
    }

    // Size.
    #[tool(timeout = -1)]
    const fn size(&self) -> u8 {
        1
    }
}

fn main() {}
