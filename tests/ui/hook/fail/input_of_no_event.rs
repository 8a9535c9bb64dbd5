#![allow(unused_variables)]

use byre::hook::StopOutput;

#[byre::hook]
async fn stop(input: String) -> StopOutput {
    StopOutput::allow()
}

fn main() {}
