struct Warehouse;

macro_rules! make {
    () => {};
}

#[byre::toolset]
impl Warehouse {
    #[tool]
    make!();

    /// Counts.
    #[tool]
    async fn count(&self) -> u8 {
        1
    }
}

fn main() {}
