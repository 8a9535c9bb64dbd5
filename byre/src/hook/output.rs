//! What a hook answers.

use std::fmt;

use serde_json::{Value, json};

use super::{HookInput, StopInput};

/// What a hook that takes `I` may return.
///
/// `()` answers every event and means "go on". `Result<T, E>` with any `E: Display` answers what `T`
/// does; an error goes to the log, and the CLI goes on as if the hook had said nothing.
///
/// This trait can't be implemented outside byre.
///
/// # Example
///
/// ```
/// use byre::hook::{StopInput, StopOutput};
///
/// #[byre::hook]
/// async fn wants_a_summary(input: StopInput) -> std::io::Result<StopOutput> {
///     let transcript = std::fs::read_to_string(&input.transcript_path)?;
///     Ok(if transcript.contains("Summary") {
///         StopOutput::allow()
///     } else {
///         StopOutput::block("Write a summary before you stop.").at_most(1)
///     })
/// }
/// # fn main() {}
/// ```
#[diagnostic::on_unimplemented(
    message = "a hook that takes `{I}` can't answer `{Self}`",
    label = "wrong answer for this event",
    note = "`StopInput` is answered by `StopOutput`; `()` answers every event, and `Result<T, E>` what \
            `T` does, with `E: Display`"
)]
pub trait HookOutput<I: HookInput> {
    /// Not public API.
    #[doc(hidden)]
    fn into_answer(self) -> Result<HookAnswer, HookError>;
}

/// What goes to the CLI.
///
/// Not public API.
#[doc(hidden)]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HookAnswer {
    /// The answer on the wire; an object.
    pub(crate) json: Value,
    /// How often in one turn the answer may be given. When it was given so often, `{}` is said in its
    /// place. `None` means without end.
    pub(crate) at_most: Option<u32>,
}

/// Why a hook gave no answer, in words for the log.
///
/// Not public API.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookError(pub(crate) String);

impl fmt::Display for HookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for HookError {}

impl<I: HookInput> HookOutput<I> for () {
    fn into_answer(self) -> Result<HookAnswer, HookError> {
        Ok(HookAnswer { json: json!({}), at_most: None })
    }
}

#[diagnostic::do_not_recommend]
impl<I: HookInput, T: HookOutput<I>, E: fmt::Display> HookOutput<I> for Result<T, E> {
    fn into_answer(self) -> Result<HookAnswer, HookError> {
        // `{:#}` makes anyhow's errors tell their causes.
        self.map_err(|error| HookError(format!("{error:#}")))?.into_answer()
    }
}

/// Whether the agent may end its turn.
///
/// ```json
/// {}
/// {"decision":"block","reason":"Say goodbye before you stop."}
/// ```
///
/// # Example
///
/// ```
/// use byre::hook::{StopInput, StopOutput};
///
/// #[byre::hook]
/// async fn say_goodbye(input: StopInput) -> StopOutput {
///     if input.stop_hook_active {
///         StopOutput::allow()
///     } else {
///         StopOutput::block("Say goodbye before you stop.").at_most(2)
///     }
/// }
/// # fn main() {}
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "a hook has to return its answer"]
pub struct StopOutput {
    /// Why it is blocked.
    block: Option<String>,
    at_most: Option<u32>,
}

impl StopOutput {
    /// Lets the agent stop.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::StopOutput::allow();
    /// ```
    pub fn allow() -> Self {
        Self::default()
    }

    /// Sends the agent back to work, with what it has to do.
    ///
    /// The CLI obeys eight times in a row, and then lets the agent stop (seen with 2.1.332). See
    /// [`at_most`](Self::at_most) for a lower limit.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::StopOutput::block("The tests fail: fix them.");
    /// ```
    pub fn block(reason: impl Into<String>) -> Self {
        Self { block: Some(reason.into()), at_most: None }
    }

    /// Blocks at most `times` times in one turn, and lets the agent stop after that.
    ///
    /// The limit is that of the hook: byre counts how often it has blocked in the turn.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::StopOutput::block("The tests fail: fix them.").at_most(3);
    /// ```
    pub fn at_most(mut self, times: u32) -> Self {
        self.at_most = Some(times);
        self
    }
}

impl HookOutput<StopInput> for StopOutput {
    fn into_answer(self) -> Result<HookAnswer, HookError> {
        Ok(match self.block {
            None => HookAnswer { json: json!({}), at_most: None },
            Some(reason) => HookAnswer {
                json: json!({"decision": "block", "reason": reason}),
                at_most: self.at_most,
            },
        })
    }
}
