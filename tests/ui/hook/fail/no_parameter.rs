#[byre::hook]
async fn stop() -> byre::hook::StopOutput {
    byre::hook::StopOutput::allow()
}

fn main() {}
