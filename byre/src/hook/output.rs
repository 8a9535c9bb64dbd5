//! What a hook answers.

use std::{fmt, time::Duration};

use serde_json::{Map, Value, json};

use super::{HookEvent, HookInput, events::Watched};

/// What a hook that takes `I` may return.
///
/// Each event has an output of its own, with what the event's answer may hold and nothing else. Beside
/// that, every event but [`WorktreeCreate`](HookEvent::WorktreeCreate) takes `()`, which says nothing,
/// [`AsyncOutput`], and `Option<T>` of its output, of which `None` says nothing. `Result<T, E>` with any
/// `E: Display` answers what `T` does; for errors see [`OnFailure`](super::OnFailure).
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
    note = "an input is answered by the output of the same name: `StopInput` by `StopOutput`; `()` answers \
            every event but `WorktreeCreate`, and `Option<T>` and `Result<T, E>` what `T` does, with \
            `E: Display`"
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

impl HookAnswer {
    /// No opinion. `null` would be an error.
    fn nothing() -> Self {
        Self { json: json!({}), at_most: None }
    }
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

impl<I: HookInput + Watched> HookOutput<I> for () {
    fn into_answer(self) -> Result<HookAnswer, HookError> {
        Ok(HookAnswer::nothing())
    }
}

#[diagnostic::do_not_recommend]
impl<I: HookInput + Watched, T: HookOutput<I>> HookOutput<I> for Option<T> {
    fn into_answer(self) -> Result<HookAnswer, HookError> {
        self.map_or_else(|| Ok(HookAnswer::nothing()), T::into_answer)
    }
}

#[diagnostic::do_not_recommend]
impl<I: HookInput, T: HookOutput<I>, E: fmt::Display> HookOutput<I> for Result<T, E> {
    fn into_answer(self) -> Result<HookAnswer, HookError> {
        // `{:#}` makes anyhow's errors tell their causes.
        self.map_err(|error| HookError(format!("{error:#}")))?.into_answer()
    }
}

/// The answer of a hook that has more to do, and on which nothing depends.
///
/// The CLI goes on at once, as for `()`: nothing that the hook finds out later can reach it. What is left
/// to do belongs into a task, `tokio::spawn(…)`.
///
/// ```json
/// {"async":true}
/// {"async":true,"asyncTimeout":5000}
/// ```
///
/// # Example
///
/// ```
/// use byre::hook::{AsyncOutput, PostToolUseInput};
///
/// # async fn send_to_the_log(_: String) {}
/// #[byre::hook]
/// async fn log(input: PostToolUseInput) -> AsyncOutput {
///     tokio::spawn(send_to_the_log(input.raw().to_string()));
///     AsyncOutput::new()
/// }
/// # fn main() {}
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "a hook has to return its answer"]
pub struct AsyncOutput {
    timeout: Option<Duration>,
}

impl AsyncOutput {
    /// Lets the CLI go on.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::AsyncOutput::new();
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells the CLI how long the rest may take, in whole milliseconds.
    ///
    /// # Example
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// byre::hook::AsyncOutput::new().timeout(Duration::from_secs(5));
    /// ```
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }
}

impl<I: HookInput + Watched> HookOutput<I> for AsyncOutput {
    fn into_answer(self) -> Result<HookAnswer, HookError> {
        let mut json = json!({"async": true});
        if let Some(timeout) = self.timeout {
            json["asyncTimeout"] = u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX).into();
        }
        Ok(HookAnswer { json, at_most: None })
    }
}

/// What an output holds, in the words of the wire. Only the types of the events write it, so that each
/// holds what its event knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Body {
    common: Map<String, Value>,
    /// `hookSpecificOutput`, without its `hookEventName`.
    specific: Map<String, Value>,
    at_most: Option<u32>,
}

impl Body {
    /// Sets a field that is the same for every event.
    pub(super) fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.common.insert(key.to_owned(), value.into());
        self
    }

    /// Sets a field of `hookSpecificOutput`.
    pub(super) fn specific(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.specific.insert(key.to_owned(), value.into());
        self
    }

    /// Sets a field of an object of `hookSpecificOutput`, if that object is there.
    pub(super) fn inside(mut self, object: &str, key: &str, value: impl Into<Value>) -> Self {
        if let Some(Value::Object(object)) = self.specific.get_mut(object) {
            object.insert(key.to_owned(), value.into());
        }
        self
    }

    /// Says whether an object of `hookSpecificOutput` has this word under `key`.
    pub(super) fn says(&self, object: &str, key: &str, word: &str) -> bool {
        self.specific.get(object).is_some_and(|object| object[key] == word)
    }

    pub(super) fn at_most(mut self, times: u32) -> Self {
        self.at_most = Some(times);
        self
    }

    pub(super) fn into_answer(self, event: HookEvent) -> HookAnswer {
        let Self { common: mut json, mut specific, at_most } = self;
        if !specific.is_empty() {
            // Without it, or with another's, the CLI ignores the rest or fails.
            specific.insert("hookEventName".to_owned(), event.as_str().into());
            json.insert("hookSpecificOutput".to_owned(), specific.into());
        }
        let at_most = at_most.filter(|_| json.get("decision").is_some_and(|said| said == "block"));
        HookAnswer { json: json.into(), at_most }
    }
}

/// Declares the output of one event, with the fields that every output may have.
macro_rules! hook_output {
    ($(#[$attr:meta])* $input:ident => $name:ident) => {
        $(#[$attr])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        #[must_use = "a hook has to return its answer"]
        pub struct $name($crate::hook::output::Body);

        impl $name {
            /// Ends the turn, and tells the user why.
            ///
            /// # Example
            ///
            /// ```
            #[doc = concat!(
                "byre::hook::", stringify!($name), "::default().stop_turn(\"The budget is spent.\");"
            )]
            /// ```
            pub fn stop_turn(self, reason: impl Into<String>) -> Self {
                Self(self.0.with("continue", false).with("stopReason", reason.into()))
            }

            /// Keeps what the hook says out of the view of the conversation.
            ///
            /// # Example
            ///
            /// ```
            #[doc = concat!("byre::hook::", stringify!($name), "::default().suppress_output();")]
            /// ```
            pub fn suppress_output(self) -> Self {
                Self(self.0.with("suppressOutput", true))
            }

            /// Tells the user something, and the model nothing: an event of subtype `informational`.
            ///
            /// # Example
            ///
            /// ```
            #[doc = concat!(
                "byre::hook::", stringify!($name), "::default().system_message(\"Noted.\");"
            )]
            /// ```
            pub fn system_message(self, text: impl Into<String>) -> Self {
                Self(self.0.with("systemMessage", text.into()))
            }
        }

        impl $crate::hook::HookOutput<$input> for $name {
            fn into_answer(
                self,
            ) -> Result<$crate::hook::output::HookAnswer, $crate::hook::output::HookError> {
                Ok(self.0.into_answer(<$input as $crate::hook::HookInput>::EVENT))
            }
        }
    };
}

/// Adds methods that the outputs of several events have.
macro_rules! output_methods {
    ($name:ident: $($method:ident),*) => {
        $($crate::hook::output::output_methods! { @$method $name })*
    };
    (@new $name:ident) => {
        impl $name {
            /// Says nothing: whatever would happen without the hook, happens.
            ///
            /// # Example
            ///
            /// ```
            #[doc = concat!("byre::hook::", stringify!($name), "::new();")]
            /// ```
            pub fn new() -> Self {
                Self::default()
            }
        }
    };
    (@additional_context $name:ident) => {
        impl $name {
            /// Tells the model something, in addition to what it would read anyway.
            ///
            /// # Example
            ///
            /// ```
            #[doc = concat!(
                "byre::hook::", stringify!($name), "::default().additional_context(\"It is Monday.\");"
            )]
            /// ```
            pub fn additional_context(self, text: impl Into<String>) -> Self {
                Self(self.0.specific("additionalContext", text.into()))
            }
        }
    };
    (@watch_paths $name:ident) => {
        impl $name {
            /// Has the CLI watch these files and folders, by
            /// [`FileChanged`](crate::hook::HookEvent::FileChanged).
            ///
            /// # Example
            ///
            /// ```
            #[doc = concat!(
                "byre::hook::", stringify!($name), "::default().watch_paths([\"/srv/app/.env\"]);"
            )]
            /// ```
            pub fn watch_paths<P: AsRef<std::path::Path>>(
                self,
                paths: impl IntoIterator<Item = P>,
            ) -> Self {
                let path = |path: P| path.as_ref().to_string_lossy().into_owned();
                let paths: Vec<_> = paths.into_iter().map(path).collect();
                Self(self.0.specific("watchPaths", paths))
            }
        }
    };
    (@session_title $name:ident) => {
        impl $name {
            /// Names the session, in the list of sessions to resume.
            ///
            /// # Example
            ///
            /// ```
            #[doc = concat!(
                "byre::hook::", stringify!($name), "::default().session_title(\"Release notes\");"
            )]
            /// ```
            pub fn session_title(self, title: impl Into<String>) -> Self {
                Self(self.0.specific("sessionTitle", title.into()))
            }
        }
    };
    (@suppress_original_prompt $name:ident) => {
        impl $name {
            /// Keeps a blocked prompt out of what the user is told about it.
            ///
            /// # Example
            ///
            /// ```
            #[doc = concat!(
                "byre::hook::", stringify!($name), "::block(\"No keys here.\").suppress_original_prompt();"
            )]
            /// ```
            pub fn suppress_original_prompt(self) -> Self {
                Self(self.0.specific("suppressOriginalPrompt", true))
            }
        }
    };
}

/// Adds `block(reason)`. What it blocks is for the event to say.
macro_rules! output_block {
    ($name:ident, $(#[$attr:meta])*) => {
        impl $name {
            $(#[$attr])*
            ///
            /// # Example
            ///
            /// ```
            #[doc = concat!("byre::hook::", stringify!($name), "::block(\"Not on Fridays.\");")]
            /// ```
            pub fn block(reason: impl Into<String>) -> Self {
                Self($crate::hook::output::Body::default()
                    .with("decision", "block")
                    .with("reason", reason.into()))
            }
        }
    };
}

pub(super) use {hook_output, output_block, output_methods};
