//! How a call learns that nobody waits for it any more.

use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
};

use tokio::{runtime::Handle, sync::Notify};

use super::BoxFuture;

/// Tells a tool that its call was cancelled. Cheap to clone.
///
/// Made by [`ToolContext::cancellation`](crate::ToolContext::cancellation).
///
/// # Example
///
/// ```
/// use std::time::Duration;
///
/// use byre::ToolContext;
///
/// /// Copies a lot, and cleans up if it is stopped.
/// #[byre::tool]
/// async fn copy(context: ToolContext) -> String {
///     let cancellation = context.cancellation();
///     for file in 0..100 {
///         if cancellation.is_cancelled() {
///             // Remove what is half done.
///             return String::new();
///         }
///         tokio::time::sleep(Duration::from_millis(10)).await; // Copy the file.
///     }
///     "copied".to_owned()
/// }
/// # fn main() {}
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    is_cancelled: AtomicBool,
    /// The tool knows of it, and wants to end by itself.
    is_taken: AtomicBool,
    notify: Notify,
}

impl Cancellation {
    /// Says whether the call was cancelled.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(cancellation: &byre::Cancellation) {
    /// if cancellation.is_cancelled() {
    ///     return;
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled.load(Ordering::Acquire)
    }

    /// Waits until the call is cancelled, for ever if it is not.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    ///
    /// # Example
    ///
    /// ```
    /// # async fn work() -> String { String::new() }
    /// # async fn run(cancellation: byre::Cancellation) -> String {
    /// tokio::select! {
    ///     () = cancellation.cancelled() => String::new(),
    ///     done = work() => done,
    /// }
    /// # }
    /// ```
    pub async fn cancelled(&self) {
        let mut notified = pin!(self.0.notify.notified());
        // From here on, a notification is not missed.
        notified.as_mut().enable();
        if !self.is_cancelled() {
            notified.await;
        }
    }

    pub(crate) fn take(&self) -> Self {
        self.0.is_taken.store(true, Ordering::Release);
        self.clone()
    }

    fn cancel(&self) {
        self.0.is_cancelled.store(true, Ordering::Release);
        self.0.notify.notify_waiters();
    }
}

/// A call that is told when it is dropped before its end.
///
/// One that has taken its [`Cancellation`] runs on in a task of its own; any other is dropped.
pub(crate) struct Cancellable<T: Send + 'static> {
    /// `None` once it is done.
    future: Option<BoxFuture<T>>,
    cancellation: Cancellation,
}

impl<T: Send + 'static> Cancellable<T> {
    pub(crate) fn new(future: BoxFuture<T>, cancellation: Cancellation) -> Self {
        Self { future: Some(future), cancellation }
    }
}

impl<T: Send + 'static> Future for Cancellable<T> {
    type Output = T;

    fn poll(mut self: std::pin::Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let Some(future) = &mut self.future else { return Poll::Pending };
        let polled = future.as_mut().poll(cx);
        if polled.is_ready() {
            self.future = None;
        }
        polled
    }
}

impl<T: Send + 'static> Drop for Cancellable<T> {
    fn drop(&mut self) {
        let Some(future) = self.future.take() else { return };
        self.cancellation.cancel();
        // Without a runtime there is nobody to run it.
        if self.cancellation.0.is_taken.load(Ordering::Acquire)
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(future);
        }
    }
}
