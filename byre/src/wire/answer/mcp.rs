//! What the CLI answers about MCP servers.

use std::collections::BTreeMap;

use serde_json::Value;

use super::answers;

answers! {
    /// An MCP server of the session, and how it fares.
    ///
    /// ```json
    /// {"name":"byre","status":"connected","serverInfo":{"name":"byre","version":"0.1.0"},"scope":"dynamic","source":"sdk","tools":[{"name":"add","annotations":{"readOnly":true}}]}
    /// ```
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// for server in handle.mcp_status().await? {
    ///     println!("{} is {}", server.name, server.status);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub struct McpServer {
        /// The server's key in the configuration.
        pub name: String = "name",
        /// `connected`, `failed`, `needs-auth`, `pending` or `disabled`; the set is open.
        pub status: String = "status",
        /// What the server says of itself.
        pub server_info: Option<McpServerInfo> = "serverInfo",
        /// Why it failed.
        pub error: Option<String> = "error",
        /// Where its configuration stands: `dynamic`, `project`, `user`, …
        pub scope: Option<String> = "scope",
        /// Who has brought it: `sdk` for those of the host, `plugin`, `user`, `dynamic`, …
        pub source: Option<String> = "source",
        /// Its tools, once it is connected.
        pub tools: Vec<McpTool> = "tools",
    }

    /// What an MCP server says of itself.
    ///
    /// ```json
    /// {"name":"byre","version":"0.1.0"}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// fn title(server: &byre::cli::McpServer) -> &str {
    ///     server.server_info.as_ref().map_or(&server.name, |info| &info.name)
    /// }
    /// ```
    pub struct McpServerInfo {
        /// Its own name.
        pub name: String = "name",
        /// Its version.
        pub version: String = "version",
    }

    /// A tool of an [`McpServer`].
    ///
    /// ```json
    /// {"name":"add","description":"Adds","annotations":{"readOnly":true}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// fn names(server: &byre::cli::McpServer) -> Vec<&str> {
    ///     server.tools.iter().map(|tool| tool.name.as_str()).collect()
    /// }
    /// ```
    pub struct McpTool {
        /// The name, without `mcp__<server>__`.
        pub name: String = "name",
        /// What it is for.
        pub description: Option<String> = "description",
        /// Its hints, by short names: `readOnly`, `destructive`, `openWorld`.
        pub annotations: BTreeMap<String, bool> = "annotations",
    }

    /// What became of a [new set of servers](crate::SessionHandle::mcp_set_servers).
    ///
    /// ```json
    /// {"added":["docs"],"removed":[],"errors":{"bad":"unknown type"}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// fn check(servers: &byre::cli::McpServersSet) {
    ///     assert!(servers.errors.is_empty(), "{:?}", servers.errors);
    /// }
    /// ```
    pub struct McpServersSet {
        /// The servers that are new. They may still be connecting.
        pub added: Vec<String> = "added",
        /// The servers that are gone.
        pub removed: Vec<String> = "removed",
        /// The servers that did not come to be, and why.
        pub errors: BTreeMap<String, String> = "errors",
    }

    /// What a tool of an MCP server gave.
    ///
    /// ```json
    /// {"content":"5","structuredContent":{"sum":5},"isError":false}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// fn text(result: &byre::cli::McpCallResult) -> Option<&str> {
    ///     result.content.as_str()
    /// }
    /// ```
    pub struct McpCallResult {
        /// What a model would read: text, or content blocks.
        pub content: Value = "content",
        /// The structured result, where there is one.
        pub structured_content: Option<Value> = "structuredContent",
        /// The tool failed; only with [`McpCall::soft_error_result`](crate::cli::McpCall::soft_error_result).
        pub is_error: bool = "isError",
        /// How the files and the time limit fared, where the call had any: `{"ok":true,…}`.
        pub staging: Option<Value> = "staging",
    }

    /// A resource that a server has read out.
    ///
    /// ```json
    /// {"uri":"ui://chart","mimeType":"text/html","text":"<p>…</p>"}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// fn html(contents: &[byre::cli::McpResource]) -> Option<&str> {
    ///     contents.iter().find_map(|resource| resource.text.as_deref())
    /// }
    /// ```
    pub struct McpResource {
        /// Where it is.
        pub uri: String = "uri",
        /// What kind of text or bytes it is.
        pub mime_type: Option<String> = "mimeType",
        /// The text. Not to be trusted: a server has made it.
        pub text: Option<String> = "text",
        /// The bytes, as base64.
        pub blob: Option<String> = "blob",
    }
}
