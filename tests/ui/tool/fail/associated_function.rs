struct Notes;

impl Notes {
    /// Searches.
    #[byre::tool]
    async fn search(words: String) -> String {
        words
    }
}

fn main() {}
