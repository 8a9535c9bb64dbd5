#[derive(Clone)]
struct Db;

/// Searches.
#[byre::tool]
async fn search(db: Db, words: String) -> String {
    drop(db);
    words
}

fn main() {}
