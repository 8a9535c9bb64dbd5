//! What generated code names. Not public API: it changes without notice, and the macros with it.

pub use inventory;
pub use serde_json::value::RawValue;

pub use crate::{
    function::{Location, check_send, send},
    hook::{
        HookInput, HookOutput,
        def::{HookDef, HookFn, HookFuture, RegisteredHook},
        output::{HookAnswer, HookError},
    },
    permission::{
        Asked, IntoAnswer, PermissionAnswer, PermissionParam,
        def::{PermissionDef, PermissionFuture, RegisteredPermission},
    },
    tool::{
        IntoToolResult,
        def::{Hints, RegisteredTool, ToolDef, ToolFn, ToolFuture},
        parameters::{DefaultArg, Parameters, ToolArg, ToolArgOr},
    },
};
use crate::{hook::Hook, tool::Tool};

#[must_use]
pub const fn tool(def: &'static ToolDef) -> Tool {
    Tool::from_def(def)
}

#[must_use]
pub const fn hook(def: &'static HookDef) -> Hook {
    Hook::from_def(def)
}
