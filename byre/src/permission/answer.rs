//! What is answered when the CLI asks whether a tool may run.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};

use super::{Answers, DialogAnswer, ElicitationAnswer};
use crate::wire::permission::{PermissionRequest, PermissionUpdate};

/// Whether a tool may run.
///
/// ```json
/// {"behavior":"allow","updatedInput":{"command":"ls"},"toolUseID":"toolu_9"}
/// {"behavior":"allow","updatedInput":{"command":"ls"},"updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls *"}],"behavior":"allow","destination":"session"}],"toolUseID":"toolu_9","decisionClassification":"user_permanent"}
/// {"behavior":"deny","message":"Not in production.","interrupt":false,"toolUseID":"toolu_9"}
/// ```
///
/// # Example
///
/// ```
/// use byre::permission::{PermissionAnswer, PermissionRequest};
///
/// #[byre::permission]
/// async fn only_reading(request: PermissionRequest) -> PermissionAnswer {
///     match request.tool_name.as_str() {
///         "Read" | "Grep" | "Glob" => PermissionAnswer::allow(),
///         _ => PermissionAnswer::deny("This session only reads. Don't try to change anything."),
///     }
/// }
/// # fn main() {}
/// ```
#[derive(Clone, Debug)]
#[must_use = "an answer has to be given"]
pub struct PermissionAnswer {
    verdict: Verdict,
    classification: Option<DecisionClassification>,
}

#[derive(Clone, Debug)]
enum Verdict {
    Allow {
        /// `None` for the arguments of the call as they came.
        input: Option<Value>,
        updates: Vec<PermissionUpdate>,
    },
    Deny {
        message: String,
        interrupt: bool,
    },
}

impl PermissionAnswer {
    /// Lets the call run as it is.
    ///
    /// # Example
    ///
    /// ```
    /// byre::permission::PermissionAnswer::allow();
    /// ```
    pub fn allow() -> Self {
        Self::new(Verdict::Allow { input: None, updates: Vec::new() })
    }

    /// Lets the call run with other arguments, within the tool's own schema. What the model has written
    /// stays in the conversation as it was.
    ///
    /// Arguments that are no JSON object can't be sent: the call is denied then, and an error logged.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::PermissionAnswer;
    ///
    /// PermissionAnswer::allow_with(serde_json::json!({"command": "ls -l"}));
    /// ```
    pub fn allow_with(input: impl Serialize) -> Self {
        match serde_json::to_value(input) {
            Ok(input @ Value::Object(_)) => {
                Self::new(Verdict::Allow { input: Some(input), updates: Vec::new() })
            }
            other => {
                tracing::error!(?other, "the arguments to allow a call with are no JSON object");
                Self::deny(super::words::failed("it gave arguments that are no JSON object"))
            }
        }
    }

    /// Does not let the call run. The model reads the message and goes on.
    ///
    /// Say what to do instead, and that it is of no use to try again: otherwise it may do just that.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::PermissionAnswer;
    ///
    /// PermissionAnswer::deny("Not in production. Say which command you would have run.");
    /// ```
    pub fn deny(message: impl Into<String>) -> Self {
        Self::new(Verdict::Deny { message: message.into(), interrupt: false })
    }

    /// Does not let the call run, and ends the turn, as an interrupt would: with an error result. The
    /// message is for the record; the model does not read it.
    ///
    /// # Example
    ///
    /// ```
    /// byre::permission::PermissionAnswer::deny_and_stop("The user has left.");
    /// ```
    pub fn deny_and_stop(message: impl Into<String>) -> Self {
        Self::new(Verdict::Deny { message: message.into(), interrupt: true })
    }

    /// Also changes what is allowed from now on. Only an [`allow`](Self::allow) can: a denial has no place
    /// for it on the wire, and stays as it is.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::{
    ///     PermissionAnswer, PermissionRule, PermissionUpdate, RuleBehavior,
    /// };
    ///
    /// let rule = PermissionRule::new("Bash").content("git status");
    /// PermissionAnswer::allow()
    ///     .remember(PermissionUpdate::add_rules(RuleBehavior::Allow, [rule]));
    /// ```
    pub fn remember(self, update: PermissionUpdate) -> Self {
        self.with_updates([update])
    }

    /// Does what [`remember`](Self::remember) does, for several changes: those that the CLI
    /// [suggests](PermissionRequest::permission_suggestions), for example. They go back as they came.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::{Destination, PermissionAnswer, PermissionRequest};
    ///
    /// fn always_in_this_session(request: &PermissionRequest) -> PermissionAnswer {
    ///     let suggestions = request.permission_suggestions.iter().cloned();
    ///     PermissionAnswer::allow()
    ///         .with_updates(suggestions.map(|update| update.to(Destination::Session)))
    /// }
    /// ```
    pub fn with_updates(mut self, more: impl IntoIterator<Item = PermissionUpdate>) -> Self {
        match &mut self.verdict {
            Verdict::Allow { updates, .. } => updates.extend(more),
            Verdict::Deny { .. } => {
                tracing::warn!("a denial can't change permissions; the changes are left out");
            }
        }
        self
    }

    /// Says what kind of decision a person has made. Left out unless it is said: the CLI then takes an
    /// answer for one that holds once.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::{DecisionClassification, PermissionAnswer};
    ///
    /// PermissionAnswer::deny("No.").classified(DecisionClassification::UserReject);
    /// ```
    pub fn classified(mut self, classification: DecisionClassification) -> Self {
        self.classification = Some(classification);
        self
    }

    /// Says whether the call runs.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(byre::permission::PermissionAnswer::allow().is_allowed());
    /// ```
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        matches!(self.verdict, Verdict::Allow { .. })
    }

    fn new(verdict: Verdict) -> Self {
        Self { verdict, classification: None }
    }

    /// The arguments that the call runs with, if they are others than it came with.
    pub(super) fn input(&self) -> Option<&Value> {
        match &self.verdict {
            Verdict::Allow { input, .. } => input.as_ref(),
            Verdict::Deny { .. } => None,
        }
    }

    /// The payload that answers `request`, one line of JSON.
    ///
    /// The arguments are always said, also where they have not changed: some versions of the CLI take
    /// an answer without them for a malformed one.
    pub(super) fn to_json(&self, request: &PermissionRequest) -> String {
        let tool_use_id = Some(request.tool_use_id.as_str()).filter(|id| !id.is_empty());
        let classification = self.classification;
        let json = match &self.verdict {
            Verdict::Allow { input, updates } => {
                let updated_input = match input {
                    Some(input) => serde_json::value::to_raw_value(input),
                    None => Ok(request.input_text()),
                };
                updated_input.and_then(|updated_input| {
                    let behavior = "allow";
                    serde_json::to_string(&Allow {
                        behavior,
                        updated_input,
                        updated_permissions: updates,
                        tool_use_id,
                        classification,
                    })
                })
            }
            Verdict::Deny { message, interrupt } => {
                let (behavior, interrupt) = ("deny", *interrupt);
                serde_json::to_string(&Deny {
                    behavior,
                    message,
                    interrupt,
                    tool_use_id,
                    classification,
                })
            }
        };
        // Values and texts can always be written.
        json.unwrap_or_default()
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Allow<'a> {
    behavior: &'static str,
    updated_input: Box<RawValue>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    updated_permissions: &'a [PermissionUpdate],
    #[serde(rename = "toolUseID", skip_serializing_if = "Option::is_none")]
    tool_use_id: Option<&'a str>,
    #[serde(rename = "decisionClassification", skip_serializing_if = "Option::is_none")]
    classification: Option<DecisionClassification>,
}

#[derive(Serialize)]
struct Deny<'a> {
    behavior: &'static str,
    message: &'a str,
    interrupt: bool,
    #[serde(rename = "toolUseID", skip_serializing_if = "Option::is_none")]
    tool_use_id: Option<&'a str>,
    #[serde(rename = "decisionClassification", skip_serializing_if = "Option::is_none")]
    classification: Option<DecisionClassification>,
}

/// What kind of decision a person has made.
///
/// # Example
///
/// ```
/// let always = byre::permission::DecisionClassification::UserPermanent;
/// ```
// Source: the TypeScript SDK 0.3.332.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DecisionClassification {
    /// Yes, this once.
    UserTemporary,
    /// Yes, always.
    UserPermanent,
    /// No.
    UserReject,
}

/// What a handler that has to give an `A` may return: an `A`, or a `Result` with any error that implements
/// `Display`.
///
/// An error is logged, and never lets anything run: a permission is denied, a question not answered, an
/// elicitation or dialog cancelled.
///
/// This trait can't be implemented outside byre.
///
/// # Example
///
/// ```
/// use byre::permission::{PermissionAnswer, PermissionRequest};
///
/// #[byre::permission]
/// async fn ask_the_file(request: PermissionRequest) -> std::io::Result<PermissionAnswer> {
///     let allowed = std::fs::read_to_string("allowed-tools.txt")?;
///     Ok(if allowed.lines().any(|line| line == request.tool_name) {
///         PermissionAnswer::allow()
///     } else {
///         PermissionAnswer::deny("The tool is not in allowed-tools.txt. Don't try it again.")
///     })
/// }
/// # fn main() {}
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an answer that this handler may give",
    label = "must be a `{A}`",
    note = "a `Result<{A}, E>` is fine as well, with `E: Display`"
)]
pub trait IntoAnswer<A>: sealed::Sealed {
    /// Not public API.
    #[doc(hidden)]
    fn into_answer(self) -> Result<A, String>;
}

mod sealed {
    use super::{Answers, DialogAnswer, ElicitationAnswer, PermissionAnswer};

    pub trait Sealed {}
    impl Sealed for PermissionAnswer {}
    impl Sealed for Answers {}
    impl Sealed for ElicitationAnswer {}
    impl Sealed for DialogAnswer {}
    #[diagnostic::do_not_recommend]
    impl<T, E> Sealed for Result<T, E> {}
}

// By hand, because the compiler shows a macro with every mistake.

impl IntoAnswer<Self> for PermissionAnswer {
    fn into_answer(self) -> Result<Self, String> {
        Ok(self)
    }
}

impl IntoAnswer<Self> for Answers {
    fn into_answer(self) -> Result<Self, String> {
        Ok(self)
    }
}

impl IntoAnswer<Self> for ElicitationAnswer {
    fn into_answer(self) -> Result<Self, String> {
        Ok(self)
    }
}

impl IntoAnswer<Self> for DialogAnswer {
    fn into_answer(self) -> Result<Self, String> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<A, T: IntoAnswer<A>, E: fmt::Display> IntoAnswer<A> for Result<T, E> {
    fn into_answer(self) -> Result<A, String> {
        // `{:#}` makes anyhow's errors tell their causes.
        self.map_err(|error| format!("{error:#}"))?.into_answer()
    }
}
