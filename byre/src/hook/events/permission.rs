//! Permissions.

use serde_json::json;

use crate::{
    hook::{
        ToolInput,
        input::hook_input,
        output::{Body, hook_output, output_methods},
    },
    wire::permission::{McpServerRef, PermissionUpdate},
};

hook_input! {
    /// A tool call needs a permission, which neither rules nor the mode give. The matcher is compared with
    /// the tool's name.
    ///
    /// The program's own permission callback is asked at the same time, and the first answer counts.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"make"},"permission_suggestions":[{"type":"addRules","rules":[{"toolName":"Bash"}],"behavior":"allow","destination":"session"}]}
    /// ```
    PermissionRequest => PermissionRequestInput {
        /// The tool, as the model knows it.
        tool_name: String,
        /// The arguments.
        tool_input: ToolInput,
        /// What the user could choose to be asked no more.
        permission_suggestions: Vec<PermissionUpdate>,
        /// The MCP server of the tool, if it has one.
        mcp_server: Option<McpServerRef>,
    }
}

hook_output! {
    /// Whether a tool call gets its permission.
    ///
    /// ```json
    /// {}
    /// {"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{"command":"make --dry-run"}}}}
    /// {"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"Not today."}}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{PermissionRequestInput, PermissionRequestOutput};
    ///
    /// #[byre::hook(matcher = "Read|Glob|Grep")]
    /// async fn reading_is_fine(input: PermissionRequestInput) -> PermissionRequestOutput {
    ///     PermissionRequestOutput::allow().remember(input.permission_suggestions)
    /// }
    /// # fn main() {}
    /// ```
    PermissionRequestInput => PermissionRequestOutput
}
output_methods! { PermissionRequestOutput: new }

impl PermissionRequestOutput {
    /// Runs the tool.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::PermissionRequestOutput::allow();
    /// ```
    pub fn allow() -> Self {
        Self(Body::default().specific("decision", json!({"behavior": "allow"})))
    }

    /// Does not run the tool. The model reads why, and goes on.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::PermissionRequestOutput::deny("Not in production.");
    /// ```
    pub fn deny(message: impl Into<String>) -> Self {
        let decision = json!({"behavior": "deny", "message": message.into()});
        Self(Body::default().specific("decision", decision))
    }

    /// Does not run the tool, and interrupts the turn.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::PermissionRequestOutput::deny_and_interrupt("Stop here.");
    /// ```
    pub fn deny_and_interrupt(message: impl Into<String>) -> Self {
        Self(Self::deny(message).0.inside("decision", "interrupt", true))
    }

    /// Runs an [allowed](Self::allow) tool with these arguments instead: all of them, not only those that
    /// change. Changes nothing for a tool that is not allowed.
    ///
    /// # Example
    ///
    /// ```
    /// # fn change(input: byre::hook::PermissionRequestInput) -> byre::hook::PermissionRequestOutput {
    /// let mut arguments = input.tool_input;
    /// arguments["timeout"] = 60_000.into();
    /// byre::hook::PermissionRequestOutput::allow().updated_input(arguments)
    /// # }
    /// ```
    pub fn updated_input(self, input: impl Into<ToolInput>) -> Self {
        if !self.allows() {
            return self;
        }
        Self(self.0.inside("decision", "updatedInput", input.into()))
    }

    /// Changes what is allowed from now on, so that the CLI need not ask again: what it suggests itself, or
    /// other updates. Changes nothing for a tool that is not [allowed](Self::allow).
    ///
    /// # Example
    ///
    /// ```
    /// # fn remember(input: byre::hook::PermissionRequestInput) -> byre::hook::PermissionRequestOutput {
    /// byre::hook::PermissionRequestOutput::allow().remember(input.permission_suggestions)
    /// # }
    /// ```
    pub fn remember(self, updates: impl IntoIterator<Item = PermissionUpdate>) -> Self {
        if !self.allows() {
            return self;
        }
        let updates: Vec<_> = updates.into_iter().map(|update| json!(update)).collect();
        Self(self.0.inside("decision", "updatedPermissions", updates))
    }

    fn allows(&self) -> bool {
        self.0.says("decision", "behavior", "allow")
    }
}

hook_input! {
    /// A tool call was denied by the classifier of auto mode. The matcher is compared with the tool's name.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"PermissionDenied","tool_name":"Bash","tool_input":{"command":"make"},"tool_use_id":"toolu_9","reason":"It may reach the network."}
    /// ```
    PermissionDenied => PermissionDeniedInput {
        /// The tool, as the model knows it.
        tool_name: String,
        /// The arguments.
        tool_input: ToolInput,
        /// The id of the call, which the API made.
        tool_use_id: String,
        /// Why.
        reason: String,
        /// The MCP server of the tool, if it has one.
        mcp_server: Option<McpServerRef>,
    }
}

hook_output! {
    /// Whether the model may try a denied call again.
    ///
    /// ```json
    /// {"hookSpecificOutput":{"hookEventName":"PermissionDenied","retry":true}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{PermissionDeniedInput, PermissionDeniedOutput};
    ///
    /// #[byre::hook(matcher = "Bash")]
    /// async fn once_more(_: PermissionDeniedInput) -> PermissionDeniedOutput {
    ///     PermissionDeniedOutput::retry()
    /// }
    /// # fn main() {}
    /// ```
    PermissionDeniedInput => PermissionDeniedOutput
}
output_methods! { PermissionDeniedOutput: new }

impl PermissionDeniedOutput {
    /// Tells the model that it may try again.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::PermissionDeniedOutput::retry();
    /// ```
    pub fn retry() -> Self {
        Self(Body::default().specific("retry", true))
    }
}
