//! What became of a turn.

use std::time::Duration;

use crate::wire::{
    event::{Failure, PermissionDenial, ResultEvent},
    json::Raw,
};

/// What became of a turn.
///
/// # Example
///
/// ```no_run
/// # async fn run(session: &mut byre::Session) -> byre::Result<()> {
/// let outcome = session.prompt("What is 2 + 3?").await?;
/// if outcome.is_error() {
///     eprintln!("it failed: {}", outcome.text());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct TurnOutcome {
    result: ResultEvent,
    text: String,
    failure: Option<Failure>,
}

impl TurnOutcome {
    /// `failure` is what the events of the turn say about its end.
    pub(crate) fn new(result: ResultEvent, failure: Option<Failure>) -> Self {
        let text = match &failure {
            // What the CLI writes for its own developers after an interrupt, and nothing beside it.
            Some(failure) if result.text().starts_with("[ede_diagnostic]") => failure.to_string(),
            _ => result.text(),
        };
        Self { result, text, failure }
    }

    /// Returns the model's last text, or what went wrong.
    ///
    /// # Example
    ///
    /// ```
    /// fn show(outcome: &byre::TurnOutcome) {
    ///     println!("{}", outcome.text());
    /// }
    /// ```
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Says whether the turn failed: the API refused, a limit was reached, somebody interrupted.
    ///
    /// # Example
    ///
    /// ```
    /// fn exit_code(outcome: &byre::TurnOutcome) -> i32 {
    ///     i32::from(outcome.is_error())
    /// }
    /// ```
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.result.is_error
    }

    /// Says why the turn did not do what it was asked for; `None` where it did.
    ///
    /// Knows what all events of the turn have said, when a rate limit ends for example. An interrupt and a
    /// hook that ends the turn are among the failures too, although [`is_error`](Self::is_error) may be
    /// false then.
    ///
    /// # Example
    ///
    /// ```
    /// fn try_again(outcome: &byre::TurnOutcome) -> bool {
    ///     outcome.failure().is_some_and(|failure| failure.is_retryable())
    /// }
    /// ```
    #[must_use]
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// Says whether the turn failed in a way that may pass by itself: the API was overloaded, a rate limit
    /// was reached.
    ///
    /// # Example
    ///
    /// ```
    /// fn try_again(outcome: &byre::TurnOutcome) -> bool {
    ///     outcome.is_retryable()
    /// }
    /// ```
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        self.failure.as_ref().is_some_and(Failure::is_retryable)
    }

    /// Returns the session's id, with which [`resume`](crate::SessionBuilder::resume) goes on later. The
    /// CLI mints it.
    ///
    /// # Example
    ///
    /// ```
    /// fn resume(outcome: &byre::TurnOutcome) -> byre::SessionBuilder {
    ///     byre::Session::builder().resume(outcome.session_id())
    /// }
    /// ```
    #[must_use]
    pub fn session_id(&self) -> &str {
        &self.result.session_id
    }

    /// Returns what the CLI's process has cost so far, in US dollars. A resumed session starts with what
    /// it had cost before, and `/clear` starts anew.
    ///
    /// # Example
    ///
    /// ```
    /// fn is_cheap(outcome: &byre::TurnOutcome) -> bool {
    ///     outcome.total_cost_usd() < 0.01
    /// }
    /// ```
    #[must_use]
    pub fn total_cost_usd(&self) -> f64 {
        self.result.total_cost_usd
    }

    /// Returns how long the turn took, by the CLI's clock.
    ///
    /// # Example
    ///
    /// ```
    /// fn seconds(outcome: &byre::TurnOutcome) -> f64 {
    ///     outcome.duration().as_secs_f64()
    /// }
    /// ```
    #[must_use]
    pub fn duration(&self) -> Duration {
        self.result.duration()
    }

    /// Returns how many messages the model and the CLI made in the turn.
    ///
    /// # Example
    ///
    /// ```
    /// fn was_busy(outcome: &byre::TurnOutcome) -> bool {
    ///     outcome.num_turns() > 10
    /// }
    /// ```
    #[must_use]
    pub fn num_turns(&self) -> u64 {
        self.result.num_turns
    }

    /// Returns the calls of the turn that were not allowed, by whomever: a rule, a hook, this program.
    ///
    /// # Example
    ///
    /// ```
    /// fn warn(outcome: &byre::TurnOutcome) {
    ///     for denial in outcome.permission_denials() {
    ///         eprintln!("{} was not allowed: {}", denial.tool_name, denial.tool_input);
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn permission_denials(&self) -> &[PermissionDenial] {
        &self.result.permission_denials
    }

    /// Returns the `result` event with all its fields.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::event::TerminalReason;
    ///
    /// fn is_done(outcome: &byre::TurnOutcome) -> bool {
    ///     outcome.result().terminal_reason == Some(TerminalReason::Completed)
    /// }
    /// ```
    #[must_use]
    pub fn result(&self) -> &ResultEvent {
        &self.result
    }

    /// Returns the JSON of the `result` event, as the CLI sent it.
    ///
    /// # Example
    ///
    /// ```
    /// fn usage(outcome: &byre::TurnOutcome) -> serde_json::Value {
    ///     outcome.raw().to_value()["usage"].clone()
    /// }
    /// ```
    #[must_use]
    pub fn raw(&self) -> &Raw {
        &self.result.raw
    }
}
