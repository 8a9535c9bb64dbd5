struct Warehouse;

#[byre::toolset]
impl Warehouse {
    /// Counts.
    #[tool]
    async fn count<T: Default>(&self) -> u8 {
        drop(T::default());
        1
    }
}

fn main() {}
