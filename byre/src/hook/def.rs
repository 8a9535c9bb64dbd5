//! What `#[byre::hook]` writes beside a function.

use serde_json::value::RawValue;

use super::{
    Hook, HookEvent, Location,
    output::{HookAnswer, HookError},
};
use crate::function::BoxFuture;

/// Everything about one hook, as a constant.
///
/// Not public API.
#[doc(hidden)]
#[derive(Debug)]
pub struct HookDef {
    pub name: &'static str,
    pub event: HookEvent,
    pub location: Location,
    pub call: fn(&RawValue) -> Result<HookFuture, HookError>,
}

/// A call that runs.
///
/// Not public API.
#[doc(hidden)]
pub type HookFuture = BoxFuture<Result<HookAnswer, HookError>>;

/// A hook that registered itself.
///
/// Not public API.
#[doc(hidden)]
#[derive(Debug)]
pub struct RegisteredHook(pub &'static HookDef);

inventory::collect!(RegisteredHook);

/// What `hooks!` asks of a path.
///
/// Not public API.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a hook",
    label = "not a function with `#[byre::hook]`",
    note = "`hooks!` takes paths of functions that have `#[byre::hook]`"
)]
pub trait HookFn {
    fn hook() -> Hook;
}
