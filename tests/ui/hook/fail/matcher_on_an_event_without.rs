use byre::hook::{StopInput, StopOutput};

#[byre::hook(matcher = "Bash")]
async fn stop(_: StopInput) -> StopOutput {
    StopOutput::allow()
}

fn main() {}
