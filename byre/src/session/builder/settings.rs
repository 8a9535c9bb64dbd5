//! Settings of this launch, and which others are read.

use std::path::PathBuf;

use serde_json::Value;

use super::SessionBuilder;
use crate::{
    transport::launch::settings::Settings,
    wire::option::{SettingSource, sandbox::Sandbox},
};

/// Settings of this launch, and which others are read.
impl SessionBuilder {
    /// Adds settings, a JSON object, that go before those of files and after those of an administrator.
    ///
    /// They stand in the command line, which everybody on the machine can read: give secrets as
    /// [`settings_file`](Self::settings_file), or by the [environment](Self::env).
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().settings(serde_json::json!({"autoMemoryEnabled": false}));
    /// ```
    pub fn settings(mut self, settings: Value) -> Self {
        self.launch.settings.settings = Some(Settings::Value(settings));
        self
    }

    /// Adds the settings in this file, in place of [`settings`](Self::settings). A path that is not absolute is
    /// meant from the CLI's working directory.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().settings_file("/etc/robot/settings.json");
    /// ```
    pub fn settings_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.launch.settings.settings = Some(Settings::File(path.into()));
        self
    }

    /// Reads settings from these sources, and from no others; from all by default. An empty list means none.
    ///
    /// Settings bring permission rules, hooks, variables, plugins and more with them, so this is also the way
    /// to keep those of a strange project out.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::options::SettingSource;
    ///
    /// let builder = byre::Session::builder().setting_sources([SettingSource::User]);
    /// ```
    pub fn setting_sources(mut self, sources: impl IntoIterator<Item = SettingSource>) -> Self {
        self.launch.settings.sources = Some(sources.into_iter().collect());
        self
    }

    /// Shuts out what this machine and the working directory would bring along: the same as
    /// [`setting_sources`](Self::setting_sources) with none, [`strict_mcp_config`](Self::strict_mcp_config),
    /// and `CLAUDE_CODE_DISABLE_AUTO_MEMORY=1` in the [environment](Self::env). For folders of strangers, and
    /// for runs that must be the same everywhere.
    ///
    /// Out are the settings of the user and the project, with their hooks, permission rules, variables and
    /// plugins; `CLAUDE.md`, `CLAUDE.local.md`, rules, and what Claude has noted about the project; skills, commands, agents and output styles of
    /// both; and all MCP servers but those of this builder.
    ///
    /// In stay the settings of an administrator, the user's login, this program's environment, the skills,
    /// agents and plugins that are part of the CLI, and whatever this builder says itself.
    ///
    /// Source: seen with CLI 2.1.332.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().isolated();
    /// ```
    pub fn isolated(self) -> Self {
        self.setting_sources([]).strict_mcp_config(true).env("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")
    }

    /// Runs commands in a sandbox.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::options::Sandbox;
    ///
    /// let builder = byre::Session::builder().sandbox(Sandbox::new());
    /// ```
    pub fn sandbox(mut self, sandbox: impl Into<Sandbox>) -> Self {
        self.launch.settings.sandbox = Some(sandbox.into());
        self
    }

    /// Adds settings with the rank of an administrator's, a JSON object, for programs that are one.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().managed_settings(serde_json::json!({"disableAllHooks": true}));
    /// ```
    pub fn managed_settings(mut self, settings: Value) -> Self {
        self.launch.settings.managed = Some(settings);
        self
    }

    /// Takes the project's settings from this folder instead of the working directory.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().project_config_root("/srv/app");
    /// ```
    pub fn project_config_root(mut self, folder: impl Into<PathBuf>) -> Self {
        self.launch.settings.project_config_root = Some(folder.into());
        self
    }

    /// Lets the agent work in this folder too.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().add_dir("/srv/shared");
    /// ```
    pub fn add_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.launch.settings.add_dirs.push(folder.into());
        self
    }

    /// Keeps Claude Code's name out of commits and pull requests.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().without_attribution();
    /// ```
    pub fn without_attribution(mut self) -> Self {
        self.launch.without_attribution = true;
        self
    }
}
