//! What the CLI tells a hook.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};

use super::{HookEvent, output::HookError};
use crate::wire::json::Raw;

/// The input of a hook event, by whose type a hook says when it is asked.
///
/// # Example
///
/// ```
/// use byre::hook::{HookEvent, HookInput, StopInput};
///
/// assert_eq!(StopInput::EVENT, HookEvent::Stop);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the input of a hook event",
    label = "the type of the parameter says at which event the hook is asked",
    note = "use one of `byre::hook::StopInput`"
)]
pub trait HookInput: DeserializeOwned + Send + 'static {
    /// The event.
    const EVENT: HookEvent;

    /// Reads it. Here, and not a function with a bound, so that a wrong type is one error and not two.
    ///
    /// Not public API.
    #[doc(hidden)]
    fn read(json: &RawValue) -> Result<Self, HookError> {
        serde_json::from_str(json.get()).map_err(|error| {
            HookError(format!("the input of the {} hook could not be read: {error}", Self::EVENT))
        })
    }
}

/// Reads a field, or gives the default where it is not what byre expects: a hook that watches the
/// end of a turn must not fail because the CLI changed a field that it does not look at.
fn lenient<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    let value = Value::deserialize(deserializer)?;
    Ok(T::deserialize(value).unwrap_or_default())
}

/// Declares the input of one event: the fields that all events have, those of its own, and the JSON.
macro_rules! hook_input {
    (
        $(#[$attr:meta])*
        $event:ident => $name:ident {
            $($(#[$field_attr:meta])* $field:ident: $ty:ty,)*
        }
    ) => {
        hook_input! {
            @with_common
            $(#[$attr])*
            $event => $name {
                /// The session.
                session_id: String,
                /// The file that the CLI writes the conversation to.
                transcript_path: PathBuf,
                /// The directory that the agent works in.
                cwd: PathBuf,
                /// The prompt that the turn answers.
                prompt_id: Option<String>,
                /// What the agent may do without a question, `default` for example.
                permission_mode: Option<String>,
                /// The subagent in which it happens; `None` in the main conversation.
                agent_id: Option<String>,
                /// The kind of that subagent.
                agent_type: Option<String>,
                $($(#[$field_attr])* $field: $ty,)*
            }
        }
    };
    (
        @with_common
        $(#[$attr:meta])*
        $event:ident => $name:ident {
            $($(#[$field_attr:meta])* $field:ident: $ty:ty,)*
        }
    ) => {
        $(#[$attr])*
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[$field_attr])* pub $field: $ty,)*
            raw: Raw,
        }

        impl $name {
            /// Returns the JSON that the CLI sent, with the fields that byre does not know.
            ///
            /// # Example
            ///
            /// ```
            #[doc = concat!("# fn show(input: &byre::hook::", stringify!($name), ") {")]
            /// let effort = &input.raw().to_value()["effort"]["level"];
            /// # }
            /// ```
            #[must_use]
            pub fn raw(&self) -> &Raw {
                &self.raw
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                #[derive(Deserialize)]
                struct Fields {
                    $(#[serde(default, deserialize_with = "lenient")] $field: $ty,)*
                }

                let raw = Box::<RawValue>::deserialize(deserializer)?;
                let Fields { $($field),* } =
                    serde_json::from_str(raw.get()).map_err(serde::de::Error::custom)?;
                Ok(Self { $($field,)* raw: Raw::new(raw.get().to_owned()) })
            }
        }

        impl HookInput for $name {
            const EVENT: HookEvent = HookEvent::$event;
        }
    };
}

// Source: seen with CLI 2.1.332.
hook_input! {
    /// The agent is about to end its turn.
    ///
    /// ```json
    /// {"session_id":"0198…","transcript_path":"/home/me/.claude/projects/a/0198….jsonl","cwd":"/home/me/a","prompt_id":"1f…","permission_mode":"default","hook_event_name":"Stop","stop_hook_active":false,"last_assistant_message":"Done.","background_tasks":[],"session_crons":[]}
    /// ```
    ///
    /// Fields that are absent, or not of the type that byre knows, have the default of their type.
    ///
    /// # Example
    ///
    /// A test makes one from JSON:
    ///
    /// ```
    /// use byre::hook::StopInput;
    ///
    /// let input: StopInput = serde_json::from_str(r#"{"stop_hook_active":true}"#).unwrap();
    /// assert!(input.stop_hook_active);
    /// ```
    Stop => StopInput {
        /// The agent is at work because a hook has blocked before.
        stop_hook_active: bool,
        /// The text of the last message.
        last_assistant_message: Option<String>,
        /// What still runs in the background.
        background_tasks: Vec<Value>,
        /// The timers of the session.
        session_crons: Vec<Value>,
    }
}
