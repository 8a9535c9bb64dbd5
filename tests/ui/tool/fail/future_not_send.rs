use std::rc::Rc;

async fn pause() {}

/// Counts.
#[byre::tool]
async fn count() -> usize {
    let rc = Rc::new(1);
    pause().await;
    *rc
}

fn main() {}
