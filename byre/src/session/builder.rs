//! Describes a session and starts it.

mod hooks;
mod launch;
mod serve;

use std::{collections::HashMap, fmt, path::PathBuf, sync::Arc, time::Duration};

use serde_json::json;

use super::{Session, handle::SessionHandle};
use crate::{
    control,
    error::{Error, ErrorKind, Result},
    function::{state::States, surroundings::Surroundings},
    host::Host,
    registry::{self, HookTable, Selection},
    server::Server,
    tool::Tool,
    transport::{
        Transport,
        launch::Launch,
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
    states: States,
}

impl SessionBuilder {
    /// Checks everything that can be known without starting the CLI.
    ///
    /// The CLI and the API drop a tool that they don't like without a word, and sometimes all tools of a
    /// server with it. Whatever they would drop is an error here. [`spawn`](Self::spawn) checks the same.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`], naming every tool and hook at fault with file and line.
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
        registry::check(self.server_name_or_default(), self.instructions.as_deref(), &tools)?;
        registry::check_states(&tools, &self.selection.hooks(), &self.states)?;
        self.hook_table(&tools).map(drop)
    }

    /// The hooks, under the ids by which the CLI asks for them.
    fn hook_table(&self, tools: &[Tool]) -> Result<HookTable> {
        let server = self.server_name_or_default();
        HookTable::new(self.selection.hooks(), &|name| {
            let tool = tools.iter().find(|tool| tool.name() == name)?;
            Some(registry::qualified_name(server, tool.name()))
        })
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
    /// - [`ErrorKind::Configuration`] for what [`check`](Self::check) refuses, and where a hook is there to
    ///   block by failing and the CLI is too old for that
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
        let hooks = self.hook_table(&tools)?;
        let surroundings = Surroundings::new(std::mem::take(&mut self.states));
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
            let server = Server::new(server_name.clone(), self.instructions.take(), tools)
                .surroundings(surroundings.clone());
            servers.insert(server_name, server);
        }
        let body = json!({"hooks": hooks.to_initialize()});
        let recorder = self.transcript.as_deref().map(Recorder::open).transpose()?;
        let server_names = self.launch.server_names.clone();
        let connection = match self.transport.take() {
            Some(transport) => transport.connect(&self.launch.args()),
            None => process::spawn(&self.launch, self.on_stderr.take())?,
        };
        let host = Arc::new(Host::new(servers, hooks.clone()).surroundings(surroundings.clone()));
        let (link, reports) = control::start(connection, recorder, host);
        // From here on the session exists, and dropping it ends the CLI.
        let mut session =
            Session::new(SessionHandle::new(link, serde_json::Value::Null), reports, server_names);
        surroundings.set_session(Arc::new(session.handle()));
        let answer = session.handle.link().request("initialize", body, START_LIMIT).await;
        let answer = answer.map_err(|error| match error.kind() {
            ErrorKind::Exited => session.handle.link().ended("start the session".to_owned()),
            ErrorKind::Timeout => Error::new(ErrorKind::Timeout, "start the session")
                .reason(format!("the CLI has not answered within {} s", START_LIMIT.as_secs())),
            _ => error,
        })?;
        if let Err(error) = hooks.check_answer(&answer) {
            session.handle.link().close().await;
            return Err(error);
        }
        session.handle = SessionHandle::new(session.handle.link().clone(), answer);
        surroundings.set_session(Arc::new(session.handle()));
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
