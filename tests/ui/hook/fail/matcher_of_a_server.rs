use byre::hook::PreToolUseInput;

#[byre::hook(matcher = "mcp__byre__")]
async fn with_bars(_: PreToolUseInput) {}

#[byre::hook(matcher = "Bash|mcp__byre")]
async fn without(_: PreToolUseInput) {}

fn main() {}
