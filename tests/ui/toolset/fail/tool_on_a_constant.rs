struct Warehouse;

#[byre::toolset]
impl Warehouse {
    /// Counts.
    #[tool]
    const COUNT: u8 = 1;

    /// Counts.
    #[tool]
    async fn count(&self) -> u8 {
        1
    }
}

fn main() {}
