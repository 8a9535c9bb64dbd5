//! What the model says, block by block.

use serde_json::Value;

use super::{
    block::ToolUse,
    message::Message,
    result::ModelUsage,
    table::{record, words},
};

words! {
    /// What kind of API failure there was.
    pub enum AssistantError {
        /// The key or the login is not good.
        AuthenticationFailed = "authentication_failed",
        /// The organisation does not allow this login.
        OauthOrgNotAllowed = "oauth_org_not_allowed",
        /// The account is on hold.
        AccountOnHold = "account_on_hold",
        /// The account has to be verified first.
        VerificationRequired = "verification_required",
        /// There is no credit.
        BillingError = "billing_error",
        /// Too many requests, or the plan is used up.
        RateLimit = "rate_limit",
        /// The API is overloaded.
        Overloaded = "overloaded",
        /// The API does not take the request.
        InvalidRequest = "invalid_request",
        /// There is no such model, or not for this account.
        ModelNotFound = "model_not_found",
        /// The API failed.
        ServerError = "server_error",
        /// Nobody knows.
        Unknown = "unknown",
        /// The answer became too long.
        MaxOutputTokens = "max_output_tokens",
        /// The credentials of the cloud provider are not good.
        CloudCredentialError = "cloud_credential_error",
    }
}

record! {
    /// `assistant`: one finished content block of a message of the model, or several.
    ///
    /// The CLI sends one such line for each block, all with the same [`Message::id`].
    r#"{"type":"assistant","message":{"id":"msg_7","type":"message","role":"assistant","model":"claude-opus-5-5","content":[{"type":"text","text":"5"}],"stop_reason":null,"usage":{"input_tokens":12,"output_tokens":1}},"parent_tool_use_id":null,"session_id":"8f3a…","uuid":"a1c4…"}"#
    pub struct AssistantEvent {
        /// The message, as far as it is finished.
        pub message: Message,
        /// The `Agent` call that started the subagent which says this; `None` for the main agent.
        pub parent_tool_use_id: Option<String>,
        /// What kind of API failure this message reports.
        pub error: Option<AssistantError>,
        /// The message is such a report, made by the CLI; seen with 2.1.332.
        pub is_api_error_message: bool,
        /// The HTTP status of that failure; seen with 2.1.332.
        pub api_error_status: Option<u16>,
        /// What the API calls the failure, `rate_limit_error` for example; seen with 2.1.332.
        pub api_error_type: Option<String>,
        /// The API's id of the request.
        pub request_id: Option<String>,
        /// The prompt that is answered; only in the first line after it has changed.
        pub user_message_uuid: Option<String>,
        /// All prompts that are answered, at most 64.
        pub user_message_uuids: Vec<String>,
        /// Why a turn goes on that was cut off by a restart of the CLI.
        pub resume_reason: Option<String>,
        /// It goes on from thoughts that were cut off.
        pub resumed_from_incomplete_thinking: bool,
        /// Earlier lines, by their `uuid`, that are taken back: the model refused, or its call could not
        /// be read.
        pub supersedes: Vec<String>,
        /// An interrupt has cut it short.
        pub aborted: bool,
        /// The subagent's id, which is the `task_id` of its tasks.
        pub agent_id: Option<String>,
        /// The kind of the subagent.
        pub subagent_type: Option<String>,
        /// What the subagent is to do.
        pub task_description: Option<String>,
        /// When, in ISO 8601. To be shown, not to be sorted by.
        pub timestamp: Option<String>,
        /// What fills the context; in the answer to `/context`.
        pub context_usage: Option<Box<ContextUsage>>,
        /// What was used; in the answer to `/usage`.
        pub usage_report: Option<Box<UsageReport>>,
        /// What people call the tools that are called; seen with 2.1.332.
        pub tool_use_meta: Vec<ToolUseMeta>,
    }
    line
}

impl AssistantEvent {
    /// Returns the text blocks, joined.
    ///
    /// # Example
    ///
    /// ```
    /// fn is_silent(event: &byre::event::AssistantEvent) -> bool {
    ///     event.text().is_empty()
    /// }
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        self.message.text()
    }

    /// Returns the tool calls that the model asks for, in order.
    ///
    /// # Example
    ///
    /// ```
    /// fn calls(event: &byre::event::AssistantEvent) -> Vec<&str> {
    ///     event.tool_uses().map(|call| call.name.as_str()).collect()
    /// }
    /// ```
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUse> {
        self.message.tool_uses()
    }
}

record! {
    /// What people call a tool.
    r#"{"id":"toolu_9","display_name":"Add","server_display_name":"byre","tool_name":"add"}"#
    pub struct ToolUseMeta {
        /// The call.
        pub id: String,
        /// The tool's title.
        pub display_name: String,
        /// The server's title; `None` for a tool of the CLI.
        pub server_display_name: Option<String>,
        /// The name that the server gave it.
        pub tool_name: Option<String>,
    }
}

record! {
    /// What fills the context.
    r#"{"model":"claude-opus-5-5","total_tokens":18000,"raw_max_tokens":200000,"percentage":9,"categories":[{"name":"Messages","tokens":2000,"kind":"used"}],"mcp_tools":[],"memory_files":[],"agents":[]}"#
    pub struct ContextUsage {
        /// The model.
        pub model: String,
        /// Tokens in the context.
        pub total_tokens: u64,
        /// Tokens that the model takes.
        pub raw_max_tokens: u64,
        /// How much of that is used, out of 100.
        pub percentage: f64,
        /// By how much it is too long, if it is.
        pub over_limit: Option<ContextOverLimit>,
        /// What the tokens are for.
        pub categories: Vec<ContextCategory>,
        /// The tools of MCP servers.
        pub mcp_tools: Vec<ContextTool>,
        /// Files with instructions.
        pub memory_files: Vec<ContextFile>,
        /// The kinds of agents.
        pub agents: Vec<ContextAgent>,
        /// The skills.
        pub skills: Vec<ContextSkill>,
    }
}

words! {
    /// Which limit a context has passed.
    pub enum ContextLimit {
        /// The model takes no more.
        HardLimit = "hard_limit",
        /// It should have been compacted.
        CompactionWindow = "compaction_window",
    }
}

record! {
    /// [`ContextUsage::over_limit`].
    r#"{"tokens_over":1200,"kind":"hard_limit"}"#
    pub struct ContextOverLimit {
        /// How many tokens it is over.
        pub tokens_over: u64,
        /// Which limit.
        pub kind: ContextLimit,
    }
}

words! {
    /// What the tokens of a category are.
    pub enum ContextKind {
        /// In use.
        Used = "used",
        /// Free.
        Free = "free",
        /// Kept free.
        Buffer = "buffer",
        /// Loaded when they are needed.
        Deferred = "deferred",
    }
}

record! {
    /// One of [`ContextUsage::categories`].
    r#"{"name":"Messages","tokens":2000,"kind":"used"}"#
    pub struct ContextCategory {
        /// Its name.
        pub name: String,
        /// Its tokens.
        pub tokens: u64,
        /// What they are.
        pub kind: ContextKind,
    }
}

record! {
    /// One of [`ContextUsage::mcp_tools`].
    r#"{"name":"mcp__byre__add","server_name":"byre","tokens":120}"#
    pub struct ContextTool {
        /// Its name.
        pub name: String,
        /// Its server.
        pub server_name: String,
        /// Its tokens.
        pub tokens: u64,
    }
}

record! {
    /// One of [`ContextUsage::memory_files`].
    r#"{"path":"/srv/app/CLAUDE.md","type":"project","tokens":300}"#
    pub struct ContextFile {
        /// Its path.
        pub path: String,
        /// What kind of instructions it has.
        pub kind: String = "type",
        /// Its tokens.
        pub tokens: u64,
    }
}

record! {
    /// One of [`ContextUsage::agents`].
    r#"{"agent_type":"Explore","source":"built-in","tokens":80}"#
    pub struct ContextAgent {
        /// Its name.
        pub agent_type: String,
        /// Where it is from.
        pub source: String,
        /// Its tokens.
        pub tokens: u64,
    }
}

record! {
    /// One of [`ContextUsage::skills`].
    r#"{"name":"pdf","source":"plugin","plugin_name":"office","tokens":60}"#
    pub struct ContextSkill {
        /// Its name.
        pub name: String,
        /// Where it is from.
        pub source: String,
        /// The plugin that it is from.
        pub plugin_name: Option<String>,
        /// Its tokens.
        pub tokens: u64,
    }
}

record! {
    /// What was used, of the session and of the plan.
    r#"{"session":{"total_cost_usd":0.42,"total_api_duration_ms":9000,"total_duration_ms":60000,"total_lines_added":10,"total_lines_removed":2,"model_usage":{}},"rate_limits":null}"#
    pub struct UsageReport {
        /// The session.
        pub session: SessionUsage,
        /// The plan; `None` without a subscription.
        pub rate_limits: Option<PlanLimits>,
    }
}

record! {
    /// [`UsageReport::session`].
    r#"{"total_cost_usd":0.42,"total_api_duration_ms":9000,"total_duration_ms":60000,"total_lines_added":10,"total_lines_removed":2,"model_usage":{}}"#
    pub struct SessionUsage {
        /// What it has cost, in US dollars.
        pub total_cost_usd: f64,
        /// How long it has waited for the API, in milliseconds.
        pub total_api_duration_ms: u64,
        /// How long it has run, in milliseconds.
        pub total_duration_ms: u64,
        /// Lines of files added.
        pub total_lines_added: u64,
        /// Lines of files removed.
        pub total_lines_removed: u64,
        /// What each model took, by name.
        pub model_usage: std::collections::BTreeMap<String, ModelUsage>,
    }
}

record! {
    /// [`UsageReport::rate_limits`].
    r#"{"limits":[{"kind":"five_hour","group":"session","percent":12,"resets_at":"2026-01-01T15:00:00Z","severity":"ok","is_active":true}],"extra_usage":{"is_enabled":false,"monthly_limit":null,"used_credits":null,"utilization":null}}"#
    pub struct PlanLimits {
        /// Each limit.
        pub limits: Vec<PlanLimit>,
        /// What is paid on top of the plan.
        pub extra_usage: Option<ExtraUsage>,
    }
}

record! {
    /// One of [`PlanLimits::limits`].
    r#"{"kind":"seven_day","group":"weekly","percent":40,"resets_at":null,"scope":{"model":{"display_name":"Opus"}},"severity":"ok","is_active":false}"#
    pub struct PlanLimit {
        /// Which limit.
        pub kind: String,
        /// What it belongs to.
        pub group: String,
        /// How much of it is used, out of 100.
        pub percent: f64,
        /// When it starts anew, in ISO 8601.
        pub resets_at: Option<String>,
        /// What it is limited to: `{"model":{"display_name":…},"surface":{"display_name":…}}`.
        pub scope: Option<Value>,
        /// How bad it is.
        pub severity: String,
        /// It holds at the moment.
        pub is_active: bool,
    }
}

record! {
    /// [`PlanLimits::extra_usage`].
    r#"{"is_enabled":true,"monthly_limit":50,"used_credits":12.5,"utilization":25,"currency":"USD"}"#
    pub struct ExtraUsage {
        /// It is allowed.
        pub is_enabled: bool,
        /// How much is allowed in a month.
        pub monthly_limit: Option<f64>,
        /// How much is used.
        pub used_credits: Option<f64>,
        /// How much of it is used, out of 100.
        pub utilization: Option<f64>,
        /// The currency.
        pub currency: Option<String>,
    }
}
