//! One user message and all that comes of it, up to its result.

use std::{
    future::{Future, IntoFuture, poll_fn},
    mem,
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures_core::Stream;

use super::{
    Session, clock::TurnClock, handle::SessionHandle, outcome::TurnOutcome, prompt::Prompt,
};
use crate::{
    error::{Error, ErrorKind, Result},
    wire::event::{CommandLifecycle, CommandState, Event, Failures, ResultEvent},
};

/// How many prompts a result names at most.
///
/// Source: seen with CLI 2.1.332.
const MOST_PROMPTS: usize = 64;

/// A turn: one prompt and everything that comes of it, up to its result.
///
/// Await it for its [`TurnOutcome`]. Or read its [`Event`]s, with [`next`](Self::next) or as a
/// [`Stream`], and ask for the [`outcome`](Self::outcome) at the end. The prompt is sent when either
/// begins.
///
/// An API failure is not an `Err`: the turn ended, with
/// [`is_error`](TurnOutcome::is_error). An `Err` means that the session is over, or that the prompt could
/// not be sent.
///
/// # Cancel safety
///
/// Dropping a turn that has begun interrupts it, and takes its prompt back where the CLI has not begun
/// with it. The rest of its events is thrown away, and the next turn of the session starts clean.
///
/// # Example
///
/// ```no_run
/// # async fn run(session: &mut byre::Session) -> byre::Result<()> {
/// let mut turn = session.prompt("Tell me a story.");
/// while let Some(event) = turn.next().await {
///     if let Some(text) = event?.text_delta() {
///         print!("{text}");
///     }
/// }
/// println!("\n{} US dollars so far", turn.outcome().await?.total_cost_usd());
/// # Ok(())
/// # }
/// ```
#[must_use = "a turn does nothing until it is awaited or read"]
#[derive(Debug)]
pub struct Turn<'a> {
    session: &'a mut Session,
    state: State,
    guard: Guard,
    /// The CLI has begun with the prompt.
    has_begun: bool,
    failures: Failures,
}

/// Interrupts the turn when it is dropped while it runs.
///
/// Holds no borrow of the session, and `Turn` itself has no `Drop`: so a program may close the session
/// while a finished turn is still in scope.
#[derive(Debug)]
struct Guard {
    handle: SessionHandle,
    /// The prompt, from when it is sent until its result comes.
    running: Option<String>,
    /// What it may take, for as long as it runs.
    clock: Option<TurnClock>,
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(uuid) = self.running.take() {
            self.handle.abandon(uuid);
        }
    }
}

#[derive(Debug)]
enum State {
    /// Nothing has been sent.
    New(Prompt),
    /// The prompt was sent, and its result has not come.
    Running,
    /// Nobody has asked for the turn, so any result is its own.
    Unsolicited,
    /// Its result has come.
    Done(Box<TurnOutcome>),
    /// It could not be sent, or the session has ended under it. `None` once that was told.
    Failed(Option<Error>),
}

impl<'a> Turn<'a> {
    pub(crate) fn new(session: &'a mut Session, prompt: Prompt) -> Self {
        session.note_abandoned();
        Self::of(session, State::New(prompt), None)
    }

    pub(crate) fn unsolicited(session: &'a mut Session) -> Self {
        let clock = session.handle.start_clock(None);
        Self::of(session, State::Unsolicited, Some(clock))
    }

    fn of(session: &'a mut Session, state: State, clock: Option<TurnClock>) -> Self {
        let guard = Guard { handle: session.handle(), running: None, clock };
        Self { session, state, guard, has_begun: false, failures: Failures::default() }
    }

    /// Reads the next event of the turn, or gives `None` after its result.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Prompt`](crate::ErrorKind::Prompt) if the prompt can't be sent, or is withdrawn before the CLI
    /// begins with it, and [`ErrorKind::Exited`](crate::ErrorKind::Exited),
    /// [`ErrorKind::Timeout`](crate::ErrorKind::Timeout), [`ErrorKind::Unread`](crate::ErrorKind::Unread) or
    /// [`ErrorKind::Closed`](crate::ErrorKind::Closed) if the
    /// session ends before the turn does; [`Error::unfinished_prompt`] tells whether the prompt had been sent.
    /// Nothing comes after an error.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing; the turn goes on until it is dropped itself.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(session: &mut byre::Session) -> byre::Result<()> {
    /// let mut turn = session.prompt("What is 2 + 3?");
    /// while let Some(event) = turn.next().await {
    ///     println!("{}", event?.raw());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn next(&mut self) -> Option<Result<Event>> {
        poll_fn(|cx| self.poll_event(cx)).await
    }

    /// Reads the turn to its end and gives its outcome, as awaiting the turn does.
    ///
    /// # Errors
    ///
    /// Those of [`next`](Self::next).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses the events that it has read, and nothing else.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(session: &mut byre::Session) -> byre::Result<()> {
    /// let mut turn = session.prompt("What is 2 + 3?");
    /// let first = turn.next().await;
    /// println!("{}", turn.outcome().await?.text());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn outcome(&mut self) -> Result<TurnOutcome> {
        loop {
            match &mut self.state {
                State::Done(outcome) => return Ok(TurnOutcome::clone(outcome)),
                State::Failed(error) => {
                    return Err(match error.take() {
                        Some(error) => error,
                        None => Error::new(ErrorKind::Closed, "finish the turn")
                            .reason("it has failed already, with the error given before"),
                    });
                }
                State::New(_) | State::Running | State::Unsolicited => {
                    // An error is told above, where it stays for whoever asks next.
                    if let Some(Err(error)) = self.next().await {
                        return Err(error);
                    }
                }
            }
        }
    }

    /// Says whether a result is the turn's own.
    fn is_answered(&self, result: &ResultEvent) -> bool {
        let Some(uuid) = &self.guard.running else { return true };
        // A list that is full may leave it out.
        let is_full = result.user_message_uuids.len() >= MOST_PROMPTS;
        answers(result, uuid) || (is_full && self.has_begun)
    }

    /// Ends the turn if its prompt was withdrawn: no result comes then. One that has begun has a result, also
    /// where it counts as cancelled since it was interrupted.
    fn on_lifecycle(&mut self, command: &CommandLifecycle) {
        if self.guard.running.as_ref() != Some(&command.command_uuid) {
            return;
        }
        self.has_begun |= command.state == CommandState::Started;
        if !self.has_begun && command.state == CommandState::Cancelled {
            let error = Error::new(ErrorKind::Prompt, "finish the turn")
                .reason("its prompt was withdrawn before the CLI began with it");
            self.state = State::Failed(Some(error));
            (self.guard.running, self.guard.clock) = (None, None);
        }
    }

    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Event>>> {
        if let State::New(prompt) = &mut self.state {
            ready!(self.session.poll_abandoned(cx));
            let clock = self.session.handle.start_clock(Some(prompt));
            match self.session.handle.send(mem::take(prompt)) {
                Ok(uuid) => {
                    self.guard.running = Some(uuid);
                    self.guard.clock = Some(clock);
                    self.state = State::Running;
                }
                Err(error) => self.state = State::Failed(Some(error)),
            }
        }
        match &mut self.state {
            State::Running | State::Unsolicited => {}
            State::Failed(error) => return Poll::Ready(error.take().map(Err)),
            State::New(_) | State::Done(_) => return Poll::Ready(None),
        }
        match ready!(self.session.poll_event(cx)) {
            Some(Ok(event)) => {
                let failure = self.failures.push(&event);
                if let Event::Result(result) = &event
                    && self.is_answered(result)
                {
                    let outcome = TurnOutcome::new(ResultEvent::clone(result), failure);
                    self.state = State::Done(Box::new(outcome));
                    (self.guard.running, self.guard.clock) = (None, None);
                } else if let Event::CommandLifecycle(command) = &event {
                    self.on_lifecycle(command);
                }
                Poll::Ready(Some(Ok(event)))
            }
            _ => {
                self.state = State::Failed(None);
                self.guard.clock = None;
                let error = self.session.ended("finish the turn");
                Poll::Ready(Some(Err(match self.guard.running.take() {
                    Some(uuid) => error.unfinished(uuid),
                    None => error,
                })))
            }
        }
    }
}

/// Says whether `result` ends the turn of the prompt `uuid`.
///
/// A result names the prompts that it answers. One that names none is of an older CLI, and then the
/// order has to do, unless it says that something else than a person has started its turn.
pub(crate) fn answers(result: &ResultEvent, uuid: &str) -> bool {
    if result.user_message_uuids.is_empty() {
        result.origin_kind().is_none_or(|kind| kind == "human")
    } else {
        result.user_message_uuids.iter().any(|answered| answered == uuid)
    }
}

/// Says whether nothing of the prompt `uuid` comes after `event`: it was answered, or was withdrawn
/// before the CLI began with it.
pub(crate) fn ends(event: &Event, uuid: &str) -> bool {
    match event {
        Event::Result(result) => answers(result, uuid),
        Event::CommandLifecycle(command) => {
            let is_over = !matches!(command.state, CommandState::Queued | CommandState::Started);
            is_over && command.command_uuid == uuid
        }
        _ => false,
    }
}

impl Stream for Turn<'_> {
    type Item = Result<Event>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_event(cx)
    }
}

impl<'a> IntoFuture for Turn<'a> {
    type Output = Result<TurnOutcome>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;

    fn into_future(mut self) -> Self::IntoFuture {
        Box::pin(async move { self.outcome().await })
    }
}
