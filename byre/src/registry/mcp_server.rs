//! The MCP servers of a session, as the program describes them.

use std::{fmt, sync::Arc, time::Duration};

use tokio::sync::Semaphore;

use crate::tool::{IntoTools, Tool, layer::Layered, run::Around};

/// An MCP server of this program, which lives in the session's process.
///
/// A session has one from the start, called `byre`, which serves all tools that ask for no other. More of them
/// divide many tools into groups: the model sees a tool `count` of the server `stock` as
/// `mcp__stock__count`, each server has instructions of its own, and limits can be set for all of its tools at
/// once. A tool comes to a server by `#[byre::tool(server = "stock")]`, or by [`tools`](Self::tools).
///
/// # Example
///
/// ```
/// /// Counts the items of one kind.
/// #[byre::tool(register = false)]
/// async fn count(kind: String) -> usize {
///     kind.len()
/// }
///
/// # fn main() {
/// let stock = byre::McpServer::new("stock")
///     .tools(byre::tools![count])
///     .instructions("Kinds are in the singular.");
/// let builder = byre::Session::builder().server(stock);
/// # }
/// ```
#[derive(Clone)]
#[must_use = "a server does nothing until a session serves it"]
pub struct McpServer {
    pub(crate) name: String,
    pub(crate) instructions: Option<String>,
    pub(crate) tools: Vec<Tool>,
    pub(crate) always_load: bool,
    pub(crate) call_timeout: Option<Duration>,
    /// What is around the calls of its tools.
    pub(crate) around: Around,
}

impl McpServer {
    /// Makes a server without tools. One of the name of the session's own, `byre`, is that one.
    ///
    /// # Example
    ///
    /// ```
    /// let server = byre::McpServer::new("stock");
    /// ```
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            instructions: None,
            tools: Vec::new(),
            always_load: true,
            call_timeout: None,
            around: Around::default(),
        }
    }

    /// Serves these tools as well: a list, a value with [`#[byre::toolset]`](macro@crate::toolset), or an `Arc` of
    /// one. They are served here whatever server they ask for.
    ///
    /// # Example
    ///
    /// ```
    /// /// Adds two integers.
    /// #[byre::tool(register = false)]
    /// async fn add(a: i64, b: i64) -> i64 {
    ///     a + b
    /// }
    ///
    /// # fn main() {
    /// let server = byre::McpServer::new("sums").tools(byre::tools![add]);
    /// # }
    /// ```
    pub fn tools<Kind>(mut self, tools: impl IntoTools<Kind>) -> Self {
        self.tools.extend(tools.into_tools());
        self
    }

    /// Tells the model how to use the tools, in up to 4096 characters, of which an emoji is two.
    ///
    /// # Example
    ///
    /// ```
    /// let server = byre::McpServer::new("stock").instructions("Kinds are in the singular.");
    /// ```
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = Some(text.into());
        self
    }

    /// Says whether its tools are in the prompt from the first turn; `true` by default. Otherwise the CLI's
    /// `ToolSearch` finds them, which costs a step, and saves tokens where there are many.
    ///
    /// # Example
    ///
    /// ```
    /// let server = byre::McpServer::new("archive").always_load(false);
    /// ```
    pub fn always_load(mut self, always: bool) -> Self {
        self.always_load = always;
        self
    }

    /// Limits how long the CLI waits for a call of one of its tools, a second or more, in place of what
    /// [`SessionBuilder::call_timeout`](crate::SessionBuilder::call_timeout) says.
    ///
    /// # Example
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let server = byre::McpServer::new("stock").call_timeout(Duration::from_secs(60));
    /// ```
    pub fn call_timeout(mut self, time: Duration) -> Self {
        self.call_timeout = Some(time);
        self
    }

    /// Limits how many calls of its tools run at once, in all sessions together that serve it or a clone of it; 0
    /// is taken for 1. Others wait for their turn.
    ///
    /// # Example
    ///
    /// ```
    /// let one_at_a_time = byre::McpServer::new("printer").concurrency(1);
    /// ```
    pub fn concurrency(mut self, most: usize) -> Self {
        let most = most.clamp(1, Semaphore::MAX_PERMITS);
        self.around.permits = Some(Arc::new(Semaphore::new(most)));
        self
    }

    /// Puts a layer around the calls of all its tools; see [`layer`](crate::tool::layer).
    ///
    /// # Example
    ///
    /// ```
    /// use byre::tool::ToolService;
    /// use tower_layer::layer_fn;
    ///
    /// let server = byre::McpServer::new("stock").layer(layer_fn(|inner: ToolService| inner));
    /// ```
    #[cfg(feature = "tower")]
    pub fn layer<L>(mut self, layer: L) -> Self
    where
        L: tower_layer::Layer<crate::tool::ToolService>,
        L::Service: crate::tool::AroundCalls,
    {
        self.around.layers.push(crate::tool::AroundCalls::into_layered(
            layer.layer(crate::tool::ToolService::default()),
        ));
        self
    }

    /// Puts the layers of the session around those of the server.
    pub(crate) fn inside(mut self, layers: &[Layered]) -> Self {
        self.around.layers.splice(0..0, layers.iter().cloned());
        self
    }
}

impl fmt::Debug for McpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("McpServer")
            .field("name", &self.name)
            .field("tools", &self.tools)
            .finish_non_exhaustive()
    }
}
