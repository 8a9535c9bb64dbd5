//! Starts the stand-in as the CLI is started: by its arguments.

use std::fs;

use serde_json::Value;

use super::ScriptedCli;
use crate::Transport;

/// How much fits into the pipe in either direction; what a pipe holds on Linux.
const CAPACITY: usize = 64 * 1024;

impl ScriptedCli {
    /// Reads the flags of the CLI that make a difference here, without the program's name. Those it does
    /// not know are ignored.
    ///
    /// # Errors
    ///
    /// What the CLI would say on stderr.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::testing::{Script, ScriptedCli};
    ///
    /// let args = ["--include-partial-messages", "--model=sonnet"].map(str::to_owned);
    /// let cli = ScriptedCli::new(Script::new()).args(args).unwrap();
    /// ```
    pub fn args(self, args: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let mut cli = self;
        let args = args.into_iter();
        let mut servers = Vec::new();
        let mut allowed_tools: Vec<String> = Vec::new();
        let mut resumes = false;
        let mut forks = false;
        let mut args = args.peekable();
        while let Some(arg) = args.next() {
            let (flag, value) = match arg.split_once('=') {
                Some((flag, value)) => (flag.to_owned(), Some(value.to_owned())),
                None => (arg, None),
            };
            let mut value = || value.clone().or_else(|| args.next()).unwrap_or_default();
            match flag.as_str() {
                "--mcp-config" => servers.extend(server_names(&value())?),
                "--include-partial-messages" => cli = cli.include_partial_messages(true),
                "--model" => cli = cli.model(&value()),
                "--permission-mode" => cli = cli.permission_mode(value()),
                "--resume" => {
                    cli = cli.session_id(value());
                    resumes = true;
                }
                "--session-id" => {
                    cli = cli.session_id(value());
                    resumes = false;
                }
                "--permission-prompt-tool" => {
                    cli = cli.permission_prompts(value() == "stdio");
                }
                "--fork-session" => forks = true,
                "--allowedTools" | "--allowed-tools" => {
                    // Takes several values: separated by commas or spaces, or as further arguments.
                    let mut rules = value();
                    while let Some(rule) = args.next_if(|arg| !arg.starts_with('-')) {
                        rules.push(',');
                        rules.push_str(&rule);
                    }
                    let rules = rules.split([',', ' ']).filter(|rule| !rule.is_empty());
                    allowed_tools.extend(rules.map(str::to_owned));
                }
                _ => {}
            }
        }
        if resumes && forks {
            cli = cli.new_session_id();
        }
        Ok(cli.servers(servers).allowed_tools(allowed_tools))
    }
}

impl From<ScriptedCli> for Transport {
    /// Plays the script in a task of its own, with what the arguments of the launch say in place of what
    /// was set.
    ///
    /// A stand-in that does not understand its arguments closes its stdout at once, as the CLI would.
    fn from(cli: ScriptedCli) -> Self {
        Self::on_launch(|args| {
            let (host_stdout, stdout) = tokio::io::duplex(CAPACITY);
            let (host_stdin, stdin) = tokio::io::duplex(CAPACITY);
            match cli.args(args.iter().map(|arg| arg.to_string_lossy().into_owned())) {
                Ok(cli) => drop(tokio::spawn(cli.run(stdin, stdout))),
                Err(error) => tracing::error!("the stand-in does not start: {error}"),
            }
            Self::new(host_stdout, host_stdin)
        })
    }
}

/// Finds the servers of `--mcp-config` that the host serves over the pipes.
fn server_names(config: &str) -> Result<Vec<String>, String> {
    let text = if config.trim_start().starts_with('{') {
        config.to_owned()
    } else {
        fs::read_to_string(config).map_err(|_| {
            format!("Invalid MCP configuration: MCP config file not found: {config}")
        })?
    };
    let config: Value = serde_json::from_str(&text)
        .map_err(|error| format!("Invalid MCP configuration: {error}"))?;
    let servers = config["mcpServers"]
        .as_object()
        .ok_or("Invalid MCP configuration: mcpServers: Does not adhere to MCP server schema")?;
    let of_host = servers.iter().filter(|(_, server)| server["type"] == "sdk");
    Ok(of_host.map(|(name, _)| name.clone()).collect())
}
