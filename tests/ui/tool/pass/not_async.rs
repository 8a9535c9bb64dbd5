//! A function need not be `async`, and a future that blocks need not be `Send`.

#![deny(warnings)]

use byre::{Json, State, ToolContext};

/// Adds.
#[byre::tool]
fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Says nothing.
#[byre::tool(timeout = 0.5, concurrency = 1)]
fn nothing(#[cfg(all())] present: State<u8>, #[cfg(any())] absent: NoSuchType, _: ToolContext) {
    drop(present.to_string());
}

/// Waits.
#[byre::tool(blocking)]
async fn wait(seconds: u64) -> Result<Json<u64>, String> {
    let seconds = std::rc::Rc::new(seconds);
    std::future::ready(()).await;
    Ok(Json(*seconds))
}

#[byre::hook]
fn watch(input: byre::hook::StopInput, _: State<u8>) -> byre::hook::StopOutput {
    if input.stop_hook_active { byre::hook::StopOutput::allow() } else { byre::hook::StopOutput::block("again") }
}

fn main() {
    assert_eq!(add(1, 2), 3);
    assert_eq!(byre::tools![add, nothing, wait].len(), 3);
    assert_eq!(byre::hooks![watch].len(), 1);
}
