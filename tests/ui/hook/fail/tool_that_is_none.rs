use byre::hook::PreToolUseInput;

struct Add;

#[byre::hook(tool = Add)]
async fn before(_: PreToolUseInput) {}

#[byre::hook(tool = "add")]
async fn quoted(_: PreToolUseInput) {}

fn main() {}
