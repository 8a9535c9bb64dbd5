//! Write tools, hooks and whole agents for Claude Code as plain Rust functions.

mod error;
#[cfg(feature = "testing")]
pub mod testing;
mod wire;

pub use error::{Error, ErrorKind, Exit, Result};
pub use wire::event::Event;
