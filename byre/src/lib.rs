//! Write tools, hooks and whole agents for Claude Code as plain Rust functions.

mod control;
mod error;
pub mod hook;
mod host;
mod registry;
mod server;
mod session;
pub mod tool;
mod transport;
mod wire;

pub use error::{Error, ErrorKind, Exit, Result};
pub use session::{
    Session, builder::SessionBuilder, handle::SessionHandle, outcome::TurnOutcome, prompt::Prompt,
    turn::Turn,
};
pub use transport::{Transport, launch::PermissionMode};
pub use wire::event::Event;

/// What the CLI reports, in detail.
pub mod event {
    pub use crate::wire::{
        event::{
            AssistantEvent, ContentBlock, Delta, Event, Init, McpServerStatus, Message, OtherEvent,
            ResultEvent, StreamEvent, SystemEvent, ToolResult, ToolUse, UserEvent, Warning,
        },
        json::Raw,
    };
}
