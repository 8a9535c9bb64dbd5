//! What the model can do: built-in tools, rules, skills, agents and plugins.

use std::path::PathBuf;

use super::SessionBuilder;
use crate::{
    transport::launch::tools::{Builtin, Plugin, Skills},
    wire::option::agent::AgentDefinition,
};

/// What the model can do: built-in tools, rules, skills, agents and plugins.
impl SessionBuilder {
    /// Offers the model these of the CLI's own tools, and no others. An empty list means none. byre's tools,
    /// and those of MCP servers, are there in any case.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().builtin_tools(["Read", "Grep"]);
    /// ```
    pub fn builtin_tools(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let names = names.into_iter().map(Into::into).collect();
        self.launch.tools.builtin = Some(Builtin::These(names));
        self
    }

    /// Offers the model all of the CLI's own tools, whatever the settings say.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().all_builtin_tools();
    /// ```
    pub fn all_builtin_tools(mut self) -> Self {
        self.launch.tools.builtin = Some(Builtin::All);
        self
    }

    /// Lets what these rules name run without asking, beside byre's own tools, which always may. Restricts
    /// nothing.
    ///
    /// A rule is the name of a tool, or says more: `Bash(git log:*)`, `mcp__docs`, `mcp__docs__search`.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().allowed_tools(["Read", "Bash(git log:*)"]);
    /// ```
    pub fn allowed_tools(mut self, rules: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.launch.tools.allowed.extend(rules.into_iter().map(Into::into));
        self
    }

    /// Keeps tools from the model, and refuses what more detailed rules name. Goes before every rule that
    /// allows.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().disallowed_tools(["WebFetch", "Bash(rm:*)"]);
    /// ```
    pub fn disallowed_tools(mut self, rules: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.launch.tools.disallowed.extend(rules.into_iter().map(Into::into));
        self
    }

    /// Runs `tool` when the model calls `name`. Goes one step: an alias of an alias is none.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().tool_alias("Bash", "mcp__byre__shell");
    /// ```
    pub fn tool_alias(mut self, name: impl Into<String>, tool: impl Into<String>) -> Self {
        self.launch.tools.aliases.insert(name.into(), tool.into());
        self
    }

    /// Puts these skills before the model, and lets it use them without asking. An empty list means none.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().skills(["charts", "tools:release"]);
    /// ```
    pub fn skills(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let names = names.into_iter().map(Into::into).collect();
        self.launch.tools.skills = Some(Skills::These(names));
        self
    }

    /// Lets the model use every skill without asking.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().all_skills();
    /// ```
    pub fn all_skills(mut self) -> Self {
        self.launch.tools.skills = Some(Skills::All);
        self
    }

    /// Defines a subagent that the model can start.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::options::AgentDefinition;
    ///
    /// let builder = byre::Session::builder().agent("counter", AgentDefinition::new("Counts things", "You count."));
    /// ```
    pub fn agent(mut self, name: impl Into<String>, agent: AgentDefinition) -> Self {
        self.launch.tools.agents.insert(name.into(), agent);
        self
    }

    /// Has the main agent be this one, by its prompt, tools and model: one that is
    /// [defined](Self::agent) here or stands in a file.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().main_agent("counter");
    /// ```
    pub fn main_agent(mut self, name: impl Into<String>) -> Self {
        self.launch.tools.main_agent = Some(name.into());
        self
    }

    /// Loads the plugin in this folder.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().plugin("/srv/plugins/fmt");
    /// ```
    pub fn plugin(mut self, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        self.launch.tools.plugins.push(Plugin { folder, without_mcp: false });
        self
    }

    /// Loads the plugin in this folder, and leaves its MCP servers out.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().plugin_without_mcp("/srv/plugins/fmt");
    /// ```
    pub fn plugin_without_mcp(mut self, folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        self.launch.tools.plugins.push(Plugin { folder, without_mcp: true });
        self
    }
}
