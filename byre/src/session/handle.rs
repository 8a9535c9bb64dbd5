//! Acts on a session from anywhere.

mod files;
mod info;
mod mcp;
mod model;
mod settings;
mod tools;
mod turn;

use std::{
    collections::HashMap,
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    clock::{Limits, TurnClock, Turns},
    prompt::Prompt,
};
use crate::{
    control::link::Link,
    error::{Error, ErrorKind, Result},
    server::Server,
    wire::option::mcp::OwnServer,
    wire::{answer::info::CliInfo, event::Event},
};

/// Acts on a [`Session`](crate::Session) from any task, tool or hook, also while a turn runs.
///
/// Most methods send a control request and wait for its answer, for at most 60 seconds, or what
/// [`control_timeout`](crate::SessionBuilder::control_timeout) says. Many can be under way at the same
/// time; the CLI answers them in any order.
///
/// Cheap to clone. Does not keep the session alive: once the session is over, for whatever reason, every
/// method fails at once. A [restarted](crate::Session::restart) session has new handles.
///
/// # Example
///
/// ```no_run
/// # async fn run(session: &byre::Session) -> byre::Result<()> {
/// let handle = session.handle();
/// handle.set_model("sonnet").await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct SessionHandle(Arc<Inner>);

struct Inner {
    link: Link,
    session_id: Mutex<Option<String>>,
    setup: Setup,
    /// What the CLI answered to `initialize`.
    info: CliInfo,
    /// Somebody has been told that the session ended by itself.
    end_told: AtomicBool,
    /// The prompt of a turn that was dropped while it ran, until the session takes note.
    abandoned: Mutex<Option<String>>,
}

/// What a handle knows of how the session was started.
#[derive(Clone, Default)]
pub(crate) struct Setup {
    /// The servers of this program, of which the CLI has to be reminded when it gets others.
    pub(crate) own_servers: Vec<OwnServer>,
    /// Weak, because they end with the session, with all that the program gave them, and not with its last
    /// handle.
    pub(crate) servers: Weak<HashMap<String, Server>>,
    /// Every prompt is sent as it is.
    pub(crate) verbatim_prompts: bool,
    /// How long things may take.
    pub(crate) limits: Limits,
    /// The turns that somebody waits for.
    pub(crate) turns: Turns,
}

impl SessionHandle {
    pub(crate) fn new(link: Link, setup: Setup, info: CliInfo) -> Self {
        Self(Arc::new(Inner {
            link,
            session_id: Mutex::default(),
            setup,
            info,
            end_told: AtomicBool::new(false),
            abandoned: Mutex::default(),
        }))
    }

    /// Sends a prompt and does not wait for what comes of it.
    ///
    /// What becomes of it while a turn runs is the prompt's choice: see [`WhenBusy`](crate::WhenBusy).
    /// What comes of it is among the events of the turn at hand, or of
    /// [`next_event`](crate::Session::next_event). Returns the id by which
    /// [`user_message_uuids`](crate::event::ResultEvent::user_message_uuids) names it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Prompt`] if it can't be sent as it is, or not now, and [`ErrorKind::Exited`],
    /// [`ErrorKind::Timeout`](crate::ErrorKind::Timeout), [`ErrorKind::Unread`](crate::ErrorKind::Unread) or
    /// [`ErrorKind::Closed`] when the session is over.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// handle.send("And keep it short.")?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn send(&self, prompt: impl Into<Prompt>) -> Result<String> {
        // An id of its own, by which its result is known: the CLI joins prompts, starts turns that nobody
        // asked for, and drops a prompt whose id it has seen.
        let uuid = Uuid::new_v4().to_string();
        let mut prompt = prompt.into();
        if self.0.setup.verbatim_prompts {
            prompt = prompt.verbatim(true);
        }
        if self.0.link.is_in_turn() && !prompt.may_be_sent_in_a_turn() {
            return Err(Error::new(ErrorKind::Prompt, "send the prompt")
                .reason("a turn is running, and the prompt is not to join or follow it"));
        }
        self.0.link.send_line(prompt.into_line(&uuid)?)?;
        Ok(uuid)
    }

    /// Sends any control request: `subtype`, and an object with whatever else belongs to it.
    ///
    /// Returns the payload of the answer, `null` where there is none.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt), and [`ErrorKind::Configuration`] if `body` is no object.
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// let status = handle.control("mcp_status", serde_json::json!({})).await?;
    /// println!("{}", status["mcpServers"]);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn control(&self, subtype: &str, body: Value) -> Result<Value> {
        self.control_within(subtype, body, self.0.setup.limits.control).await
    }

    async fn control_within(
        &self,
        subtype: &str,
        body: Value,
        limit: impl Into<Option<Duration>>,
    ) -> Result<Value> {
        if !body.is_object() {
            return Err(Error::configuration(format!(
                "the body of the control request `{subtype}` must be a JSON object"
            )));
        }
        self.0.link.request(subtype, body, limit).await
    }

    /// Returns what the CLI has said of itself at the start.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # fn run(handle: byre::SessionHandle) {
    /// let can_cancel = handle.cli_info().has_capability("interrupt_cancel_queued_v1");
    /// # }
    /// ```
    #[must_use]
    pub fn cli_info(&self) -> &CliInfo {
        &self.0.info
    }

    /// Returns the session's id, once the first turn has begun and its first event has been read.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # fn run(handle: byre::SessionHandle) {
    /// println!("resume with {:?}", handle.session_id());
    /// # }
    /// ```
    #[must_use]
    pub fn session_id(&self) -> Option<String> {
        lock(&self.0.session_id).clone()
    }

    /// Returns the process id of the CLI, or `None` over a transport of your own.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # fn run(handle: byre::SessionHandle) {
    /// println!("running as {:?}", handle.pid());
    /// # }
    /// ```
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.0.link.pid()
    }

    /// Says whether the CLI can still be talked to.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # fn run(handle: byre::SessionHandle) {
    /// assert!(handle.is_alive());
    /// # }
    /// ```
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.0.link.is_alive()
    }

    /// Returns the CLI's version, `2.1.332` for example, where it tells.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # fn run(handle: byre::SessionHandle) {
    /// println!("Claude Code {}", handle.cli_version().unwrap_or("of unknown version"));
    /// # }
    /// ```
    #[must_use]
    pub fn cli_version(&self) -> Option<&str> {
        self.0.info.version.as_deref()
    }

    pub(crate) fn link(&self) -> &Link {
        &self.0.link
    }

    pub(crate) fn setup(&self) -> &Setup {
        &self.0.setup
    }

    /// Starts the clock of a turn, which may take as long as its prompt says, or all turns.
    pub(crate) fn start_clock(&self, prompt: Option<&Prompt>) -> TurnClock {
        let of_all = self.0.setup.limits.turn;
        let limit = prompt.map_or(of_all, |prompt| prompt.turn_limit(of_all));
        let clock = self.0.setup.turns.start(limit);
        self.0.link.pulse().awaited.notify_one();
        clock
    }

    /// Leaves a running turn: interrupts it, and tells the session that nobody wants the rest.
    pub(crate) fn abandon(&self, uuid: String) {
        // A prompt that the CLI has not begun with is not interrupted: it would begin afterwards. Seen
        // with 2.1.332; an older CLI refuses to withdraw it, which is no worse.
        let withdraw = json!({"message_uuid": uuid});
        self.0.link.request_without_answer("cancel_async_message", withdraw);
        self.0.link.request_without_answer("interrupt", json!({}));
        *lock(&self.0.abandoned) = Some(uuid);
    }

    pub(crate) fn take_abandoned(&self) -> Option<String> {
        lock(&self.0.abandoned).take()
    }

    pub(crate) fn set_session_id(&self, session_id: &str) {
        let mut current = lock(&self.0.session_id);
        if current.as_deref() != Some(session_id) {
            *current = Some(session_id.to_owned());
        }
    }

    /// The reason why the session ended by itself: once, and never for one that was closed.
    pub(crate) fn take_end(&self, action: &str) -> Option<Result<Event>> {
        let error = self.0.link.ended(action.to_owned());
        let told =
            error.kind() == ErrorKind::Closed || self.0.end_told.swap(true, Ordering::Relaxed);
        (!told).then_some(Err(error))
    }
}

/// Nothing that can panic runs under these locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for SessionHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionHandle")
            .field("session_id", &self.session_id())
            .field("pid", &self.pid())
            .field("is_alive", &self.is_alive())
            .finish_non_exhaustive()
    }
}
