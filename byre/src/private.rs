//! What generated code names. Not public API: it changes without notice, and the macros with it.

pub use inventory;
pub use schemars;
pub use serde;
pub use serde_json::{self, value::RawValue};

use crate::{function::blocking::blocking, hook::Hook, tool::CallToolResult};
pub use crate::{
    function::{
        Location,
        blocking::{SendCall, block_on, call, check_send_call},
        check_send, send,
    },
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
        IntoToolResult, Tool,
        def::{
            AssumeShared, CheckShared, Hints, Instance, IntoTools, Limits, RegisteredTool, Shared,
            StaticTool, ToolDef, ToolFn, ToolFuture, ToolSet,
        },
        fields::{FieldOf, NoFieldOf, ToolArgs},
        parameters::{DefaultArg, Extract, Parameters, ToolArg, ToolArgOr},
    },
};

/// What finds out what a tool returns.
pub mod returned {
    pub use crate::tool::returned::*;
}

/// The tool of a method, called on `instance`.
#[must_use]
pub fn method(def: &ToolDef, instance: Instance) -> Tool {
    Tool::from_def(def, Some(instance))
}

/// A call of a tool that blocks its thread.
#[must_use]
pub fn blocking_tool(call: Box<dyn FnOnce() -> CallToolResult + Send>) -> ToolFuture {
    blocking(call)
}

/// A call of a hook that blocks its thread.
#[must_use]
pub fn blocking_hook(
    call: Box<dyn FnOnce() -> Result<HookAnswer, HookError> + Send>,
) -> HookFuture {
    blocking(call)
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
