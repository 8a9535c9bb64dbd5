use byre::hook::{PreToolUseInput, StopOutput};

#[byre::hook]
async fn guard(_: PreToolUseInput) -> StopOutput {
    StopOutput::allow()
}

fn main() {}
