use byre::State;

struct Db;

/// Searches.
#[byre::tool]
async fn search(State(_db): State<Db>) {}

fn main() {}
