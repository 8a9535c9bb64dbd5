//! Hooks: plain functions that the CLI asks at certain moments.
//!
//! [`#[byre::hook]`](macro@crate::hook) makes a hook from a function. The type of its parameter
//! chooses the event, and what it returns must be an answer to that event: [`PreToolUseInput`] is
//! answered by [`PreToolUseOutput`], and so on.
//!
//! | about | events |
//! |---|---|
//! | tools | [`PreToolUse`](PreToolUseInput), [`PostToolUse`](PostToolUseInput), [`PostToolUseFailure`](PostToolUseFailureInput), [`PostToolBatch`](PostToolBatchInput), [`PreSkillShellCommand`](PreSkillShellCommandInput) |
//! | permissions | [`PermissionRequest`](PermissionRequestInput), [`PermissionDenied`](PermissionDeniedInput) |
//! | prompts | [`UserPromptSubmit`](UserPromptSubmitInput), [`UserPromptExpansion`](UserPromptExpansionInput), [`Notification`](NotificationInput), [`MessageDisplay`](MessageDisplayInput) |
//! | turns | [`Stop`](StopInput), [`StopFailure`](StopFailureInput), [`SubagentStart`](SubagentStartInput), [`SubagentStop`](SubagentStopInput) |
//! | conversations | [`SessionStart`](SessionStartInput), [`SessionEnd`](SessionEndInput), [`Setup`](SetupInput), [`PreCompact`](PreCompactInput), [`PostCompact`](PostCompactInput), [`PreModelSwitch`](PreModelSwitchInput), [`PostModelSwitch`](PostModelSwitchInput) |
//! | teams | [`TeammateIdle`](TeammateIdleInput), [`TaskCreated`](TaskCreatedInput), [`TaskCompleted`](TaskCompletedInput) |
//! | MCP | [`Elicitation`](ElicitationInput), [`ElicitationResult`](ElicitationResultInput) |
//! | files | [`ConfigChange`](ConfigChangeInput), [`WorktreeCreate`](WorktreeCreateInput), [`WorktreeRemove`](WorktreeRemoveInput), [`InstructionsLoaded`](InstructionsLoadedInput), [`CwdChanged`](CwdChangedInput), [`FileChanged`](FileChangedInput), [`DirectoryAdded`](DirectoryAddedInput) |
//!
//! An output is begun by what it decides (`PreToolUseOutput::deny(…)`) or by `new()`, which says nothing,
//! and goes on with what else it says. `()` answers every event but `WorktreeCreate`, and means that the
//! hook only watches.

// L4: knows `wire` and `function`. It must not know who asks a hook, or how often it may block.

pub(crate) mod def;
pub(crate) mod events;
mod input;
pub(crate) mod output;
mod value;

use std::fmt;

use serde_json::value::RawValue;

use self::{
    def::{HookDef, HookFuture, RegisteredHook},
    output::HookError,
};
pub use self::{
    events::*,
    input::HookInput,
    output::{AsyncOutput, HookOutput},
    value::*,
};
use crate::function::{CatchUnwind, catch};
pub use crate::{function::Location, wire::hook::HookEvent};

/// A function that the CLI asks at a certain event.
///
/// Cheap to clone. Made by [`#[byre::hook]`](macro@crate::hook), and named by
/// [`hooks!`](crate::hooks).
///
/// # Example
///
/// ```
/// use byre::hook::{HookEvent, StopInput};
///
/// #[byre::hook]
/// async fn watch(input: StopInput) {
///     eprintln!("session {} has stopped", input.session_id);
/// }
///
/// # fn main() {
/// let [watch] = &byre::hooks![watch][..] else { unreachable!() };
/// assert_eq!(watch.event(), HookEvent::Stop);
/// # }
/// ```
#[derive(Clone)]
pub struct Hook(&'static HookDef);

impl Hook {
    pub(crate) const fn from_def(def: &'static HookDef) -> Self {
        Self(def)
    }

    /// Returns the name, which is for messages only.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(hook: &byre::hook::Hook) {
    /// println!("{} is asked at {}", hook.name(), hook.event());
    /// # }
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.name
    }

    /// Returns the event at which it is asked.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(hook: &byre::hook::Hook) {
    /// let stops = hook.event() == byre::hook::HookEvent::Stop;
    /// # }
    /// ```
    #[must_use]
    pub fn event(&self) -> HookEvent {
        self.0.event
    }

    /// Returns for which tools, triggers, … of the event it is asked; `None` means all.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(hook: &byre::hook::Hook) {
    /// println!("asked for {}", hook.matcher().unwrap_or("everything"));
    /// # }
    /// ```
    #[must_use]
    pub fn matcher(&self) -> Option<&str> {
        None
    }

    /// Returns where its attribute stands.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(hook: &byre::hook::Hook) {
    /// println!("{}", hook.location());
    /// # }
    /// ```
    #[must_use]
    pub fn location(&self) -> Location {
        self.0.location
    }

    /// Asks the function about `input`, the `input` of `hook_callback`.
    ///
    /// Never panics, neither now nor when it is polled: a panic of the function is an error. Dropping
    /// the future drops the function's.
    pub(crate) fn call(&self, input: &RawValue) -> HookFuture {
        let hook = self.clone();
        let future = match catch(|| (self.0.call)(input)) {
            Ok(Ok(future)) => future,
            Ok(Err(error)) => return Box::pin(std::future::ready(Err(error))),
            Err(panic) => {
                let error = hook.panicked(&panic);
                return Box::pin(std::future::ready(Err(error)));
            }
        };
        Box::pin(async move {
            match CatchUnwind::new(future).await {
                Ok(answer) => answer,
                Err(panic) => Err(hook.panicked(&panic)),
            }
        })
    }

    fn panicked(&self, text: &str) -> HookError {
        tracing::error!(hook = self.name(), location = %self.location(), "a hook panicked: {text}");
        HookError(format!("the hook `{}` panicked: {text}", self.name()))
    }
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hook({} for {} at {})", self.name(), self.event(), self.location())
    }
}

/// Returns every hook that registered itself, in no order.
pub(crate) fn registered() -> Vec<Hook> {
    inventory::iter::<RegisteredHook>.into_iter().map(|hook| Hook(hook.0)).collect()
}

/// Names hooks by the paths of their functions, as a `Vec` of [`Hook`].
///
/// For sessions that are to ask these hooks and no others, and for hooks that do not register
/// themselves (`#[byre::hook(register = false)]`).
///
/// # Example
///
/// ```
/// #[byre::hook(register = false)]
/// async fn watch(_: byre::hook::StopInput) {}
///
/// # fn main() {
/// assert_eq!(byre::hooks![watch][0].name(), "watch");
/// # }
/// ```
#[macro_export]
macro_rules! hooks {
    ($($hook:ty),* $(,)?) => {
        ::std::vec::Vec::<$crate::hook::Hook>::from([
            $(<$hook as $crate::__private::HookFn>::hook()),*
        ])
    };
}

#[cfg(test)]
mod tests;
