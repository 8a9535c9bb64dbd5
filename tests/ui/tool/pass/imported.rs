//! A tool is imported together with its function.

mod notes {
    /// Searches.
    #[byre::tool]
    pub async fn search(words: String) -> String {
        words
    }

    pub mod private {
        /// Hides.
        #[byre::tool]
        async fn hide() {}

        pub fn tools() -> Vec<byre::tool::Tool> {
            byre::tools![hide]
        }
    }
}

use notes::search;
use notes::search as find;

fn main() {
    let tools = byre::tools![search, notes::search, crate::notes::search, self::find,];
    assert!(tools.iter().all(|tool| tool.name() == "search"));
    assert_eq!(notes::private::tools().len(), 1);
    let _ = search("x".to_owned());
}
