//! What the CLI is started as, and how byre gets at it.

use std::path::PathBuf;

use super::SessionBuilder;
use crate::{PermissionMode, transport::Transport};

/// What the CLI is started as, and how byre gets at it.
impl SessionBuilder {
    /// Starts this binary, instead of what `BYRE_CLAUDE` names, `claude` on `PATH`, or what stands in the
    /// places where installers put it.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().cli_path("/opt/claude/bin/claude");
    /// ```
    pub fn cli_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.launch.cli_path = Some(path.into());
        self
    }

    /// Chooses how the CLI decides whether a tool may run; by default, as its settings say.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::PermissionMode;
    ///
    /// let builder = byre::Session::builder().permission_mode(PermissionMode::AcceptEdits);
    /// ```
    pub fn permission_mode(mut self, mode: PermissionMode) -> Self {
        self.launch.permission_mode = Some(mode);
        self
    }

    /// Lets every tool run without asking, and lets the session switch to that mode later too.
    ///
    /// For sandboxes. The CLI refuses this to root, unless `IS_SANDBOX=1` is in its environment.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().bypass_permissions();
    /// ```
    pub fn bypass_permissions(self) -> Self {
        self.permission_mode(PermissionMode::BypassPermissions)
    }

    /// Starts the CLI in this directory; the program's own by default.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().current_dir("/srv/app");
    /// ```
    pub fn current_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.launch.current_dir = Some(folder.into());
        self
    }

    /// Adds a flag that byre has no method for: its name, and its value if it takes one. They become one
    /// argument, `--name=value`.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder()
    ///     .extra_arg("setting-sources", Some("user"))
    ///     .extra_arg("strict-mcp-config", None::<&str>);
    /// ```
    pub fn extra_arg(mut self, name: impl Into<String>, value: Option<impl Into<String>>) -> Self {
        self.launch.extra_args.push((name.into(), value.map(Into::into)));
        self
    }

    /// Talks to a CLI over this transport instead of starting one. Everything that the CLI would be started
    /// with is left out then.
    ///
    /// # Example
    ///
    /// ```
    /// let (stdout, _cli_writes) = tokio::io::duplex(4096);
    /// let (stdin, _cli_reads) = tokio::io::duplex(4096);
    /// let transport = byre::Transport::new(stdout, stdin);
    /// let builder = byre::Session::builder().transport(transport);
    /// ```
    pub fn transport(mut self, transport: impl Into<Transport>) -> Self {
        self.transport = Some(transport.into());
        self
    }
}
