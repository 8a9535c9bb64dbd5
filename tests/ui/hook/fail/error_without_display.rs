#![allow(unused_variables)]

use byre::hook::StopInput;

struct Failure;

#[byre::hook]
async fn stop(input: StopInput) -> Result<(), Failure> {
    Err(Failure)
}

fn main() {}
