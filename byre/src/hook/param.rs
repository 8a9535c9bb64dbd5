//! The parameters of a hook: the input of its event, and what byre gives beside it.

use std::{fmt, marker::PhantomData};

use serde_json::value::RawValue;

use super::{HookInput, output::HookError};
use crate::function::{
    state::{Need, SharedState, State},
    surroundings::Surroundings,
};

/// One question of the CLI to a hook.
///
/// Not public API.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct HookRequest<'a> {
    pub(crate) input: &'a RawValue,
    pub(crate) context: HookContext,
}

impl HookRequest<'_> {
    /// Not public API: for generated code.
    #[doc(hidden)]
    #[must_use]
    pub fn input(&self) -> &RawValue {
        self.input
    }
}

/// The question that a hook is asked, as a parameter of the hook.
///
/// It may stand anywhere among the parameters, under any name. Cheap to clone.
///
/// # Example
///
/// ```
/// use byre::{HookContext, hook::UserPromptSubmitInput};
///
/// #[byre::hook]
/// async fn slow_down(input: UserPromptSubmitInput, context: HookContext) {
///     if input.prompt.contains("!!!") {
///         context.session().set_model("haiku").await.ok();
///     }
/// }
/// # fn main() {}
/// ```
#[derive(Clone)]
pub struct HookContext {
    tool_use_id: Option<String>,
    surroundings: Surroundings,
}

impl HookContext {
    pub(crate) fn new(tool_use_id: Option<String>, surroundings: Surroundings) -> Self {
        Self { tool_use_id, surroundings }
    }

    pub(crate) fn surroundings(&self) -> &Surroundings {
        &self.surroundings
    }

    /// Returns the id that the CLI gave the question: for events about a tool that of the call, which the
    /// API made, and for others one of the CLI's own, where it tells one.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(context: &byre::HookContext) {
    /// println!("{}", context.tool_use_id().unwrap_or("?"));
    /// # }
    /// ```
    #[must_use]
    pub fn tool_use_id(&self) -> Option<&str> {
        self.tool_use_id.as_deref()
    }
}

impl fmt::Debug for HookContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HookContext")
            .field("tool_use_id", &self.tool_use_id)
            .finish_non_exhaustive()
    }
}

/// The types of which the hooks need a value from the program.
///
/// Not public API.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Needs(pub(crate) Vec<Need>);

/// A type that can be a parameter of a hook.
///
/// Not public API.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a parameter of a hook",
    label = "neither the input of an event nor something that byre gives",
    note = "a hook takes the input of its event, and beside it `byre::State<…>` and `byre::HookContext`",
    note = "if it is a value of the program, take it as `byre::State<{Self}>`"
)]
pub trait HookParam: Sized {
    /// [`Is`] for the input of an event, [`No`] for everything else.
    type Event;

    fn take(request: &HookRequest<'_>) -> Result<Self, HookError>;

    fn describe(_: &mut Needs) {}
}

impl<T: SharedState> HookParam for State<T> {
    type Event = No;

    fn take(request: &HookRequest<'_>) -> Result<Self, HookError> {
        // Sessions look for it before they start.
        let value = request.context.surroundings.states().get();
        value.map(Self).ok_or_else(|| {
            HookError(format!("there is no state of type `{}`", std::any::type_name::<T>()))
        })
    }

    fn describe(needs: &mut Needs) {
        needs.0.push(Need::of::<T>());
    }
}

impl HookParam for HookContext {
    type Event = No;

    fn take(request: &HookRequest<'_>) -> Result<Self, HookError> {
        Ok(request.context.clone())
    }
}

/// A parameter that is the input of an event.
///
/// Not public API.
#[doc(hidden)]
#[derive(Debug)]
pub struct Is<I>(PhantomData<I>);

/// A parameter that is not.
///
/// Not public API.
#[doc(hidden)]
#[derive(Debug)]
pub struct No;

/// Goes through the parameters from left to right, and keeps the one that is the input.
///
/// Not public API.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a hook must take the input of one event, and not of two",
    label = "the input of a second event",
    note = "write two hooks that call the same function"
)]
pub trait Join<Next> {
    type Event;
}

impl<Next> Join<Next> for No {
    type Event = Next;
}

impl<I> Join<No> for Is<I> {
    type Event = Is<I>;
}

/// The input that was found among the parameters.
///
/// Not public API.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a hook must take the input of its event",
    label = "none of the parameters is one",
    note = "use a parameter such as `input: byre::hook::StopInput`"
)]
pub trait Found {
    type Input: HookInput;
}

impl<I: HookInput> Found for Is<I> {
    type Input = I;
}
