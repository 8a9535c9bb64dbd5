//! How the CLI reaches an MCP server that it starts or dials itself.

use std::{fmt, time::Duration};

use serde::Serialize;
use serde_json::{Map, Value, json};

/// The shortest time limit that the CLI honours.
///
/// Source: seen with CLI 2.1.332.
pub(crate) const SHORTEST_LIMIT: Duration = Duration::from_secs(1);

/// How the CLI reaches a server of this program: by control requests, under this name.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct OwnServer {
    r#type: &'static str,
    pub(crate) name: String,
    /// Absent where it is not: a `false` here would count for more than what a tool says in its `_meta` (seen with
    /// CLI 2.1.332).
    #[serde(rename = "alwaysLoad", skip_serializing_if = "std::ops::Not::not")]
    always_load: bool,
    /// How long a call may take, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout: Option<u64>,
}

impl OwnServer {
    pub(crate) fn new(
        name: impl Into<String>,
        always_load: bool,
        timeout: Option<Duration>,
    ) -> Self {
        let timeout = timeout.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        Self { r#type: "sdk", name: name.into(), always_load, timeout }
    }

    pub(crate) fn to_json(&self) -> String {
        // Texts can always be written.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// How the CLI reaches an MCP server that it starts or dials itself.
///
/// Its variables and headers travel over the CLI's stdin, and never stand in a command line. `Debug` shows
/// their names, and not their values.
///
/// ```json
/// {"type":"stdio","command":"docs-server","args":["--fast"],"env":{"TOKEN":"…"},"alwaysLoad":true}
/// {"type":"http","url":"https://mcp.example.com","headers":{"Authorization":"…"},"timeout":60000}
/// ```
///
/// # Example
///
/// ```
/// use byre::{Session, options::McpServerConfig};
///
/// let docs = McpServerConfig::stdio("docs-server").args(["--fast"]).env("TOKEN", "secret");
/// let tickets = McpServerConfig::http("https://mcp.example.com")
///     .header("Authorization", "Bearer secret");
/// let builder = Session::builder().mcp_server("docs", docs).mcp_server("tickets", tickets);
/// ```
#[derive(Clone, PartialEq)]
#[must_use]
pub struct McpServerConfig(Map<String, Value>);

impl McpServerConfig {
    fn new(config: Value) -> Self {
        match config {
            Value::Object(map) => Self(map),
            _ => Self(Map::new()),
        }
    }

    /// A program that the CLI starts, and talks to over its stdin and stdout.
    ///
    /// # Example
    ///
    /// ```
    /// let docs = byre::options::McpServerConfig::stdio("docs-server");
    /// ```
    pub fn stdio(command: impl Into<String>) -> Self {
        Self::new(json!({"type": "stdio", "command": command.into()}))
    }

    /// A server that the CLI dials.
    ///
    /// # Example
    ///
    /// ```
    /// let tickets = byre::options::McpServerConfig::http("https://mcp.example.com");
    /// ```
    pub fn http(url: impl Into<String>) -> Self {
        Self::new(json!({"type": "http", "url": url.into()}))
    }

    /// A server of the older kind that sends its answers as server-sent events.
    ///
    /// # Example
    ///
    /// ```
    /// let old = byre::options::McpServerConfig::sse("https://mcp.example.com/sse");
    /// ```
    pub fn sse(url: impl Into<String>) -> Self {
        Self::new(json!({"type": "sse", "url": url.into()}))
    }

    /// Adds arguments of the program.
    ///
    /// # Example
    ///
    /// ```
    /// let docs = byre::options::McpServerConfig::stdio("docs-server").args(["--fast"]);
    /// ```
    pub fn args(mut self, args: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let list = self.0.entry("args").or_insert_with(|| json!([]));
        if let Value::Array(list) = list {
            list.extend(args.into_iter().map(|arg| Value::from(arg.into())));
        }
        self
    }

    /// Sets a variable of the program's environment.
    ///
    /// # Example
    ///
    /// ```
    /// let docs = byre::options::McpServerConfig::stdio("docs-server").env("TOKEN", "secret");
    /// ```
    pub fn env(self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.entry("env", name.into(), value.into().into())
    }

    /// Sets a header of every request to the server.
    ///
    /// # Example
    ///
    /// ```
    /// let tickets = byre::options::McpServerConfig::http("https://mcp.example.com")
    ///     .header("Authorization", "Bearer secret");
    /// ```
    pub fn header(self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.entry("headers", name.into(), value.into().into())
    }

    /// Limits how long a call of a tool may take; the CLI has practically no limit of its own. At least a
    /// second.
    ///
    /// # Example
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let docs = byre::options::McpServerConfig::stdio("docs-server").timeout(Duration::from_secs(30));
    /// ```
    pub fn timeout(self, limit: Duration) -> Self {
        let limit = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
        self.field("timeout", limit.into())
    }

    /// Puts the server's tools into the prompt from the first turn on, instead of letting the model search
    /// for them; the start then waits for the server.
    ///
    /// # Example
    ///
    /// ```
    /// let docs = byre::options::McpServerConfig::stdio("docs-server").always_load(true);
    /// ```
    pub fn always_load(self, load: bool) -> Self {
        self.field("alwaysLoad", load.into())
    }

    /// Sets any other field of the configuration.
    ///
    /// # Example
    ///
    /// ```
    /// let policy = serde_json::json!([{"name": "drop", "permission_policy": "always_deny"}]);
    /// let tickets = byre::options::McpServerConfig::http("https://mcp.example.com")
    ///     .field("tools", policy);
    /// ```
    pub fn field(mut self, name: impl Into<String>, value: Value) -> Self {
        self.0.insert(name.into(), value);
        self
    }

    fn entry(mut self, map: &str, name: String, value: Value) -> Self {
        if let Value::Object(map) = self.0.entry(map).or_insert_with(|| json!({})) {
            map.insert(name, value);
        }
        self
    }

    /// What the CLI takes.
    pub(crate) fn to_value(&self) -> Value {
        Value::Object(self.0.clone())
    }

    pub(crate) fn into_value(self) -> Value {
        Value::Object(self.0)
    }

    /// Why the CLI would skip the server, or do without a part of its configuration.
    pub(crate) fn fault(&self) -> Option<String> {
        let text = |name: &str| self.0.get(name).and_then(Value::as_str).unwrap_or_default();
        let (place, foreign) = match text("type") {
            "stdio" => ("command", "headers"),
            "http" | "sse" => ("url", "env"),
            // Some other kind, by `field`.
            _ => return None,
        };
        if text(place).is_empty() {
            return Some(format!("has an empty {place}"));
        }
        if self.0.contains_key(foreign) {
            return Some(format!("has `{foreign}`, which its kind of server does not take"));
        }
        let limit = self.0.get("timeout").and_then(Value::as_u64).map(Duration::from_millis);
        limit
            .is_some_and(|limit| limit < SHORTEST_LIMIT)
            .then(|| "has a time limit of less than a second, which the CLI ignores".to_owned())
    }
}

impl fmt::Debug for McpServerConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_map();
        for (name, value) in &self.0 {
            match (name.as_str(), value) {
                ("env" | "headers", Value::Object(secrets)) => {
                    debug.entry(name, &secrets.keys().collect::<Vec<_>>());
                }
                ("type" | "command" | "timeout" | "alwaysLoad" | "tools", _) => {
                    debug.entry(name, value);
                }
                // Arguments and addresses hold secrets often enough.
                _ => {
                    debug.entry(name, &"…");
                }
            }
        }
        debug.finish()
    }
}

/// A call of a tool of an MCP server, by the host itself and without the model.
///
/// ```json
/// {"tool":"mcp__docs__search","arguments":{"query":"hay"},"soft_error_result":true}
/// ```
///
/// # Example
///
/// ```no_run
/// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
/// use byre::cli::McpCall;
///
/// let call = McpCall::new("docs", "search").arguments(serde_json::json!({"query": "hay"}));
/// println!("{}", handle.mcp_call(call).await?.content);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct McpCall {
    body: Map<String, Value>,
    limit: Option<Duration>,
}

impl McpCall {
    /// A call of `tool` of the server `server`, without arguments.
    ///
    /// # Example
    ///
    /// ```
    /// let call = byre::cli::McpCall::new("docs", "search");
    /// ```
    pub fn new(server: &str, tool: &str) -> Self {
        let mut body = Map::new();
        body.insert("tool".to_owned(), format!("mcp__{server}__{tool}").into());
        Self { body, limit: None }
    }

    /// Sets the arguments, an object.
    ///
    /// # Example
    ///
    /// ```
    /// let call = byre::cli::McpCall::new("docs", "search")
    ///     .arguments(serde_json::json!({"query": "hay"}));
    /// ```
    pub fn arguments(self, arguments: Value) -> Self {
        self.field("arguments", arguments)
    }

    /// Gives the error of a tool as a result with
    /// [`is_error`](crate::cli::McpCallResult::is_error), instead of refusing the request.
    ///
    /// # Example
    ///
    /// ```
    /// let call = byre::cli::McpCall::new("docs", "search").soft_error_result(true);
    /// ```
    pub fn soft_error_result(self, soft: bool) -> Self {
        self.field("soft_error_result", soft.into())
    }

    /// Asks the session's permission rules first, which are not asked otherwise.
    ///
    /// # Example
    ///
    /// ```
    /// let call = byre::cli::McpCall::new("docs", "search").check_permissions(true);
    /// ```
    pub fn check_permissions(self, check: bool) -> Self {
        self.field("check_permissions", check.into())
    }

    /// Gives the content blocks as they are, instead of as a model would read them.
    ///
    /// # Example
    ///
    /// ```
    /// let call = byre::cli::McpCall::new("docs", "chart").result_not_for_model(true);
    /// ```
    pub fn result_not_for_model(self, raw: bool) -> Self {
        self.field("result_not_for_model", raw.into())
    }

    /// Limits how long the call may take: from 1 second to 10 minutes, 2 minutes by default.
    ///
    /// With a limit, a call that fails is no error but says so in
    /// [`staging`](crate::cli::McpCallResult::staging).
    ///
    /// # Example
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let call = byre::cli::McpCall::new("docs", "search").timeout(Duration::from_secs(300));
    /// ```
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.limit = Some(limit);
        let limit = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
        self.field("timeout_ms", limit.into())
    }

    /// Sets any other field of the request.
    ///
    /// # Example
    ///
    /// ```
    /// let files = serde_json::json!([{"name": "a.csv", "lane_path": "in/a.csv"}]);
    /// let call = byre::cli::McpCall::new("docs", "plot").field("input_files", files);
    /// ```
    pub fn field(mut self, name: impl Into<String>, value: Value) -> Self {
        self.body.insert(name.into(), value);
        self
    }

    /// The request, and how long the CLI may take for the call.
    pub(crate) fn into_parts(self) -> (Value, Duration) {
        (Value::Object(self.body), self.limit.unwrap_or(Duration::from_secs(120)))
    }
}
