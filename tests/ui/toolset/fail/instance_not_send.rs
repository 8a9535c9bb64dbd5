struct Warehouse<T>(T);

#[byre::toolset]
impl<T> Warehouse<T> {
    /// Counts.
    #[tool]
    async fn count(&self) -> usize {
        size_of_val(&self.0)
    }
}

fn main() {
    let _ = byre::McpServer::new("stock").tools(Warehouse(std::rc::Rc::new(1)));
}
