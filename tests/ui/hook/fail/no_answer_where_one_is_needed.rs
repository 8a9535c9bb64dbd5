use byre::hook::WorktreeCreateInput;

#[byre::hook]
async fn create(_: WorktreeCreateInput) {}

fn main() {}
