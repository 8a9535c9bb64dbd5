//! Describes a session and starts it.

use std::{
    collections::HashMap,
    ffi::OsStr,
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use serde_json::json;

use super::{Session, handle::SessionHandle};
use crate::{
    control,
    error::{Error, ErrorKind, Result},
    hook::Hook,
    host::Host,
    registry::{self, HookTable, Selection},
    server::Server,
    tool::Tool,
    transport::{
        Transport,
        launch::{Launch, PermissionMode},
        locate,
        process::{self, StderrHandler},
        transcript::Recorder,
    },
};

/// The name of the server that serves byre's tools, unless the program gives another.
const SERVER_NAME: &str = "byre";

/// How long the CLI may take to start. It runs the `SessionStart` hooks of the machine's settings in that
/// time.
const START_LIMIT: Duration = Duration::from_secs(60);

/// Describes a session: what the CLI is started with, and which tools and hooks it is served.
///
/// Without any call, it is the `claude` of this machine in the current directory, with its own prompt,
/// settings, model and permission mode, and with every linked `#[byre::tool]` and `#[byre::hook]`. Exactly
/// byre's tools run without asking.
///
/// # Example
///
/// ```no_run
/// # async fn run() -> byre::Result<()> {
/// let session = byre::Session::builder()
///     .model("opus")
///     .current_dir("/srv/app")
///     .instructions("Prefer these tools over the shell.")
///     .spawn()
///     .await?;
/// # session.close().await
/// # }
/// ```
#[must_use = "a builder does nothing until `spawn`"]
#[derive(Default)]
pub struct SessionBuilder {
    launch: Launch,
    selection: Selection,
    server_name: Option<String>,
    instructions: Option<String>,
    transcript: Option<PathBuf>,
    on_stderr: Option<StderrHandler>,
    transport: Option<Transport>,
}

/// Which tools and hooks are served.
impl SessionBuilder {
    /// Serves these tools instead of all that are linked in.
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
    pub fn tools(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.selection.explicit = Some(tools.into_iter().collect());
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

    /// Names the MCP server that serves the tools; `byre` by default. The model sees a tool `add` of it
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

    /// Tells the model how to use the tools, in up to 4096 characters.
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
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().resume("8f3a8990-6fca-4756-b667-0911376e0d4c");
    /// ```
    pub fn resume(mut self, session_id: impl Into<String>) -> Self {
        self.launch.resume = Some(session_id.into());
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

impl SessionBuilder {
    /// Checks everything that can be known without starting the CLI.
    ///
    /// The CLI and the API drop a tool that they don't like without a word, and sometimes all tools of a
    /// server with it. Whatever they would drop is an error here. [`spawn`](Self::spawn) checks the same.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`], naming every tool at fault with file and line.
    ///
    /// # Example
    ///
    /// ```standalone_crate
    /// // In a test, so that a tool that the model would never see does not reach anybody.
    /// byre::Session::builder().check().unwrap();
    /// ```
    pub fn check(&self) -> Result<()> {
        self.launch.check()?;
        let tools = self.selection.tools()?;
        registry::check(self.server_name_or_default(), self.instructions.as_deref(), &tools)
    }

    /// Finds the CLI that [`spawn`](Self::spawn) would start.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::CliNotFound`] with every place that was looked at.
    ///
    /// # Example
    ///
    /// ```
    /// match byre::Session::builder().find_cli() {
    ///     Ok(path) => println!("found {}", path.display()),
    ///     Err(error) => println!("{error}"),
    /// }
    /// ```
    pub fn find_cli(&self) -> Result<PathBuf> {
        locate::find_cli(self.launch.cli_path.as_deref(), &locate::ThisMachine)
    }

    /// Starts the CLI, and returns once it has taken the tools and hooks.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::Configuration`] for what [`check`](Self::check) refuses
    /// - [`ErrorKind::CliNotFound`] with every place that was looked at
    /// - [`ErrorKind::Spawn`] if it can't be started
    /// - [`ErrorKind::Exited`] if it ends at once, with its exit status and its last words
    /// - [`ErrorKind::Timeout`] if it says nothing for a minute
    /// - [`ErrorKind::Io`] if the transcript can't be opened
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime with I/O and time enabled.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future ends the CLI, if it was started.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run() -> byre::Result<()> {
    /// let session = byre::Session::builder().spawn().await?;
    /// # session.close().await
    /// # }
    /// ```
    pub async fn spawn(mut self) -> Result<Session> {
        self.check()?;
        let tools = self.selection.tools()?;
        let server_name = self.server_name_or_default().to_owned();
        for tool in &tools {
            tracing::debug!(tool = tool.name(), location = %tool.location(), "serves a tool");
        }
        // A server without tools would only cost a handshake.
        let mut servers = HashMap::new();
        if !tools.is_empty() {
            self.launch.server_names = vec![server_name.clone()];
            let qualified =
                tools.iter().map(|tool| registry::qualified_name(&server_name, tool.name()));
            self.launch.allowed_tools = qualified.collect();
            let server = Server::new(server_name.clone(), self.instructions.take(), tools);
            servers.insert(server_name, server);
        }
        let hooks = HookTable::new(self.selection.hooks());
        let body = json!({"hooks": hooks.to_initialize()});
        let recorder = self.transcript.as_deref().map(Recorder::open).transpose()?;
        let server_names = self.launch.server_names.clone();
        let connection = match self.transport.take() {
            Some(transport) => transport.connect(&self.launch.args()),
            None => process::spawn(&self.launch, self.on_stderr.take())?,
        };
        let host = Arc::new(Host::new(servers, hooks));
        let (link, reports) = control::start(connection, recorder, host);
        // From here on the session exists, and dropping it ends the CLI.
        let mut session =
            Session::new(SessionHandle::new(link, serde_json::Value::Null), reports, server_names);
        let answer = session.handle.link().request("initialize", body, START_LIMIT).await;
        let answer = answer.map_err(|error| match error.kind() {
            ErrorKind::Exited => session.handle.link().ended("start the session".to_owned()),
            ErrorKind::Timeout => Error::new(ErrorKind::Timeout, "start the session")
                .reason(format!("the CLI has not answered within {} s", START_LIMIT.as_secs())),
            _ => error,
        })?;
        session.handle = SessionHandle::new(session.handle.link().clone(), answer);
        Ok(session)
    }

    fn server_name_or_default(&self) -> &str {
        self.server_name.as_deref().unwrap_or(SERVER_NAME)
    }
}

impl fmt::Debug for SessionBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionBuilder")
            .field("launch", &self.launch)
            .field("server_name", &self.server_name_or_default())
            .field("transcript", &self.transcript)
            .field("transport", &self.transport)
            .finish_non_exhaustive()
    }
}
