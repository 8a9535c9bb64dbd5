#![allow(unused_variables)]

use byre::hook::{HookInput, StopOutput};

#[byre::hook]
async fn stop<I: HookInput>(input: I) -> StopOutput {
    StopOutput::allow()
}

fn main() {}
