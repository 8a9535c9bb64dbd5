#![allow(unused_variables)]

use byre::hook::StopInput;

#[byre::hook]
async fn stop(#[arg(default)] input: StopInput) {}

fn main() {}
