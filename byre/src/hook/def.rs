//! What `#[byre::hook]` writes beside a function.

use std::time::Duration;

use super::{
    Hook, HookEvent, Location, OnFailure,
    output::{HookAnswer, HookError},
    param::{HookRequest, Needs},
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
    pub matcher: Matching,
    pub timeout: Option<Duration>,
    /// `None` takes the event's own.
    pub on_failure: Option<OnFailure>,
    pub location: Location,
    pub needs: fn(&mut Needs),
    pub call: fn(&HookRequest<'_>) -> Result<HookFuture, HookError>,
}

/// About what a hook is asked.
///
/// Not public API.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Matching {
    Everything,
    /// In the words of the CLI.
    Pattern(&'static str),
    /// One of byre's own tools, by the name that it has without its server's.
    Tool(fn() -> String),
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
