use byre::hook::PreToolUseInput;

#[byre::hook(matcher = "Bash Write")]
async fn two_names(_: PreToolUseInput) {}

#[byre::hook(matcher = " ")]
async fn nothing(_: PreToolUseInput) {}

fn main() {}
