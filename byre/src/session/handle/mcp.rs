//! MCP servers.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::SessionHandle;
use crate::{
    error::{Error, Result},
    wire::{
        answer::{
            self,
            mcp::{McpCallResult, McpResource, McpServer, McpServersSet},
        },
        option::mcp::{McpCall, McpServerConfig},
    },
};

/// How much longer the answer to a call is waited for than the call may take.
const CALL_GRACE: Duration = Duration::from_secs(10);

/// MCP servers.
impl SessionHandle {
    /// Returns the MCP servers of the session and how they fare, byre's own among them. Right after the start
    /// there may be none yet.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt).
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
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
    pub async fn mcp_status(&self) -> Result<Vec<McpServer>> {
        Ok(answer::field(&self.control("mcp_status", json!({})).await?, "mcpServers"))
    }

    /// Connects a server that the CLI has started or dialed once more. For byre's own, switch it
    /// [off and on](Self::mcp_toggle).
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt); [`ErrorKind::Refused`](crate::ErrorKind::Refused)
    /// for byre's own server, and one that there is not.
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// handle.mcp_reconnect("docs").await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn mcp_reconnect(&self, server: &str) -> Result<()> {
        self.control("mcp_reconnect", json!({"serverName": server})).await.map(drop)
    }

    /// Switches a server off or on. Calls that are under way fail when it is switched off.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt); [`ErrorKind::Refused`](crate::ErrorKind::Refused)
    /// if there is no such server.
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// handle.mcp_toggle("docs", false).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn mcp_toggle(&self, server: &str, enabled: bool) -> Result<()> {
        let body = json!({"serverName": server, "enabled": enabled});
        self.control("mcp_toggle", body).await.map(drop)
    }

    /// Replaces the servers that this program has brought, those of
    /// [`mcp_server`](crate::SessionBuilder::mcp_server) among them. byre's own stays, and so do those of files
    /// and plugins. New servers connect after this returns.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt), and
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration) for byre's own name, or a configuration that
    /// the CLI would refuse. A server that can't be had is no error, but among
    /// [`McpServersSet::errors`].
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// use byre::options::McpServerConfig;
    ///
    /// let set = handle.mcp_set_servers([("docs", McpServerConfig::stdio("docs-server"))]).await?;
    /// assert!(set.errors.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn mcp_set_servers(
        &self,
        servers: impl IntoIterator<Item = (impl Into<String>, McpServerConfig)>,
    ) -> Result<McpServersSet> {
        let mut all = Map::new();
        let own = &self.0.setup.own_servers;
        for server in own {
            // Left out, it would be removed with its tools.
            all.insert(server.name.clone(), json!(server));
        }
        for (name, config) in servers {
            let name = name.into();
            if own.iter().any(|server| server.name == name) {
                return Err(Error::configuration(format!(
                    "{name:?} is the name of a server of this program; give the other one another name"
                )));
            }
            if let Some(fault) = config.fault() {
                return Err(Error::configuration(format!("the MCP server {name:?} {fault}")));
            }
            all.insert(name, config.into_value());
        }
        Ok(self.control("mcp_set_servers", json!({"servers": all})).await?.into())
    }

    /// Calls a tool of a server that the CLI has started or dialed, without the model, and without asking
    /// anybody unless the call says so. The limit is that of the call, and 10 seconds more.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt); [`ErrorKind::Refused`](crate::ErrorKind::Refused)
    /// if the tool fails, if there is none, and for byre's own tools, which are functions of this program.
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
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
    pub async fn mcp_call(&self, call: McpCall) -> Result<McpCallResult> {
        let (body, limit) = call.into_parts();
        Ok(self.control_within("mcp_call", body, limit + CALL_GRACE).await?.into())
    }

    /// Reads a resource of a server that the CLI has started or dialed, by its `ui://` address. What comes is
    /// the server's, and not to be trusted.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt); [`ErrorKind::Refused`](crate::ErrorKind::Refused)
    /// if there is no such server or resource.
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// let page = handle.mcp_read_resource("docs", "ui://chart").await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn mcp_read_resource(&self, server: &str, uri: &str) -> Result<Vec<McpResource>> {
        let body = json!({"serverName": server, "uri": uri});
        Ok(answer::field(&self.control("mcp_read_resource", body).await?, "contents"))
    }

    /// Sends a JSON-RPC message to the CLI in the name of one of byre's servers, a notification for example. The
    /// CLI says nothing of whether it understood it.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt).
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// let message = serde_json::json!({
    ///     "jsonrpc": "2.0",
    ///     "method": "notifications/tools/list_changed",
    /// });
    /// handle.mcp_message("byre", message).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn mcp_message(&self, server: &str, message: Value) -> Result<()> {
        let body = json!({"server_name": server, "message": message});
        self.control("mcp_message", body).await.map(drop)
    }

    /// Has the tools of a server decided on in another permission mode than the session's: `default` or `auto`,
    /// and only if that is stricter; `None` takes it back. Returns a warning, if the CLI has one.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt).
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// handle.set_mcp_permission_mode_override("docs", Some("default")).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn set_mcp_permission_mode_override(
        &self,
        server: &str,
        mode: Option<&str>,
    ) -> Result<Option<String>> {
        let body = json!({"serverName": server, "mode": mode});
        let answer = self.control("set_mcp_permission_mode_override", body).await?;
        Ok(answer::field(&answer, "warning"))
    }
}
