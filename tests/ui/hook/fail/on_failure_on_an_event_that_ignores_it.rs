use byre::hook::StopInput;

#[byre::hook(on_failure = "block")]
async fn stop(_: StopInput) {}

fn main() {}
