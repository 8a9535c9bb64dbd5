//! Write tools, hooks and whole agents for Claude Code as plain Rust functions.

mod control;
mod error;
mod transport;
mod wire;

pub use error::{Error, ErrorKind, Exit, Result};
pub use transport::{Transport, launch::PermissionMode};
pub use wire::event::Event;
