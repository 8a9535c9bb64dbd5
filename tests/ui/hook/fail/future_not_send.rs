use std::rc::Rc;

use byre::hook::StopInput;

async fn pause() {}

#[byre::hook]
async fn stop(input: StopInput) {
    let rc = Rc::new(input);
    pause().await;
    drop(rc);
}

fn main() {}
