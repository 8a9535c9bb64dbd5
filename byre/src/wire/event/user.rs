//! What goes to the model in the user's place.

use serde_json::Value;

use super::{
    block::ToolResult,
    message::{Message, Origin},
    table::{record, words},
};

words! {
    /// When a prompt runs that comes while a turn does.
    pub enum Priority {
        /// At once, in place of the turn.
        Now = "now",
        /// As soon as it fits in.
        Next = "next",
        /// As a turn of its own.
        Later = "later",
    }
}

record! {
    /// `user`: mostly results of tools. Also feedback of hooks, interruptions, prompts of subagents, and
    /// echoes of prompts.
    r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_0","content":[{"type":"text","text":"5"}]}]},"parent_tool_use_id":null,"session_id":"8f3a…","uuid":"77aa…"}"#
    pub struct UserEvent {
        /// The message.
        pub message: Message,
        /// The `Agent` call whose subagent this belongs to; `None` for the main agent.
        pub parent_tool_use_id: Option<String>,
        /// What the tool gave back, before it was made text for the model. The shape is the tool's: the
        /// blocks for a tool of an MCP server, `{"stdout":…}` for `Bash`, text for a failure.
        pub tool_use_result: Option<Value>,
        /// How the call came to its result; seen with 2.1.332.
        pub tool_result_meta: Vec<ToolResultMeta>,
        /// The CLI made this message up, a Stop hook's feedback for example.
        pub is_synthetic: bool = "isSynthetic",
        /// It echoes a prompt.
        pub is_replay: bool = "isReplay",
        /// What sent it; `None` where nobody says.
        pub origin: Option<Origin>,
        /// When it runs.
        pub priority: Option<Priority>,
        /// `false` where it starts no turn.
        pub should_query: Option<bool> = "shouldQuery",
        /// It is passed on as it is, without commands and files.
        pub client_composed: bool,
        /// The files that came with it.
        pub file_attachments: Vec<Value>,
        /// The subagent's id, which is the `task_id` of its tasks.
        pub agent_id: Option<String>,
        /// The kind of the subagent.
        pub subagent_type: Option<String>,
        /// What the subagent is to do.
        pub task_description: Option<String>,
        /// When, in ISO 8601. To be shown, not to be sorted by.
        pub timestamp: Option<String>,
    }
    line
}

impl UserEvent {
    /// Returns the results of tools in this message.
    ///
    /// # Example
    ///
    /// ```
    /// fn failures(event: &byre::event::UserEvent) -> usize {
    ///     event.tool_results().filter(|result| result.is_error).count()
    /// }
    /// ```
    pub fn tool_results(&self) -> impl Iterator<Item = &ToolResult> {
        self.message.tool_results()
    }
}

words! {
    /// Why a tool did not run.
    pub enum NonExecutionKind {
        /// A rule forbids it.
        PermissionRule = "permission-rule",
        /// Somebody said no, or interrupted.
        UserRejected = "user-rejected",
    }
}

words! {
    /// Whether a tool was allowed to run.
    pub enum Decision {
        /// It was.
        Accept = "accept",
        /// It was not.
        Reject = "reject",
    }
}

record! {
    /// How a call came to its result.
    r#"{"id":"toolu_9","permission_decision":{"decision":"accept","source":"config","reason_type":"mode"}}"#
    pub struct ToolResultMeta {
        /// The call.
        pub id: String,
        /// Why the tool did not run, if it did not.
        pub non_execution_kind: Option<NonExecutionKind>,
        /// Whether it was allowed to.
        pub permission_decision: Option<PermissionDecision>,
    }
}

record! {
    /// [`ToolResultMeta::permission_decision`].
    r#"{"decision":"accept","source":"config","reason_type":"mode"}"#
    pub struct PermissionDecision {
        /// What was decided.
        pub decision: Decision,
        /// Who decided.
        pub source: String,
        /// By what.
        pub reason_type: Option<String>,
    }
}
