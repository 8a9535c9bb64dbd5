#![allow(unused_variables)]

use byre::hook::{StopInput, StopOutput};

#[byre::hook]
async fn stop(input: &StopInput) -> StopOutput {
    StopOutput::allow()
}

fn main() {}
