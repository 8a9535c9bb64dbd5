#![allow(unused_variables)]

use byre::hook::StopInput;

struct Notes;

impl Notes {
    #[byre::hook]
    async fn stop(&self, input: StopInput) {}
}

fn main() {}
