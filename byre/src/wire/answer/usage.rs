//! What the CLI answers about tokens and money.

use serde_json::Value;

use super::answers;

answers! {
    /// What the context window holds.
    ///
    /// ```json
    /// {"categories":[{"id":"system_prompt","name":"System prompt","tokens":3000,"color":"…","kind":"used"}],"totalTokens":12000,"maxTokens":200000,"rawMaxTokens":200000,"percentage":6,"model":"claude-opus-5-5","isAutoCompactEnabled":true,"mcpTools":[{"name":"mcp__byre__add","serverName":"byre","tokens":90}],"memoryFiles":[],"agents":[]}
    /// ```
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// let usage = handle.get_context_usage().await?;
    /// println!("{} of {} tokens", usage.total_tokens, usage.max_tokens);
    /// # Ok(())
    /// # }
    /// ```
    pub struct ContextUsage {
        /// What the window holds, by kind.
        pub categories: Vec<ContextCategory> = "categories",
        /// How many tokens are used.
        pub total_tokens: u64 = "totalTokens",
        /// How many fit, before the CLI compacts.
        pub max_tokens: u64 = "maxTokens",
        /// How many the model takes.
        pub raw_max_tokens: u64 = "rawMaxTokens",
        /// How much is used, from 0 to 100.
        pub percentage: f64 = "percentage",
        /// The model.
        pub model: String = "model",
        /// The CLI compacts by itself.
        pub is_auto_compact_enabled: bool = "isAutoCompactEnabled",
        /// From how many tokens on it does.
        pub auto_compact_threshold: Option<u64> = "autoCompactThreshold",
        /// The `CLAUDE.md` files and the like.
        pub memory_files: Vec<MemoryFile> = "memoryFiles",
        /// The tools of MCP servers, byre's among them.
        pub mcp_tools: Vec<McpToolUsage> = "mcpTools",
        /// The subagents' descriptions, as the CLI gives them.
        pub agents: Vec<Value> = "agents",
        /// What the conversation is made of, as the CLI gives it.
        pub message_breakdown: Option<Value> = "messageBreakdown",
        /// The tokens of the last request to the API, as the API counts them.
        pub api_usage: Option<Value> = "apiUsage",
    }

    /// One of [`ContextUsage::categories`].
    ///
    /// ```json
    /// {"id":"mcp_tools","name":"MCP tools","tokens":90,"color":"cyan","kind":"used"}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// fn free(usage: &byre::cli::ContextUsage) -> u64 {
    ///     let free = usage.categories.iter().filter(|category| category.kind == "free");
    ///     free.map(|category| category.tokens).sum()
    /// }
    /// ```
    pub struct ContextCategory {
        /// `system_prompt`, `mcp_tools`, `messages`, `free_space` and others; the set is open.
        pub id: Option<String> = "id",
        /// A name for people.
        pub name: String = "name",
        /// How many tokens.
        pub tokens: u64 = "tokens",
        /// `used`, `free`, `buffer` or `deferred`.
        pub kind: String = "kind",
    }

    /// One of [`ContextUsage::memory_files`].
    ///
    /// ```json
    /// {"path":"/srv/app/CLAUDE.md","type":"Project","tokens":120}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// fn paths(usage: &byre::cli::ContextUsage) -> Vec<&str> {
    ///     usage.memory_files.iter().map(|file| file.path.as_str()).collect()
    /// }
    /// ```
    pub struct MemoryFile {
        /// Where it is.
        pub path: String = "path",
        /// Whose it is: `Project`, `User`, …
        pub kind: String = "type",
        /// How many tokens.
        pub tokens: u64 = "tokens",
    }

    /// One of [`ContextUsage::mcp_tools`].
    ///
    /// ```json
    /// {"name":"mcp__byre__add","serverName":"byre","tokens":90,"isLoaded":true}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// fn tokens_of_byre(usage: &byre::cli::ContextUsage) -> u64 {
    ///     let own = usage.mcp_tools.iter().filter(|tool| tool.server_name == "byre");
    ///     own.map(|tool| tool.tokens).sum()
    /// }
    /// ```
    pub struct McpToolUsage {
        /// The name that the model knows.
        pub name: String = "name",
        /// The server's name.
        pub server_name: String = "serverName",
        /// How many tokens its definition takes.
        pub tokens: u64 = "tokens",
        /// It is in the prompt, and not only its name.
        pub is_loaded: Option<bool> = "isLoaded",
    }

    /// What the session and the account have used.
    ///
    /// ```json
    /// {"session":{"total_cost_usd":0.5,"total_api_duration_ms":900,"total_duration_ms":4000,"total_lines_added":3,"total_lines_removed":1,"model_usage":{}},"subscription_type":null,"rate_limits_available":false,"rate_limits":null,"behaviors":null}
    /// ```
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// println!("{} USD so far", handle.get_usage().await?.session.total_cost_usd);
    /// # Ok(())
    /// # }
    /// ```
    pub struct Usage {
        /// What the session has used.
        pub session: SessionUsage = "session",
        /// The account's subscription.
        pub subscription_type: Option<String> = "subscription_type",
        /// The CLI knows the account's limits.
        pub rate_limits_available: bool = "rate_limits_available",
        /// The account's limits, as the CLI gives them.
        pub rate_limits: Option<Value> = "rate_limits",
        /// What the account's use is made of, as the CLI gives it.
        pub behaviors: Option<Value> = "behaviors",
    }

    /// What a session has used.
    ///
    /// ```json
    /// {"total_cost_usd":0.5,"total_api_duration_ms":900,"total_duration_ms":4000,"total_lines_added":3,"total_lines_removed":1,"model_usage":{}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// fn lines(usage: &byre::cli::SessionUsage) -> u64 {
    ///     usage.total_lines_added + usage.total_lines_removed
    /// }
    /// ```
    pub struct SessionUsage {
        /// The cost since the CLI was started, in US dollars.
        pub total_cost_usd: f64 = "total_cost_usd",
        /// Time spent in requests to the API, in milliseconds.
        pub total_api_duration_ms: u64 = "total_api_duration_ms",
        /// Time since the start, in milliseconds.
        pub total_duration_ms: u64 = "total_duration_ms",
        /// Lines that the agent has added to files.
        pub total_lines_added: u64 = "total_lines_added",
        /// Lines that the agent has removed.
        pub total_lines_removed: u64 = "total_lines_removed",
        /// Tokens and cost by model, as the CLI gives them.
        pub model_usage: Value = "model_usage",
    }
}
