#![allow(unused_variables)]

use byre::hook::StopInput;

#[byre::hook(nam = "x", matcher = "Bash")]
async fn stop(input: StopInput) {}

fn main() {}
