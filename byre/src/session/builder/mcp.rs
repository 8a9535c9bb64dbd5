//! MCP servers that the CLI starts or dials itself.

use super::SessionBuilder;
use crate::wire::option::mcp::McpServerConfig;

/// MCP servers that the CLI starts or dials itself.
impl SessionBuilder {
    /// Adds an MCP server that the CLI starts or dials itself, beside the one that serves byre's tools. Its
    /// tools ask before they run, unless [`allowed_tools`](Self::allowed_tools) says `mcp__<name>`.
    ///
    /// Its configuration travels over the CLI's stdin, because everybody on the machine can read a command
    /// line. Needs CLI 2.1.261; [`spawn`](Self::spawn) fails if the CLI does not take it.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::options::McpServerConfig;
    ///
    /// let builder = byre::Session::builder().mcp_server("docs", McpServerConfig::stdio("docs-server").env("TOKEN", "secret"));
    /// ```
    pub fn mcp_server(mut self, name: impl Into<String>, config: McpServerConfig) -> Self {
        self.launch.mcp.servers.push((name.into(), config));
        self
    }

    /// Leaves out all MCP servers but byre's own and those of [`mcp_server`](Self::mcp_server).
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().strict_mcp_config(true);
    /// ```
    pub fn strict_mcp_config(mut self, strict: bool) -> Self {
        self.launch.mcp.strict = strict;
        self
    }
}
