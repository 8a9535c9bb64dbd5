struct Warehouse;

#[byre::toolset]
impl Warehouse {
    /// Counts.
    #[tool]
    async fn count(self: Box<Self>) -> u8 {
        1
    }
}

fn main() {}
