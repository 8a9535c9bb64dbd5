use byre::hook::PreToolUseInput;

#[byre::hook(on_failure = "ignore")]
async fn guard(_: PreToolUseInput) {}

fn main() {}
