use byre::{HookContext, State};

#[byre::hook]
async fn stop(_: HookContext, _: State<u64>) {}

fn main() {}
