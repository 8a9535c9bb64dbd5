struct Warehouse;

#[byre::toolset(register = false)]
impl Warehouse {
    /// Counts.
    #[tool]
    async fn count(&self) -> u8 {
        1
    }
}

fn main() {}
