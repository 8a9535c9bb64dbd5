//! What the CLI says of itself: the answer to `initialize`, and lists that can be asked for again.

use super::answers;

answers! {
    /// What the CLI says of itself when the session starts: the answer to `initialize`.
    ///
    /// ```json
    /// {"commands":[],"agents":[],"output_style":"default","available_output_styles":["default"],"models":[],"account":{"apiProvider":"firstParty"},"pid":1000,"claude_code_version":"2.1.332","current_permission_mode":"default","session_state":"idle","capabilities":["ui_surface_v1"]}
    /// ```
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run() -> byre::Result<()> {
    /// let session = byre::Session::builder().spawn().await?;
    /// for model in &session.cli_info().models {
    ///     println!("{} is {:?}", model.value, model.resolved_model);
    /// }
    /// # session.close().await
    /// # }
    /// ```
    pub struct CliInfo {
        /// The slash commands, skills among them, in the CLI's order.
        pub commands: Vec<SlashCommand> = "commands",
        /// The subagents that the model can start.
        pub agents: Vec<AgentInfo> = "agents",
        /// The output style at work.
        pub output_style: String = "output_style",
        /// All output styles, by name.
        pub available_output_styles: Vec<String> = "available_output_styles",
        /// The models that the account can choose.
        pub models: Vec<ModelInfo> = "models",
        /// Who pays.
        pub account: AccountInfo = "account",
        /// The CLI's version, `2.1.332` for example.
        pub version: Option<String> = "claude_code_version",
        /// The CLI's own process id, as it sees it: another one inside a container.
        pub pid: Option<u32> = "pid",
        /// The permission mode at the start, as on the wire.
        pub permission_mode: Option<String> = "current_permission_mode",
        /// `idle`, `running` or `requires_action`; the set is open.
        pub session_state: Option<String> = "session_state",
        /// Names of what this version can do beyond the first version of the protocol.
        pub capabilities: Vec<String> = "capabilities",
        /// `on`, `off` or `cooldown`; the set is open.
        pub fast_mode_state: Option<String> = "fast_mode_state",
        /// Why fast mode is off.
        pub fast_mode_disabled_reason: Option<String> = "fast_mode_disabled_reason",
        /// Commands run in a sandbox.
        pub sandbox_enabled: bool = "sandbox_enabled",
        /// The hooks were taken; absent where none were sent.
        pub hooks_applied: Option<bool> = "hooks_applied",
        /// A hook can say what happens when it fails.
        pub hook_on_failure_supported: bool = "hook_on_failure_supported",
        /// The MCP servers that travelled in `initialize` were taken; absent where there were none, and
        /// in versions that can't.
        pub mcp_servers_applied: Option<bool> = "mcp_servers_applied",
    }

    /// A slash command, or a skill.
    ///
    /// ```json
    /// {"name":"review","description":"Reviews a pull request","argumentHint":"[number]","builtin":true}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// fn usage(command: &byre::cli::SlashCommand) -> String {
    ///     format!("/{} {}", command.name, command.argument_hint)
    /// }
    /// ```
    pub struct SlashCommand {
        /// The name, without the slash.
        pub name: String = "name",
        /// What it is for.
        pub description: String = "description",
        /// What can stand behind it; may be empty.
        pub argument_hint: String = "argumentHint",
        /// Other names of it.
        pub aliases: Vec<String> = "aliases",
        /// It is part of the CLI.
        pub builtin: bool = "builtin",
    }

    /// A subagent that the model can start.
    ///
    /// ```json
    /// {"name":"Explore","description":"Searches a code base","model":"haiku"}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// fn names(info: &byre::cli::CliInfo) -> Vec<&str> {
    ///     info.agents.iter().map(|agent| agent.name.as_str()).collect()
    /// }
    /// ```
    pub struct AgentInfo {
        /// The name.
        pub name: String = "name",
        /// When the model is to start it.
        pub description: String = "description",
        /// The model that it asks for; the main agent's if it has none.
        pub model: Option<String> = "model",
    }

    /// A model that the account can choose.
    ///
    /// ```json
    /// {"value":"default","resolvedModel":"claude-opus-5-5","displayName":"Default (recommended)","description":"…","supportsEffort":true,"supportedEffortLevels":["low","high"],"supportsAdaptiveThinking":true}
    /// ```
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// for model in handle.list_models().await? {
    ///     println!("{}: {}", model.value, model.description);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub struct ModelInfo {
        /// What [`set_model`](crate::SessionHandle::set_model) takes.
        pub value: String = "value",
        /// The full name that `value` stands for.
        pub resolved_model: Option<String> = "resolvedModel",
        /// A name for people.
        pub display_name: String = "displayName",
        /// A description for people.
        pub description: String = "description",
        /// The effort can be chosen.
        pub supports_effort: bool = "supportsEffort",
        /// The efforts to choose from.
        pub supported_effort_levels: Vec<String> = "supportedEffortLevels",
        /// The model decides by itself how much it thinks.
        pub supports_adaptive_thinking: bool = "supportsAdaptiveThinking",
        /// Fast mode is there.
        pub supports_fast_mode: bool = "supportsFastMode",
        /// Permission mode `auto` is there.
        pub supports_auto_mode: bool = "supportsAutoMode",
    }

    /// Who pays. `Debug` leaves the e-mail address out.
    ///
    /// ```json
    /// {"email":"ada@example.com","organization":"Example","subscriptionType":"max","tokenSource":"none","apiKeySource":"ANTHROPIC_API_KEY","apiProvider":"firstParty"}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// fn pays_by_key(info: &byre::cli::CliInfo) -> bool {
    ///     info.account.api_key_source.is_some()
    /// }
    /// ```
    pub struct AccountInfo {
        /// The organisation's name.
        pub organization: Option<String> = "organization",
        /// The subscription, where there is one.
        pub subscription_type: Option<String> = "subscriptionType",
        /// Where the login comes from; `none` with an API key.
        pub token_source: Option<String> = "tokenSource",
        /// Where the API key comes from, `ANTHROPIC_API_KEY` for example.
        pub api_key_source: Option<String> = "apiKeySource",
        /// `firstParty`, `bedrock`, `vertex`, `foundry`, `gateway` and others; the set is open.
        pub api_provider: Option<String> = "apiProvider",
    }

    /// The CLI's version, in full.
    ///
    /// ```json
    /// {"version":"2.1.332","buildTime":"2026-11-28T20:00:00Z"}
    /// ```
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// println!("{}", handle.get_binary_version().await?.version);
    /// # Ok(())
    /// # }
    /// ```
    pub struct BinaryVersion {
        /// The version.
        pub version: String = "version",
        /// When it was built.
        pub build_time: Option<String> = "buildTime",
    }
}

impl CliInfo {
    /// Says whether the CLI has named this capability, `interrupt_receipt_v1` for example.
    ///
    /// # Example
    ///
    /// ```
    /// fn can_call_tools(info: &byre::cli::CliInfo) -> bool {
    ///     info.has_capability("mcp_call_soft_error_result_v1")
    /// }
    /// ```
    #[must_use]
    pub fn has_capability(&self, name: &str) -> bool {
        self.capabilities.iter().any(|capability| capability == name)
    }
}

impl AccountInfo {
    /// Returns the account's e-mail address, where the user is logged in with one.
    ///
    /// # Example
    ///
    /// ```
    /// fn greet(info: &byre::cli::CliInfo) -> String {
    ///     format!("Hello, {}.", info.account.email().unwrap_or("you"))
    /// }
    /// ```
    #[must_use]
    pub fn email(&self) -> Option<&str> {
        self.raw.get("email")?.as_str()
    }
}
