//! Tool calls.

use serde_json::Value;

use crate::{
    hook::{
        BatchedToolCall, SkillInvoker, ToolInput,
        input::hook_input,
        output::{Body, hook_output, output_block, output_methods},
    },
    wire::permission::McpServerRef,
};

hook_input! {
    /// A tool is about to run. The matcher is compared with its name.
    ///
    /// ```json
    /// {"session_id":"0198…","transcript_path":"/home/me/.claude/projects/a/0198….jsonl","cwd":"/home/me/a","prompt_id":"1f…","permission_mode":"default","effort":{"level":"medium"},"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"make"},"tool_use_id":"toolu_9"}
    /// ```
    PreToolUse => PreToolUseInput {
        /// The tool, as the model knows it: `Bash`, `mcp__byre__add`.
        tool_name: String,
        /// The arguments.
        tool_input: ToolInput,
        /// The id of the call, which the API made.
        tool_use_id: String,
        /// The MCP server of the tool, if it has one.
        mcp_server: Option<McpServerRef>,
    }
}

hook_output! {
    /// Whether a tool may run, and with what.
    ///
    /// Of several hooks, a no counts more than a question, and that more than a yes. If several change the
    /// arguments, the last to answer wins.
    ///
    /// ```json
    /// {}
    /// {"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"builds are frozen"}}
    /// {"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"make --dry-run"}}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{PreToolUseInput, PreToolUseOutput};
    ///
    /// #[byre::hook(matcher = "Bash")]
    /// async fn no_force(input: PreToolUseInput) -> PreToolUseOutput {
    ///     let command = input.tool_input.text("command").unwrap_or_default();
    ///     if command.contains("--force") {
    ///         PreToolUseOutput::deny("Nothing is forced here: ask a person.")
    ///     } else {
    ///         PreToolUseOutput::new()
    ///     }
    /// }
    /// # fn main() {}
    /// ```
    PreToolUseInput => PreToolUseOutput
}
output_methods! { PreToolUseOutput: new, additional_context }

impl PreToolUseOutput {
    /// Runs the tool without a question to anybody.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::PreToolUseOutput::allow();
    /// ```
    pub fn allow() -> Self {
        Self(Body::default().specific("permissionDecision", "allow"))
    }

    /// Does not run the tool. The model reads why, and goes on.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::PreToolUseOutput::deny("The folder is not yours: stay in /srv/app.");
    /// ```
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::decide("deny", reason.into())
    }

    /// Asks the user, whatever rules and modes say, bypass mode too. Where nobody can be asked, the tool does
    /// not run, and the model reads why.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::PreToolUseOutput::ask("This deletes files.");
    /// ```
    pub fn ask(reason: impl Into<String>) -> Self {
        Self::decide("ask", reason.into())
    }

    /// Ends the turn before the tool runs: its result has `terminal_reason` `tool_deferred`. The call waits
    /// until somebody resumes the session.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::PreToolUseOutput::defer();
    /// ```
    pub fn defer() -> Self {
        Self(Body::default().specific("permissionDecision", "defer"))
    }

    /// Runs the tool with these arguments instead: all of them, not only those that change. The model is not
    /// told.
    ///
    /// # Example
    ///
    /// ```
    /// # fn change(input: byre::hook::PreToolUseInput) -> byre::hook::PreToolUseOutput {
    /// let mut arguments = input.tool_input;
    /// arguments["timeout"] = 60_000.into();
    /// byre::hook::PreToolUseOutput::new().updated_input(arguments)
    /// # }
    /// ```
    pub fn updated_input(self, input: impl Into<ToolInput>) -> Self {
        Self(self.0.specific("updatedInput", input.into()))
    }

    fn decide(decision: &str, reason: String) -> Self {
        let body = Body::default().specific("permissionDecision", decision);
        Self(body.specific("permissionDecisionReason", reason))
    }
}

hook_input! {
    /// A tool has run, and gave a result. The matcher is compared with its name.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"PostToolUse","tool_name":"mcp__byre__add","tool_input":{"a":2,"b":3},"tool_response":[{"type":"text","text":"5"}],"tool_use_id":"toolu_9","duration_ms":3,"mcp_server":{"name":"byre","source":"sdk"}}
    /// ```
    PostToolUse => PostToolUseInput {
        /// The tool, as the model knows it.
        tool_name: String,
        /// The arguments that it ran with.
        tool_input: ToolInput,
        /// What it gave: of a tool of an MCP server, the list of content blocks.
        tool_response: Value,
        /// The id of the call, which the API made.
        tool_use_id: String,
        /// How long it ran, in milliseconds.
        duration_ms: Option<u64>,
        /// The MCP server of the tool, if it has one.
        mcp_server: Option<McpServerRef>,
    }
}

hook_output! {
    /// What the model is told after a tool has run.
    ///
    /// ```json
    /// {"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedToolOutput":"[redacted]"}}
    /// {"decision":"block","reason":"The tests fail now."}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{PostToolUseInput, PostToolUseOutput};
    ///
    /// #[byre::hook(matcher = "mcp__.*")]
    /// async fn no_keys(input: PostToolUseInput) -> PostToolUseOutput {
    ///     if input.tool_response.to_string().contains("PRIVATE KEY") {
    ///         PostToolUseOutput::new().updated_output("[a private key was removed]")
    ///     } else {
    ///         PostToolUseOutput::new()
    ///     }
    /// }
    /// # fn main() {}
    /// ```
    PostToolUseInput => PostToolUseOutput
}
output_methods! { PostToolUseOutput: new, additional_context }
output_block! { PostToolUseOutput,
    /// Leaves the result as it is, and tells the model what is wrong with it.
}

impl PostToolUseOutput {
    /// Puts this in place of the result, for the model and in the events.
    ///
    /// A text, or for MCP tools a list of content blocks. Anything else reaches the model as the text of the
    /// JSON.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::PostToolUseOutput;
    /// use serde_json::json;
    ///
    /// PostToolUseOutput::new().updated_output("[too long]");
    /// PostToolUseOutput::new().updated_output(json!([{"type": "text", "text": "[too long]"}]));
    /// ```
    pub fn updated_output(self, output: impl Into<Value>) -> Self {
        Self(self.0.specific("updatedToolOutput", output))
    }

    /// Tells the classifier of auto mode something about the result; at most 2,000 UTF-16 units over all
    /// hooks.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::PostToolUseOutput::new().classifier_context("The file is a fixture.");
    /// ```
    pub fn classifier_context(self, text: impl Into<String>) -> Self {
        Self(self.0.specific("classifierContext", text.into()))
    }
}

hook_input! {
    /// A tool has failed. The matcher is compared with its name.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"false"},"tool_use_id":"toolu_9","error":"Exit code 1","is_interrupt":false,"duration_ms":12}
    /// ```
    PostToolUseFailure => PostToolUseFailureInput {
        /// The tool, as the model knows it.
        tool_name: String,
        /// The arguments that it ran with.
        tool_input: ToolInput,
        /// The id of the call, which the API made.
        tool_use_id: String,
        /// What went wrong.
        error: String,
        /// The user has interrupted it.
        is_interrupt: bool,
        /// How long it ran, in milliseconds.
        duration_ms: Option<u64>,
        /// The MCP server of the tool, if it has one.
        mcp_server: Option<McpServerRef>,
    }
}

hook_output! {
    /// What the model is told after a tool has failed.
    ///
    /// ```json
    /// {"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"The server is being restarted."}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{PostToolUseFailureInput, PostToolUseFailureOutput};
    ///
    /// #[byre::hook]
    /// async fn explain(input: PostToolUseFailureInput) -> PostToolUseFailureOutput {
    ///     if input.error.contains("refused") {
    ///         PostToolUseFailureOutput::new().additional_context("The server is being restarted.")
    ///     } else {
    ///         PostToolUseFailureOutput::new()
    ///     }
    /// }
    /// # fn main() {}
    /// ```
    PostToolUseFailureInput => PostToolUseFailureOutput
}
output_methods! { PostToolUseFailureOutput: new, additional_context }

hook_input! {
    /// All tools of one message have run. Takes no matcher.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"PostToolBatch","tool_calls":[{"tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"toolu_1","tool_response":"a.txt"}]}
    /// ```
    PostToolBatch => PostToolBatchInput {
        /// The calls, in the order of the message.
        tool_calls: Vec<BatchedToolCall>,
    }
}

hook_output! {
    /// What the model is told after all tools of a message.
    ///
    /// ```json
    /// {"hookSpecificOutput":{"hookEventName":"PostToolBatch","additionalContext":"3 files have changed."}}
    /// {"decision":"block","reason":"The budget is spent."}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{PostToolBatchInput, PostToolBatchOutput};
    ///
    /// #[byre::hook]
    /// async fn few_calls(input: PostToolBatchInput) -> PostToolBatchOutput {
    ///     if input.tool_calls.len() > 20 {
    ///         PostToolBatchOutput::new().additional_context("Fewer calls at a time, please.")
    ///     } else {
    ///         PostToolBatchOutput::new()
    ///     }
    /// }
    /// # fn main() {}
    /// ```
    PostToolBatchInput => PostToolBatchOutput
}
output_methods! { PostToolBatchOutput: new, additional_context }
output_block! { PostToolBatchOutput,
    /// Ends the turn, with `terminal_reason` `hook_stopped`.
}

hook_input! {
    /// A skill is about to run a shell command while it is loaded. The matcher is compared with
    /// `tool_name`.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"PreSkillShellCommand","tool_name":"Bash","tool_input":{"command":"git log"},"tool_use_id":"skill-1","command_name":"review","command_source":"project","invoked_by":"user"}
    /// ```
    PreSkillShellCommand => PreSkillShellCommandInput {
        /// `Bash` or `PowerShell`.
        tool_name: String,
        /// The arguments; `command` is the command.
        tool_input: ToolInput,
        /// The id of the call.
        tool_use_id: String,
        /// The skill.
        command_name: String,
        /// Where the skill is from.
        command_source: Option<String>,
        /// Who asked for it.
        invoked_by: SkillInvoker,
    }
}

hook_output! {
    /// Whether a skill may run a shell command. What it runs can't be changed, and a yes adds nothing.
    ///
    /// ```json
    /// {"hookSpecificOutput":{"hookEventName":"PreSkillShellCommand","permissionDecision":"deny","permissionDecisionReason":"Skills run nothing here."}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{PreSkillShellCommandInput, PreSkillShellCommandOutput};
    ///
    /// #[byre::hook]
    /// async fn no_shell(_: PreSkillShellCommandInput) -> PreSkillShellCommandOutput {
    ///     PreSkillShellCommandOutput::deny("Skills run nothing here.")
    /// }
    /// # fn main() {}
    /// ```
    PreSkillShellCommandInput => PreSkillShellCommandOutput
}
output_methods! { PreSkillShellCommandOutput: new }

impl PreSkillShellCommandOutput {
    /// Does not run the command, and so does not load the skill.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::PreSkillShellCommandOutput::deny("Skills run nothing here.");
    /// ```
    pub fn deny(reason: impl Into<String>) -> Self {
        let body = Body::default().specific("permissionDecision", "deny");
        Self(body.specific("permissionDecisionReason", reason.into()))
    }
}
