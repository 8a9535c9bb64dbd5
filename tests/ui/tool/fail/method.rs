struct Notes;

impl Notes {
    /// Searches.
    #[byre::tool]
    async fn search(&self, words: String) -> String {
        words
    }
}

fn main() {}
