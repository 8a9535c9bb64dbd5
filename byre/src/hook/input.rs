//! What the CLI tells a hook.

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::{HookEvent, output::HookError};

/// The input of a hook event, by whose type a hook says when it is asked.
///
/// This trait can't be implemented outside byre.
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
    note = "use one of `byre::hook`: `PreToolUseInput`, `StopInput` and so on, after the name of the event"
)]
pub trait HookInput: DeserializeOwned + Send + 'static {
    /// The event.
    const EVENT: HookEvent;

    /// Reads it. Here, and not a function with a bound, so that a wrong type is one error and not two.
    ///
    /// Not public API.
    #[doc(hidden)]
    fn read(json: &RawValue) -> Result<Self, HookError>;
}

/// What is said of an input that is no object.
pub(super) fn unreadable(event: HookEvent, error: &serde_json::Error) -> HookError {
    HookError(format!("the input of the {event} hook could not be read: {error}"))
}

/// Declares the input of one event: the fields that all events have, those of its own, and the JSON.
///
/// A field has the name that it has on the wire, unless `= "…"` gives that.
macro_rules! hook_input {
    (
        $(#[$attr:meta])*
        $event:ident => $name:ident {
            $($(#[$field_attr:meta])* $field:ident $(= $wire:literal)?: $ty:ty,)*
        }
    ) => {
        $crate::hook::input::hook_input! {
            @with_common
            $(#[$attr])*
            $event => $name {
                /// The session.
                session_id: String,
                /// The file that the CLI writes the conversation to.
                transcript_path: std::path::PathBuf,
                /// The directory that the agent works in.
                cwd: std::path::PathBuf,
                /// The prompt that the turn answers.
                prompt_id: Option<String>,
                /// What the agent may do without a question, `default` for example.
                permission_mode: Option<String>,
                /// How hard the model thinks.
                effort: Option<$crate::hook::Effort>,
                /// The subagent in which it happens; `None` in the main conversation.
                agent_id: Option<String>,
                /// The kind of that subagent.
                agent_type: Option<String>,
                $($(#[$field_attr])* $field $(= $wire)?: $ty,)*
            }
        }
    };
    (
        @with_common
        $(#[$attr:meta])*
        $event:ident => $name:ident {
            $($(#[$field_attr:meta])* $field:ident $(= $wire:literal)?: $ty:ty,)*
        }
    ) => {
        $(#[$attr])*
        ///
        /// Fields that are absent, or not of the type that byre knows, have the default of their type.
        ///
        /// # Example
        ///
        /// A test makes one from JSON:
        ///
        /// ```
        #[doc = concat!("use byre::hook::", stringify!($name), ";")]
        ///
        #[doc = concat!(
            "let input: ", stringify!($name), " = serde_json::from_str(r#\"{\"cwd\":\"/srv\"}\"#).unwrap();"
        )]
        /// assert_eq!(input.cwd.to_str(), Some("/srv"));
        /// ```
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[$field_attr])* pub $field: $ty,)*
            raw: $crate::wire::json::Raw,
        }

        impl $name {
            /// Returns the JSON that the CLI sent, with the fields that byre does not know.
            ///
            /// # Example
            ///
            /// ```
            #[doc = concat!("# fn show(input: &byre::hook::", stringify!($name), ") {")]
            /// let of_tomorrow = &input.raw().to_value()["of_tomorrow"];
            /// # }
            /// ```
            #[must_use]
            pub fn raw(&self) -> &$crate::wire::json::Raw {
                &self.raw
            }

            /// The typed fields as JSON, under their names on the wire: what the golden tests compare.
            #[cfg(test)]
            pub(crate) fn typed(&self) -> serde_json::Value {
                #[derive(serde::Serialize)]
                struct Fields<'a> {
                    $($(#[serde(rename = $wire)])? $field: &'a $ty,)*
                }
                serde_json::to_value(Fields { $($field: &self.$field),* }).unwrap()
            }
        }

        impl $name {
            fn of(raw: &$crate::wire::json::Raw) -> serde_json::Result<Self> {
                let fields = $crate::wire::json::Fields::of(raw.as_str())?;
                fields.finish(Self {
                    $($field: fields.lenient(
                        $crate::hook::input::hook_input!(@name $field $($wire)?)
                    ),)*
                    raw: raw.clone(),
                })
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let raw = Box::<serde_json::value::RawValue>::deserialize(deserializer)?;
                let raw = $crate::wire::json::Raw::new(raw.get().to_owned());
                Self::of(&raw).map_err(serde::de::Error::custom)
            }
        }

        impl $crate::hook::HookInput for $name {
            const EVENT: $crate::hook::HookEvent = $crate::hook::HookEvent::$event;

            fn read(
                json: &serde_json::value::RawValue,
            ) -> Result<Self, $crate::hook::output::HookError> {
                Self::of(&$crate::wire::json::Raw::new(json.get().to_owned()))
                    .map_err(|error| $crate::hook::input::unreadable(Self::EVENT, &error))
            }
        }

        // One for each, and not one for all: it makes for better words about what is no parameter.
        impl $crate::hook::param::HookParam for $name {
            type Event = $crate::hook::param::Is<Self>;

            fn take(
                request: &$crate::hook::param::HookRequest<'_>,
            ) -> Result<Self, $crate::hook::output::HookError> {
                $crate::hook::HookInput::read(request.input())
            }
        }
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $wire:literal) => { $wire };
}

pub(super) use hook_input;
