//! One prompt from start to end.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::{Session, SessionBuilder, outcome::TurnOutcome, prompt::Prompt};
use crate::{
    error::Result,
    wire::event::{Event, SessionState, SystemEvent},
};

/// How long background work may go on after the last result without a sign of a further turn.
///
/// Source: the official SDKs, which use the same.
const BACKGROUND_LIMIT: Duration = Duration::from_secs(600);

/// Sends one prompt in a session of its own, and gives its outcome once everything is done.
///
/// All linked tools and hooks are served. The session goes on as long as the CLI is busy: a subagent in
/// the background may call tools, and start further turns, after the result of the prompt.
///
/// # Errors
///
/// Those of [`SessionBuilder::spawn`] and [`Turn`](crate::Turn).
///
/// # Cancel safety
///
/// Dropping the future ends the CLI.
///
/// # Example
///
/// ```no_run
/// # async fn run() -> byre::Result<()> {
/// println!("{}", byre::prompt("What is 2 + 3?").await?.text());
/// # Ok(())
/// # }
/// ```
pub async fn prompt(prompt: impl Into<Prompt>) -> Result<TurnOutcome> {
    run(Session::builder(), prompt.into()).await
}

pub(crate) async fn run(builder: SessionBuilder, prompt: Prompt) -> Result<TurnOutcome> {
    let mut session = builder.report_session_state().spawn().await?;
    let mut state = State::default();
    let outcome = {
        let mut turn = session.prompt(prompt);
        while let Some(event) = turn.next().await {
            state.note(&event?);
        }
        turn.outcome().await?
    };
    let mut deadline = Instant::now() + BACKGROUND_LIMIT;
    while !state.is_idle() {
        match timeout_at(deadline, session.next_event()).await {
            Ok(Some(event)) => {
                if state.note(&event?) {
                    deadline = Instant::now() + BACKGROUND_LIMIT;
                }
            }
            Ok(None) => break,
            Err(_) => {
                tracing::warn!("background work does not end; the session is closed without it");
                break;
            }
        }
    }
    session.close().await?;
    Ok(outcome)
}

/// Whether the CLI is done, as far as it has said.
#[derive(Debug, Default)]
struct State {
    /// The last `session_state_changed`; `None` from a CLI that sends none, which then ends with the
    /// result.
    last: Option<SessionState>,
    /// A turn has begun, and its result has not come.
    in_turn: bool,
}

impl State {
    /// Takes note of an event, and says whether it is a sign of life.
    fn note(&mut self, event: &Event) -> bool {
        match event {
            Event::Result(_) => self.in_turn = false,
            Event::System(SystemEvent::Init(_)) => self.in_turn = true,
            Event::System(SystemEvent::SessionStateChanged(changed)) => {
                self.last = Some(changed.state.clone());
            }
            Event::Assistant(_) | Event::Stream(_) | Event::User(_) => {}
            _ => return false,
        }
        true
    }

    /// A result alone is not enough: a background agent that ends wakes the session for another turn.
    ///
    /// Source: seen with CLI 2.1.332, whose `idle` comes after the result.
    fn is_idle(&self) -> bool {
        !self.in_turn && self.last.as_ref().is_none_or(|state| *state == SessionState::Idle)
    }
}
