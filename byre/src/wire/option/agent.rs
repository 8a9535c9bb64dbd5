//! Subagents that the host defines.

use serde_json::{Map, Value, json};

use super::{Effort, mcp::McpServerConfig};
use crate::wire::permission::PermissionMode;

/// Where a subagent keeps its memory.
///
/// # Example
///
/// ```
/// use byre::options::{AgentDefinition, AgentMemory};
///
/// let agent = AgentDefinition::new("Reviews a diff", "You review.").memory(AgentMemory::Project);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AgentMemory {
    /// With the user.
    User,
    /// With the project.
    Project,
    /// With the user, for this project.
    Local,
}

/// A subagent that the model can start.
///
/// It travels over the CLI's stdin, so its prompt may be as long as it has to be.
///
/// ```json
/// {"description":"Reviews a diff","prompt":"You review diffs.","tools":["Read","Grep"],"model":"haiku"}
/// ```
///
/// # Example
///
/// ```
/// use byre::{Session, options::AgentDefinition};
///
/// let reviewer = AgentDefinition::new("Reviews a diff", "You review diffs.")
///     .tools(["Read", "Grep"])
///     .model("haiku");
/// let builder = Session::builder().agent("reviewer", reviewer);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct AgentDefinition(Map<String, Value>);

impl AgentDefinition {
    /// Makes a subagent: `description` tells the main agent when to start it, and `prompt` is its system
    /// prompt.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::options::AgentDefinition;
    /// let reviewer = AgentDefinition::new("Reviews a diff", "You review diffs.");
    /// ```
    pub fn new(description: impl Into<String>, prompt: impl Into<String>) -> Self {
        Self(Map::new())
            .field("description", description.into().into())
            .field("prompt", prompt.into().into())
    }

    /// Gives it these tools; all of the main agent's by default, and none for an empty list.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::options::AgentDefinition;
    /// let agent = AgentDefinition::new("Counts", "You count.").tools(["mcp__byre__add"]);
    /// ```
    pub fn tools(self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.field("tools", list(names))
    }

    /// Keeps these tools from it.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::options::AgentDefinition;
    /// let agent = AgentDefinition::new("Reads", "You read.").disallowed_tools(["Write", "Edit"]);
    /// ```
    pub fn disallowed_tools(self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.field("disallowedTools", list(names))
    }

    /// Chooses its model; the main agent's by default.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::options::AgentDefinition;
    /// let agent = AgentDefinition::new("Counts", "You count.").model("haiku");
    /// ```
    pub fn model(self, model: impl Into<String>) -> Self {
        self.field("model", model.into().into())
    }

    /// Chooses its effort.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::options::{AgentDefinition, Effort};
    /// let agent = AgentDefinition::new("Counts", "You count.").effort(Effort::Low);
    /// ```
    pub fn effort(self, effort: Effort) -> Self {
        self.field("effort", effort.as_str().into())
    }

    /// Gives it these skills.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::options::AgentDefinition;
    /// let agent = AgentDefinition::new("Draws", "You draw.").skills(["charts"]);
    /// ```
    pub fn skills(self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.field("skills", list(names))
    }

    /// Lets it use an MCP server of the session.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::options::AgentDefinition;
    /// let agent = AgentDefinition::new("Looks up", "You look up.").mcp_server("docs");
    /// ```
    pub fn mcp_server(self, name: impl Into<String>) -> Self {
        self.push_server(name.into().into())
    }

    /// Gives it an MCP server of its own. A server of this program can't be one.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::options::{AgentDefinition, McpServerConfig};
    /// let docs = McpServerConfig::stdio("docs-server");
    /// let agent = AgentDefinition::new("Looks up", "You look up.").own_mcp_server("docs", docs);
    /// ```
    pub fn own_mcp_server(self, name: impl Into<String>, config: McpServerConfig) -> Self {
        let mut server = Map::new();
        server.insert(name.into(), config.into_value());
        self.push_server(Value::Object(server))
    }

    /// Says this to it first, in the user's place, where it is the main agent.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::options::AgentDefinition;
    /// let agent = AgentDefinition::new("Counts", "You count.").initial_prompt("Begin with one.");
    /// ```
    pub fn initial_prompt(self, text: impl Into<String>) -> Self {
        self.field("initialPrompt", text.into().into())
    }

    /// Stops it after this many turns.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::options::AgentDefinition;
    /// let agent = AgentDefinition::new("Counts", "You count.").max_turns(3);
    /// ```
    pub fn max_turns(self, turns: u32) -> Self {
        self.field("maxTurns", turns.into())
    }

    /// Has it run in the background, always.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::options::AgentDefinition;
    /// let agent = AgentDefinition::new("Watches", "You watch.").background(true);
    /// ```
    pub fn background(self, background: bool) -> Self {
        self.field("background", background.into())
    }

    /// Lets it keep a memory.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::options::{AgentDefinition, AgentMemory};
    /// let agent = AgentDefinition::new("Learns", "You learn.").memory(AgentMemory::User);
    /// ```
    pub fn memory(self, memory: AgentMemory) -> Self {
        let name = match memory {
            AgentMemory::User => "user",
            AgentMemory::Project => "project",
            AgentMemory::Local => "local",
        };
        self.field("memory", name.into())
    }

    /// Chooses its permission mode.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::options::AgentDefinition;
    /// let agent = AgentDefinition::new("Plans", "You plan.")
    ///     .permission_mode(byre::PermissionMode::Plan);
    /// ```
    pub fn permission_mode(self, mode: PermissionMode) -> Self {
        self.field("permissionMode", mode.as_str().into())
    }

    /// Sets any other field of the definition.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::options::AgentDefinition;
    /// let agent = AgentDefinition::new("Counts", "You count.")
    ///     .field("omitClaudeMd", true.into());
    /// ```
    pub fn field(mut self, name: impl Into<String>, value: Value) -> Self {
        self.0.insert(name.into(), value);
        self
    }

    fn push_server(mut self, server: Value) -> Self {
        if let Value::Array(servers) = self.0.entry("mcpServers").or_insert_with(|| json!([])) {
            servers.push(server);
        }
        self
    }

    /// What the CLI takes.
    pub(crate) fn to_value(&self) -> Value {
        Value::Object(self.0.clone())
    }
}

fn list(names: impl IntoIterator<Item = impl Into<String>>) -> Value {
    names.into_iter().map(|name| Value::from(name.into())).collect()
}
