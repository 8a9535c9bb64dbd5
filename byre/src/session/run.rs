//! One prompt from start to end.

use std::time::Duration;

use tokio::time::{Instant, error::Elapsed, timeout_at};

use super::{Session, SessionBuilder, outcome::TurnOutcome, prompt::Prompt};
use crate::{
    error::Result,
    wire::event::{Event, SessionState, SystemEvent, TaskStarted, Tasks},
};

/// How long background work may go on after the last result without a sign of life.
///
/// Source: the official SDKs, which use the same.
const BACKGROUND_LIMIT: Duration = Duration::from_secs(600);

/// How long the turn that the end of a task starts is waited for, where the CLI does not say whether it is
/// busy. It comes at once.
const WAKE_LIMIT: Duration = Duration::from_secs(10);

/// Sends one prompt in a session of its own, and gives its outcome once everything is done.
///
/// All linked tools and hooks are served. The session goes on as long as the CLI is busy: a subagent in
/// the background may call tools, and start further turns, after the result of the prompt. Ten minutes without a
/// sign of life end the wait for it, unless a person is being asked.
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
    let mut heard = Instant::now();
    while !state.is_idle() {
        match within(state.patience(), heard, session.next_event()).await {
            Ok(Some(event)) => {
                if state.note(&event?) {
                    heard = Instant::now();
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

/// Waits for `future` until `limit` after `start`, or for as long as it takes.
async fn within<F: Future>(
    limit: Option<Duration>,
    start: Instant,
    future: F,
) -> Result<F::Output, Elapsed> {
    match limit {
        Some(limit) => timeout_at(start + limit, future).await,
        None => Ok(future.await),
    }
}

/// Whether the CLI is done, as far as it has said.
#[derive(Debug, Default)]
struct State {
    /// The last `session_state_changed`; `None` from a CLI that sends none.
    last: Option<SessionState>,
    /// A turn has begun, and its result has not come.
    in_turn: bool,
    /// What runs in the background.
    tasks: Tasks,
    /// A task has ended after the result, which starts a turn.
    wakes: bool,
}

impl State {
    /// Takes note of an event, and says whether it is a sign of life.
    fn note(&mut self, event: &Event) -> bool {
        let task = self.tasks.push(event);
        match event {
            Event::Result(_) => self.in_turn = false,
            Event::System(SystemEvent::Init(_)) => (self.in_turn, self.wakes) = (true, false),
            Event::System(SystemEvent::SessionStateChanged(changed)) => {
                self.last = Some(changed.state.clone());
            }
            // The CLI writes the last two every 30 seconds while any tool runs, and before it waits.
            Event::Assistant(_)
            | Event::Stream(_)
            | Event::User(_)
            | Event::ToolProgress(_)
            | Event::System(SystemEvent::ApiRetry(_)) => {}
            _ => {
                let ended = task.filter(|task| task.is_over() && is_waited_for(&task.started));
                self.wakes |= ended.is_some() && !self.in_turn;
                return ended.is_some();
            }
        }
        true
    }

    /// A result alone is not enough: a background agent that ends wakes the session for another turn.
    ///
    /// Source: seen with CLI 2.1.332, whose `idle` comes after the result.
    fn is_idle(&self) -> bool {
        !self.in_turn
            && match &self.last {
                Some(state) => *state == SessionState::Idle,
                None => !self.wakes && !self.has_agents(),
            }
    }

    /// Says whether an agent runs in the background, as far as the CLI tells.
    fn has_agents(&self) -> bool {
        self.tasks.running().any(|task| is_waited_for(&task.started))
    }

    /// How long the next sign of life may take; `None` while a person is asked, who may take any time.
    fn patience(&self) -> Option<Duration> {
        match &self.last {
            Some(SessionState::RequiresAction) => None,
            None if !self.in_turn && !self.has_agents() => Some(WAKE_LIMIT),
            _ => Some(BACKGROUND_LIMIT),
        }
    }
}

/// Says whether a task is an agent, whose end starts a turn. Shells and monitors may never end.
fn is_waited_for(task: &TaskStarted) -> bool {
    task.ambient != Some(true)
        && matches!(task.task_type.as_deref(), Some("local_agent" | "local_workflow"))
}
