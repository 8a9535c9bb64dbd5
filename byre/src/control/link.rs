//! The side of the control channel that the layers above hold.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use serde_json::Value;
use tokio::{
    sync::{mpsc, oneshot, watch},
    time,
};

use super::{pending::Waiter, pulse::Pulse, threads};
use crate::{
    error::{Clock, Error, ErrorKind, Exit, Result, Timeout},
    wire::control::RequestId,
};

/// What the pump is asked to do.
#[derive(Debug)]
pub(crate) enum Command {
    /// Write a request and hand its answer to the waiter.
    Request { id: RequestId, body: Value, waiter: Waiter },
    /// Write a request whose answer nobody waits for.
    Tell { id: RequestId, subtype: String, body: Value },
    /// Nobody waits for this request any more.
    Withdraw(RequestId),
    /// Write a line that is no request. `line` has no line break.
    Line(String),
    /// End the session.
    Close,
    /// End the session, because it took too long.
    GiveUp,
}

/// What the pump and all its links know together.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    pub(crate) next_id: AtomicU64,
    /// Set once, when the session is over, or given up.
    pub(crate) exit: OnceLock<Arc<Exit>>,
    /// The session is over, or ending, because this program said so.
    pub(crate) closed: OnceLock<()>,
    /// Why the session was given up for events that were not read.
    pub(crate) unread: OnceLock<String>,
    /// The limit of time for which the session was given up.
    pub(crate) given_up: OnceLock<Arc<Timeout>>,
    pub(crate) pulse: Pulse,
    pub(crate) pid: Option<u32>,
    /// A turn runs, or a prompt is on its way to start one.
    pub(crate) in_turn: AtomicBool,
}

/// A cheap clone through which anybody can talk to the CLI.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    commands: mpsc::UnboundedSender<Command>,
    shared: Arc<Shared>,
    /// Carries nothing; its sender is gone when the pump is.
    over: watch::Receiver<()>,
}

impl Link {
    pub(super) fn new(
        commands: mpsc::UnboundedSender<Command>,
        shared: Arc<Shared>,
        over: watch::Receiver<()>,
    ) -> Self {
        Self { commands, shared, over }
    }

    /// A link to a session that is over.
    pub(crate) fn detached() -> Self {
        let (commands, _) = mpsc::unbounded_channel();
        let shared = Shared::default();
        let _ = shared.closed.set(());
        let (_, over) = watch::channel(());
        Self { commands, shared: Arc::new(shared), over }
    }

    /// Asks the pump for something. Fails, and gives it back, when the session is over.
    fn post(&self, command: Command) -> std::result::Result<(), Command> {
        self.commands.send(command).map_err(|error| error.0)?;
        // Whoever asks may block this thread next, and must not keep the pump from running.
        threads::let_others_take_over();
        Ok(())
    }

    /// Sends a request and waits for its answer: the payload, `null` where there is none.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with the CLI's words, [`ErrorKind::Timeout`] after `limit` if there is one,
    /// [`ErrorKind::Exited`] or [`ErrorKind::Closed`] at once when the session is over.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future withdraws the request; the CLI may have acted on it already.
    pub(crate) async fn request(
        &self,
        subtype: &str,
        body: Value,
        limit: impl Into<Option<Duration>>,
    ) -> Result<Value> {
        /// Withdraws the request unless it was answered.
        struct Guard<'a>(&'a Link, Option<RequestId>);
        impl Drop for Guard<'_> {
            fn drop(&mut self) {
                if let Some(id) = self.1.take() {
                    let _ = self.0.post(Command::Withdraw(id));
                }
            }
        }

        let action = || format!("have `{subtype}` done by the CLI");
        if !self.is_alive() {
            return Err(self.ended(action()));
        }
        let id = RequestId::nth(self.shared.next_id.fetch_add(1, Ordering::Relaxed));
        let (reply, answer) = oneshot::channel();
        let waiter = Waiter { subtype: subtype.to_owned(), reply };
        let command = Command::Request { id: id.clone(), body, waiter };
        self.post(command).map_err(|_| self.ended(action()))?;
        let mut guard = Guard(self, Some(id));
        let limit = limit.into();
        match within(limit, answer).await {
            Ok(answer) => {
                guard.1 = None;
                answer.unwrap_or_else(|_| Err(self.ended(action())))
            }
            Err(limit) => {
                let timeout = self.shared.pulse.timeout(Clock::Control, limit);
                Err(Error::timeout_of(action(), Arc::new(timeout)))
            }
        }
    }

    /// Sends a request whose answer nobody needs.
    pub(crate) fn request_without_answer(&self, subtype: &str, body: Value) {
        let id = RequestId::nth(self.shared.next_id.fetch_add(1, Ordering::Relaxed));
        // Fails if the session is over, and then there is nothing to ask for.
        let _ = self.post(Command::Tell { id, subtype: subtype.to_owned(), body });
    }

    /// Sends a line that is no request: one JSON object without a line break.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Exited`] or [`ErrorKind::Closed`] when the session is over.
    pub(crate) fn send_line(&self, line: String) -> Result<()> {
        let ended = || self.ended("send the prompt".to_owned());
        if !self.is_alive() {
            return Err(ended());
        }
        self.shared.in_turn.store(true, Ordering::Relaxed);
        self.shared.pulse.prompted();
        self.post(Command::Line(line)).map_err(|_| ended())
    }

    /// What is known of time.
    pub(crate) fn pulse(&self) -> &Pulse {
        &self.shared.pulse
    }

    /// Ends the session because a limit of time was reached. Whoever waits for something is told at once.
    pub(crate) fn give_up(&self, timeout: Timeout) {
        if self.shared.exit.get().is_some() {
            return; // It has ended just now, which is the better reason.
        }
        tracing::warn!("{timeout}; the session is ended");
        let _ = self.shared.given_up.set(Arc::new(timeout));
        // Fails if the session is over already.
        let _ = self.post(Command::GiveUp);
    }

    /// Waits until the session is over, and the CLI gone.
    pub(crate) async fn over(&self) {
        // Fails when the pump is gone, which is what it is about.
        let _ = self.over.clone().changed().await;
    }

    /// Says whether a turn runs, as far as the CLI's lines have told.
    pub(crate) fn is_in_turn(&self) -> bool {
        self.shared.in_turn.load(Ordering::Relaxed)
    }

    /// Ends the session and waits until the CLI is gone, and all is told and recorded.
    ///
    /// # Cancel safety
    ///
    /// The session ends all the same when the future is dropped.
    pub(crate) async fn close(&self) {
        self.close_in_background();
        self.over().await;
    }

    /// Ends the session in the background. Whoever wants something of it from now on is told so.
    pub(crate) fn close_in_background(&self) {
        if self.shared.exit.get().is_none() {
            let _ = self.shared.closed.set(());
        }
        // Fails if the session is over already.
        let _ = self.post(Command::Close);
    }

    /// The process id of the CLI, where byre started it.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.shared.pid
    }

    /// Says whether the CLI can still be talked to.
    pub(crate) fn is_alive(&self) -> bool {
        self.shared.closed.get().is_none()
            && self.shared.given_up.get().is_none()
            && self.shared.unread.get().is_none()
            && !self.commands.is_closed()
    }

    /// The error for whoever finds the session over.
    pub(crate) fn ended(&self, action: String) -> Error {
        if let Some(timeout) = self.shared.given_up.get() {
            return Error::timeout_of(action, Arc::clone(timeout))
                .with_exit(self.shared.exit.get().cloned());
        }
        if let Some(reason) = self.shared.unread.get() {
            return Error::new(ErrorKind::Unread, action)
                .reason(reason.clone())
                .hint("read the events while the session runs, or raise the limit")
                .with_exit(self.shared.exit.get().cloned());
        }
        if self.shared.closed.get().is_some() {
            return Error::new(ErrorKind::Closed, action).reason("the session was closed");
        }
        match self.shared.exit.get() {
            Some(exit) => Error::exited(action, Arc::clone(exit)),
            // Only when the runtime itself is shutting down and has dropped the pump.
            None => Error::new(ErrorKind::Closed, action).reason("the runtime has ended"),
        }
    }
}

/// Waits for `future`, for no longer than `limit` if there is one; gives the limit if it is reached.
async fn within<T>(
    limit: Option<Duration>,
    future: impl Future<Output = T>,
) -> Result<T, Duration> {
    match limit {
        Some(limit) => time::timeout(limit, future).await.map_err(|_| limit),
        None => Ok(future.await),
    }
}
