//! L5: a CLI and the conversation with it.

pub(crate) mod builder;
pub(crate) mod clock;
mod context;
pub(crate) mod handle;
pub(crate) mod outcome;
pub(crate) mod output;
pub(crate) mod prompt;
mod restart;
pub(crate) mod run;
pub(crate) mod turn;

use std::{
    collections::VecDeque,
    fmt,
    future::Future,
    pin::Pin,
    sync::Mutex,
    task::{Context, Poll, ready},
    time::Duration,
};

use tokio::time::{Sleep, sleep};

use crate::{
    control::reports::{Batch, Report, Reports},
    error::{Error, Result},
    permission::Permissions,
    wire::{
        answer::info::CliInfo,
        event::{Event, Init, SystemEvent, Warning},
        json::{Raw, kind_of},
    },
};

use builder::SessionBuilder;
use handle::SessionHandle;
use prompt::Prompt;
use turn::Turn;

/// One CLI process and the conversation with it.
///
/// Made by [`Session::builder`]. Serves tools and hooks for as long as it lives, whether or not anybody
/// reads events. [`close`](Self::close) ends it in order; dropping it does the same in the background.
///
/// # Example
///
/// ```no_run
/// # async fn run() -> byre::Result<()> {
/// let mut session = byre::Session::builder().spawn().await?;
/// let outcome = session.prompt("What is 2 + 3?").await?;
/// println!("{}", outcome.text());
/// session.close().await
/// # }
/// ```
pub struct Session {
    handle: SessionHandle,
    events: Events,
    /// A turn that was dropped before its result came. Whatever comes until then belongs to nobody.
    abandoned: Option<Abandoned>,
    /// The requests for permissions, until the program takes them.
    permissions: Option<Permissions>,
    /// What it was started as, for another start. Never locked by two: a lock lets threads share a session,
    /// although not all transports can be shared.
    again: Option<Mutex<Box<SessionBuilder>>>,
}

/// How long the result of an interrupted turn is waited for. It takes milliseconds, unless the CLI is in
/// trouble.
const PATIENCE: Duration = Duration::from_secs(30);

struct Abandoned {
    /// The id of its prompt.
    uuid: String,
    /// Made when it is first waited for: a turn may be dropped where there is no clock.
    patience: Option<Pin<Box<Sleep>>>,
}

impl Session {
    /// Starts to describe a session.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().model("opus");
    /// ```
    pub fn builder() -> SessionBuilder {
        SessionBuilder::default()
    }

    pub(crate) fn new(handle: SessionHandle, reports: Reports, servers: Vec<String>) -> Self {
        let events = Events {
            reports,
            batch: Batch::default(),
            unread: VecDeque::new(),
            servers,
            shows_host_only: false,
        };
        Self { handle, events, abandoned: None, permissions: None, again: None }
    }

    /// Ends the session from now on if it takes too long.
    fn watch_clocks(&self) {
        let (link, setup) = (self.handle.link().clone(), self.handle.setup());
        tokio::spawn(clock::watch(link, setup.turns.clone(), setup.limits.idle));
    }

    /// Shows what the CLI says to hosts alone, too.
    pub(crate) fn show_host_only_events(&mut self, show: bool) {
        self.events.shows_host_only = show;
    }

    /// Returns what the CLI has said of itself at the start: models, commands, agents, the account.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(session: &byre::Session) {
    /// for command in &session.cli_info().commands {
    ///     println!("/{}", command.name);
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn cli_info(&self) -> &CliInfo {
        self.handle.cli_info()
    }

    /// Starts a turn with a prompt: text, or text with images.
    ///
    /// Await the [`Turn`] for its outcome, or read its events first. Nothing is sent before either
    /// happens.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(session: &mut byre::Session) -> byre::Result<()> {
    /// let outcome = session.prompt("What is 2 + 3?").await?;
    /// assert_eq!(outcome.text(), "5");
    /// # Ok(())
    /// # }
    /// ```
    pub fn prompt(&mut self, prompt: impl Into<Prompt>) -> Turn<'_> {
        Turn::new(self, prompt.into())
    }

    /// Returns a cheap clone through which any task, tool or hook can act on the session while a turn
    /// runs.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(session: &mut byre::Session) -> byre::Result<()> {
    /// let handle = session.handle();
    /// tokio::spawn(async move {
    ///     tokio::time::sleep(std::time::Duration::from_secs(60)).await;
    ///     handle.interrupt().await
    /// });
    /// session.prompt("Count to a million.").await?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn handle(&self) -> SessionHandle {
        self.handle.clone()
    }

    /// Says whether the CLI can still be talked to. If not, everything fails at once, and
    /// [`restart`](Self::restart) brings the conversation back.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(session: &mut byre::Session) -> byre::Result<()> {
    /// if !session.is_alive() {
    ///     session.restart().await?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.handle.is_alive()
    }

    /// Reads the next event outside a turn, or gives `None` once the session is over.
    ///
    /// Background tasks of the CLI go on after a turn's result, and can start turns that nobody asked
    /// for. Their events wait here; the next [`Turn`] shows them too.
    ///
    /// # Errors
    ///
    /// Once, and then `None`: [`ErrorKind::Exited`](crate::ErrorKind::Exited) when the CLI ended by itself,
    /// [`ErrorKind::Timeout`](crate::ErrorKind::Timeout) when it took too long, and
    /// [`ErrorKind::Unread`](crate::ErrorKind::Unread) when [`Backlog::fail`](crate::options::Backlog::fail) ended
    /// the session.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(session: &mut byre::Session) -> byre::Result<()> {
    /// while let Some(event) = session.next_event().await {
    ///     println!("{}", event?.raw());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn next_event(&mut self) -> Option<Result<Event>> {
        self.note_abandoned();
        std::future::poll_fn(|cx| self.poll_event(cx)).await
    }

    /// Waits for the CLI to begin a turn that nobody asked for, and gives it; `None` once the session is
    /// over.
    ///
    /// Background tasks start such turns when they end. The turn's stream begins with the next event that
    /// comes, whatever it is, and ends with the next result. Dropping it interrupts nothing.
    ///
    /// # Errors
    ///
    /// Once, and then `None`: [`ErrorKind::Exited`](crate::ErrorKind::Exited) when the CLI ended by itself,
    /// [`ErrorKind::Timeout`](crate::ErrorKind::Timeout) when it took too long, and
    /// [`ErrorKind::Unread`](crate::ErrorKind::Unread) when [`Backlog::fail`](crate::options::Backlog::fail) ended
    /// the session.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(session: &mut byre::Session) -> byre::Result<()> {
    /// while let Some(turn) = session.next_turn().await {
    ///     println!("in the background: {}", turn?.await?.text());
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn next_turn(&mut self) -> Option<Result<Turn<'_>>> {
        match self.next_event().await? {
            Ok(event) => {
                self.events.unread.push_front(event);
                Some(Ok(Turn::unsolicited(self)))
            }
            Err(error) => Some(Err(error)),
        }
    }

    /// Takes the stream of requests for permissions, which
    /// [`permissions_as_stream`](SessionBuilder::permissions_as_stream) has asked for. `None` if it has
    /// not, and if the stream was taken before.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run() -> byre::Result<()> {
    /// let mut session = byre::Session::builder().permissions_as_stream().spawn().await?;
    /// let mut permissions = session.permissions().expect("it is the first call");
    /// while let Some(pending) = permissions.next().await {
    ///     pending.deny("Nothing may run here.").ok();
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn permissions(&mut self) -> Option<Permissions> {
        self.permissions.take()
    }

    /// Ends the session: closes the CLI's stdin, which lets it finish and write its session file, waits
    /// five seconds, sends SIGTERM to its process group, waits five seconds, sends SIGKILL, and waits
    /// until it is gone. Tools and hooks that still run are dropped first.
    ///
    /// # Errors
    ///
    /// None today; a session that is over already is closed.
    ///
    /// # Cancel safety
    ///
    /// The session ends all the same when the future is dropped.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(session: byre::Session) -> byre::Result<()> {
    /// session.close().await
    /// # }
    /// ```
    pub async fn close(self) -> Result<()> {
        self.handle.link().close().await;
        Ok(())
    }

    /// Reads the next event that belongs to somebody.
    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Event>>> {
        ready!(self.poll_abandoned(cx));
        match ready!(self.poll_any_event(cx)) {
            Some(event) => Poll::Ready(Some(Ok(event))),
            // The reason comes once, and then `None`.
            None => Poll::Ready(self.handle.take_end("go on with the session")),
        }
    }

    /// Waits until nothing of an abandoned turn can come any more.
    ///
    /// A prompt sent before that might be joined with the turn that nobody wants.
    fn poll_abandoned(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while let Some(abandoned) = &mut self.abandoned {
            let patience = abandoned.patience.get_or_insert_with(|| Box::pin(sleep(PATIENCE)));
            if patience.as_mut().poll(cx).is_ready() {
                tracing::warn!("the interrupted turn has not ended; going on without its result");
                self.abandoned = None;
                break;
            }
            let uuid = abandoned.uuid.clone();
            match ready!(self.poll_any_event(cx)) {
                Some(event) if turn::ends(&event, &uuid) => self.abandoned = None,
                Some(_) => {}
                None => self.abandoned = None,
            }
        }
        Poll::Ready(())
    }

    fn poll_any_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        let event = ready!(self.events.poll_next(cx));
        if let Some(Event::System(SystemEvent::Init(init))) = &event {
            self.handle.set_session_id(&init.session_id);
        }
        Poll::Ready(event)
    }

    /// Tells the program something before all events of the CLI.
    pub(crate) fn warn(&mut self, text: String) {
        tracing::warn!("{text}");
        self.events.unread.push_back(Event::Warning(Warning::new(text)));
    }

    /// Takes note of a turn that was dropped while it ran.
    fn note_abandoned(&mut self) {
        if let Some(uuid) = self.handle.take_abandoned() {
            self.abandoned = Some(Abandoned { uuid, patience: None });
        }
    }

    fn ended(&self, action: &str) -> Error {
        self.handle.link().ended(action.to_owned())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.handle.link().close_in_background();
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("handle", &self.handle).finish_non_exhaustive()
    }
}

/// What the pump reports, as events. Parsed one by one when they are read, so that the pump is not held up, and
/// what waits is no more than its text.
struct Events {
    reports: Reports,
    /// What is left of those that came last.
    batch: Batch,
    /// Events that come before those.
    unread: VecDeque<Event>,
    /// byre's servers that have not been seen connected yet.
    servers: Vec<String>,
    /// See [`is_host_only`].
    shows_host_only: bool,
}

impl Events {
    fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        loop {
            if let Some(event) = self.unread.pop_front() {
                return Poll::Ready(Some(event));
            }
            let Some(report) = self.batch.next() else {
                match ready!(self.reports.poll_recv(cx)) {
                    Some(batch) => self.batch = batch,
                    None => return Poll::Ready(None),
                }
                continue;
            };
            let event = match report {
                Report::Frame(raw) if !self.shows_host_only && is_host_only(&raw) => continue,
                Report::Frame(raw) => Event::read(raw),
                Report::Warning(text) => Event::Warning(Warning::new(text)),
            };
            if let Event::Warning(warning) = &event {
                tracing::warn!("{warning}");
            }
            if let Event::System(SystemEvent::Init(init)) = &event {
                let warnings = self.look_at_servers(init);
                self.unread.extend(warnings);
            }
            return Poll::Ready(Some(event));
        }
    }

    /// Warns of servers of ours that did not connect: the CLI runs the turn without their tools, and
    /// says so nowhere else.
    fn look_at_servers(&mut self, init: &Init) -> Vec<Event> {
        let mut warnings = Vec::new();
        self.servers.retain(|name| {
            let status = init.mcp_servers.iter().find(|server| server.name == *name);
            let status = status.map_or("missing", |server| server.status.as_str());
            if status == "connected" {
                return false;
            }
            let text = format!(
                "the CLI runs this turn without the tools of server {name:?}, which is {status}"
            );
            tracing::warn!("{text}");
            warnings.push(Event::Warning(Warning::new(text)));
            true
        });
        warnings
    }
}

/// Says whether the CLI sends a line only because byre has asked to be told of the session's state, and not
/// because the application has.
fn is_host_only(raw: &Raw) -> bool {
    // Most lines need no second look.
    kind_of(raw.as_str()) == "system"
        && raw.as_str().contains("\"sdk_host_only\"")
        && raw.to_value()["sdk_host_only"] == true
}
