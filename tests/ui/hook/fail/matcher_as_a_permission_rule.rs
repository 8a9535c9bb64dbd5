use byre::hook::PreToolUseInput;

#[byre::hook(matcher = "Bash(git *)")]
async fn git(_: PreToolUseInput) {}

fn main() {}
