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
//!
//! # Several hooks
//!
//! All hooks of an event are asked at the same time, in no order, and the CLI waits for all of them. Where
//! one thing has to follow another, it belongs into one hook.
//!
//! # Failures
//!
//! A hook fails if it returns an `Err`, or panics. Five events guard something: `PreToolUse`,
//! `UserPromptSubmit`, `PermissionRequest`, `PreModelSwitch` and `PreSkillShellCommand`. There a failure is a
//! no, unless the hook says [`on_failure = "continue"`](OnFailure::Continue); at all others, the CLI goes on.
//! A hook that is late counts as a no at the first two in any case.

// L4: knows `wire` and `function`. It must not know who asks a hook, or how often it may block.

mod closure;
pub(crate) mod def;
pub(crate) mod events;
mod input;
pub(crate) mod output;
pub(crate) mod param;
mod value;
mod words;

use std::{borrow::Cow, fmt, sync::Arc, time::Duration};

use self::{
    closure::{Closure, OwnedMatching},
    def::{HookDef, HookFuture, Matching, RegisteredHook},
    output::HookError,
    param::{HookRequest, Needs},
};
pub use self::{
    closure::{ClosureHook, on},
    events::*,
    input::HookInput,
    output::{AsyncOutput, HookOutput},
    value::*,
    words::*,
};
use crate::function::{CatchUnwind, catch, state::Need};
pub use crate::{function::Location, wire::hook::HookEvent};

/// What an error or a panic of a hook means to the CLI.
///
/// # Example
///
/// ```
/// use byre::hook::{HookEvent, OnFailure};
///
/// assert_eq!(OnFailure::of(HookEvent::PreToolUse), OnFailure::Block);
/// assert_eq!(OnFailure::of(HookEvent::Stop), OnFailure::Continue);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnFailure {
    /// A no: the tool does not run, the prompt is not taken.
    Block,
    /// Nothing said: whatever would happen without the hook, happens.
    Continue,
}

impl OnFailure {
    /// Returns what byre asks for where a hook does not say: [`Block`](Self::Block) at the events that guard
    /// something.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{HookEvent, OnFailure};
    ///
    /// assert_eq!(OnFailure::of(HookEvent::UserPromptSubmit), OnFailure::Block);
    /// ```
    #[must_use]
    pub const fn of(event: HookEvent) -> Self {
        match event {
            HookEvent::PreToolUse
            | HookEvent::UserPromptSubmit
            | HookEvent::PermissionRequest
            | HookEvent::PreModelSwitch
            | HookEvent::PreSkillShellCommand => Self::Block,
            _ => Self::Continue,
        }
    }
}

/// A function that the CLI asks at a certain event.
///
/// Cheap to clone. Made by [`#[byre::hook]`](macro@crate::hook) and named by [`hooks!`](crate::hooks), or
/// made from a closure by [`on`].
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
pub struct Hook(Source);

#[derive(Clone)]
enum Source {
    Function(&'static HookDef),
    Closure(Arc<Closure>),
}

impl Hook {
    pub(crate) const fn from_def(def: &'static HookDef) -> Self {
        Self(Source::Function(def))
    }

    fn from_closure(closure: Closure) -> Self {
        Self(Source::Closure(Arc::new(closure)))
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
        match &self.0 {
            Source::Function(def) => def.name,
            Source::Closure(closure) => &closure.name,
        }
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
        match &self.0 {
            Source::Function(def) => def.event,
            Source::Closure(closure) => closure.event,
        }
    }

    /// Returns for which tools, triggers, … of the event it is asked; `None` means all, or one tool of the
    /// program, whose full name is known once there is a session.
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
        match &self.0 {
            Source::Function(HookDef { matcher: Matching::Pattern(pattern), .. }) => Some(pattern),
            Source::Closure(closure) => match &closure.matcher {
                OwnedMatching::Pattern(pattern) => Some(pattern),
                _ => None,
            },
            Source::Function(_) => None,
        }
    }

    /// The tool of the program about which it is asked, by the name without the server's.
    pub(crate) fn tool(&self) -> Option<Cow<'_, str>> {
        match &self.0 {
            Source::Function(HookDef { matcher: Matching::Tool(name), .. }) => Some(name().into()),
            Source::Closure(closure) => match &closure.matcher {
                OwnedMatching::Tool(name) => Some(name.into()),
                _ => None,
            },
            Source::Function(_) => None,
        }
    }

    /// Returns how long it may take; `None` leaves that to the CLI.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(hook: &byre::hook::Hook) {
    /// let seconds = hook.timeout().map(|timeout| timeout.as_secs_f64());
    /// # }
    /// ```
    #[must_use]
    pub fn timeout(&self) -> Option<Duration> {
        match &self.0 {
            Source::Function(def) => def.timeout,
            Source::Closure(closure) => closure.timeout,
        }
    }

    /// Returns what an error or a panic of it means.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(hook: &byre::hook::Hook) {
    /// let guards = hook.on_failure() == byre::hook::OnFailure::Block;
    /// # }
    /// ```
    #[must_use]
    pub fn on_failure(&self) -> OnFailure {
        let said = match &self.0 {
            Source::Function(def) => def.on_failure,
            Source::Closure(closure) => closure.on_failure,
        };
        said.unwrap_or(OnFailure::of(self.event()))
    }

    /// Returns the types of which it needs a value from the program.
    pub(crate) fn needs(&self) -> Vec<Need> {
        let mut needs = Needs::default();
        if let Source::Function(def) = &self.0 {
            (def.needs)(&mut needs);
        }
        needs.0
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
        match &self.0 {
            Source::Function(def) => def.location,
            Source::Closure(closure) => closure.location,
        }
    }

    /// Asks the function.
    ///
    /// Never panics, neither now nor when it is polled: a panic of the function is an error. Dropping
    /// the future drops the function's.
    pub(crate) fn call(&self, request: &HookRequest<'_>) -> HookFuture {
        let hook = self.clone();
        let called = catch(|| match &self.0 {
            Source::Function(def) => (def.call)(request),
            Source::Closure(closure) => (closure.call)(request),
        });
        let future = match called {
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
    inventory::iter::<RegisteredHook>.into_iter().map(|hook| Hook::from_def(hook.0)).collect()
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
