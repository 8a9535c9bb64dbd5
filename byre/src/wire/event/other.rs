//! The rarer types of lines.

use serde_json::Value;

use super::{
    assistant::AssistantError,
    table::{record, words},
};

record! {
    /// `tool_progress`: a tool still runs. About every 30 seconds.
    r#"{"type":"tool_progress","tool_use_id":"toolu_4-heartbeat-0","tool_name":"mcp__byre__build","parent_tool_use_id":"toolu_4","elapsed_time_seconds":30,"heartbeat":true,"session_id":"8f3a…","uuid":"…"}"#
    pub struct ToolProgress {
        /// The call; made up for a heartbeat. [`call_id`](Self::call_id) tells the real one.
        pub tool_use_id: String,
        /// The tool.
        pub tool_name: String,
        /// For a heartbeat, the call that runs; else the `Agent` call whose subagent makes it.
        pub parent_tool_use_id: Option<String>,
        /// How long it has run, in seconds.
        pub elapsed_time_seconds: f64,
        /// The task.
        pub task_id: Option<String>,
        /// It only says that the tool still runs.
        pub heartbeat: bool,
        /// The kind of the subagent.
        pub subagent_type: Option<String>,
        /// A request of the subagent has failed, and is tried again.
        pub subagent_retry: Option<SubagentRetry>,
    }
    line
}

impl ToolProgress {
    /// Returns the id of the call that runs.
    ///
    /// # Example
    ///
    /// ```
    /// let json = r#"{"type":"tool_progress","tool_use_id":"toolu_4-heartbeat-0","parent_tool_use_id":"toolu_4","heartbeat":true}"#;
    /// let progress: byre::event::ToolProgress = serde_json::from_str(json)?;
    /// assert_eq!(progress.call_id(), "toolu_4");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn call_id(&self) -> &str {
        match &self.parent_tool_use_id {
            Some(call) if self.is_beat() => call,
            _ => &self.tool_use_id,
        }
    }

    /// Says whether the id of the call is made up, and the real one is in the place of the agent's.
    pub(crate) fn is_beat(&self) -> bool {
        self.heartbeat || self.tool_use_id.contains("-heartbeat-")
    }
}

record! {
    /// [`ToolProgress::subagent_retry`].
    r#"{"agent_id":"a5d3","attempt":1,"max_retries":10,"retry_delay_ms":500,"error_status":529,"error_category":"overloaded"}"#
    pub struct SubagentRetry {
        /// The subagent.
        pub agent_id: String,
        /// Which retry it is, counted from 1.
        pub attempt: u64,
        /// How many there are at most.
        pub max_retries: u64,
        /// How long until then, in milliseconds.
        pub retry_delay_ms: u64,
        /// The HTTP status; `None` where no answer came.
        pub error_status: Option<u16>,
        /// What kind of failure it is.
        pub error_category: AssistantError,
    }
}

record! {
    /// `tool_use_summary`: what several calls were for, in a few words.
    r#"{"type":"tool_use_summary","summary":"Read the tests","preceding_tool_use_ids":["toolu_1","toolu_2"],"session_id":"8f3a…","uuid":"…"}"#
    pub struct ToolUseSummary {
        /// What for.
        pub summary: String,
        /// The calls.
        pub preceding_tool_use_ids: Vec<String>,
    }
    line
}

record! {
    /// `auth_status`: how a login goes.
    r#"{"type":"auth_status","isAuthenticating":true,"output":["Open the browser"],"session_id":"8f3a…","uuid":"…"}"#
    pub struct AuthStatus {
        /// It goes on.
        pub is_authenticating: bool = "isAuthenticating",
        /// What was printed, line by line.
        pub output: Vec<String>,
        /// What went wrong.
        pub error: Option<String>,
    }
    line
}

record! {
    /// `prompt_suggestion`: what the person may want to ask next. At most one per turn, after its
    /// result.
    r#"{"type":"prompt_suggestion","suggestion":"Run the tests","session_id":"8f3a…","uuid":"…"}"#
    pub struct PromptSuggestion {
        /// The prompt.
        pub suggestion: String,
    }
    line
}

words! {
    /// Why a conversation started anew.
    pub enum ResetTrigger {
        /// `/clear`.
        Clear = "clear",
        /// A plan is carried out.
        PlanModeExit = "plan_mode_exit",
        /// A new session was asked for.
        FreshSession = "fresh_session",
        /// The first steps are done.
        Onboarding = "onboarding",
    }
}

record! {
    /// `conversation_reset`: the conversation starts anew, with another session id, and with costs of 0.
    ///
    /// `session_id` is that of the old one.
    r#"{"type":"conversation_reset","new_conversation_id":"9b21…","trigger":"clear","session_id":"8f3a…","uuid":"…"}"#
    pub struct ConversationReset {
        /// The new conversation.
        pub new_conversation_id: String,
        /// Why.
        pub trigger: Option<ResetTrigger>,
        /// The prompt that asked for it.
        pub user_message_uuid: Option<String>,
        /// When, in ISO 8601.
        pub timestamp: Option<String>,
    }
    line
}

record! {
    /// `active_goal`: what the session works towards.
    r#"{"type":"active_goal","value":{"condition":"all tests pass","iterations":2,"set_at":"2026-01-01T10:00:00Z","tokens_at_start":1200},"session_id":"8f3a…","uuid":"…"}"#
    pub struct ActiveGoal {
        /// The goal; `None` if there is none any more.
        pub value: Option<Goal>,
    }
    line
}

record! {
    /// [`ActiveGoal::value`].
    r#"{"condition":"all tests pass","iterations":2,"set_at":"2026-01-01T10:00:00Z","tokens_at_start":1200,"last_reason":"one fails"}"#
    pub struct Goal {
        /// What is to be reached.
        pub condition: String,
        /// How often it was tried.
        pub iterations: u64,
        /// When it was set, as the CLI writes it.
        pub set_at: Value,
        /// Tokens in the context then.
        pub tokens_at_start: u64,
        /// Why it is not reached yet.
        pub last_reason: Option<String>,
    }
}

words! {
    /// What became of a prompt.
    pub enum CommandState {
        /// It waits.
        Queued = "queued",
        /// Its turn has begun.
        Started = "started",
        /// Its turn is over.
        Completed = "completed",
        /// It was withdrawn.
        Cancelled = "cancelled",
    }
}

record! {
    /// `command_lifecycle`: what became of a prompt. Seen with 2.1.332.
    r#"{"type":"command_lifecycle","command_uuid":"0f6f…","state":"queued","session_id":"8f3a…","uuid":"…"}"#
    pub struct CommandLifecycle {
        /// The prompt, by the id that was sent with it.
        pub command_uuid: String,
        /// What became of it.
        pub state: CommandState,
    }
    line
}

record! {
    /// `autocompact_state`: how near the context is to being made shorter. Not documented.
    r#"{"type":"autocompact_state","value":{"enabled":true},"session_id":"8f3a…","uuid":"…"}"#
    pub struct AutocompactState {
        /// As the CLI writes it.
        pub value: Value,
    }
    line
}

record! {
    /// `keep_alive`: nothing. A session does not deliver it.
    r#"{"type":"keep_alive","startup_mark":"config_loaded"}"#
    pub struct KeepAlive {
        /// How far the start is, where the host asked to know.
        pub startup_mark: Option<String>,
    }
    line
}

record! {
    /// `transcript_mirror`: what was written to the session's file. For the host alone.
    r#"{"type":"transcript_mirror","filePath":"/home/me/.claude/projects/-srv-app/8f3a….jsonl","entries":[{"type":"user"}]}"#
    pub struct TranscriptMirror {
        /// The file.
        pub file_path: String = "filePath",
        /// What was appended, entry by entry.
        pub entries: Vec<Value>,
    }
    line
}
