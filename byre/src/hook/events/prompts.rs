//! Prompts, and what the user is shown.

use crate::hook::{
    ExpansionType, PromptSource,
    input::hook_input,
    output::{hook_output, output_block, output_methods},
};

hook_input! {
    /// The CLI has something to tell the user. The matcher is compared with `notification_type`.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"Notification","message":"Claude needs your permission to use Bash","notification_type":"permission_prompt"}
    /// ```
    Notification => NotificationInput {
        /// What it says.
        message: String,
        /// Its title.
        title: Option<String>,
        /// `permission_prompt` and others.
        notification_type: String,
    }
}

hook_output! {
    /// What the model is told when the user is.
    ///
    /// ```json
    /// {"hookSpecificOutput":{"hookEventName":"Notification","additionalContext":"Nobody is there."}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{NotificationInput, NotificationOutput};
    ///
    /// #[byre::hook(matcher = "permission_prompt")]
    /// async fn ring(input: NotificationInput) -> NotificationOutput {
    ///     eprintln!("\x07{}", input.message);
    ///     NotificationOutput::new()
    /// }
    /// # fn main() {}
    /// ```
    NotificationInput => NotificationOutput
}
output_methods! { NotificationOutput: new, additional_context }

hook_input! {
    /// A prompt is about to be taken. Takes no matcher.
    ///
    /// The CLI waits for 30 seconds, unless the hook has a `timeout` of its own, and blocks the prompt then.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"UserPromptSubmit","prompt":"Fix the bug.","source":"sdk","session_title":"Bugs"}
    /// ```
    UserPromptSubmit => UserPromptSubmitInput {
        /// The text.
        prompt: String,
        /// Who sent it, where the CLI says so.
        source: Option<PromptSource>,
        /// What the session is called.
        session_title: Option<String>,
    }
}

hook_output! {
    /// Whether a prompt is taken, and what the model reads with it.
    ///
    /// ```json
    /// {}
    /// {"decision":"block","reason":"There is a key in it."}
    /// {"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"It is Monday."}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{UserPromptSubmitInput, UserPromptSubmitOutput};
    ///
    /// #[byre::hook]
    /// async fn no_keys(input: UserPromptSubmitInput) -> UserPromptSubmitOutput {
    ///     if input.prompt.contains("PRIVATE KEY") {
    ///         UserPromptSubmitOutput::block("There is a key in it.").suppress_original_prompt()
    ///     } else {
    ///         UserPromptSubmitOutput::new()
    ///     }
    /// }
    /// # fn main() {}
    /// ```
    UserPromptSubmitInput => UserPromptSubmitOutput
}
output_methods! {
    UserPromptSubmitOutput: new, additional_context, session_title, suppress_original_prompt
}
output_block! { UserPromptSubmitOutput,
    /// Does not take the prompt: the model never sees it, and the turn ends with a result that says why.
}

hook_input! {
    /// A slash command or a prompt of an MCP server is turned into text. The matcher is compared with the
    /// command's name.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"UserPromptExpansion","expansion_type":"slash_command","command_name":"review","command_args":"src","command_source":"project","prompt":"/review src"}
    /// ```
    UserPromptExpansion => UserPromptExpansionInput {
        /// What it is.
        expansion_type: ExpansionType,
        /// The command, without the slash.
        command_name: String,
        /// What follows the command.
        command_args: String,
        /// Where the command is from.
        command_source: Option<String>,
        /// What the user wrote.
        prompt: String,
    }
}

hook_output! {
    /// Whether a command is turned into text, and what the model reads with it.
    ///
    /// ```json
    /// {"decision":"block","reason":"No deployments on Fridays."}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{UserPromptExpansionInput, UserPromptExpansionOutput};
    ///
    /// #[byre::hook(matcher = "deploy")]
    /// async fn no_deployments(_: UserPromptExpansionInput) -> UserPromptExpansionOutput {
    ///     UserPromptExpansionOutput::block("No deployments on Fridays.")
    /// }
    /// # fn main() {}
    /// ```
    UserPromptExpansionInput => UserPromptExpansionOutput
}
output_methods! { UserPromptExpansionOutput: new, additional_context, suppress_original_prompt }
output_block! { UserPromptExpansionOutput,
    /// Does not take the command.
}

hook_input! {
    /// A text of the model is about to be shown. Takes no matcher.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"MessageDisplay","turn_id":"t1","message_id":"m1","index":0,"final":true,"delta":"Done."}
    /// ```
    MessageDisplay => MessageDisplayInput {
        /// The turn.
        turn_id: String,
        /// The message.
        message_id: String,
        /// Which piece of the message it is, from 0.
        index: u64,
        /// It is the last piece.
        is_final = "final": bool,
        /// The text of the piece.
        delta: String,
    }
}

hook_output! {
    /// What is shown in place of a text of the model.
    ///
    /// ```json
    /// {"hookSpecificOutput":{"hookEventName":"MessageDisplay","displayContent":"Fertig."}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{MessageDisplayInput, MessageDisplayOutput};
    ///
    /// #[byre::hook]
    /// async fn quiet(input: MessageDisplayInput) -> MessageDisplayOutput {
    ///     MessageDisplayOutput::new().display_content(input.delta.to_lowercase())
    /// }
    /// # fn main() {}
    /// ```
    MessageDisplayInput => MessageDisplayOutput
}
output_methods! { MessageDisplayOutput: new }

impl MessageDisplayOutput {
    /// Shows this text instead. The conversation keeps the model's own.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::MessageDisplayOutput::new().display_content("Done!");
    /// ```
    pub fn display_content(self, text: impl Into<String>) -> Self {
        Self(self.0.specific("displayContent", text.into()))
    }
}
