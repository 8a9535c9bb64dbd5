//! The grammar of the command line, and who does what it says.

use std::{env, ffi::OsString, fmt, process::ExitCode};

use clap::{Arg, ArgAction, ArgMatches, Command as Grammar, error::ErrorKind, value_parser};

use super::{
    call, doctor, listing,
    report::{FAILURE, MISUSE, Report},
};
use crate::{
    SessionBuilder,
    error::Result,
    function::state::States,
    registry::{self, mcp_server::McpServer},
    tool::Tool,
};

/// Runs the command line of a program whose tools need nothing but what is linked in: see
/// [the subcommands](crate::cli#a-command-line-for-tools).
///
/// It is [`Program::run`], on a runtime of its own with several threads. What a tool has left running in the
/// background ends with it.
///
/// # Panics
///
/// Inside of a tokio runtime. There, [`Program::run`] is at home.
///
/// # Example
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     byre::cli::main()
/// }
/// ```
#[must_use = "the exit code says whether all went well"]
pub fn main() -> ExitCode {
    match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => {
            let code = runtime.block_on(Program::new().run());
            runtime.shutdown_background();
            code
        }
        Err(error) => {
            Report::error(FAILURE, format!("could not start tokio's runtime: {error}")).print()
        }
    }
}

/// A program with tools, as people run it: see [the subcommands](crate::cli#a-command-line-for-tools).
///
/// Without any call it has the tools and hooks that are linked in, and starts sessions as
/// [`Session::builder`](crate::Session::builder) describes them.
///
/// # Example
///
/// ```no_run
/// use std::{process::ExitCode, sync::Arc};
///
/// use byre::State;
///
/// struct Db;
///
/// /// Counts the orders.
/// #[byre::tool(read_only)]
/// async fn count_orders(State(db): State<Arc<Db>>) -> usize {
///     // …
/// #   drop(db);
///     7
/// }
///
/// #[tokio::main]
/// async fn main() -> ExitCode {
///     byre::cli::Program::new().state(Arc::new(Db)).run().await
/// }
/// ```
#[must_use = "a program does nothing until `run`"]
#[derive(Default)]
pub struct Program {
    session: SessionBuilder,
    /// Kept apart, so that the order of calls does not matter.
    states: States,
}

impl Program {
    /// Makes a program of the tools and hooks that are linked in.
    ///
    /// # Example
    ///
    /// ```
    /// let program = byre::cli::Program::new();
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives tools and hooks a value, which they take as [`State`](crate::State). A second value of the same
    /// type takes the place of the first.
    ///
    /// # Example
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    ///
    /// let program = byre::cli::Program::new().state(Arc::new(Mutex::new(Vec::<String>::new())));
    /// ```
    pub fn state<T: Clone + Send + Sync + 'static>(mut self, value: T) -> Self {
        self.states.insert(value);
        self
    }

    /// Takes the sessions that the program starts, with their tools, hooks, states and options, in place of
    /// [`Session::builder`](crate::Session::builder). Before a value of its own goes one of [`state`](Self::state).
    ///
    /// # Example
    ///
    /// ```
    /// let session = byre::Session::builder().server_name("stock").without_tools(["debug"]);
    /// let program = byre::cli::Program::new().session(session);
    /// ```
    pub fn session(mut self, builder: SessionBuilder) -> Self {
        self.session = builder;
        self
    }

    /// Does what the arguments of this process say, prints what comes of it, and gives the exit code.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future drops the call of a tool, and kills a CLI that `doctor` has started.
    ///
    /// # Example
    ///
    /// ```no_run
    /// #[tokio::main]
    /// async fn main() -> std::process::ExitCode {
    ///     byre::cli::Program::new().run().await
    /// }
    /// ```
    pub async fn run(self) -> ExitCode {
        self.run_with(env::args_os()).await
    }

    /// Does what these arguments say, of which the first is the name of the program.
    ///
    /// # Cancel safety
    ///
    /// As with [`run`](Self::run).
    ///
    /// # Example
    ///
    /// A program with a subcommand of its own:
    ///
    /// ```no_run
    /// # async fn chat() -> std::process::ExitCode { std::process::ExitCode::SUCCESS }
    /// #[tokio::main]
    /// async fn main() -> std::process::ExitCode {
    ///     if std::env::args().nth(1).as_deref() == Some("chat") {
    ///         return chat().await;
    ///     }
    ///     byre::cli::Program::new().run_with(std::env::args_os()).await
    /// }
    /// ```
    pub async fn run_with(self, args: impl IntoIterator<Item = impl Into<OsString>>) -> ExitCode {
        let args = args.into_iter().map(Into::into).collect();
        self.report(args).await.print()
    }

    /// Does what the arguments say.
    pub(super) async fn report(self, args: Vec<OsString>) -> Report {
        let matches = match grammar().try_get_matches_from(args) {
            Ok(matches) => matches,
            Err(error) => return of_clap(&error),
        };
        let session = self.session.states(self.states);
        // On the heap, because a builder holds every option, and would make the futures of callers as large.
        Box::pin(dispatch(&session, &matches)).await
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("session", &self.session).finish_non_exhaustive()
    }
}

fn grammar() -> Grammar {
    let name = Arg::new("NAME").required(true).help("The tool, by its name");
    Grammar::new("toolbox")
        .about("Lists and calls the tools of this program, without a model.")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(
            Grammar::new("tools").about("List the tools").arg(
                Arg::new("json")
                    .long("json")
                    .action(ArgAction::SetTrue)
                    .help("Print the list that the CLI is told, one line for each server"),
            ),
        )
        .subcommand(
            Grammar::new("schema")
                .about("Print the JSON Schema of a tool's arguments, and of its result")
                .arg(name.clone()),
        )
        .subcommand(
            Grammar::new("call")
                .about("Call a tool, and print what the model would see")
                .arg(name)
                .arg(
                    Arg::new("JSON")
                        .default_value("{}")
                        .help("The arguments, a JSON object; `-` reads it from stdin"),
                )
                .arg(
                    Arg::new("FILE")
                        .long("out")
                        .value_name("FILE")
                        .value_parser(value_parser!(std::path::PathBuf))
                        .help("Save the first image, sound or file of the result"),
                ),
        )
        .subcommand(
            Grammar::new("doctor").about("Say what a session would need, and whether it is there"),
        )
}

/// What clap has to say in place of arguments: what is wrong with them, or help.
fn of_clap(error: &clap::Error) -> Report {
    let mut report = Report::default();
    let text = error.render().to_string();
    match error.kind() {
        // Who gives no argument at all asks for help.
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            report.line(text);
        }
        _ => {
            report.note(text);
            report.code = MISUSE;
        }
    }
    report
}

async fn dispatch(session: &SessionBuilder, matches: &ArgMatches) -> Report {
    let Some((command, matches)) = matches.subcommand() else {
        return Report::error(MISUSE, "there is no subcommand");
    };
    if command == "doctor" {
        return doctor::examine(session).await;
    }
    let servers = match session.described_servers() {
        Ok(servers) => servers,
        Err(error) => return Report::error(FAILURE, error.to_string()),
    };
    if command == "tools" {
        let is_json = matches.get_flag("json");
        return if is_json { listing::json(&servers) } else { listing::table(&servers) };
    }
    let name = matches.get_one::<String>("NAME").map_or("", String::as_str);
    let Served { server, tool } = match find(&servers, name) {
        Ok(served) => served,
        Err(text) => return Report::error(MISUSE, text),
    };
    if command == "schema" {
        return listing::schema(tool);
    }
    let arguments = matches.get_one::<String>("JSON").map_or("{}", String::as_str);
    let arguments = match call::arguments(arguments).await {
        Ok(arguments) => arguments,
        Err(text) => return Report::error(MISUSE, text),
    };
    call::call(session.given_states(), server, tool, &arguments, matches.get_one("FILE")).await
}

/// A tool, and the server that it is called through.
struct Served<'a> {
    server: &'a McpServer,
    tool: &'a Tool,
}

impl Served<'_> {
    /// The name by which the model knows it.
    fn full_name(&self) -> String {
        registry::qualified_name(&self.server.name, self.tool.name())
    }
}

/// Finds a tool by its own name, or by the full one that the model knows.
fn find<'a>(servers: &'a [McpServer], name: &str) -> Result<Served<'a>, String> {
    let of_server =
        |server: &'a McpServer| server.tools.iter().map(move |tool| Served { server, tool });
    let all = || servers.iter().flat_map(of_server);
    if let Some(served) = all().find(|served| served.full_name() == name) {
        return Ok(served);
    }
    let mut found = all().filter(|served| served.tool.name() == name).collect::<Vec<_>>();
    if found.len() > 1 {
        let names = found.iter().map(Served::full_name).collect::<Vec<_>>().join(" or ");
        return Err(format!("several servers have a tool `{name}`: say {names}"));
    }
    found.pop().ok_or_else(|| {
        let names = all().map(|served| served.tool.name()).collect::<Vec<_>>();
        match (nearest(name, &names), names.as_slice()) {
            (Some(meant), _) => format!("no tool is called `{name}`; did you mean `{meant}`?"),
            (None, []) => format!("no tool is called `{name}`; {}", listing::NONE),
            (None, names) => format!("no tool is called `{name}`; there are {}", names.join(", ")),
        }
    })
}

/// The one of `names` that `typed` most resembles, if it is near enough to be meant. People begin a word and
/// swap letters, which this measure forgives.
fn nearest<'a>(typed: &str, names: &[&'a str]) -> Option<&'a str> {
    let likeness = |name: &str| strsim::jaro_winkler(&typed.to_lowercase(), &name.to_lowercase());
    names
        .iter()
        .map(|name| (likeness(name), *name))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests;
