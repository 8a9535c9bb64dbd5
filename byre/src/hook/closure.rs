//! Hooks made of closures, while the program runs.

use std::{fmt, marker::PhantomData, panic, sync::Arc, time::Duration};

use super::{
    Hook, HookEvent, HookInput, HookOutput, Location, OnFailure,
    def::HookFuture,
    events::{Matched, MayBlockOnFailure, OfTool},
    output::HookError,
    param::HookRequest,
};

/// Makes a hook from a closure, for [`SessionBuilder::hook`](crate::SessionBuilder::hook).
///
/// The type of the closure's parameter chooses the event, as for [`#[byre::hook]`](macro@crate::hook).
///
/// # Example
///
/// ```
/// use byre::hook::{self, PreToolUseInput, PreToolUseOutput};
///
/// let no_pushes = hook::on(async |input: PreToolUseInput| {
///     match input.tool_input.text("command") {
///         Some(command) if command.contains("git push") => PreToolUseOutput::deny("Not yet."),
///         _ => PreToolUseOutput::new(),
///     }
/// });
/// let builder = byre::Session::builder().hook(no_pushes.matcher("Bash"));
/// ```
///
/// A closure that keeps something clones it for each question, because questions come at the same time:
///
/// ```
/// use std::sync::{Arc, atomic::{AtomicUsize, Ordering}};
///
/// use byre::hook::{self, StopInput};
///
/// let stops = Arc::new(AtomicUsize::new(0));
/// let count = hook::on(move |_: StopInput| {
///     let stops = Arc::clone(&stops);
///     async move {
///         stops.fetch_add(1, Ordering::Relaxed);
///     }
/// });
/// ```
#[track_caller]
pub fn on<I, F, Fut>(ask: F) -> ClosureHook<I>
where
    I: HookInput,
    F: Fn(I) -> Fut + Send + Sync + 'static,
    Fut: Future + Send + 'static,
    Fut::Output: HookOutput<I>,
{
    let caller = panic::Location::caller();
    ClosureHook {
        parts: Closure {
            name: format!("closure for {}", I::EVENT),
            event: I::EVENT,
            matcher: OwnedMatching::Everything,
            timeout: None,
            on_failure: None,
            location: Location::new(caller.file(), caller.line(), ""),
            call: Arc::new(move |request| {
                let answer = ask(I::read(request.input)?);
                Ok(Box::pin(async move { answer.await.into_answer() }))
            }),
        },
        input: PhantomData,
    }
}

/// A hook made of a closure, which may still be told when it is asked. Made by [`on`].
///
/// # Example
///
/// ```
/// use byre::hook::{self, StopInput, StopOutput};
///
/// let hook = hook::on(async |_: StopInput| StopOutput::allow()).name("lenient");
/// let builder = byre::Session::builder().hook(hook);
/// ```
#[must_use = "a hook is asked once it is given to a session"]
pub struct ClosureHook<I> {
    parts: Closure,
    input: PhantomData<fn(I)>,
}

impl<I: HookInput> ClosureHook<I> {
    /// Names it, for messages.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::hook::{self, StopInput};
    /// let hook = hook::on(async |_: StopInput| {}).name("watch");
    /// ```
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.parts.name = name.into();
        self
    }

    /// Asks it only about these tools, triggers, …, in the words of the CLI: names joined by `|`, or a
    /// regular expression. A matcher that matches nothing is an error when the session starts.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::hook::{self, PreToolUseInput};
    /// let hook = hook::on(async |_: PreToolUseInput| {}).matcher("Bash|Write");
    /// ```
    pub fn matcher(mut self, matcher: impl Into<String>) -> Self
    where
        I: Matched,
    {
        self.parts.matcher = OwnedMatching::Pattern(matcher.into());
        self
    }

    /// Asks it only about this tool of the program, by the name without the server's. A tool that the
    /// session does not serve is an error when it starts.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::hook::{self, PreToolUseInput};
    /// let hook = hook::on(async |_: PreToolUseInput| {}).tool("add");
    /// ```
    pub fn tool(mut self, name: impl Into<String>) -> Self
    where
        I: OfTool,
    {
        self.parts.matcher = OwnedMatching::Tool(name.into());
        self
    }

    /// Gives it this much time. When it is over, the closure's future is dropped, and the CLI denies a tool
    /// and blocks a prompt. By default 30 seconds for `UserPromptSubmit`, and ten minutes for others.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::hook::{self, StopInput};
    /// use std::time::Duration;
    ///
    /// let hook = hook::on(async |_: StopInput| {}).timeout(Duration::from_secs(60));
    /// ```
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.parts.timeout = Some(timeout);
        self
    }

    /// Says what an error or a panic of the closure means.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{self, OnFailure, PreToolUseInput};
    ///
    /// let hook = hook::on(async |_: PreToolUseInput| {}).on_failure(OnFailure::Continue);
    /// ```
    pub fn on_failure(mut self, on_failure: OnFailure) -> Self
    where
        I: MayBlockOnFailure,
    {
        self.parts.on_failure = Some(on_failure);
        self
    }
}

impl<I> From<ClosureHook<I>> for Hook {
    fn from(hook: ClosureHook<I>) -> Self {
        Self::from_closure(hook.parts)
    }
}

impl<I> fmt::Debug for ClosureHook<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.fmt(f)
    }
}

type Ask = dyn Fn(&HookRequest<'_>) -> Result<HookFuture, HookError> + Send + Sync;

/// What a hook of a closure is made of.
pub(super) struct Closure {
    pub(super) name: String,
    pub(super) event: HookEvent,
    pub(super) matcher: OwnedMatching,
    pub(super) timeout: Option<Duration>,
    pub(super) on_failure: Option<OnFailure>,
    pub(super) location: Location,
    pub(super) call: Arc<Ask>,
}

/// About what a closure is asked.
#[derive(Debug)]
pub(super) enum OwnedMatching {
    Everything,
    Pattern(String),
    Tool(String),
}

impl fmt::Debug for Closure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClosureHook({} for {} at {})", self.name, self.event, self.location)
    }
}
