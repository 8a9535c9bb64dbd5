//! What generated code names. Not public API: it changes without notice, and the macros with it.

pub use inventory;
pub use serde_json::value::RawValue;

pub use crate::{
    function::{Location, check_send, send},
    hook::{
        HookInput, HookOutput, OnFailure,
        def::{HookDef, HookFn, HookFuture, Matching, RegisteredHook},
        events::{Matched, MayBlockOnFailure, OfTool},
        output::{HookAnswer, HookError},
        param::{Found, HookParam, HookRequest, Join, Needs},
    },
    permission::{
        Asked, IntoAnswer, PermissionAnswer, PermissionParam,
        def::{PermissionDef, PermissionFuture, RegisteredPermission},
    },
    tool::{
        IntoToolResult,
        def::{
            Hints, Instance, IntoTools, Limits, RegisteredTool, StaticTool, ToolDef, ToolFn,
            ToolFuture, ToolSet,
        },
        parameters::{DefaultArg, Extract, Parameters, ToolArg, ToolArgOr},
    },
};
use crate::{hook::Hook, tool::Tool};

/// What finds out what a tool returns.
pub mod returned {
    pub use crate::tool::returned::*;
}

/// The tool of a method, called on `instance`.
#[must_use]
pub fn method(def: &ToolDef, instance: Instance) -> Tool {
    Tool::from_def(def, Some(instance))
}

#[must_use]
pub const fn hook(def: &'static HookDef) -> Hook {
    Hook::from_def(def)
}

/// The name of a tool, for a hook that is only for it.
#[must_use]
pub fn tool_name<T: ToolFn>() -> String {
    T::tool().name().to_owned()
}

pub const fn check_matched<I: Matched>() {}

pub const fn check_of_tool<I: OfTool>() {}

pub const fn check_may_block<I: MayBlockOnFailure>() {}
