//! L4: what tools and hooks have in common: a place in the code, and a call that never panics.

pub(crate) mod blocking;
pub(crate) mod cancellation;
pub(crate) mod state;
pub(crate) mod surroundings;

use std::{
    any::Any,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    task::{Context, Poll},
};

/// Where in the code a tool or a hook stands.
///
/// `Display` is `file:line`.
///
/// # Example
///
/// ```
/// /// Adds two integers.
/// #[byre::tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # fn main() {
/// for tool in byre::tools![add] {
///     println!("{} is at {}", tool.name(), tool.location());
/// }
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Location {
    /// The file, as the compiler was told of it; mostly relative to the workspace.
    pub file: &'static str,
    /// The line of the attribute, from 1.
    pub line: u32,
    /// The module, `my_crate::notes` for example.
    pub module: &'static str,
}

impl Location {
    /// Not public API: for generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(file: &'static str, line: u32, module: &'static str) -> Self {
        Self { file, line, module }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A future on the heap that any thread may poll.
pub(crate) type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Runs `f` and returns what it panics with, as text, in place of panicking.
pub(crate) fn catch<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    // Whatever `f` leaves half done is dropped by the callers, and never looked at again.
    catch_unwind(AssertUnwindSafe(f)).map_err(|payload| panic_text(&*payload))
}

/// Returns the words of a panic.
fn panic_text(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "no message".to_owned()
    }
}

/// A future that gives what another one gives, or the text of its panic.
///
/// A panic in a destructor of the future's values is caught as well.
pub(crate) struct CatchUnwind<T> {
    /// `None` once it is done.
    future: Option<BoxFuture<T>>,
}

impl<T> CatchUnwind<T> {
    pub(crate) fn new(future: BoxFuture<T>) -> Self {
        Self { future: Some(future) }
    }

    fn drop_future(&mut self) -> Result<(), String> {
        let future = self.future.take();
        catch(|| drop(future))
    }
}

impl<T> Future for CatchUnwind<T> {
    type Output = Result<T, String>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(future) = &mut self.future else { return Poll::Pending };
        let polled = catch(|| future.as_mut().poll(cx));
        match polled {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(output)) => Poll::Ready(self.drop_future().map(|()| output)),
            Err(text) => {
                // The first panic is the one to tell of.
                let _ = self.drop_future();
                Poll::Ready(Err(text))
            }
        }
    }
}

impl<T> Drop for CatchUnwind<T> {
    fn drop(&mut self) {
        if let Err(text) = self.drop_future() {
            tracing::error!("a tool or hook panicked while it was dropped: {text}");
        }
    }
}

/// A future that may go to another thread.
///
/// Not public API: a future is one by its `Send`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the future of a tool or hook must be `Send`",
    label = "keeps something over an `.await` that must stay on its thread",
    note = "drop it before the `.await`, or use a type that is `Send`: `Arc` for `Rc`, a `Mutex` of tokio \
            for a `RefCell`"
)]
pub trait SendFuture {}

#[diagnostic::do_not_recommend]
impl<F: Future + Send> SendFuture for F {}

/// Checks in byre's words that a future is `Send`.
///
/// Not public API: for generated code.
#[doc(hidden)]
pub fn check_send<F: SendFuture>(future: F) -> F {
    future
}

/// Checks the same in the words of the compiler, which say what keeps it from being `Send`.
///
/// Not public API: for generated code.
#[doc(hidden)]
pub fn send<F: Future + Send>(future: F) -> F {
    future
}

#[cfg(test)]
mod tests;
