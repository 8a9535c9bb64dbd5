//! The end of a turn.

use std::{collections::BTreeMap, time::Duration};

use serde_json::Value;

use super::{
    block::ToolUse,
    message::{Origin, StopReason, Usage},
    table::{record, words},
};

words! {
    /// How a turn ended, roughly. Judge by [`ResultEvent::is_error`].
    pub enum ResultSubtype {
        /// The loop came to its end, be it with an API failure.
        Success = "success",
        /// It was interrupted, or the CLI failed.
        ErrorDuringExecution = "error_during_execution",
        /// The limit of turns was reached.
        ErrorMaxTurns = "error_max_turns",
        /// The limit of cost was reached.
        ErrorMaxBudgetUsd = "error_max_budget_usd",
        /// The model did not manage the JSON schema.
        ErrorMaxStructuredOutputRetries = "error_max_structured_output_retries",
    }
}

words! {
    /// Why a turn ended.
    pub enum TerminalReason {
        /// The model was done.
        Completed = "completed",
        /// The limit of turns was reached.
        MaxTurns = "max_turns",
        /// An interrupt came while the model wrote.
        AbortedStreaming = "aborted_streaming",
        /// An interrupt came while a tool ran, or while somebody was asked about it.
        AbortedTools = "aborted_tools",
        /// A Stop hook said that the session must not go on.
        StopHookPrevented = "stop_hook_prevented",
        /// Another hook said so.
        HookStopped = "hook_stopped",
        /// A hook put the call of a tool off.
        ToolDeferred = "tool_deferred",
        /// The call can't be put off.
        ToolDeferredUnavailable = "tool_deferred_unavailable",
        /// The limit of cost was reached.
        BudgetExhausted = "budget_exhausted",
        /// The model did not manage the JSON schema.
        StructuredOutputRetryExhausted = "structured_output_retry_exhausted",
        /// The API failed.
        ApiError = "api_error",
        /// The model failed.
        ModelError = "model_error",
        /// An image is too large, or can't be read.
        ImageError = "image_error",
        /// The conversation is too long for the model.
        PromptTooLong = "prompt_too_long",
        /// The conversation is too long to be sent.
        BlockingLimit = "blocking_limit",
        /// The context filled up again right after it was compacted.
        RapidRefillBreaker = "rapid_refill_breaker",
        /// The model's calls could not be read, again and again.
        MalformedToolUseExhausted = "malformed_tool_use_exhausted",
        /// The turn goes on in the background; another result follows.
        BackgroundRequested = "background_requested",
        /// The turn could not begin.
        TurnSetupFailed = "turn_setup_failed",
    }
}

words! {
    /// Whether the fast mode is on.
    pub enum FastModeState {
        /// It is off.
        Off = "off",
        /// It is off for a while, after too many requests.
        Cooldown = "cooldown",
        /// It is on.
        On = "on",
    }
}

words! {
    /// Why the fast mode can't be had.
    pub enum FastModeDisabledReason {
        /// The plan is free.
        Free = "free",
        /// The user does not want it.
        Preference = "preference",
        /// Usage on top of the plan is not allowed.
        ExtraUsageDisabled = "extra_usage_disabled",
        /// The CLI could not ask.
        NetworkError = "network_error",
        /// Nobody knows.
        Unknown = "unknown",
        /// The API is not Anthropic's own.
        NotFirstParty = "not_first_party",
        /// A variable of the environment forbids it.
        DisabledByEnv = "disabled_by_env",
        /// The model does not have it.
        ModelNotAllowed = "model_not_allowed",
        /// The host has to ask for it.
        SdkOptInRequired = "sdk_opt_in_required",
        /// The CLI does not know yet.
        Pending = "pending",
    }
}

words! {
    /// What a cost was reckoned by.
    pub enum CostBasis {
        /// The price list.
        List = "list",
        /// Prices that the organisation has set.
        Managed = "managed",
        /// No price is known.
        Unknown = "unknown",
    }
}

record! {
    /// `result`: a turn is over. Exactly one comes for each turn.
    ///
    /// Judge by `is_error`: an API failure ends a turn with `subtype` `success` and `is_error` true; or
    /// ask for the [`failure`](Self::failure).
    r#"{"type":"result","subtype":"success","is_error":false,"result":"5","num_turns":2,"duration_ms":812,"total_cost_usd":0.0021,"terminal_reason":"completed","user_message_uuids":["0f6f…"],"session_id":"8f3a…","uuid":"77aa…"}"#
    pub struct ResultEvent {
        /// How the turn ended, roughly.
        pub subtype: ResultSubtype,
        /// The turn failed.
        pub is_error: bool,
        /// The last text of the model, or what went wrong; absent in errors that list
        /// [`errors`](Self::errors).
        pub result: Option<String>,
        /// What went wrong.
        pub errors: Vec<String>,
        /// Why the turn ended; absent for commands that the CLI carries out itself.
        pub terminal_reason: Option<TerminalReason>,
        /// Why the model stopped.
        pub stop_reason: Option<StopReason>,
        /// How many messages the model and the CLI made.
        pub num_turns: u64,
        /// How long the turn took, in milliseconds.
        pub duration_ms: u64,
        /// How long the turn waited for the API, in milliseconds.
        pub duration_api_ms: u64,
        /// What the process has cost so far, in US dollars; not this turn alone. A resumed session goes
        /// on from what it had cost before, and `/clear` starts anew:
        /// [`CostTracker`](super::CostTracker) keeps them apart.
        pub total_cost_usd: f64,
        /// What this turn took, without subagents.
        pub usage: Usage,
        /// What each model took, by name; subagents included, and summed up as
        /// [`total_cost_usd`](Self::total_cost_usd) is.
        pub model_usage: BTreeMap<String, ModelUsage> = "modelUsage",
        /// What each model took since the result before; seen with 2.1.332.
        pub model_usage_since_last_result: Option<BTreeMap<String, ModelUsage>>,
        /// The tools that were not allowed to run.
        pub permission_denials: Vec<PermissionDenial>,
        /// The value that a JSON schema asked for. A turn may succeed without.
        pub structured_output: Option<Value>,
        /// The call that a hook put off.
        pub deferred_tool_use: Option<ToolUse>,
        /// The HTTP status of an API failure.
        pub api_error_status: Option<u16>,
        /// What the API calls the failure, `rate_limit_error` for example; seen with 2.1.332.
        pub api_error_type: Option<String>,
        /// The command that the CLI carried out itself, `context` for example.
        pub local_command: Option<String>,
        /// How many prompts wait.
        pub queued_turn_count: Option<u64>,
        /// Which result of the process it is, counted from 0. A gap means that one was lost.
        pub result_index: Option<u64>,
        /// When the login ends, in ISO 8601.
        pub credential_expires_at: Option<String>,
        /// Whether the fast mode is on.
        pub fast_mode_state: Option<FastModeState>,
        /// Why it can't be had.
        pub fast_mode_disabled_reason: Option<FastModeDisabledReason>,
        /// The last prompt that this turn answers.
        pub user_message_uuid: Option<String>,
        /// The prompts that this turn answers, by the ids that were sent with them, at most 64.
        pub user_message_uuids: Vec<String>,
        /// What started the turn, if not a prompt of this program.
        pub origin: Option<Origin>,
        /// Why a turn went on that was cut off by a restart of the CLI.
        pub resume_reason: Option<String>,
        /// Why the session could not start.
        pub startup_failure_reason: Option<String>,
        /// The configuration file that can't be read.
        pub invalid_config_file: Option<String>,
        /// From the start of the turn to the first token, in milliseconds.
        pub ttft_ms: Option<u64>,
        /// From the start of the turn to the first event of the stream, in milliseconds.
        pub ttft_stream_ms: Option<u64>,
        /// From the start of the turn to the request, in milliseconds.
        pub time_to_request_ms: Option<u64>,
        /// From the start of the process to the request, in milliseconds.
        pub time_to_request_from_spawn_ms: Option<u64>,
        /// From the start of the turn to the first content, in milliseconds.
        pub first_content_frame_ms: Option<u64>,
        /// When the request was sent, in milliseconds since 1970.
        pub request_sent_wall_ms: Option<u64>,
        /// The process had been started before it was needed.
        pub warm_spare_claimed: Option<bool>,
        /// What the other times count from, in milliseconds since 1970.
        pub time_origin_ms: Option<f64>,
        /// From the start of the turn to the first upload, in milliseconds; and more about uploads.
        pub first_stream_post_ms: Option<u64>,
        /// Until it was acknowledged.
        pub first_stream_post_ack_ms: Option<u64>,
        /// When, in milliseconds since 1970.
        pub first_stream_post_wall_ms: Option<u64>,
        /// How long it waited.
        pub first_stream_post_queue_wait_ms: Option<u64>,
        /// Behind how many others.
        pub first_stream_post_queued_behind: Option<u64>,
        /// From the start of the turn to the first upload of text, in milliseconds.
        pub first_text_post_ms: Option<u64>,
        /// When, in milliseconds since 1970.
        pub first_text_post_wall_ms: Option<u64>,
        /// How long it waited.
        pub first_text_post_queue_wait_ms: Option<u64>,
        /// Behind how many others.
        pub first_text_post_queued_behind: Option<u64>,
        /// How many subagents there were, and what became of them; seen with 2.1.332.
        pub subagent_stats: Option<Value>,
        /// How often the model was stopped for safety; seen with 2.1.332.
        pub safety_stops: Option<u64>,
        /// Tokens of the first request that were not in a cache; seen with 2.1.332.
        pub first_request_input_tokens: Option<u64>,
        /// Tokens of the first request that were in a cache; seen with 2.1.332.
        pub first_request_cache_read_input_tokens: Option<u64>,
        /// The messages that the model began, by the API's ids; with partial messages, seen with
        /// 2.1.332.
        pub begun_message_ids: Vec<String>,
    }
    line
}

impl ResultEvent {
    /// Returns what the turn says: the model's last text, or what went wrong.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::event::ResultEvent::default().text(), "");
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        self.result.clone().unwrap_or_else(|| self.errors.join("; "))
    }

    /// The `kind` of [`origin`](Self::origin).
    pub(crate) fn origin_kind(&self) -> Option<&str> {
        self.origin.as_ref().map(|origin| origin.kind.as_str()).filter(|kind| !kind.is_empty())
    }

    /// Returns how long the turn took.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(byre::event::ResultEvent::default().duration().is_zero());
    /// ```
    #[must_use]
    pub fn duration(&self) -> Duration {
        Duration::from_millis(self.duration_ms)
    }
}

record! {
    /// What one model took.
    r#"{"inputTokens":20,"outputTokens":10,"cacheReadInputTokens":0,"cacheCreationInputTokens":0,"webSearchRequests":0,"costUSD":0.0021,"contextWindow":200000,"maxOutputTokens":64000}"#
    pub struct ModelUsage {
        /// Tokens of requests that were not in a cache.
        pub input_tokens: u64 = "inputTokens",
        /// Tokens of answers.
        pub output_tokens: u64 = "outputTokens",
        /// Tokens of thinking, among those of answers.
        pub thinking_tokens: Option<u64> = "thinkingTokens",
        /// Tokens of requests that were in a cache.
        pub cache_read_input_tokens: u64 = "cacheReadInputTokens",
        /// Tokens of requests that were put into a cache.
        pub cache_creation_input_tokens: u64 = "cacheCreationInputTokens",
        /// Of these, kept for five minutes.
        pub cache_creation_ephemeral_5m_input_tokens: Option<u64> = "cacheCreationEphemeral5mInputTokens",
        /// Of these, kept for an hour.
        pub cache_creation_ephemeral_1h_input_tokens: Option<u64> = "cacheCreationEphemeral1hInputTokens",
        /// Searches of the web.
        pub web_search_requests: u64 = "webSearchRequests",
        /// What it has cost, in US dollars.
        pub cost_usd: f64 = "costUSD",
        /// How many tokens the model takes.
        pub context_window: u64 = "contextWindow",
        /// How many tokens an answer may have.
        pub max_output_tokens: u64 = "maxOutputTokens",
        /// The model's full name.
        pub canonical_model: Option<String> = "canonicalModel",
        /// Who runs it, `firstParty` for example.
        pub provider: Option<String>,
        /// What the cost was reckoned by.
        pub cost_basis: Option<CostBasis> = "costBasis",
    }
}

record! {
    /// A tool that was not allowed to run.
    r#"{"tool_name":"Bash","tool_use_id":"toolu_3","tool_input":{"command":"ls"}}"#
    pub struct PermissionDenial {
        /// The tool.
        pub tool_name: String,
        /// The call.
        pub tool_use_id: String,
        /// Its arguments.
        pub tool_input: Value,
    }
}
