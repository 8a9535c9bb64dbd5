//! The test kit: a model that says what a script says, and the two places where it plays.
//!
//! A [`Script`] lists what the model does, as data. It plays
//!
//! - through [`ScriptedCli`], a stand-in for the CLI inside the test's own process: no `claude`, no
//!   network, milliseconds;
//! - through [`MessagesApi`], an API server on 127.0.0.1 that the real CLI talks to, started with
//!   the isolated environment of [`RealCli`].
//!
//! [`Chaos`] stands before the stand-in, or any other transport, and makes things go wrong.
//!
//! The stand-in imitates CLI 2.1.332 line by line as far as tools, hooks, interrupts and streaming go.
//! Of the built-in tools it knows only `AskUserQuestion`; it runs no subagents and no slash commands.
//!
//! # Example
//!
//! ```
//! use byre::testing::Script;
//! use serde_json::json;
//!
//! let script = Script::new()
//!     .call("add", json!({"a": 2, "b": 3}))
//!     .say("2 + 3 is {result}.");
//! ```

use std::sync::{Mutex, MutexGuard, PoisonError};

mod api;
pub(crate) mod chaos;
mod cli;
mod launch;
mod player;
mod real_cli;
mod replay;
mod reply;
mod request;
mod script;
mod snapshot;
mod tools;

pub use self::{
    api::MessagesApi,
    chaos::Chaos,
    cli::{Outcome, Recorder, ScriptedCli},
    real_cli::RealCli,
    replay::{Cue, Director, Replay},
    reply::Reply,
    request::{ModelRequest, OfferedTool, SeenResult},
    script::Script,
    tools::{ToolReply, Tools, tools},
};

/// Locks a mutex whose data stays valid even where a panic interrupted its user.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
