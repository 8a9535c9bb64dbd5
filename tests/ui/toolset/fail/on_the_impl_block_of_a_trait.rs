struct Warehouse;

trait Count {
    fn count(&self) -> u8;
}

#[byre::toolset]
impl Count for Warehouse {
    /// Counts.
    #[tool]
    fn count(&self) -> u8 {
        1
    }
}

fn main() {}
