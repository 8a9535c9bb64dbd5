#![allow(unused_variables)]

use byre::hook::StopInput;

#[byre::hook]
async fn stop(input: StopInput, other: u8, more: u8) {}

fn main() {}
