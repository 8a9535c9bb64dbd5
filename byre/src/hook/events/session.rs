//! Conversations, compaction and models.

use crate::{
    hook::{
        CacheTtl, ModelSwitchSource, Pricing, SessionEndReason, SessionStartSource, SetupTrigger,
        input::hook_input,
        output::{Body, hook_output, output_block, output_methods},
    },
    wire::event::CompactTrigger,
};

hook_input! {
    /// A conversation starts. The matcher is compared with `source`.
    ///
    /// Hooks of a program are asked after `/clear` and after compaction. They are *not* asked when the
    /// process starts or resumes a conversation, because that is over before the CLI knows of them.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"SessionStart","source":"clear","model":"claude-opus-5-5"}
    /// ```
    SessionStart => SessionStartInput {
        /// Why.
        source: SessionStartSource,
        /// The model.
        model: Option<String>,
        /// What the session is called.
        session_title: Option<String>,
        /// How long ago the model answered last.
        seconds_since_last_response: Option<f64>,
        /// How long the conversation is, in tokens.
        context_tokens: Option<u64>,
        /// The API has probably forgotten the conversation, so that the next prompt costs more.
        prompt_cache_likely_expired: Option<bool>,
        /// What it costs to have the API read the conversation again, in dollars.
        estimated_cache_write_usd: Option<f64>,
    }
}

hook_output! {
    /// What a conversation starts with.
    ///
    /// ```json
    /// {"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"The branch is `main`."}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{SessionStartInput, SessionStartOutput};
    ///
    /// #[byre::hook(matcher = "clear|compact")]
    /// async fn remind(_: SessionStartInput) -> SessionStartOutput {
    ///     SessionStartOutput::new().additional_context("The branch is `main`.")
    /// }
    /// # fn main() {}
    /// ```
    SessionStartInput => SessionStartOutput
}
output_methods! { SessionStartOutput: new, additional_context, session_title, watch_paths }

impl SessionStartOutput {
    /// Sends a prompt.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::SessionStartOutput::new().initial_user_message("Go on.");
    /// ```
    pub fn initial_user_message(self, text: impl Into<String>) -> Self {
        Self(self.0.specific("initialUserMessage", text.into()))
    }

    /// Has the CLI look for skills again.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::SessionStartOutput::new().reload_skills();
    /// ```
    pub fn reload_skills(self) -> Self {
        Self(self.0.specific("reloadSkills", true))
    }
}

hook_input! {
    /// A conversation ends. The matcher is compared with `reason`.
    ///
    /// Hooks of a program are asked at `/clear`, and not when the process ends.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"SessionEnd","reason":"clear"}
    /// ```
    SessionEnd => SessionEndInput {
        /// Why.
        reason: SessionEndReason,
    }
}

hook_output! {
    /// The answer to the end of a conversation, which changes nothing about it.
    ///
    /// ```json
    /// {"systemMessage":"The notes are saved."}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{SessionEndInput, SessionEndOutput};
    ///
    /// #[byre::hook]
    /// async fn save(_: SessionEndInput) -> SessionEndOutput {
    ///     SessionEndOutput::new().system_message("The notes are saved.")
    /// }
    /// # fn main() {}
    /// ```
    SessionEndInput => SessionEndOutput
}
output_methods! { SessionEndOutput: new }

hook_input! {
    /// The CLI sets up the working directory. The matcher is compared with `trigger`.
    ///
    /// Hooks of a program are not asked when the process starts.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"Setup","trigger":"init"}
    /// ```
    Setup => SetupInput {
        /// Why.
        trigger: SetupTrigger,
    }
}

hook_output! {
    /// What the model is told after the working directory was set up.
    ///
    /// ```json
    /// {"hookSpecificOutput":{"hookEventName":"Setup","additionalContext":"The packages are installed."}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{SetupInput, SetupOutput};
    ///
    /// #[byre::hook(matcher = "init")]
    /// async fn install(_: SetupInput) -> SetupOutput {
    ///     SetupOutput::new().additional_context("The packages are installed.")
    /// }
    /// # fn main() {}
    /// ```
    SetupInput => SetupOutput
}
output_methods! { SetupOutput: new, additional_context }

hook_input! {
    /// The conversation is about to be compacted. The matcher is compared with `trigger`.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"PreCompact","trigger":"manual","custom_instructions":"Keep the names."}
    /// ```
    PreCompact => PreCompactInput {
        /// Who wants it.
        trigger: CompactTrigger,
        /// What the user wants to be kept.
        custom_instructions: Option<String>,
    }
}

hook_output! {
    /// Whether the conversation is compacted.
    ///
    /// ```json
    /// {"decision":"block","reason":"Not in the middle of a release."}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{PreCompactInput, PreCompactOutput};
    ///
    /// #[byre::hook(matcher = "manual")]
    /// async fn keep(_: PreCompactInput) -> PreCompactOutput {
    ///     PreCompactOutput::block("Not in the middle of a release.")
    /// }
    /// # fn main() {}
    /// ```
    PreCompactInput => PreCompactOutput
}
output_methods! { PreCompactOutput: new }
output_block! { PreCompactOutput,
    /// Leaves the conversation as it is.
}

hook_input! {
    /// The conversation was compacted. The matcher is compared with `trigger`.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"PostCompact","trigger":"auto","compact_summary":"The user wants …"}
    /// ```
    PostCompact => PostCompactInput {
        /// Who wanted it.
        trigger: CompactTrigger,
        /// What is left of the conversation.
        compact_summary: String,
    }
}

hook_output! {
    /// The answer to a compaction, which changes nothing about it.
    ///
    /// ```json
    /// {"systemMessage":"The conversation was compacted."}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{PostCompactInput, PostCompactOutput};
    ///
    /// #[byre::hook]
    /// async fn tell(input: PostCompactInput) -> PostCompactOutput {
    ///     PostCompactOutput::new().system_message(input.compact_summary)
    /// }
    /// # fn main() {}
    /// ```
    PostCompactInput => PostCompactOutput
}
output_methods! { PostCompactOutput: new }

hook_input! {
    /// The model is about to be switched. The matcher is compared with the full name of the new one.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"PreModelSwitch","from_model":"claude-opus-5-5","to_model":"claude-sonnet-5-5","requested_model":"sonnet","source":"sdk","context_tokens":12000,"prompt_cache_warm":true,"cache_ttl":"5m","estimated_cache_write_usd":0.05,"pricing":"catalog"}
    /// ```
    PreModelSwitch => PreModelSwitchInput {
        /// The model at hand.
        from_model: String,
        /// The new one, by its full name.
        to_model: String,
        /// What was asked for; `None` means the usual one.
        requested_model: Option<String>,
        /// Who asks.
        source: ModelSwitchSource,
        /// How long the conversation is, in tokens. The new model has to read it.
        context_tokens: u64,
        /// The API still knows the conversation, for the model at hand.
        prompt_cache_warm: bool,
        /// How long the API keeps it.
        cache_ttl: CacheTtl,
        /// What it costs to have the new model read it, in dollars.
        estimated_cache_write_usd: f64,
        /// Where the price is from.
        pricing: Pricing,
    }
}

hook_output! {
    /// Whether the model is switched.
    ///
    /// ```json
    /// {"hookSpecificOutput":{"hookEventName":"PreModelSwitch","permissionDecision":"deny","permissionDecisionReason":"Too expensive."}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{PreModelSwitchInput, PreModelSwitchOutput};
    ///
    /// #[byre::hook]
    /// async fn cheap(input: PreModelSwitchInput) -> PreModelSwitchOutput {
    ///     if input.estimated_cache_write_usd > 1.0 {
    ///         PreModelSwitchOutput::deny("Too expensive.")
    ///     } else {
    ///         PreModelSwitchOutput::new()
    ///     }
    /// }
    /// # fn main() {}
    /// ```
    PreModelSwitchInput => PreModelSwitchOutput
}
output_methods! { PreModelSwitchOutput: new }

impl PreModelSwitchOutput {
    /// Switches the model without a question.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::PreModelSwitchOutput::allow();
    /// ```
    pub fn allow() -> Self {
        Self(Body::default().specific("permissionDecision", "allow"))
    }

    /// Keeps the model: [`SessionHandle::set_model`](crate::SessionHandle::set_model) fails.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::PreModelSwitchOutput::deny("Too expensive.");
    /// ```
    pub fn deny(reason: impl Into<String>) -> Self {
        let body = Body::default().specific("permissionDecision", "deny");
        Self(body.specific("permissionDecisionReason", reason.into()))
    }

    /// Asks the user; where nobody can be asked, and so always under byre, keeps the model.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::PreModelSwitchOutput::ask("This costs 2 dollars.");
    /// ```
    pub fn ask(reason: impl Into<String>) -> Self {
        let body = Body::default().specific("permissionDecision", "ask");
        Self(body.specific("permissionDecisionReason", reason.into()))
    }
}

hook_input! {
    /// The model was switched. The matcher is compared with the full name of the new one.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"PostModelSwitch","from_model":"claude-opus-5-5","to_model":"claude-sonnet-5-5","requested_model":"sonnet","source":"sdk","context_tokens":12000,"prompt_cache_warm":true,"cache_ttl":"1h","estimated_cache_write_usd":0.05,"pricing":"catalog"}
    /// ```
    PostModelSwitch => PostModelSwitchInput {
        /// The model before.
        from_model: String,
        /// The one at hand, by its full name.
        to_model: String,
        /// What was asked for; `None` means the usual one.
        requested_model: Option<String>,
        /// Who asked.
        source: ModelSwitchSource,
        /// How long the conversation is, in tokens.
        context_tokens: u64,
        /// The API still knew the conversation, for the model before.
        prompt_cache_warm: bool,
        /// How long the API keeps it.
        cache_ttl: CacheTtl,
        /// What it costs to have the model read it, in dollars.
        estimated_cache_write_usd: f64,
        /// Where the price is from.
        pricing: Pricing,
    }
}

hook_output! {
    /// What the model is told after it was switched.
    ///
    /// ```json
    /// {"hookSpecificOutput":{"hookEventName":"PostModelSwitch","additionalContext":"You are new here."}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{PostModelSwitchInput, PostModelSwitchOutput};
    ///
    /// #[byre::hook]
    /// async fn welcome(_: PostModelSwitchInput) -> PostModelSwitchOutput {
    ///     PostModelSwitchOutput::new().additional_context("You are new here.")
    /// }
    /// # fn main() {}
    /// ```
    PostModelSwitchInput => PostModelSwitchOutput
}
output_methods! { PostModelSwitchOutput: new, additional_context }
