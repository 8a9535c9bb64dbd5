//! What `#[byre::tool]` writes beside a function.

use serde_json::Value;

use super::{CallToolResult, Location, Tool, parameters::Parameters};
use crate::function::BoxFuture;

/// Everything about one tool, as a constant: data, and plain functions for what is not constant.
///
/// Not public API.
#[doc(hidden)]
#[derive(Debug)]
pub struct ToolDef {
    pub name: &'static str,
    pub title: Option<&'static str>,
    pub description: &'static str,
    pub hints: Hints,
    pub location: Location,
    pub output_schema: fn() -> Option<Value>,
    /// Goes through the parameters in their order, and gives the call if all of them are there.
    pub call: fn(&mut Parameters) -> Option<ToolFuture>,
}

/// The annotations, as a constant.
///
/// Not public API.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Hints {
    pub read_only: Option<bool>,
    pub destructive: Option<bool>,
    pub idempotent: Option<bool>,
    pub open_world: Option<bool>,
}

/// A call that runs.
///
/// Not public API.
#[doc(hidden)]
pub type ToolFuture = BoxFuture<CallToolResult>;

/// A tool that registered itself.
///
/// Not public API.
#[doc(hidden)]
#[derive(Debug)]
pub struct RegisteredTool(pub &'static ToolDef);

inventory::collect!(RegisteredTool);

/// What `tools!` asks of a path.
///
/// Not public API.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a function with `#[byre::tool]`",
    note = "`tools!` takes paths of functions that have `#[byre::tool]`"
)]
pub trait ToolFn {
    fn tool() -> Tool;
}
