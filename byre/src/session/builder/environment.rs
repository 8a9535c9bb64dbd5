//! The CLI's environment.

use std::ffi::OsStr;

use super::SessionBuilder;

/// The CLI's environment.
impl SessionBuilder {
    /// Sets a variable in the CLI's environment, which is otherwise this program's without
    /// [some variables](crate::REMOVED_VARIABLES).
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().env("MAX_MCP_OUTPUT_TOKENS", "50000");
    /// ```
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.launch.set_env(name.as_ref(), Some(value.as_ref()));
        self
    }

    /// Keeps a variable out of the CLI's environment.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().env_remove("ANTHROPIC_LOG");
    /// ```
    pub fn env_remove(mut self, name: impl AsRef<OsStr>) -> Self {
        self.launch.set_env(name.as_ref(), None);
        self
    }

    /// Starts from an empty environment instead of this program's. Without `PATH` and `HOME` the CLI
    /// finds neither its helpers nor its settings. Two variables of byre's own are there all the same: `BYRE_CLI`,
    /// by which it finds what a CLI has left behind, and `CLAUDE_CODE_SDK_READS_SESSION_STATE`.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().env_clear().env("PATH", "/usr/bin");
    /// ```
    pub fn env_clear(mut self) -> Self {
        self.launch.env_clear = true;
        self
    }

    /// Runs the CLI, and all that it starts, as another user and group of this machine, by their numbers.
    /// Only root may. The environment stays this program's, so `HOME` has to be set as well.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().run_as(1000, 1000).env("HOME", "/home/robot");
    /// ```
    #[cfg(unix)]
    pub fn run_as(mut self, user_id: u32, group_id: u32) -> Self {
        self.launch.run_as = Some((user_id, group_id));
        self
    }

    /// Names the program at hand to the API, in the `User-Agent` of the CLI's requests: visible ASCII.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().client_app("stock-robot/1.0");
    /// ```
    pub fn client_app(mut self, label: impl Into<String>) -> Self {
        self.launch.client_app = Some(label.into());
        self
    }

    /// Makes commits in this name: sets `GIT_AUTHOR_*` and `GIT_COMMITTER_*` for the CLI.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().commit_identity("Robot", "robot@example.com");
    /// ```
    pub fn commit_identity(mut self, name: impl Into<String>, email: impl Into<String>) -> Self {
        self.launch.commit_identity = Some((name.into(), email.into()));
        self
    }
}
