use byre::hook::PreToolUseInput;

#[byre::hook(matcher = "mcp__(byre")]
async fn unclosed(_: PreToolUseInput) {}

#[byre::hook(matcher = "(?i)bash")]
async fn flags(_: PreToolUseInput) {}

fn main() {}
