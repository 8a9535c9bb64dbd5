//! The end of a turn, and subagents.

use serde_json::Value;

use crate::hook::{
    input::hook_input,
    output::{hook_output, output_block, output_methods},
};

hook_input! {
    /// The agent is about to end its turn. Takes no matcher.
    ///
    /// ```json
    /// {"session_id":"0198…","transcript_path":"/home/me/.claude/projects/a/0198….jsonl","cwd":"/home/me/a","prompt_id":"1f…","permission_mode":"default","hook_event_name":"Stop","stop_hook_active":false,"last_assistant_message":"Done.","background_tasks":[],"session_crons":[]}
    /// ```
    Stop => StopInput {
        /// The agent is at work because a hook has blocked before.
        stop_hook_active: bool,
        /// The text of the last message.
        last_assistant_message: Option<String>,
        /// What still runs in the background.
        background_tasks: Vec<Value>,
        /// The timers of the session.
        session_crons: Vec<Value>,
    }
}

hook_output! {
    /// Whether the agent may end its turn.
    ///
    /// ```json
    /// {}
    /// {"decision":"block","reason":"Say goodbye before you stop."}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{StopInput, StopOutput};
    ///
    /// #[byre::hook]
    /// async fn say_goodbye(input: StopInput) -> StopOutput {
    ///     if input.stop_hook_active {
    ///         StopOutput::allow()
    ///     } else {
    ///         StopOutput::block("Say goodbye before you stop.").at_most(2)
    ///     }
    /// }
    /// # fn main() {}
    /// ```
    StopInput => StopOutput
}
output_methods! { StopOutput: additional_context }
output_block! { StopOutput,
    /// Sends the agent back to work, with what it has to do.
    ///
    /// The CLI obeys eight times in a row, and then lets the agent stop (seen with 2.1.332). See
    /// [`at_most`](Self::at_most) for a lower limit.
}

impl StopOutput {
    /// Lets the agent stop.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::StopOutput::allow();
    /// ```
    pub fn allow() -> Self {
        Self::default()
    }

    /// Blocks at most `times` times in one turn, and lets the agent stop after that.
    ///
    /// The limit is that of the hook: byre counts how often it has blocked in the turn.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::StopOutput::block("The tests fail: fix them.").at_most(3);
    /// ```
    pub fn at_most(self, times: u32) -> Self {
        Self(self.0.at_most(times))
    }
}

hook_input! {
    /// An error of the API has ended the turn; [`Stop`](crate::hook::HookEvent::Stop) hooks are not asked
    /// then. The matcher is compared with `error`.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"StopFailure","error":"rate_limit","error_details":"429","last_assistant_message":"API Error: 429"}
    /// ```
    StopFailure => StopFailureInput {
        /// The kind of error: `rate_limit`, `overloaded` and others.
        error: String,
        /// More about it.
        error_details: Option<String>,
        /// The text of the last message.
        last_assistant_message: Option<String>,
    }
}

hook_output! {
    /// The answer to a turn that failed, which changes nothing about it.
    ///
    /// ```json
    /// {"systemMessage":"The API is overloaded."}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{StopFailureInput, StopFailureOutput};
    ///
    /// #[byre::hook]
    /// async fn tell(input: StopFailureInput) -> StopFailureOutput {
    ///     StopFailureOutput::new().system_message(format!("The API says {}.", input.error))
    /// }
    /// # fn main() {}
    /// ```
    StopFailureInput => StopFailureOutput
}
output_methods! { StopFailureOutput: new }

hook_input! {
    /// A subagent starts. The matcher is compared with its kind, which is in `agent_type`; `agent_id` is the
    /// subagent.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"SubagentStart","agent_id":"a1","agent_type":"general-purpose"}
    /// ```
    SubagentStart => SubagentStartInput {}
}

hook_output! {
    /// What a subagent is told when it starts.
    ///
    /// ```json
    /// {"hookSpecificOutput":{"hookEventName":"SubagentStart","additionalContext":"Stay in src/."}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{SubagentStartInput, SubagentStartOutput};
    ///
    /// #[byre::hook(matcher = "general-purpose")]
    /// async fn stay(_: SubagentStartInput) -> SubagentStartOutput {
    ///     SubagentStartOutput::new().additional_context("Stay in src/.")
    /// }
    /// # fn main() {}
    /// ```
    SubagentStartInput => SubagentStartOutput
}
output_methods! { SubagentStartOutput: new, additional_context }

hook_input! {
    /// A subagent is about to end. The matcher is compared with its kind, which is in `agent_type`;
    /// `agent_id` is the subagent.
    ///
    /// The CLI's own helpers, those of compaction for example, end this way too.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"SubagentStop","stop_hook_active":false,"agent_id":"a1","agent_type":"general-purpose","agent_transcript_path":"/home/me/a1.jsonl","last_assistant_message":"Seven.","background_tasks":[],"session_crons":[]}
    /// ```
    SubagentStop => SubagentStopInput {
        /// The subagent is at work because a hook has blocked before.
        stop_hook_active: bool,
        /// The file that the CLI writes its conversation to.
        agent_transcript_path: std::path::PathBuf,
        /// The text of its last message.
        last_assistant_message: Option<String>,
        /// What still runs in the background.
        background_tasks: Vec<Value>,
        /// The timers of the session.
        session_crons: Vec<Value>,
    }
}

hook_output! {
    /// Whether a subagent may end.
    ///
    /// ```json
    /// {}
    /// {"decision":"block","reason":"Name the files, too."}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{SubagentStopInput, SubagentStopOutput};
    ///
    /// #[byre::hook]
    /// async fn names_files(input: SubagentStopInput) -> SubagentStopOutput {
    ///     match input.last_assistant_message {
    ///         Some(text) if !text.contains(".rs") => {
    ///             SubagentStopOutput::block("Name the files, too.").at_most(1)
    ///         }
    ///         _ => SubagentStopOutput::allow(),
    ///     }
    /// }
    /// # fn main() {}
    /// ```
    SubagentStopInput => SubagentStopOutput
}
output_methods! { SubagentStopOutput: additional_context }
output_block! { SubagentStopOutput,
    /// Sends the subagent back to work, with what it has to do.
}

impl SubagentStopOutput {
    /// Lets the subagent end.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::SubagentStopOutput::allow();
    /// ```
    pub fn allow() -> Self {
        Self::default()
    }

    /// Blocks at most `times` times, and lets the subagent end after that. byre counts for each subagent.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::SubagentStopOutput::block("Name the files, too.").at_most(1);
    /// ```
    pub fn at_most(self, times: u32) -> Self {
        Self(self.0.at_most(times))
    }
}
