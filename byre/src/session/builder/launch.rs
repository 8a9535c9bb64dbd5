//! What the CLI is started with, and how byre gets at it.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::SessionBuilder;
use crate::transport::{Transport, launch::PermissionMode};

/// What the CLI is started with.
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

    /// Chooses the model, by its name or an alias such as `opus`; the CLI's own choice by default.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().model("opus");
    /// ```
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.launch.model = Some(model.into());
        self
    }

    /// Goes on with the conversation that has this id. It keeps its id, unless it is
    /// [forked](Self::fork_session).
    ///
    /// The directory need not be the one that it was started in. If it is not stored,
    /// [`spawn`](Self::spawn) fails with [`ErrorKind::SessionNotFound`](crate::ErrorKind::SessionNotFound);
    /// [`resume_or_new`](Self::resume_or_new) starts a new one then, and
    /// [`sessions`](crate::sessions) lists what is stored.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().resume("8f3a8990-6fca-4756-b667-0911376e0d4c");
    /// ```
    pub fn resume(mut self, session_id: impl Into<String>) -> Self {
        self.launch.resume = Some(session_id.into());
        self.or_new = false;
        self
    }

    /// Leaves the [resumed](Self::resume) conversation as it is, and goes on in a copy with a new id.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder()
    ///     .resume("8f3a8990-6fca-4756-b667-0911376e0d4c")
    ///     .fork_session(true);
    /// ```
    pub fn fork_session(mut self, fork: bool) -> Self {
        self.launch.fork_session = fork;
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

    /// Reports each message piece by piece while the model writes it; off by default.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().include_partial_messages(true);
    /// ```
    pub fn include_partial_messages(mut self, include: bool) -> Self {
        self.launch.include_partial_messages = include;
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

    /// Sets a variable in the CLI's environment, which is otherwise this program's without `CLAUDECODE`,
    /// `NODE_OPTIONS` and `DEBUG`.
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
    /// finds neither its helpers nor its settings.
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

    /// Calls `handler` with each line that the CLI writes to stderr, without its line break. byre keeps the
    /// last lines for its errors in any case.
    ///
    /// The handler runs on the runtime's threads: it must not block. If it panics, it goes on with the next
    /// line.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().stderr(|line| eprintln!("claude: {line}"));
    /// ```
    pub fn stderr(mut self, handler: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.on_stderr = Some(Arc::new(handler));
        self
    }

    /// Records every line in both directions, one JSON object a line:
    /// `{"dir":"send"|"recv","msg":…}`.
    ///
    /// Lines are appended to the file, which is made for its owner alone. Pieces of messages
    /// (`stream_event`) are left out, and the account's e-mail address is written as `[redacted]`. A write
    /// error is told once, as [`Event::Warning`](crate::Event::Warning); it never slows or ends the
    /// session.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().transcript("session.jsonl");
    /// ```
    pub fn transcript(mut self, path: impl AsRef<Path>) -> Self {
        self.transcript = Some(path.as_ref().to_path_buf());
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
