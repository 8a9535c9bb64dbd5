struct Notes;

impl Notes {
    /// Searches.
    #[byre::tool]
    async fn search(notes: std::sync::Arc<Self>, words: String) -> Vec<String> {
        drop(notes);
        vec![words]
    }
}

fn main() {}
