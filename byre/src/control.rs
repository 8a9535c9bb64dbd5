//! L3: the control channel.
//!
//! One task, the [pump](pump), owns the pipe and everything that waits for a line on it. Knows ids and
//! the kinds of line; what a request means is the business of whoever implements [`Serve`](serve::Serve).

pub(crate) mod backlog;
pub(crate) mod link;
mod pending;
pub(crate) mod pulse;
mod pump;
pub(crate) mod reports;
pub(crate) mod serve;
mod threads;

pub(crate) use pump::start;
