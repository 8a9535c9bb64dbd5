#![deny(warnings, missing_docs, missing_debug_implementations, unreachable_pub)]
#![forbid(unsafe_code)]
//! Odd but legal hooks.

use byre::hook::{Hook, HookEvent, StopInput, StopOutput};

/// Watches.
#[byre::hook]
pub async fn watch(_: StopInput) {}

#[allow(clippy::unused_async)]
#[byre::hook(name = "any text", register = false)]
#[inline]
async fn r#type(StopInput { stop_hook_active, .. }: StopInput) -> Result<StopOutput, std::fmt::Error> {
    if stop_hook_active { Err(std::fmt::Error) } else { Ok(StopOutput::block("x").at_most(1)) }
}

mod inner {
    #[byre::hook]
    pub(super) async fn stop(mut input: byre::hook::StopInput) -> byre::hook::StopOutput {
        input.stop_hook_active = true;
        byre::hook::StopOutput::allow()
    }
}

fn main() {
    use inner::stop;

    #[byre::hook]
    async fn local(#[allow(unused_variables)] input: StopInput) {}

    let hooks: Vec<Hook> = byre::hooks![watch, r#type, inner::stop, stop, local];
    assert!(hooks.iter().all(|hook| hook.event() == HookEvent::Stop));
    assert_eq!(hooks[1].name(), "any text");
}
