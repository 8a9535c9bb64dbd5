use byre::hook::StopInput;

#[byre::hook(timeout = 0)]
async fn zero(_: StopInput) {}

#[byre::hook(timeout = -1.5)]
async fn negative(_: StopInput) {}

#[byre::hook(timeout = "30s")]
async fn text(_: StopInput) {}

#[byre::hook(timeout)]
async fn flag(_: StopInput) {}

fn main() {}
