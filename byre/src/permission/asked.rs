//! What a function is asked, and whether anybody still waits for its answer.

use std::sync::Arc;

use tokio::sync::watch;
use uuid::Uuid;

use super::PermissionRequest;

/// What a function with `#[byre::permission]` takes its parameters from.
///
/// Not public API.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Asked {
    pub(super) request: PermissionRequest,
    pub(super) context: PermissionContext,
}

impl Asked {
    pub(crate) fn into_parts(self) -> (PermissionRequest, PermissionContext) {
        (self.request, self.context)
    }
}

/// A parameter of a function with `#[byre::permission]`: [`PermissionRequest`] or [`PermissionContext`].
///
/// This trait can't be implemented outside byre.
///
/// # Example
///
/// ```
/// use byre::permission::{PermissionAnswer, PermissionContext, PermissionRequest};
///
/// #[byre::permission]
/// async fn decide(request: PermissionRequest, context: PermissionContext) -> PermissionAnswer {
///     println!("{}: may {} run?", context.id(), request.tool_name);
///     PermissionAnswer::allow()
/// }
/// # fn main() {}
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a parameter of a permission function",
    label = "must be `PermissionRequest` or `PermissionContext`",
    note = "both are in `byre::permission`"
)]
pub trait PermissionParam: sealed::Sealed {
    /// Not public API.
    #[doc(hidden)]
    fn take(asked: &Asked) -> Self;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::PermissionRequest {}
    impl Sealed for super::PermissionContext {}
}

impl PermissionParam for PermissionRequest {
    fn take(asked: &Asked) -> Self {
        asked.request.clone()
    }
}

impl PermissionParam for PermissionContext {
    fn take(asked: &Asked) -> Self {
        asked.context.clone()
    }
}

/// Which request it is, and whether the CLI still waits for its answer.
///
/// Cheap to clone, so that a window can close itself when the question in it is of no interest any more.
/// The future of a handler is dropped at that moment, so most handlers need not look.
///
/// # Example
///
/// ```
/// use byre::permission::PermissionContext;
///
/// async fn close_window_when_over(context: PermissionContext) {
///     context.over().await;
///     println!("the question {} is over", context.id());
/// }
/// ```
#[derive(Clone, Debug)]
pub struct PermissionContext {
    id: Arc<str>,
    state: watch::Receiver<State>,
}

/// How far a request has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    Answered,
    Withdrawn,
}

impl PermissionContext {
    /// Makes the context of a new request, and what it learns the end of the request from.
    pub(super) fn new() -> (OpenRequest, Self) {
        let (sender, state) = watch::channel(State::Open);
        (OpenRequest(sender), Self { id: Uuid::new_v4().to_string().into(), state })
    }

    /// Returns an id that no other request has, in no session and no process.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(context: &byre::permission::PermissionContext) {
    /// println!("{}", context.id());
    /// # }
    /// ```
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Waits until no answer is needed any more: it was given, or the request was withdrawn.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    ///
    /// # Example
    ///
    /// ```
    /// # async fn wait(context: byre::permission::PermissionContext) {
    /// context.over().await;
    /// # }
    /// ```
    pub async fn over(&self) {
        // Fails if the sender is gone, and it says how it went before it goes.
        let _ = self.state.clone().wait_for(|state| *state != State::Open).await;
    }

    /// Says whether the request was withdrawn before it was answered: somebody interrupted, a hook was
    /// faster, or the session ended.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(context: &byre::permission::PermissionContext) {
    /// if context.is_withdrawn() {
    ///     println!("too late");
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn is_withdrawn(&self) -> bool {
        *self.state.borrow() == State::Withdrawn
    }
}

/// A request that waits for its answer. Dropped without one, it was withdrawn.
#[derive(Debug)]
pub(super) struct OpenRequest(watch::Sender<State>);

impl OpenRequest {
    pub(super) fn answered(self) {
        self.0.send_replace(State::Answered);
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        self.0.send_if_modified(|state| {
            let is_open = *state == State::Open;
            if is_open {
                *state = State::Withdrawn;
            }
            is_open
        });
    }
}
