//! The clocks that end a session which goes nowhere.

use std::{
    future::Future,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

use crate::{
    control::link::Link,
    error::{Clock, Error, Result, Timeout},
};

/// How long the CLI may take to start. It runs the `SessionStart` hooks of the machine's settings in that
/// time.
const SPAWN_LIMIT: Duration = Duration::from_secs(60);

/// How long the CLI may take to answer a control request.
const CONTROL_LIMIT: Duration = Duration::from_secs(60);

/// How long the CLI may be silent in a turn. Without partial messages it says nothing while the model writes
/// one block of its answer, which may well take ten minutes; what takes longer, it announces.
const IDLE_LIMIT: Duration = Duration::from_secs(20 * 60);

/// By how much whoever watches the clocks may come too late, and how long after that silence is looked at once more.
const LATE: Duration = Duration::from_millis(100);
const SECOND_LOOK: Duration = Duration::from_millis(100);

/// How often silence is looked at once more. A program that blocks its thread again and again is late every time.
const MOST_LOOKS: u32 = 10;

/// The limits of time of a session; `None` for none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) spawn: Option<Duration>,
    pub(crate) control: Option<Duration>,
    pub(crate) idle: Option<Duration>,
    pub(crate) turn: Option<Duration>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            spawn: Some(SPAWN_LIMIT),
            control: Some(CONTROL_LIMIT),
            idle: Some(IDLE_LIMIT),
            turn: None,
        }
    }
}

/// The turns that somebody waits for, and how long they may take.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turns(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    next: u64,
    running: Vec<Running>,
}

#[derive(Debug)]
struct Running {
    id: u64,
    /// What it may take, and when that is over.
    limit: Option<(Duration, Instant)>,
}

/// A turn that somebody waits for, until this is dropped.
#[derive(Debug)]
pub(crate) struct TurnClock {
    turns: Turns,
    id: u64,
}

impl Turns {
    /// Starts the clock of a turn.
    pub(crate) fn start(&self, limit: Option<Duration>) -> TurnClock {
        let mut turns = self.lock();
        let id = turns.next;
        turns.next += 1;
        // A limit that no clock reaches is none.
        let limit = limit.and_then(|limit| Some((limit, Instant::now().checked_add(limit)?)));
        turns.running.push(Running { id, limit });
        TurnClock { turns: self.clone(), id }
    }

    fn is_empty(&self) -> bool {
        self.lock().running.is_empty()
    }

    /// The limit that is reached first.
    fn first(&self) -> Option<(Duration, Instant)> {
        self.lock().running.iter().filter_map(|turn| turn.limit).min_by_key(|(_, end)| *end)
    }

    /// Nothing that can panic runs under this lock.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for TurnClock {
    fn drop(&mut self) {
        self.turns.lock().running.retain(|turn| turn.id != self.id);
    }
}

/// Watches a session until it is over, and gives it up when it takes too long.
///
/// A task of its own, which wakes up when a limit may be reached: no line costs more for it.
pub(crate) async fn watch(link: Link, turns: Turns, idle: Option<Duration>) {
    let mut over = pin!(link.over());
    let mut second_look: Option<Instant> = None;
    let mut looks = 0;
    loop {
        let now = Instant::now();
        let at = match next(&link, &turns, idle, now) {
            Next::GiveUp(timeout, end) => {
                // If the whole program stood still, or the thread that reads, then lines wait in the pipe, and this
                // task may be the first to run again.
                let due = second_look.unwrap_or(end);
                let is_sure = now <= due + LATE || looks == MOST_LOOKS;
                if timeout.clock == Clock::Turn || (due <= now && is_sure) {
                    return link.give_up(timeout);
                }
                if due <= now {
                    second_look = now.checked_add(SECOND_LOOK);
                    looks += 1;
                }
                second_look
            }
            Next::At(at) => {
                (second_look, looks) = (None, 0);
                Some(at)
            }
            Next::Never => {
                (second_look, looks) = (None, 0);
                None
            }
        };
        let sleep = async {
            match at {
                Some(at) => sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = &mut over => return,
            () = link.pulse().awaited.notified() => {}
            () = sleep => {}
        }
    }
}

enum Next {
    /// This limit was reached at this time.
    GiveUp(Timeout, Instant),
    /// Nothing is reached before this time.
    At(Instant),
    Never,
}

fn next(link: &Link, turns: &Turns, idle: Option<Duration>, now: Instant) -> Next {
    let turn = turns.first();
    if let Some((limit, end)) = turn
        && end <= now
    {
        return Next::GiveUp(link.pulse().timeout(Clock::Turn, limit), end);
    }
    let silence = idle.and_then(|limit| {
        let is_awaited = link.is_in_turn() || !turns.is_empty();
        let since = if is_awaited { link.pulse().silent_since() } else { None };
        // Whatever is silent from now on is so for as long as that from now.
        Some((limit, since.unwrap_or(now).checked_add(limit)?))
    });
    if let Some((limit, end)) = silence
        && end <= now
    {
        return Next::GiveUp(link.pulse().timeout(Clock::Idle, limit), end);
    }
    let ends = [turn, silence].into_iter().flatten().map(|(_, end)| end);
    ends.min().map_or(Next::Never, Next::At)
}

/// Waits until the process is there, for as long as the start may take: a file system may hang.
///
/// # Errors
///
/// [`ErrorKind::Timeout`](crate::ErrorKind::Timeout).
pub(crate) async fn limit_launch<T>(
    limit: Option<Duration>,
    launched: impl Future<Output = Result<T>>,
) -> Result<T> {
    let Some(limit) = limit else { return launched.await };
    tokio::time::timeout(limit, launched).await.unwrap_or_else(|_| {
        let timeout = Timeout { clock: Clock::Spawn, limit, last_heard: None };
        Err(Error::timeout_of("start the CLI", Arc::new(timeout)))
    })
}

/// Waits for `started`, for as long as the start may take.
///
/// # Errors
///
/// [`ErrorKind::Timeout`](crate::ErrorKind::Timeout), and the session is given up.
pub(crate) async fn limit_start<T>(
    link: &Link,
    limit: Option<Duration>,
    started: impl Future<Output = Result<T>>,
) -> Result<T> {
    let Some(limit) = limit else { return started.await };
    let mut started = pin!(started);
    loop {
        let end = Instant::now().checked_add(limit);
        let sleep = async {
            match end {
                Some(end) => sleep_until(end).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            result = &mut started => return result,
            () = link.pulse().progress.notified() => {}
            () = sleep => {
                link.give_up(link.pulse().timeout(Clock::Spawn, limit));
                // It fails as soon as it is known what the CLI has said.
                let _ = started.await;
                return Err(link.ended("start the session".to_owned()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    /// As where the file of the CLI lies on a disk that does not answer.
    #[tokio::test(start_paused = true)]
    async fn a_process_that_does_not_come_to_life_is_given_up() {
        let start = Instant::now();
        let hangs = std::future::pending::<Result<()>>();
        let error = limit_launch(Some(SPAWN_LIMIT), hangs).await.unwrap_err();
        assert_eq!((start.elapsed(), error.kind()), (SPAWN_LIMIT, ErrorKind::Timeout));
        assert_eq!(error.timeout().map(|timeout| timeout.clock), Some(Clock::Spawn));
        assert!(limit_launch(None, async { Ok(()) }).await.is_ok());
    }
}
