#[byre::hook]
async fn watch(_: byre::hook::StopInput) {}

/// Adds.
#[byre::tool]
async fn add(a: i64) -> i64 {
    a
}

fn main() {
    byre::tools![add, watch];
    byre::hooks![add];
}
