struct Warehouse(std::cell::Cell<u8>);

#[byre::toolset]
impl Warehouse {
    /// Counts.
    #[tool]
    async fn count(&self) -> u8 {
        self.0.get()
    }
}

fn main() {}
