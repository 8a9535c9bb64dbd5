//! Why a turn failed, in one word.

use std::{fmt, time::SystemTime};

use super::{
    AssistantError, Event, RateLimitStatus, ResultEvent, ResultSubtype, StopReason, SystemEvent,
    TerminalReason,
};

/// Why a turn did not do what it was asked for.
///
/// The words are in [`ResultEvent::text`].
///
/// # Example
///
/// ```
/// use byre::event::Failure;
///
/// fn advice(failure: &Failure) -> &'static str {
///     match failure {
///         Failure::Authentication => "log in",
///         Failure::RateLimit { .. } => "wait",
///         failure if failure.is_retryable() => "try again",
///         _ => "see the text",
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Failure {
    /// The key or the login is not good, or there is none.
    Authentication,
    /// There is no credit.
    Billing,
    /// Too many requests, or the plan is used up.
    RateLimit {
        /// When there is more, where the CLI has said so.
        resets_at: Option<SystemTime>,
    },
    /// The API is overloaded.
    Overloaded,
    /// The API failed, or could not be reached.
    ServerError,
    /// The API does not take the request: something in it is wrong, or too large.
    InvalidRequest,
    /// The conversation is too long.
    PromptTooLong,
    /// There is no such model, or not for this account.
    ModelNotFound,
    /// The answer became too long.
    MaxOutputTokens,
    /// What the model wrote could not be read, again and again.
    ModelError,
    /// The model refused.
    Refused,
    /// The limit of turns was reached.
    MaxTurns,
    /// The limit of cost was reached.
    MaxBudget,
    /// The model did not manage the JSON schema.
    MaxStructuredOutputRetries,
    /// Somebody interrupted.
    Interrupted,
    /// A hook said that the session must not go on.
    HookStopped,
    /// The session to resume does not exist.
    SessionNotFound,
    /// The turn, or the session, could not begin.
    StartFailed,
    /// Something else, by the CLI's word for it.
    Other(String),
}

impl Failure {
    /// Says whether the same prompt may well succeed later, with nothing changed.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::event::Failure;
    ///
    /// assert!(Failure::Overloaded.is_retryable());
    /// assert!(!Failure::Billing.is_retryable());
    /// ```
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::RateLimit { .. } | Self::Overloaded | Self::ServerError)
    }

    /// What a message of the CLI, a status and the API's own word say together.
    fn of_api(
        error: Option<&AssistantError>,
        status: Option<u16>,
        kind: Option<&str>,
    ) -> Option<Self> {
        // The CLI calls an overload a server error too.
        if status == Some(529) || kind == Some("overloaded_error") {
            return Some(Self::Overloaded);
        }
        let of_error = error.and_then(Self::of_error);
        of_error.or_else(|| kind.and_then(Self::of_kind)).or_else(|| Self::of_status(status?))
    }

    fn of_error(error: &AssistantError) -> Option<Self> {
        Some(match error {
            AssistantError::AuthenticationFailed
            | AssistantError::OauthOrgNotAllowed
            | AssistantError::AccountOnHold
            | AssistantError::VerificationRequired
            | AssistantError::CloudCredentialError => Self::Authentication,
            AssistantError::BillingError => Self::Billing,
            AssistantError::RateLimit => Self::RateLimit { resets_at: None },
            AssistantError::Overloaded => Self::Overloaded,
            AssistantError::InvalidRequest => Self::InvalidRequest,
            AssistantError::ModelNotFound => Self::ModelNotFound,
            AssistantError::ServerError => Self::ServerError,
            AssistantError::MaxOutputTokens => Self::MaxOutputTokens,
            AssistantError::Unknown | AssistantError::Other(_) => return None,
        })
    }

    /// Source: Claude Messages API, errors.
    fn of_kind(kind: &str) -> Option<Self> {
        Some(match kind {
            "authentication_error" | "permission_error" => Self::Authentication,
            "billing_error" => Self::Billing,
            "rate_limit_error" => Self::RateLimit { resets_at: None },
            "not_found_error" => Self::ModelNotFound,
            "invalid_request_error" | "request_too_large" => Self::InvalidRequest,
            "api_error" | "timeout_error" => Self::ServerError,
            _ => return None,
        })
    }

    fn of_status(status: u16) -> Option<Self> {
        Some(match status {
            401 | 403 => Self::Authentication,
            402 => Self::Billing,
            404 => Self::ModelNotFound,
            429 => Self::RateLimit { resets_at: None },
            400..=499 => Self::InvalidRequest,
            500..=599 => Self::ServerError,
            _ => return None,
        })
    }

    /// What a turn says about its end without the API.
    fn of_end(result: &ResultEvent) -> Option<Self> {
        match &result.subtype {
            ResultSubtype::ErrorMaxTurns => return Some(Self::MaxTurns),
            ResultSubtype::ErrorMaxBudgetUsd => return Some(Self::MaxBudget),
            ResultSubtype::ErrorMaxStructuredOutputRetries => {
                return Some(Self::MaxStructuredOutputRetries);
            }
            _ => {}
        }
        Some(match result.terminal_reason.as_ref()? {
            TerminalReason::MaxTurns => Self::MaxTurns,
            TerminalReason::BudgetExhausted => Self::MaxBudget,
            TerminalReason::StructuredOutputRetryExhausted => Self::MaxStructuredOutputRetries,
            TerminalReason::AbortedStreaming | TerminalReason::AbortedTools => Self::Interrupted,
            TerminalReason::StopHookPrevented | TerminalReason::HookStopped => Self::HookStopped,
            TerminalReason::PromptTooLong
            | TerminalReason::BlockingLimit
            | TerminalReason::RapidRefillBreaker => Self::PromptTooLong,
            TerminalReason::ImageError => Self::InvalidRequest,
            TerminalReason::MalformedToolUseExhausted => Self::ModelError,
            TerminalReason::TurnSetupFailed => Self::StartFailed,
            _ => return None,
        })
    }

    fn of_result(result: &ResultEvent, error: Option<&AssistantError>) -> Option<Self> {
        if let Some(failure) = Self::of_end(result) {
            return Some(failure);
        }
        if result.stop_reason == Some(StopReason::Refusal) {
            return Some(Self::Refused);
        }
        if !result.is_error {
            return None;
        }
        let status = result.api_error_status;
        if let Some(failure) = Self::of_api(error, status, result.api_error_type.as_deref()) {
            return Some(failure);
        }
        // Seen with 2.1.332; nothing but the words tells this apart.
        if result.errors.iter().any(|error| error.starts_with("No conversation found")) {
            return Some(Self::SessionNotFound);
        }
        if result.startup_failure_reason.is_some() {
            return Some(Self::StartFailed);
        }
        Some(match &result.terminal_reason {
            Some(TerminalReason::ModelError) => Self::ModelError,
            Some(reason) => Self::Other(reason.as_str().to_owned()),
            None => Self::Other(result.subtype.as_str().to_owned()),
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Authentication => "not logged in, or not with a good key",
            Self::Billing => "no credit",
            Self::RateLimit { .. } => "rate limit reached",
            Self::Overloaded => "the API is overloaded",
            Self::ServerError => "the API failed",
            Self::InvalidRequest => "the API refused the request",
            Self::PromptTooLong => "the conversation is too long",
            Self::ModelNotFound => "no such model",
            Self::MaxOutputTokens => "the answer became too long",
            Self::ModelError => "the model's answer could not be read",
            Self::Refused => "the model refused",
            Self::MaxTurns => "the limit of turns was reached",
            Self::MaxBudget => "the limit of cost was reached",
            Self::MaxStructuredOutputRetries => "the answer does not fit the schema",
            Self::Interrupted => "interrupted",
            Self::HookStopped => "stopped by a hook",
            Self::SessionNotFound => "no such session",
            Self::StartFailed => "could not start",
            Self::Other(word) => return write!(f, "failed: {word}"),
        })
    }
}

impl ResultEvent {
    /// Says why the turn did not do what it was asked for; `None` where it did.
    ///
    /// Also for an interrupt and for a hook that ended the turn, which may come with
    /// [`is_error`](Self::is_error) false. This looks at the result alone. Some failures are told in
    /// earlier events, `billing_error` and the end of a rate limit for example:
    /// [`TurnOutcome::failure`](crate::TurnOutcome::failure) and [`Failures`] know those.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::event::{Failure, ResultEvent};
    ///
    /// let json = r#"{"type":"result","subtype":"success","is_error":true,"api_error_status":429}"#;
    /// let result: ResultEvent = serde_json::from_str(json)?;
    /// assert_eq!(result.failure(), Some(Failure::RateLimit { resets_at: None }));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn failure(&self) -> Option<Failure> {
        Failure::of_result(self, None)
    }
}

/// Finds out why turns failed, from all that the events of a session say.
///
/// # Example
///
/// ```
/// use byre::event::Failures;
///
/// # fn run(events: &[byre::Event]) {
/// let mut failures = Failures::default();
/// for event in events {
///     if let Some(failure) = failures.push(event) {
///         eprintln!("{failure}");
///     }
/// }
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Failures {
    /// What the CLI last said in the model's place, in this turn.
    error: Option<AssistantError>,
    /// When the limit that was reached last starts anew.
    resets_at: Option<SystemTime>,
    refused: bool,
}

impl Failures {
    /// Looks at the next event. At the end of a turn, says why it failed, if it did.
    ///
    /// # Example
    ///
    /// ```
    /// # fn run(failures: &mut byre::event::Failures, event: &byre::Event) {
    /// if failures.push(event).is_some_and(|failure| failure.is_retryable()) {
    ///     println!("later");
    /// }
    /// # }
    /// ```
    pub fn push(&mut self, event: &Event) -> Option<Failure> {
        match event {
            // What a subagent meets is told to the main agent, which may go on.
            Event::Assistant(event) if event.parent_tool_use_id.is_none() => {
                // A later message without an error means that the session has got over it.
                self.error.clone_from(&event.error);
            }
            Event::RateLimit(event) => {
                let info = &event.rate_limit_info;
                let is_reached = info.status == RateLimitStatus::Rejected;
                self.resets_at = info.resets_at().filter(|_| is_reached);
            }
            Event::System(SystemEvent::ModelRefusalNoFallback(_)) => self.refused = true,
            Event::Result(result) => return self.end_turn(result),
            _ => {}
        }
        None
    }

    fn end_turn(&mut self, result: &ResultEvent) -> Option<Failure> {
        let (error, refused) = (self.error.take(), std::mem::take(&mut self.refused));
        match Failure::of_result(result, error.as_ref())? {
            Failure::RateLimit { .. } => Some(Failure::RateLimit { resets_at: self.resets_at }),
            Failure::Other(_) | Failure::InvalidRequest if refused => Some(Failure::Refused),
            failure => Some(failure),
        }
    }
}
