#![allow(unused_variables)]

use byre::hook::{StopInput, StopOutput};

#[byre::hook]
fn stop(input: StopInput) -> StopOutput {
    StopOutput::allow()
}

fn main() {}
