use byre::hook::{PreToolUseInput, StopInput};

#[byre::hook]
async fn both(_: StopInput, _: PreToolUseInput) {}

fn main() {}
