//! The hook events of the CLI, and the shape of `initialize.hooks`.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Number;

/// Declares [`HookEvent`] from one list of names.
macro_rules! hook_events {
    ($($name:ident: $doc:literal,)*) => {
        /// A moment in the agent's life at which the CLI asks hooks.
        ///
        /// # Example
        ///
        /// ```
        /// assert_eq!(byre::hook::HookEvent::Stop.as_str(), "Stop");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[non_exhaustive]
        pub enum HookEvent {
            $(#[doc = $doc] $name,)*
        }

        impl HookEvent {
            /// All events.
            ///
            /// # Example
            ///
            /// ```
            /// use byre::hook::HookEvent;
            ///
            /// assert!(HookEvent::ALL.contains(&HookEvent::Stop));
            /// ```
            pub const ALL: [Self; [$(stringify!($name)),*].len()] = [$(Self::$name),*];

            /// Returns the name on the wire.
            ///
            /// # Example
            ///
            /// ```
            /// assert_eq!(byre::hook::HookEvent::PreToolUse.as_str(), "PreToolUse");
            /// ```
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                }
            }
        }
    };
}

// Source: the TypeScript SDK 0.3.332, type `HookEvent`.
hook_events! {
    PreToolUse: "Before a tool runs.",
    PostToolUse: "After a tool ran.",
    PostToolUseFailure: "After a tool failed.",
    PostToolBatch: "After all tools of one message ran.",
    Notification: "The CLI has something to tell the user.",
    UserPromptSubmit: "Before a prompt is taken.",
    UserPromptExpansion: "A slash command is turned into a prompt.",
    SessionStart: "After `/clear` and compaction; never for the start of the process.",
    SessionEnd: "The conversation ends.",
    Stop: "Before the agent ends its turn.",
    StopFailure: "An API error ended the turn.",
    SubagentStart: "A subagent starts.",
    SubagentStop: "Before a subagent ends.",
    PreCompact: "Before the conversation is compacted.",
    PostCompact: "After the conversation was compacted.",
    PreModelSwitch: "Before the model is switched.",
    PostModelSwitch: "After the model was switched.",
    PermissionRequest: "A tool call needs a permission.",
    PermissionDenied: "A tool call was denied.",
    Setup: "The working directory is set up.",
    TeammateIdle: "A teammate has nothing to do.",
    TaskCreated: "A task was made.",
    TaskCompleted: "A task is done.",
    Elicitation: "An MCP server asks the user something.",
    ElicitationResult: "The user answered an MCP server.",
    ConfigChange: "A settings file changed.",
    WorktreeCreate: "A worktree is to be made.",
    WorktreeRemove: "A worktree is to be removed.",
    InstructionsLoaded: "A memory file was read.",
    CwdChanged: "The working directory changed.",
    FileChanged: "A watched file changed.",
    DirectoryAdded: "A directory was added to the workspace.",
    MessageDisplay: "A text is shown.",
    PreSkillShellCommand: "Before a skill runs a shell command.",
}

impl fmt::Display for HookEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One entry of `initialize.hooks.<event>`.
///
/// ```json
/// {"matcher":"Bash","hookCallbackIds":["hook_0"],"timeout":30,"onFailure":"block"}
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HookMatcher {
    /// Which tools, triggers, … the callbacks are asked for; `null` means all.
    pub(crate) matcher: Option<String>,
    pub(crate) hook_callback_ids: Vec<String>,
    /// In seconds; fractions count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) timeout: Option<Number>,
    /// `block`, or absent for going on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) on_failure: Option<&'static str>,
}
