//! Describes a session and starts it.

mod capabilities;
mod clocks;
mod conversation;
mod environment;
mod hooks;
#[cfg(feature = "cli")]
mod inspect;
mod launch;
mod mcp;
mod model;
mod output;
mod permissions;
mod prompt;
mod report;
mod resume;
mod serve;
mod settings;

use std::{
    collections::HashMap,
    fmt,
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::Value;

use permissions::Permitting;

use super::{
    Session,
    clock::{self, Limits, Turns},
    handle::{SessionHandle, Setup},
};
use crate::{
    control::{self, backlog::Backlog},
    error::{Error, ErrorKind, Result},
    function::{state::States, surroundings::Surroundings},
    host::{Host, Servers},
    permission::Permissions,
    registry::{self, HookTable, Selection, mcp_server::McpServer},
    server::Server,
    tool::Tool,
    transport::{
        Transport,
        launch::Launch,
        locate,
        process::{self, StderrHandler},
        redact::Redactor,
        transcript::Recorder,
    },
    wire::{answer::info::CliInfo, option::mcp::OwnServer},
};

/// The name of the server that serves byre's tools, unless the program gives another.
const SERVER_NAME: &str = "byre";

/// Describes a session: what the CLI is started with, and which tools and hooks it is served.
///
/// Without any call, it is the `claude` of this machine in the current directory, with its own prompt,
/// settings, model and permission mode, and with every linked `#[byre::tool]` and `#[byre::hook]`. Exactly
/// byre's tools run without asking; in [`Plan`](crate::PermissionMode::Plan) mode, only those that are
/// `read_only`.
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
    /// In a box, because a builder is moved from method to method, and into the future of `spawn`.
    launch: Box<Launch>,
    selection: Selection,
    server_name: Option<String>,
    instructions: Option<String>,
    permitting: Permitting,
    transcript: Option<PathBuf>,
    on_stderr: Option<StderrHandler>,
    transport: Option<Transport>,
    json_schema: Option<Value>,
    verbatim_prompts: bool,
    limits: Limits,
    max_line: Option<usize>,
    /// Starts a new session where the one to resume is gone.
    or_new: bool,
    backlog: Backlog,
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
        self.faults().into_iter().next().map_or(Ok(()), Err)
    }

    /// Everything that [`check`](Self::check) refuses, which tells the first of it.
    pub(crate) fn faults(&self) -> Vec<Error> {
        let mut checks = vec![self.launch.check(), self.permitting.check(&self.launch.extra_args)];
        match self.servers() {
            Ok(servers) => checks.extend([
                self.check_server_names(&servers),
                registry::check(&servers),
                registry::check_states(&tools_of(&servers), &self.selection.hooks(), &self.states),
                self.hook_table(&servers).map(drop),
            ]),
            Err(error) => checks.push(Err(error)),
        }
        checks.into_iter().filter_map(Result::err).collect()
    }

    fn check_server_names(&self, servers: &[McpServer]) -> Result<()> {
        // The session's own name is kept, whether there are tools for it or not.
        let taken = |name: &str| {
            name == self.server_name_or_default()
                || servers.iter().any(|server| server.name == name)
        };
        match self.launch.mcp.servers.iter().find(|(name, _)| taken(name)) {
            Some((name, _)) => Err(Error::configuration(format!(
                "{name:?} is the name of a server of this program; give the other one another name"
            ))),
            None => Ok(()),
        }
    }

    /// The servers of this program, with all that is said for all of them.
    fn servers(&self) -> Result<Vec<McpServer>> {
        let mut own = McpServer::new(self.server_name_or_default());
        own.instructions.clone_from(&self.instructions);
        let mut servers = self.selection.servers(own)?;
        for server in &mut servers {
            server.call_timeout = server.call_timeout.or(self.launch.mcp.call_timeout);
        }
        Ok(servers)
    }

    /// The hooks, under the ids by which the CLI asks for them.
    fn hook_table(&self, servers: &[McpServer]) -> Result<HookTable> {
        HookTable::new(self.selection.hooks(), &|name| {
            let has_it = |server: &&McpServer| server.tools.iter().any(|tool| tool.name() == name);
            let names = servers.iter().filter(has_it);
            names.map(|server| registry::qualified_name(&server.name, name)).collect()
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
    /// - [`ErrorKind::SessionNotFound`] if the session to [resume](Self::resume) is not stored
    /// - [`ErrorKind::Exited`] if it ends at once, with its exit status and its last words
    /// - [`ErrorKind::Timeout`] if it does not answer within [`spawn_timeout`](Self::spawn_timeout)
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
    pub async fn spawn(self) -> Result<Session> {
        // On the heap, because it holds every option, and would make the futures of callers as large.
        if self.or_new { Box::pin(self.start_or_new()).await } else { Box::pin(self.start()).await }
    }

    async fn start(mut self) -> Result<Session> {
        let again = self.again().map(Box::new);
        let Plan { host, servers, hooks, surroundings, body, permissions, warning } =
            self.plan()?;
        let recorder = match &self.transcript {
            Some(path) => Some(Recorder::open(path, Redactor::new(self.launch.secrets()))?),
            None => None,
        };
        let mut connection = match self.transport.take() {
            Some(transport) => transport.connect(&self.launch.args()),
            None => {
                let process = process::spawn(&self.launch, self.on_stderr.take());
                clock::limit_launch(self.limits.spawn, process).await?
            }
        };
        connection.max_line = self.max_line.unwrap_or(connection.max_line);
        let (link, reports) = control::start(connection, recorder, Arc::new(host));
        reports.set_backlog(self.backlog);
        // From here on the session exists, and dropping it ends the CLI.
        let own_names = self.launch.own_servers.iter().map(|server| server.name.clone()).collect();
        let setup = Setup {
            own_servers: self.launch.own_servers.clone(),
            servers: Arc::downgrade(&servers),
            verbatim_prompts: self.verbatim_prompts,
            limits: self.limits,
            turns: Turns::default(),
        };
        let handle = SessionHandle::new(link, setup.clone(), CliInfo::default());
        let mut session = Session::new(handle, reports, own_names);
        session.show_host_only_events(self.launch.output.host_only_events);
        session.permissions = permissions;
        session.again = again.map(Mutex::new);
        if let Some(warning) = warning {
            session.warn(warning);
        }
        surroundings.set_session(Arc::new(session.handle()));
        let answer = session.initialize(body, self.limits.spawn).await?;
        if let Err(error) = self.check_answer(&hooks, &answer) {
            session.handle.link().close().await;
            return Err(error);
        }
        let info = CliInfo::from(answer);
        session.handle = SessionHandle::new(session.handle.link().clone(), setup, info);
        surroundings.set_session(Arc::new(session.handle()));
        session.watch_clocks();
        Ok(session)
    }

    /// Checks everything, and settles what is served and what the CLI is told.
    fn plan(&mut self) -> Result<Plan> {
        self.check()?;
        let described = self.servers()?;
        let (desk, permissions) = self.permitting.desk()?;
        let hooks = self.hook_table(&described)?;
        let surroundings = Surroundings::new(std::mem::take(&mut self.states));
        let servers = self.serve(described, &surroundings);
        let mut body = Value::Object(self.launch.initialize());
        body["hooks"] = hooks.to_initialize();
        if let Some(schema) = self.json_schema.take() {
            body["jsonSchema"] = schema;
        }
        if let Some(kinds) = desk.dialog_kinds() {
            body["supportedDialogKinds"] = kinds;
        }
        self.launch.permission_prompts = desk.needs_prompts();
        let warning = self.shadowed(&desk);
        let host = Host::new(servers.clone(), hooks.clone())
            .with_desk(desk)
            .surroundings(surroundings.clone());
        Ok(Plan { host, servers, hooks, surroundings, body, permissions, warning })
    }

    /// Makes the servers, and says to the CLI which there are.
    fn serve(&mut self, described: Vec<McpServer>, surroundings: &Surroundings) -> Servers {
        let mut servers = HashMap::new();
        for McpServer { name, instructions, tools, always_load, call_timeout, around } in described
        {
            for tool in &tools {
                let location = tool.location();
                tracing::debug!(tool = tool.name(), server = name, %location, "serves a tool");
            }
            self.launch.own_servers.push(OwnServer::new(&name, always_load, call_timeout));
            if !self.permitting.asks_for_own_tools {
                self.launch.allowed_tools.extend(registry::rules(&name, &tools));
            }
            let server = Server::new(name.clone(), instructions, tools)
                .around(around)
                .surroundings(surroundings.clone());
            servers.insert(name, server);
        }
        Arc::new(servers)
    }

    /// Refuses to go on with a CLI that has not taken what it was given.
    fn check_answer(&self, hooks: &HookTable, answer: &Value) -> Result<()> {
        hooks.check_answer(answer)?;
        for (field, applied) in
            [("settings", "settings_applied"), ("managedSettings", "managed_settings_applied")]
        {
            if self.launch.initialize().contains_key(field) && answer[applied] != true {
                return Err(Error::new(ErrorKind::Refused, "start the session")
                    .reason(format!(
                        "the CLI has not taken the `{field}` that hold variables or headers"
                    ))
                    .hint("they need a newer version of the CLI; try `claude update`"));
            }
        }
        if !self.launch.mcp.servers.is_empty() && answer["mcp_servers_applied"] != true {
            return Err(Error::new(ErrorKind::Refused, "start the session")
                .reason("the CLI has not taken the MCP servers of `mcp_server`")
                .hint("they need version 2.1.261 of the CLI; try `claude update`"));
        }
        Ok(())
    }

    /// Shows the lines by which the CLI says when it is busy and when it is idle.
    pub(crate) fn report_session_state(mut self) -> Self {
        self.launch.output.host_only_events = true;
        self
    }

    /// Sets a field of `initialize` that nothing else depends on.
    fn initialize_field(&mut self, name: &str, value: impl Into<Value>) {
        self.launch.output.fields.insert(name.to_owned(), value.into());
    }

    /// The same once more; `None` over a transport that there is only one of.
    fn again(&self) -> Option<Self> {
        let transport = match &self.transport {
            Some(transport) => Some(transport.again()?),
            None => None,
        };
        Some(Self {
            launch: self.launch.clone(),
            selection: self.selection.clone(),
            server_name: self.server_name.clone(),
            instructions: self.instructions.clone(),
            permitting: self.permitting.clone(),
            transcript: self.transcript.clone(),
            on_stderr: self.on_stderr.clone(),
            transport,
            json_schema: self.json_schema.clone(),
            verbatim_prompts: self.verbatim_prompts,
            limits: self.limits,
            max_line: self.max_line,
            or_new: self.or_new,
            backlog: self.backlog,
            states: self.states.clone(),
        })
    }

    fn server_name_or_default(&self) -> &str {
        self.server_name.as_deref().unwrap_or(SERVER_NAME)
    }
}

/// What a session is made of, before there is one.
struct Plan {
    host: Host,
    servers: Servers,
    hooks: HookTable,
    surroundings: Surroundings,
    /// The body of `initialize`.
    body: Value,
    permissions: Option<Permissions>,
    /// What the user should know from the start.
    warning: Option<String>,
}

fn tools_of(servers: &[McpServer]) -> Vec<Tool> {
    servers.iter().flat_map(|server| server.tools.iter().cloned()).collect()
}

impl Session {
    /// Tells the CLI whom it is talking to, and gives its answer.
    async fn initialize(&self, body: Value, limit: Option<Duration>) -> Result<Value> {
        let link = self.handle.link();
        let answer = link.request("initialize", body, None);
        clock::limit_start(link, limit, answer).await.map_err(|error| match error.kind() {
            ErrorKind::Exited | ErrorKind::SessionNotFound => {
                link.ended("start the session".to_owned())
            }
            _ => error,
        })
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
