//! L1: the shapes of everything that crosses the pipe.
//!
//! Pure data: no I/O, no tokio, no panics, and no knowledge of tools, hooks or sessions. What is
//! unknown is kept, never refused: the set of types, subtypes and fields is open.

pub(crate) mod answer;
pub(crate) mod control;
pub(crate) mod event;
pub(crate) mod hook;
pub(crate) mod json;
pub(crate) mod jsonrpc;
pub(crate) mod mcp;
pub(crate) mod option;
pub(crate) mod params;
pub(crate) mod permission;
pub(crate) mod tokens;
pub(crate) mod words;
