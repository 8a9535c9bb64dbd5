//! What ran out, and what was heard until then.

use std::{fmt, time::Duration};

/// A limit of time that was reached: which, and what the CLI had said until then.
///
/// After [`Spawn`](Clock::Spawn), [`Idle`](Clock::Idle) and [`Turn`](Clock::Turn) the session is over, and the
/// CLI is ended as [`Session::close`](crate::Session::close) does it. After [`Control`](Clock::Control) only
/// the request is withdrawn; the session goes on.
///
/// # Example
///
/// ```
/// use byre::{Clock, Error};
///
/// /// The CLI hangs, so that another one may do better.
/// fn is_stalled(error: &Error) -> bool {
///     error.timeout().is_some_and(|timeout| timeout.clock == Clock::Idle)
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timeout {
    /// Which limit it was.
    pub clock: Clock,
    /// How long the limit was.
    pub limit: Duration,
    /// The last line of the CLI; `None` if it has said nothing.
    pub last_heard: Option<LastHeard>,
}

/// Which limit of time was reached.
///
/// # Example
///
/// ```
/// assert_eq!(byre::Clock::Idle.to_string(), "idle_timeout");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Clock {
    /// Starting the CLI: [`spawn_timeout`](crate::SessionBuilder::spawn_timeout).
    Spawn,
    /// The answer to a control request: [`control_timeout`](crate::SessionBuilder::control_timeout), or what
    /// the method itself says.
    Control,
    /// Silence in a turn: [`idle_timeout`](crate::SessionBuilder::idle_timeout).
    Idle,
    /// A whole turn: [`turn_timeout`](crate::SessionBuilder::turn_timeout), or
    /// [`Prompt::turn_timeout`](crate::Prompt::turn_timeout).
    Turn,
}

/// The last line that the CLI had written when a limit was reached.
///
/// # Example
///
/// ```
/// fn silence(error: &byre::Error) -> Option<std::time::Duration> {
///     error.timeout()?.last_heard.as_ref().map(|heard| heard.ago)
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LastHeard {
    /// What line it was, by its `type` and, where it has one, its `subtype`: `assistant`,
    /// `system/api_retry`.
    pub line: String,
    /// How long before the limit was reached.
    pub ago: Duration,
}

impl fmt::Display for Clock {
    /// The name of the option.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Spawn => "spawn_timeout",
            Self::Control => "control_timeout",
            Self::Idle => "idle_timeout",
            Self::Turn => "turn_timeout",
        })
    }
}

impl fmt::Display for Timeout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = self.limit.as_secs_f32();
        match self.clock {
            Clock::Spawn => write!(f, "the CLI has not answered within {limit} s")?,
            Clock::Control => write!(f, "no answer within {limit} s")?,
            Clock::Idle => write!(f, "the CLI has been silent for {limit} s")?,
            Clock::Turn => write!(f, "the turn has not ended within {limit} s")?,
        }
        write!(f, " (`{}`)", self.clock)?;
        match &self.last_heard {
            Some(LastHeard { line, ago }) => {
                write!(f, "; its last line, {:.1} s before, was `{line}`", ago.as_secs_f32())
            }
            None => f.write_str("; it has said nothing at all"),
        }
    }
}
