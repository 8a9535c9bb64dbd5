//! What the layers above answer to the CLI.

use std::{future::Future, pin::Pin};

use crate::wire::control::{Answer, Request};

/// A future on the heap that any thread may run. `function` has the same, since neither layer knows the
/// other.
pub(crate) type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Answers the control requests of the CLI.
pub(crate) trait Serve: Send + Sync + 'static {
    /// Starts to answer `request`.
    ///
    /// Called by the pump, between two lines: whatever may take time or run code of the user belongs into
    /// the future, which gets a task of its own where it could hold anything up. The future is dropped when
    /// the CLI withdraws the request and when the session ends. If it panics, the CLI is told that it did.
    fn serve(&self, request: &Request<'_>) -> BoxFuture<Answer>;
}
