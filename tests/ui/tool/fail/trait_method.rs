trait Notes {
    /// Searches.
    #[byre::tool]
    async fn search(&self, words: String) -> String;
}

fn main() {}
