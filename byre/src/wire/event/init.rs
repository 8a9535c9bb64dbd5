//! What the session has, at the start of each turn.

use std::collections::BTreeMap;

use super::{
    result::{FastModeDisabledReason, FastModeState},
    table::{record, words},
};

words! {
    /// Where the API key is from.
    pub enum ApiKeySource {
        /// The environment.
        Environment = "ANTHROPIC_API_KEY",
        /// A program that the settings name.
        Helper = "apiKeyHelper",
        /// The login made it.
        ManagedKey = "/login managed key",
        /// There is none.
        None = "none",
        /// The user's settings, in older CLIs.
        User = "user",
        /// The project's settings, in older CLIs.
        Project = "project",
        /// The organisation's settings, in older CLIs.
        Org = "org",
        /// One for this session, in older CLIs.
        Temporary = "temporary",
        /// A login, in older CLIs.
        Oauth = "oauth",
    }
}

words! {
    /// How much of the conversation the CLI shows.
    pub enum ViewMode {
        /// Little.
        Focus = "focus",
        /// All.
        Default = "default",
    }
}

record! {
    /// `system`/`init`: what the session has, at the start of each turn.
    r#"{"type":"system","subtype":"init","session_id":"8f3a…","cwd":"/srv/app","model":"claude-opus-5-5","permissionMode":"default","tools":["Bash","mcp__byre__add"],"mcp_servers":[{"name":"byre","status":"connected","source":"sdk"}],"claude_code_version":"2.1.332","uuid":"…"}"#
    pub struct Init {
        /// The working directory.
        pub cwd: String,
        /// The model's name.
        pub model: String,
        /// The permission mode, as on the wire.
        pub permission_mode: String = "permissionMode",
        /// The names of all tools, with `mcp__<server>__<tool>` for those of MCP servers. The `Agent`
        /// tool is called `Task` here.
        pub tools: Vec<String>,
        /// The MCP servers and how they fare.
        pub mcp_servers: Vec<McpServerStatus>,
        /// The CLI's version.
        pub claude_code_version: String,
        /// The style of answers.
        pub output_style: String,
        /// Where the API key is from.
        pub api_key_source: ApiKeySource = "apiKeySource",
        /// The commands that a prompt can begin with.
        pub slash_commands: Vec<String>,
        /// Those that only a terminal can carry out.
        pub terminal_slash_commands: Vec<String>,
        /// The skills.
        pub skills: Vec<String>,
        /// The kinds of agents.
        pub agents: Vec<String>,
        /// The plugins.
        pub plugins: Vec<Plugin>,
        /// The plugins that could not be loaded.
        pub plugin_errors: Vec<PluginError>,
        /// The API's features on trial.
        pub betas: Vec<String>,
        /// What this CLI can do that others may not: `interrupt_receipt_v1`, `msg_lifecycle_v1`, …
        pub capabilities: Vec<String>,
        /// How hard the model thinks.
        pub effort: Option<String>,
        /// Whether the fast mode is on.
        pub fast_mode_state: Option<FastModeState>,
        /// Why it can't be had.
        pub fast_mode_disabled_reason: Option<FastModeDisabledReason>,
        /// How much of the conversation the CLI shows.
        pub view_mode: Option<ViewMode>,
        /// Where the session began; seen with 2.1.332.
        pub original_cwd: Option<String>,
        /// The other directories it may use; seen with 2.1.332.
        pub additional_directories: Vec<String>,
        /// Where memories are kept, by kind; seen with 2.1.332.
        pub memory_paths: BTreeMap<String, String>,
        /// Commands run in a sandbox; seen with 2.1.332.
        pub sandbox_enabled: Option<bool>,
        /// Nothing is counted; seen with 2.1.332.
        pub analytics_disabled: Option<bool>,
        /// Nobody is asked how it went; seen with 2.1.332.
        pub product_feedback_disabled: Option<bool>,
        /// The model is run by Anthropic; seen with 2.1.332.
        pub served_by_anthropic: Option<bool>,
        /// The prompts that the turn answers; seen with 2.1.332.
        pub user_message_uuids: Vec<String>,
    }
    line
}

record! {
    /// One of [`Init::mcp_servers`].
    r#"{"name":"byre","status":"connected","source":"sdk"}"#
    pub struct McpServerStatus {
        /// The server's key in the configuration.
        pub name: String,
        /// `connected`, `failed`, `disabled`, `pending` or `needs-auth`; the set is open.
        pub status: String,
        /// Where it was configured, `sdk` for one of a host.
        pub source: Option<String>,
    }
}

record! {
    /// One of [`Init::plugins`].
    r#"{"name":"office","path":"/opt/office","version":"1.2.0","source":"local"}"#
    pub struct Plugin {
        /// Its name.
        pub name: String,
        /// Where it is.
        pub path: String,
        /// Its version.
        pub version: Option<String>,
        /// Where it is from; seen with 2.1.332.
        pub source: Option<String>,
    }
}

record! {
    /// One of [`Init::plugin_errors`].
    r#"{"plugin":"office","type":"manifest","message":"no such file","path":"/opt/office"}"#
    pub struct PluginError {
        /// The plugin.
        pub plugin: String,
        /// What kind of failure it is.
        pub kind: String = "type",
        /// What went wrong.
        pub message: String,
        /// The file.
        pub path: Option<String>,
        /// What the organisation says about it.
        pub managed_lock: Option<ManagedLock>,
    }
}

record! {
    /// [`PluginError::managed_lock`].
    r#"{"plugin_enabled":true,"name":"office","marketplace":"company"}"#
    pub struct ManagedLock {
        /// The plugin has to be on.
        pub plugin_enabled: bool,
        /// Its name.
        pub name: String,
        /// Where it is from.
        pub marketplace: Option<String>,
    }
}
