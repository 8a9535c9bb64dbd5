//! Calls of functions that block: they run where blocking harms nobody.

use std::{
    panic::resume_unwind,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::{
    runtime::Handle,
    task::{JoinHandle, spawn_blocking},
};
use tracing::Span;

use super::BoxFuture;

/// Runs `call` on the pool of tokio that is for blocking, in the span of whoever waits for it; it begins when
/// it is first polled.
///
/// A panic of `call` is one of the future. Dropping the future before `call` begins takes it back. Later
/// `call` runs to its end, because nothing can stop it, and what it gives is thrown away.
pub(crate) fn blocking<T: Send + 'static>(call: Box<dyn FnOnce() -> T + Send>) -> BoxFuture<T> {
    Box::pin(async move {
        let span = Span::current();
        let handle = spawn_blocking(move || span.in_scope(call));
        match (Running { handle }).await {
            Ok(output) => output,
            Err(error) => match error.try_into_panic() {
                Ok(payload) => resume_unwind(payload),
                // Only a runtime that shuts down takes it back, and nobody waits for an answer then.
                Err(_) => std::future::pending().await,
            },
        }
    })
}

/// A call that is taken back when nobody waits for it any more.
struct Running<T> {
    handle: JoinHandle<T>,
}

impl<T> Future for Running<T> {
    type Output = Result<T, tokio::task::JoinError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        Pin::new(&mut self.handle).poll(cx)
    }
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        self.handle.abort();
    }
}

/// Drives a future to its end on this thread, which is one of the pool for blocking.
///
/// Not public API: for generated code.
#[doc(hidden)]
#[must_use]
pub fn block_on<T>(future: Pin<&mut dyn Future<Output = T>>) -> T {
    Handle::current().block_on(future)
}

/// A call that may go to another thread.
///
/// Not public API: a call is one by its `Send`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the parameters of a tool or hook that is not `async` must be `Send`",
    label = "takes something that must stay on its thread, and runs on one of its own",
    note = "use a type that is `Send`: `Arc` for `Rc`; or make it an `async fn`"
)]
pub trait SendCall {}

#[diagnostic::do_not_recommend]
impl<F: Send + 'static> SendCall for Call<F> {}

/// A call, in a type of which the compiler says neither where it is nor that one should call it.
///
/// Not public API: for generated code.
#[doc(hidden)]
#[derive(Debug)]
pub struct Call<F>(pub F);

/// Makes a call of a closure.
///
/// Not public API: for generated code.
#[doc(hidden)]
pub fn call<T>(closure: impl FnOnce() -> T) -> Call<impl FnOnce() -> T> {
    Call(closure)
}

/// Checks in byre's words that a call is `Send`.
///
/// Not public API: for generated code.
#[doc(hidden)]
pub fn check_send_call<C: SendCall>(call: C) -> C {
    call
}

#[cfg(test)]
mod tests;
