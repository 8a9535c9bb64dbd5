//! The events: for each, what the CLI tells a hook and what the hook may answer.
//!
//! Source: the TypeScript SDK 0.3.332, and CLI 2.1.332 as it was seen.

mod files;
mod mcp;
mod permission;
mod prompts;
mod session;
mod team;
mod tools;
mod turn;

pub use self::{
    files::*, mcp::*, permission::*, prompts::*, session::*, team::*, tools::*, turn::*,
};
use super::HookInput;

/// An event for which a hook may say about what it wants to be asked: a tool, a trigger, …
///
/// Not public API.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a hook that takes `{Self}` can't have a matcher",
    label = "the CLI ignores matchers of this event, and always asks",
    note = "remove it, and look at the input instead"
)]
pub trait Matched: HookInput {}

/// An event whose matcher is compared with the name of a tool.
///
/// Not public API.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a hook that takes `{Self}` can't be for one tool",
    label = "this event is not about a tool",
    note = "remove `tool`"
)]
pub trait OfTool: Matched {}

/// An event at which nothing need be said.
///
/// Not public API.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a hook that takes `{Self}` can't answer nothing",
    label = "this event needs an answer",
    note = "return its output: `WorktreeCreateOutput` says where the worktree is"
)]
pub trait Watched {}

/// An event at which a failure may count as a no.
///
/// Not public API.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a hook that takes `{Self}` can't block by failing",
    label = "the CLI ignores `on_failure` for this event, and goes on",
    note = "remove it, and return an output that blocks instead"
)]
pub trait MayBlockOnFailure: HookInput {}

/// Implements a trait for the inputs of some events.
macro_rules! implement {
    ($name:ident for $($input:ident)*) => {
        $(impl $name for $input {})*
    };
}

implement! { Matched for
    PreToolUseInput PostToolUseInput PostToolUseFailureInput PermissionRequestInput
    PermissionDeniedInput PreSkillShellCommandInput NotificationInput UserPromptExpansionInput
    SessionStartInput SessionEndInput SetupInput PreCompactInput PostCompactInput PreModelSwitchInput
    PostModelSwitchInput SubagentStartInput SubagentStopInput StopFailureInput ElicitationInput
    ElicitationResultInput ConfigChangeInput InstructionsLoadedInput FileChangedInput
    DirectoryAddedInput
}

implement! { OfTool for
    PreToolUseInput PostToolUseInput PostToolUseFailureInput PermissionRequestInput
    PermissionDeniedInput PreSkillShellCommandInput
}

implement! { Watched for
    PreToolUseInput PostToolUseInput PostToolUseFailureInput PostToolBatchInput NotificationInput
    UserPromptSubmitInput UserPromptExpansionInput SessionStartInput SessionEndInput StopInput
    StopFailureInput SubagentStartInput SubagentStopInput PreCompactInput PostCompactInput
    PreModelSwitchInput PostModelSwitchInput PermissionRequestInput PermissionDeniedInput SetupInput
    TeammateIdleInput TaskCreatedInput TaskCompletedInput ElicitationInput ElicitationResultInput
    ConfigChangeInput WorktreeRemoveInput InstructionsLoadedInput CwdChangedInput FileChangedInput
    DirectoryAddedInput MessageDisplayInput PreSkillShellCommandInput
}

implement! { MayBlockOnFailure for
    PreToolUseInput PostToolUseInput PostToolUseFailureInput PostToolBatchInput NotificationInput
    UserPromptSubmitInput UserPromptExpansionInput SessionStartInput SessionEndInput StopFailureInput
    SubagentStartInput PreCompactInput PostCompactInput PreModelSwitchInput PostModelSwitchInput
    PermissionRequestInput PermissionDeniedInput SetupInput ElicitationInput ElicitationResultInput
    ConfigChangeInput WorktreeCreateInput WorktreeRemoveInput InstructionsLoadedInput CwdChangedInput
    FileChangedInput DirectoryAddedInput MessageDisplayInput PreSkillShellCommandInput
}
