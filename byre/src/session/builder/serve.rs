//! Which tools and hooks are served.

use std::time::Duration;

use super::SessionBuilder;
use crate::{hook::Hook, registry::mcp_server::McpServer, tool::IntoTools};

/// Which tools and hooks are served.
impl SessionBuilder {
    /// Serves these tools instead of all that are linked in: a list, a value with
    /// [`#[byre::toolset]`](macro@crate::toolset), or an `Arc` of one. Each comes to the server that it asks for,
    /// or to the session's own.
    ///
    /// # Example
    ///
    /// ```
    /// /// Adds two integers.
    /// #[byre::tool]
    /// async fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// let builder = byre::Session::builder().tools(byre::tools![add]);
    /// ```
    pub fn tools<Kind>(mut self, tools: impl IntoTools<Kind>) -> Self {
        self.selection.explicit = Some(tools.into_tools());
        self
    }

    /// Adds a server, or describes the session's own, which is called `byre`. Tools that are linked in, or given
    /// to [`tools`](Self::tools), and ask for a server of this name, are served by it as well.
    ///
    /// # Example
    ///
    /// ```
    /// let stock = byre::McpServer::new("stock").instructions("Kinds are in the singular.");
    /// let builder = byre::Session::builder().server(stock);
    /// ```
    pub fn server(mut self, server: McpServer) -> Self {
        self.selection.servers.push(server);
        self
    }

    /// Puts a layer around the calls of all tools; see [`layer`](crate::tool::layer).
    ///
    /// # Example
    ///
    /// ```
    /// use byre::tool::ToolService;
    /// use tower_layer::layer_fn;
    ///
    /// let builder = byre::Session::builder().layer(layer_fn(|inner: ToolService| inner));
    /// ```
    #[cfg(feature = "tower")]
    pub fn layer<L>(mut self, layer: L) -> Self
    where
        L: tower_layer::Layer<crate::tool::ToolService>,
        L::Service: crate::tool::AroundCalls,
    {
        self.selection.layers.push(crate::tool::AroundCalls::into_layered(
            layer.layer(crate::tool::ToolService::default()),
        ));
        self
    }

    /// Serves only the tools with these names.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().only_tools(["add", "divide"]);
    /// ```
    pub fn only_tools(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.selection.only = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Serves all tools but those with these names.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().without_tools(["divide"]);
    /// ```
    pub fn without_tools(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.selection.without.extend(names.into_iter().map(Into::into));
        self
    }

    /// Asks these hooks instead of all that are linked in.
    ///
    /// # Example
    ///
    /// ```
    /// // None at all.
    /// let builder = byre::Session::builder().hooks([]);
    /// ```
    pub fn hooks(mut self, hooks: impl IntoIterator<Item = Hook>) -> Self {
        self.selection.hooks = Some(hooks.into_iter().collect());
        self
    }

    /// Names the MCP server that serves the tools that ask for no other; `byre` by default. The model sees a tool `add` of it
    /// as `mcp__byre__add`.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().server_name("stock");
    /// ```
    pub fn server_name(mut self, name: impl Into<String>) -> Self {
        self.server_name = Some(name.into());
        self
    }

    /// Limits how long the CLI waits for a call of one of the tools, a second or more; by default it waits
    /// without end. The model then reads that the call has timed out, and the tool's future is dropped.
    ///
    /// # Example
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let builder = byre::Session::builder().call_timeout(Duration::from_secs(60));
    /// ```
    pub fn call_timeout(mut self, time: Duration) -> Self {
        self.launch.mcp.call_timeout = Some(time);
        self
    }

    /// Tells the model how to use the tools, in up to 4096 characters, of which an emoji is two.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().instructions("Amounts are in cents.");
    /// ```
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = Some(text.into());
        self
    }
}
