//! Tools that come and go while the session runs.

use serde_json::json;

use super::SessionHandle;
use crate::{
    error::{Error, Result},
    registry::{self, mcp_server::McpServer},
    server::Server,
    tool::{IntoTools, Tool},
};

/// Tools of this program.
impl SessionHandle {
    /// Returns the tools that a server of this program serves now, by name; empty if there is no such server.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(handle: &byre::SessionHandle) {
    /// for tool in handle.tools("byre") {
    ///     println!("{}: {}", tool.name(), tool.description());
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn tools(&self, server: &str) -> Vec<Tool> {
        let servers = self.0.setup.servers.upgrade();
        servers.and_then(|servers| servers.get(server).map(Server::tools)).unwrap_or_default()
    }

    /// Adds tools to a server of this program, and tells the CLI, which gives them to the model with its next
    /// request, in the turn that runs. They run without asking as the others of the server do, unless the server's name
    /// has two underscores in a row or one at an end, or characters that become such: the CLI has no rule for all
    /// tools of such a server.
    ///
    /// The server must have been there from the start, if only without tools:
    /// `.server(McpServer::new("stock"))`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration) for a server that there is not, a name that
    /// is taken, a missing [`State`](crate::State), and what the CLI or the API would drop in silence; nothing is
    /// added then. Else those of [`interrupt`](Self::interrupt), when the tools are there and the CLI may not
    /// know.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing: the tools are there with its first poll, and the CLI is told.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// use byre::tool::Tool;
    /// use serde_json::json;
    ///
    /// let schema = json!({"type": "object", "properties": {}});
    /// let deploy = Tool::dynamic("deploy", "Deploys the branch.", schema, |_, _| async { "done" });
    /// handle.add_tools("byre", [deploy]).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn add_tools<Kind>(&self, server: &str, tools: impl IntoTools<Kind>) -> Result<()> {
        let added = tools.into_tools();
        self.with_server(server, |served| {
            registry::check_states(&added, &[], served.states())?;
            served.change_tools(|mut all| {
                all.extend(added.iter().cloned());
                registry::sort(&mut all)?;
                let described = McpServer { tools: all, ..McpServer::new(server) };
                registry::check(std::slice::from_ref(&described))?;
                Ok(described.tools)
            })
        })?;
        self.tell_of_tools(server).await
    }

    /// Removes tools from a server of this program by their names without the server's, and tells the CLI. Calls
    /// that run go on; the model may still call a tool that is gone until its next turn, and reads that it is.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration) for a server or a tool that there is not;
    /// nothing is removed then. Else those of [`interrupt`](Self::interrupt).
    ///
    /// # Cancel safety
    ///
    /// That of [`add_tools`](Self::add_tools).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// handle.remove_tools("byre", ["deploy"]).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn remove_tools(
        &self,
        server: &str,
        names: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<()> {
        let names: Vec<_> = names.into_iter().collect();
        self.with_server(server, |served| {
            served.change_tools(|mut tools| {
                for name in names.iter().map(AsRef::as_ref) {
                    let Some(at) = tools.iter().position(|tool| tool.name() == name) else {
                        let reason = format!("the server {server:?} has no tool {name:?}");
                        return Err(Error::configuration(reason));
                    };
                    tools.remove(at);
                }
                Ok(tools)
            })
        })?;
        self.tell_of_tools(server).await
    }

    fn with_server(&self, name: &str, act: impl FnOnce(&Server) -> Result<()>) -> Result<()> {
        let Some(servers) = self.0.setup.servers.upgrade() else {
            return Err(self.0.link.ended("change the tools".to_owned()));
        };
        let Some(server) = servers.get(name) else {
            let mut names: Vec<_> = servers.keys().map(String::as_str).collect();
            names.sort_unstable();
            let known = match names.as_slice() {
                [] => "this session has none".to_owned(),
                names => format!("there are {}", names.join(", ")),
            };
            let reason = format!("this program serves no MCP server {name:?}; {known}");
            return Err(Error::configuration(reason)
                .hint("describe it before the start: `.server(McpServer::new(\"…\"))`"));
        };
        act(server)
    }

    /// Has the CLI list the tools of a server anew.
    async fn tell_of_tools(&self, server: &str) -> Result<()> {
        let message = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
        let body = json!({"server_name": server, "message": message});
        self.control("mcp_message", body).await.map(drop)
    }
}
