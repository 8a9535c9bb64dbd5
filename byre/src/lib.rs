//! Write tools, hooks and whole agents for Claude Code as plain Rust functions.
//!
//! ```no_run
//! /// Adds two integers.
//! #[byre::tool]
//! async fn add(
//!     /// The first addend.
//!     a: i64,
//!     /// The second addend.
//!     b: i64,
//! ) -> i64 {
//!     a + b
//! }
//!
//! #[tokio::main]
//! async fn main() -> byre::Result<()> {
//!     let mut session = byre::Session::builder().spawn().await?;
//!     let outcome = session.prompt("What is 2 + 3?").await?;
//!     println!("{}", outcome.text());
//!     session.close().await
//! }
//! ```
//!
//! # Words
//!
//! - The *CLI* is the `claude` process, and the *host* is this program.
//! - A [`Session`] is one CLI process and the conversation with it.
//! - A [`Turn`] is one prompt and all that comes of it, up to its *result*.
//! - An [`Event`] is something that the CLI reports in between.
//! - A *tool* is a function that the model can call: [`tool`](macro@tool), or [`toolset`](macro@toolset) for
//!   methods, and [`mod@tool`] for what goes in and out.
//! - A *hook* is a function that the CLI asks at certain moments: [`hook`](macro@hook), and [`mod@hook`]
//!   for the moments.
//! - A *permission function* decides, in the user's place, whether a tool may run:
//!   [`permission`](macro@permission), and [`mod@permission`] for what else only people know.
//!
//! # Where tools and hooks come from
//!
//! Every `#[byre::tool]` and `#[byre::hook]` that is linked into the program is found by itself. A
//! library that the program depends on and never names is *not* linked in, and its tools are missing
//! without a word; name it once: `use my_tools as _;`. [`tools!`] and [`hooks!`] list them by hand
//! instead.
//!
//! # Failures
//!
//! | what fails | who is told | how |
//! |---|---|---|
//! | a tool | the model | a result with [`is_error`](tool::CallToolResult::is_error) |
//! | a hook | the CLI, which then goes on, or takes it for a no where the hook guards something | a protocol error |
//! | a permission function | the model | a denial, with words |
//! | a turn | this program | an outcome with [`is_error`](TurnOutcome::is_error) |
//! | the session | this program | an [`Error`] |
//!
//! # Features
//!
//! - `cli`: `byre::cli::main`, the command line of a program with tools: for people, who look at the tools
//!   and call them without a model.
//! - `testing`: the test kit, `byre::testing`, for `dev-dependencies`. A script plays the model, through a
//!   stand-in for the CLI or to the real one.
//!
//! # Diagnostics
//!
//! byre prints nothing. What it has to say goes to [`tracing`](https://docs.rs/tracing), under the target
//! `byre`. Only `byre::cli::main`, and what it is made of, is there to print.
//!
//! # How it works
//!
//! See [`_architecture`].

// A library says nothing on its own, and does not end the program; tests and examples may. `cli` prints as
// a program does, in one place and by other means than these.
#![warn(clippy::print_stderr, clippy::print_stdout, clippy::unwrap_used)]

// Generated code names byre as `::byre`, in byre's own tests too.
#[cfg(any(test, fuzzing))]
extern crate self as byre;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
pub mod cli;
mod control;
mod error;
mod function;
#[cfg(all(any(test, fuzzing), feature = "testing"))]
#[doc(hidden)]
pub mod fuzzing;
pub mod hook;
mod host;
pub mod permission;
mod registry;
#[cfg(test)]
mod schedule;
#[cfg(any(feature = "cli", feature = "testing"))]
mod seen;
mod server;
mod session;
pub mod sessions;
#[cfg(feature = "testing")]
pub mod testing;
pub mod tool;
mod transport;
mod wire;

pub use error::{Clock, Error, ErrorKind, Exit, LastHeard, Result, Timeout};
pub use function::{cancellation::Cancellation, state::State};
pub use hook::param::HookContext;
pub use registry::mcp_server::McpServer;
pub use session::{
    Session,
    builder::SessionBuilder,
    handle::SessionHandle,
    outcome::TurnOutcome,
    output::{OutputError, TypedBuilder, ask},
    prompt::{Prompt, WhenBusy},
    run::prompt,
    turn::Turn,
};
pub use tool::{
    ForModel, Json, ToolError, audio, context::ToolContext, fields::Args, image, resource,
    resource_link,
};
pub use transport::{Transport, launch::REMOVED_VARIABLES};
pub use wire::{event::Event, permission::PermissionMode};

/// What a [`SessionBuilder`] can be given beside text and numbers.
pub mod options {
    pub use crate::control::backlog::Backlog;
    pub use crate::wire::option::{
        Effort, PreviewFormat, SettingSource, Thinking, ThinkingDisplay,
        agent::{AgentDefinition, AgentMemory},
        mcp::McpServerConfig,
        prompt::SystemPrompt,
        sandbox::Sandbox,
    };
}

pub mod event {
    //! What the CLI reports, in detail.
    //!
    //! An [`Event`] is one line. Its fields are typed, and what the CLI does not send is at its default:
    //! `None`, empty, 0 or `false`. A field that comes in another shape than byre knows is left at its default
    //! too, and hides nothing else. Enums of words are open: what byre does not know is `Other`. All of the
    //! JSON stays at hand: [`Event::raw`], [`ContentBlock::raw`], and `raw` on each record that is a line or
    //! a block; records inside of these do not repeat it.
    //!
    //! Five helpers are fed with events, one after another, and keep track:
    //!
    //! | | of |
    //! |---|---|
    //! | [`Assembler`] | messages while the model writes them |
    //! | [`ToolCalls`] | the calls of tools, each with its result |
    //! | [`Tasks`] | what runs beside the conversation: subagents and shells |
    //! | [`CostTracker`] | tokens and US dollars |
    //! | [`Failures`] | why a turn failed |

    pub use crate::wire::{event::*, json::Raw};
}

/// Makes a tool, which the model can call, from a function.
///
/// ```
/// /// Divides one number by another.
/// #[byre::tool(read_only, title = "Divide")]
/// async fn divide(
///     /// The number to divide.
///     dividend: f64,
///     /// The number to divide it by.
///     #[arg(default = 1.0)]
///     divisor: f64,
/// ) -> Result<f64, String> {
///     if divisor == 0.0 {
///         return Err("the divisor must not be 0".to_owned());
///     }
///     Ok(dividend / divisor)
/// }
///
/// # fn main() {
/// let [divide] = &byre::tools![divide][..] else { unreachable!() };
/// assert_eq!(divide.title(), Some("Divide"));
/// assert_eq!(divide.input_schema()["properties"]["divisor"]["default"], 1.0);
/// # }
/// ```
///
/// The function stays an ordinary function: a test can call it, `divide(1.0, 4.0).await`. Methods become tools
/// with [`toolset`](macro@toolset).
///
/// # The function
///
/// A free function, without type parameters, `self`, `const`, `unsafe` and `extern`. Its doc comment is the
/// description, by which the model chooses the tool, and it must have one.
///
/// The result is text, a number, any type of your own with `serde::Serialize` and `schemars::JsonSchema`, an
/// [image](mod@image), or whatever implements [`IntoToolResult`](tool::IntoToolResult); and `Result` of these.
/// It may fail with any error: see [`ToolError`].
///
/// ```
/// use byre::{ForModel, ToolError};
///
/// #[derive(serde::Serialize, schemars::JsonSchema)]
/// struct Order {
///     id: u32,
///     items: Vec<String>,
/// }
///
/// /// Finds an order by its number.
/// #[byre::tool(read_only)]
/// async fn find_order(id: u32) -> Result<Order, ToolError> {
///     // The model reads "there is no such order"; why stands in the log.
///     let json = std::fs::read(format!("/srv/orders/{id}.json")).for_model("there is no such order")?;
///     // The model reads what is wrong with the file.
///     let items = serde_json::from_slice(&json)?;
///     Ok(Order { id, items })
/// }
///
/// # fn main() {
/// let schema = byre::tools![find_order][0].output_schema().unwrap();
/// assert_eq!(schema["properties"]["items"]["type"], "array");
/// # }
/// ```
///
/// ## `async` or not
///
/// The future of an `async fn` runs among those of the whole program, so it must be `Send` and must not block.
/// A plain `fn` may block: it runs on the pool of threads that tokio has for this, and so does an `async fn` with
/// `blocking`, whose future then need not be `Send`.
///
/// ```
/// /// Counts the lines of a file.
/// #[byre::tool(read_only)]
/// fn count_lines(path: String) -> std::io::Result<usize> {
///     Ok(std::fs::read_to_string(path)?.lines().count())
/// }
/// # fn main() {}
/// ```
///
/// A call that is cancelled, or takes too long, drops the future of an `async fn`. What blocks can't be stopped:
/// it runs to its end, and what it returns is thrown away. It can ask its
/// [`Cancellation`], and should, if it may take long. The pool has 512 threads unless the runtime is built with
/// another number; calls beyond that wait for their turn. In the calls of both kinds, events of `tracing` are in
/// the span of the call.
///
/// # Parameters
///
/// A parameter is a property of the arguments, and its doc comment is the description of that. It must
/// be a plain name (`mut` is fine), and of an owned type that implements `serde::Deserialize` and
/// `schemars::JsonSchema`. A parameter of type `Option<T>` may be left out by the model, and so may one
/// with a default: `#[arg(default)]` takes the type's own, `#[arg(default = …)]` an expression. The
/// model is told of the default, so the type must implement `serde::Serialize` too.
///
/// Three types are known by the type alone, and may stand anywhere: [`State<T>`](State) is a value that the
/// program gave to the session, and [`ToolContext`] the call and its session; the model knows nothing of either.
/// [`Args<T>`](Args) is a struct whose fields are parameters.
///
/// ## Attributes of serde and schemars
///
/// All that serde and schemars know on a field may stand on a parameter, also in a `cfg_attr`. The crate needs
/// neither of them for it.
///
/// ```standalone_crate
/// /// Finds the orders of a customer.
/// #[byre::tool(read_only)]
/// async fn find_orders(
///     /// Customer number, as printed on the invoice.
///     #[serde(alias = "customer")]
///     #[schemars(range(min = 1))]
///     customer_id: u64,
///     /// At most this many, newest first.
///     #[schemars(range(max = 100), example = 5)]
///     #[arg(default = 20)]
///     limit: usize,
/// ) -> String {
///     format!("{limit} orders of {customer_id}")
/// }
///
/// # fn main() {
/// let schema = byre::tools![find_orders][0].input_schema();
/// assert_eq!(schema["properties"]["customer_id"]["minimum"], 1);
/// assert_eq!(schema["properties"]["limit"]["default"], 20);
/// # }
/// ```
///
/// | attribute | what it does |
/// |---|---|
/// | `#[serde(rename = "…")]` | what the model calls the parameter |
/// | `#[serde(alias = "…")]` | another name that is taken, and of which the model is not told |
/// | `#[serde(default)]`, `#[serde(default = "path")]` | the same as `#[arg(default …)]`; the two must not stand together |
/// | `#[serde(with = "…")]`, `#[serde(deserialize_with = "…")]` | how it is read; the type must still have a schema, or `#[schemars(with = "…")]` |
/// | `#[serde(flatten)]` | the fields of a struct, an enum or a map become parameters; a map takes all arguments that are left, so it must come last |
/// | `#[serde(skip)]` | it has its default, and the model knows nothing of it |
/// | `#[schemars(range(…), length(…), pattern("…"), email, url, …)]` | what a value must be |
/// | `#[schemars(description = "…", title = "…", example = …, extend(…))]` | what the model is told |
///
/// Such a parameter costs the compiler more than another one, because it derives two traits for a struct with
/// this one field.
///
/// # The attribute
///
/// | argument | meaning | default |
/// |---|---|---|
/// | `name = "…"` | what the model calls it by: letters, digits, `_` and `-`; with `mcp__` and the server's name at most 128 | the name of the function |
/// | `title = "…"` | what people call it by | none |
/// | `description = "…"` | for the model, in place of the doc comment | the doc comment |
/// | `server = "…"` | which [`McpServer`] has it | the session's own |
/// | `read_only` | it changes nothing, so the CLI may call it at the same time as others | not said |
/// | `destructive` | it may destroy something | not said |
/// | `idempotent` | a second call with the same arguments changes nothing more | not said |
/// | `open_world` | it reaches beyond this machine or program | not said |
/// | `timeout = 20` | how many seconds a call may take; fractions count. Then the model reads that it took too long | the CLI's own limit |
/// | `concurrency = 4` | how many calls may run at once, in all sessions of the program; others wait | no limit |
/// | `max_result_chars = 200_000` | how long a result may be, up to 500,000 characters, before the CLI shows the model only a part | the CLI's own limit, about 50,000 |
/// | `always_load = false` | whether the model knows it from the first turn, or has to look for it | as its server |
/// | `examples = [{"a": 1}]` | arguments as the model might give them | none |
/// | `meta(key = …, "vendor/key" = …)` | what stands in `_meta`, as `serde_json::json!` takes it | nothing |
/// | `rename_all = "camelCase"` | how the names of the parameters are written, in the words of serde | as they are |
/// | `blocking` | the future blocks its thread: see above | it does not |
/// | `register = false` | only [`tools!`] finds it | `true` |
/// | `crate = path` | where generated code finds byre | `::byre` |
///
/// The hints can be denied as well: `destructive = false`.
///
/// # What the model reads
///
/// Doc comments lose the line breaks that only serve the width of an editor: lines of a paragraph are
/// joined, while paragraphs, list items, tables and code stay apart.
///
/// Arguments that do not fit never reach the function. The model reads all that is wrong with them at
/// once, and mostly calls again with better ones. A panic of the function does not end the session: the
/// model reads its message, as an error.
///
/// # What is generated
///
/// Beside the function, a constant with its description and schema, which registers itself, so that
/// every session of the program serves the tool; and a hidden struct of the same name, by which
/// [`tools!`] finds it. Tools must be in the program or in a crate that the program names: a dependency
/// that is named nowhere is not linked, and registers nothing, until the program says so:
///
/// ```
/// # extern crate std as my_tools;
/// use my_tools as _;
/// ```
///
/// # Mistakes
///
/// The compiler reports all mistakes at once, at their places. The usual one is a parameter that borrows:
///
/// ```compile_fail
/// /// Greets somebody.
/// #[byre::tool]
/// async fn greet(name: &str) -> String {
///     format!("Hello, {name}!")
/// }
/// # fn main() {}
/// ```
#[doc(inline)]
pub use byre_macros::tool;

/// Makes a set of tools, which share a value, from the methods of an `impl` block.
///
/// ```standalone_crate
/// use std::{collections::HashMap, sync::Mutex};
///
/// #[derive(Default)]
/// struct Warehouse {
///     stock: Mutex<HashMap<String, u64>>,
/// }
///
/// #[byre::toolset]
/// impl Warehouse {
///     /// Counts the items of one kind.
///     #[tool(read_only)]
///     async fn count(&self, kind: String) -> u64 {
///         self.stock.lock().unwrap().get(&kind).copied().unwrap_or(0)
///     }
///
///     /// Puts items in, and says how many there are then.
///     #[tool]
///     async fn put(&self, kind: String, #[arg(default = 1)] count: u64) -> u64 {
///         let mut stock = self.stock.lock().unwrap();
///         let total = stock.entry(kind).or_default();
///         *total += count;
///         *total
///     }
/// }
///
/// # fn main() {
/// let builder = byre::Session::builder().server(byre::McpServer::new("stock").tools(Warehouse::default()));
/// # }
/// ```
///
/// The methods stay ordinary methods, and what has no `#[tool]` is left as it is. The type implements
/// [`ToolSet`](tool::ToolSet), so that [`McpServer::tools`], [`SessionBuilder::tools`] and others take a value of
/// it, or an `Arc` of one: one value may serve several servers and sessions at once. A set does not register
/// itself, since only the program has the value.
///
/// # Methods
///
/// `#[tool]` takes what [`#[byre::tool]`](macro@tool) takes, save `register` and `crate`, and parameters,
/// doc comments and results are those of a function. A method takes `&self`, `self: Arc<Self>`, or no value at
/// all; not `&mut self`, because calls may run at once: put what changes into a `Mutex` or an atomic.
///
/// # The block
///
/// | argument | meaning | default |
/// |---|---|---|
/// | `server = "…"` | which server has the tools that do not say it themselves | the session's own |
/// | `prefix = "…"` | what stands before the names of the methods, where `name` does not say another | nothing |
/// | `rename_all = "…"` | how the names of the parameters are written, where the tool does not say it itself | as they are |
/// | `crate = path` | where generated code finds byre | `::byre` |
///
/// It is an `impl` block of a type of one's own, without a trait, and without lifetimes, since calls outlive the
/// function that made the value. Two tools of one name do not compile, and neither does a block without a tool.
///
/// The value must be `Send + Sync + 'static`. Type parameters are welcome, and those of the value that is served
/// must be so too; `where` clauses stay as they are:
///
/// ```
/// trait Store: Send + Sync + 'static {
///     fn get(&self, key: &str) -> Option<String>;
/// }
///
/// struct Notes<S>(S);
///
/// #[byre::toolset(prefix = "notes_")]
/// impl<S: Store> Notes<S> {
///     /// Reads a note.
///     #[tool(read_only)]
///     fn read(&self, name: String) -> String {
///         self.0.get(&name).unwrap_or_default()
///     }
/// }
/// # fn main() {}
/// ```
///
/// A parameter with attributes of serde or schemars must not be of a type parameter, which a struct beside the
/// block could not name.
///
/// # Mistakes
///
/// The compiler reports all mistakes at once, at their places. The usual one is a method that changes the value:
///
/// ```compile_fail
/// struct Counter(u64);
///
/// #[byre::toolset]
/// impl Counter {
///     /// Counts.
///     #[tool]
///     async fn count(&mut self) -> u64 {
///         self.0 += 1;
///         self.0
///     }
/// }
/// # fn main() {}
/// ```
#[doc(inline)]
pub use byre_macros::toolset;

/// Makes a hook, which the CLI asks at an event, from a function.
///
/// ```
/// use byre::hook::{StopInput, StopOutput};
///
/// /// Sends the agent back to work once.
/// #[byre::hook]
/// async fn say_goodbye(input: StopInput) -> StopOutput {
///     if input.stop_hook_active {
///         StopOutput::allow()
///     } else {
///         StopOutput::block("Say goodbye before you stop.").at_most(2)
///     }
/// }
///
/// # fn main() {
/// let [hook] = &byre::hooks![say_goodbye][..] else { unreachable!() };
/// assert_eq!(hook.event(), byre::hook::HookEvent::Stop);
/// # }
/// ```
///
/// The function stays an ordinary function: a test can call it.
///
/// # The function
///
/// A free function, without type parameters, `self`, `const`, `unsafe` and `extern`. The future of an `async fn`
/// must be `Send`; a plain `fn` may block, and runs to its end also where nobody waits for it any more. It takes
/// the input of one event, whose type chooses the event, and returns an answer to that event: see the table in
/// [`byre::hook`](mod@hook). Beside the input it may take [`State<T>`](State), a value that the program gave
/// to the session, and [`HookContext`]. A doc comment is welcome, and nobody but people reads it.
///
/// # The attribute
///
/// | argument | meaning | default |
/// |---|---|---|
/// | `matcher = "…"` | about which tools, triggers, … it is asked | everything |
/// | `tool = path` | only about this tool of the program | everything |
/// | `timeout = 30` | how many seconds it may take; fractions count | the CLI's own: 30 for `UserPromptSubmit`, mostly 600 for others |
/// | `on_failure = "block"` or `"continue"` | what an error or a panic means: see [`OnFailure`](hook::OnFailure) | `"block"` at the events that guard something |
/// | `name = "…"` | what messages call it | the name of the function |
/// | `register = false` | only [`hooks!`] finds it | `true` |
/// | `crate = path` | where generated code finds byre | `::byre` |
///
/// # Matchers
///
/// | matcher | matches |
/// |---|---|
/// | `"Bash"` | this name, and no other that it is a part of |
/// | `"Bash\|Write"` | one of these names |
/// | `"mcp__forge__.*"` | a regular expression of JavaScript, which may match anywhere in the name |
///
/// What does not match what it looks like, as `"mcp__forge"` or `"Bash(git *)"`, does not compile; neither
/// does a matcher on an event that ignores it. A tool of the program is best named by `tool`, since its full
/// name depends on the server's:
///
/// ```
/// use byre::hook::{PreToolUseInput, PreToolUseOutput};
///
/// /// Deletes a note.
/// #[byre::tool(destructive)]
/// async fn delete_note(name: String) {
///     // …
/// #   drop(name);
/// }
///
/// #[byre::hook(tool = delete_note, timeout = 60)]
/// async fn think_twice(input: PreToolUseInput) -> PreToolUseOutput {
///     match input.tool_input.text("name") {
///         Some("passwords") => PreToolUseOutput::deny("Never that one."),
///         _ => PreToolUseOutput::ask("Delete the note?"),
///     }
/// }
/// # fn main() {}
/// ```
///
/// # What is generated
///
/// The same as for [`tool`](macro@tool), with [`hooks!`] in place of [`tools!`]; and hooks, too, must be
/// in the program or in a crate that the program names, if only by `use my_hooks as _;`.
///
/// # Mistakes
///
/// The compiler reports all mistakes at once. The usual one is an answer that is for another event:
///
/// ```compile_fail
/// #[byre::hook]
/// async fn say_goodbye(input: byre::hook::StopInput) -> bool {
///     !input.stop_hook_active
/// }
/// # fn main() {}
/// ```
#[doc(inline)]
pub use byre_macros::hook;

/// Makes a function decide whether a tool may run, when the CLI would ask the user.
///
/// ```
/// use byre::permission::{PermissionAnswer, PermissionRequest};
///
/// /// Lets the agent read, and nothing else.
/// #[byre::permission]
/// async fn only_reading(request: PermissionRequest) -> PermissionAnswer {
///     if request.tool_name == "Read" {
///         PermissionAnswer::allow()
///     } else {
///         PermissionAnswer::deny("This session only reads. Don't try to change anything.")
///     }
/// }
/// # fn main() {}
/// ```
///
/// The function stays an ordinary function: a test can call it, and
/// [`can_use_tool`](SessionBuilder::can_use_tool) takes it.
///
/// # The function
///
/// A free `async fn`, without type parameters, `self`, `const`, `unsafe` and `extern`. It takes a
/// [`PermissionRequest`](permission::PermissionRequest), and, if it likes, a
/// [`PermissionContext`](permission::PermissionContext). It returns a
/// [`PermissionAnswer`](permission::PermissionAnswer), or a `Result` of one with any error that implements
/// `Display`: an error denies, and so does a panic. The future must be `Send`.
///
/// # The attribute
///
/// | argument | meaning | default |
/// |---|---|---|
/// | `name = "…"` | what messages call it | the name of the function |
/// | `register = false` | only `can_use_tool` asks it | `true` |
/// | `crate = path` | where generated code finds byre | `::byre` |
///
/// # What is generated
///
/// A constant that registers itself, so that every session of the program asks the function. Only one may:
/// a session with several, and without a word on which of them to ask, does not start.
///
/// # Mistakes
///
/// The compiler reports all mistakes at once. The usual one is an answer that is none:
///
/// ```compile_fail
/// #[byre::permission]
/// async fn only_reading(request: byre::permission::PermissionRequest) -> bool {
///     request.tool_name == "Read"
/// }
/// # fn main() {}
/// ```
#[doc(inline)]
pub use byre_macros::permission;

/// The layers, the invariants, and one tool call from line to line.
#[doc = include_str!("../docs/architecture.md")]
pub mod _architecture {}

/// What happens when the CLI is hostile or broken, and how that is tried.
#[doc = include_str!("../docs/reliability.md")]
pub mod _reliability {}

/// The README's programs, as tests.
#[cfg(all(doctest, feature = "cli", feature = "testing"))]
#[doc = include_str!("../../README.md")]
mod readme {}
