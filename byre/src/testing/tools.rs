//! Calls tools as the model would, without any session.

use serde_json::{Value, value::to_raw_value};

use crate::{
    Session,
    error::Result,
    function::{state::States, surroundings::Surroundings},
    registry::{self, Selection, mcp_server::McpServer, qualified_name},
    seen::seen,
    tool::{CallToolResult, Tool, context::ToolContext, run::Around},
};

/// The server's name, in what the model sees.
const SERVER: &str = "byre";

/// Returns every tool that is linked in, to be called by name.
///
/// # Panics
///
/// If two tools have one name: no session would start with them.
///
/// # Example
///
/// ```standalone_crate
/// /// Adds two integers.
/// #[byre::tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # #[tokio::main]
/// # async fn main() {
/// let reply = byre::testing::tools().call("add", serde_json::json!({"a": 2, "b": 40})).await;
/// assert_eq!(reply.text(), "42");
/// # }
/// ```
#[must_use]
pub fn tools() -> Tools {
    match Selection::default().servers(McpServer::new(SERVER)) {
        Ok(servers) => {
            servers.into_iter().flat_map(|server| server.tools).collect::<Vec<_>>().into()
        }
        Err(error) => panic!("{error}"),
    }
}

/// Tools that can be called by name. Made by [`tools`], or from a list.
///
/// # Example
///
/// ```
/// use byre::testing::Tools;
///
/// /// Adds two integers.
/// #[byre::tool(register = false)]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # fn main() {
/// let tools = Tools::from(byre::tools![add]);
/// tools.check().unwrap();
/// assert_eq!(tools.list()[0]["name"], "add");
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Tools {
    tools: Vec<Tool>,
    states: States,
}

impl From<Vec<Tool>> for Tools {
    fn from(tools: Vec<Tool>) -> Self {
        Self { tools, states: States::default() }
    }
}

impl Tools {
    /// Gives the tools a value, which they take as [`State`](crate::State).
    ///
    /// # Example
    ///
    /// ```standalone_crate
    /// /// Greets in the language of the house.
    /// #[byre::tool]
    /// async fn greet(byre::State(word): byre::State<&'static str>) -> String {
    ///     format!("{word}!")
    /// }
    ///
    /// # #[tokio::main]
    /// # async fn main() {
    /// let tools = byre::testing::tools().state("Hallo");
    /// assert_eq!(tools.call("greet", serde_json::json!({})).await.text(), "Hallo!");
    /// # }
    /// ```
    #[must_use]
    pub fn state<T: Clone + Send + Sync + 'static>(mut self, value: T) -> Self {
        self.states.insert(value);
        self
    }

    /// Calls a tool with JSON, as the model would: by its name, or by the name with that of the server,
    /// `mcp__byre__add`, where tools of several servers have one name.
    ///
    /// A tool that does not exist, like arguments that do not fit, is an error in the reply.
    ///
    /// # Panics
    ///
    /// If the tool needs a value that [`state`](Self::state) did not give: no session would start with it.
    ///
    /// # Example
    ///
    /// ```standalone_crate
    /// /// Halves a number.
    /// #[byre::tool]
    /// async fn halve(number: f64) -> f64 {
    ///     number / 2.0
    /// }
    ///
    /// # #[tokio::main]
    /// # async fn main() {
    /// let reply = byre::testing::tools().call("halve", serde_json::json!({"number": "x"})).await;
    /// assert!(reply.is_error());
    /// assert!(reply.text().contains("`number`"));
    /// # }
    /// ```
    pub async fn call(&self, name: &str, arguments: Value) -> ToolReply {
        let is_called = |tool: &&Tool| tool.name() == name || full_name(tool) == name;
        let Some(tool) = self.tools.iter().find(is_called) else {
            let error = CallToolResult::error(format!("no tool is called {name:?}"));
            return ToolReply::new(SERVER, &qualified_name(SERVER, name), error);
        };
        if let Err(error) = registry::check_states(std::slice::from_ref(tool), &[], &self.states) {
            panic!("{error}");
        }
        let server = tool.server().unwrap_or(SERVER);
        let context = ToolContext::new(server, None, Surroundings::new(self.states.clone()));
        let result = match to_raw_value(&arguments) {
            Ok(arguments) => tool.run(Some(&arguments), &context, &Around::default()).await,
            Err(error) => CallToolResult::error(error.to_string()),
        };
        ToolReply::new(server, &full_name(tool), result)
    }

    /// Returns what the CLI is told of the tools: the `tools` of `tools/list`.
    ///
    /// # Example
    ///
    /// ```standalone_crate
    /// println!("{:#}", byre::testing::tools().list());
    /// ```
    #[must_use]
    pub fn list(&self) -> Value {
        let entries = self.tools.iter().map(Tool::definition);
        entries.map(|entry| serde_json::from_str(&entry).unwrap_or(Value::Null)).collect()
    }

    /// Returns the name of each, and its entry in the `tools` of `tools/list`.
    pub(super) fn definitions(&self) -> Vec<(&str, String)> {
        self.tools.iter().map(|tool| (tool.name(), tool.definition())).collect()
    }

    /// Refuses what [`SessionBuilder::check`](crate::SessionBuilder::check) refuses.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration), naming every tool at fault.
    ///
    /// # Example
    ///
    /// ```standalone_crate
    /// byre::testing::tools().check().unwrap();
    /// ```
    pub fn check(&self) -> Result<()> {
        let builder = Session::builder().tools(self.tools.clone()).hooks([]);
        builder.without_permission_handler().states(self.states.clone()).check()
    }
}

/// The name by which the model knows a tool.
fn full_name(tool: &Tool) -> String {
    qualified_name(tool.server().unwrap_or(SERVER), tool.name())
}

/// What a tool gave back.
///
/// # Example
///
/// ```standalone_crate
/// /// Does nothing.
/// #[byre::tool]
/// async fn rest() {}
///
/// # #[tokio::main]
/// # async fn main() {
/// let reply = byre::testing::tools().call("rest", serde_json::json!({})).await;
/// assert!(!reply.is_error());
/// assert_eq!(reply.text(), "(mcp__byre__rest completed with no output)");
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ToolReply {
    result: CallToolResult,
    content: Value,
    is_error: bool,
}

impl ToolReply {
    fn new(server: &str, full_name: &str, result: CallToolResult) -> Self {
        let json = serde_json::to_value(&result).unwrap_or_default();
        let (content, is_error) = match seen(server, full_name, &json) {
            Ok(content) => (content, false),
            Err(text) => (text.into(), true),
        };
        Self { result, content, is_error }
    }

    /// Returns the text that the model sees; several texts are joined by line breaks.
    ///
    /// # Example
    ///
    /// ```
    /// fn check(reply: &byre::testing::ToolReply) {
    ///     assert_eq!(reply.text(), "42");
    /// }
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        match &self.content {
            Value::String(text) => text.clone(),
            Value::Array(blocks) => {
                let texts = blocks.iter().filter_map(|block| block["text"].as_str());
                texts.collect::<Vec<_>>().join("\n")
            }
            _ => String::new(),
        }
    }

    /// Says whether the model is told that the call failed.
    ///
    /// # Example
    ///
    /// ```
    /// fn check(reply: &byre::testing::ToolReply) {
    ///     assert!(!reply.is_error(), "{}", reply.text());
    /// }
    /// ```
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.is_error
    }

    /// Returns the content that the model sees, in the Messages API's shape: a text, or a list of blocks.
    ///
    /// # Example
    ///
    /// ```
    /// fn check(reply: &byre::testing::ToolReply) {
    ///     assert_eq!(reply.content()[0]["source"]["media_type"], "image/png");
    /// }
    /// ```
    #[must_use]
    pub fn content(&self) -> &Value {
        &self.content
    }

    /// Returns what goes to the CLI.
    ///
    /// # Example
    ///
    /// ```
    /// fn check(reply: &byre::testing::ToolReply) {
    ///     assert!(reply.result().structured_content.is_none());
    /// }
    /// ```
    #[must_use]
    pub fn result(&self) -> &CallToolResult {
        &self.result
    }
}

#[cfg(test)]
mod tests;
