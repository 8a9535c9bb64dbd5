struct Warehouse;

async fn pause() {}

#[byre::toolset]
impl Warehouse {
    /// Counts.
    #[tool]
    async fn count(&self) -> u8 {
        let count = std::rc::Rc::new(1);
        pause().await;
        *count
    }
}

fn main() {}
