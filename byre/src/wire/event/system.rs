//! The `system` lines, told apart.

use std::{borrow::Cow, sync::Arc};

use serde::Deserialize;

use super::{
    ApiRetry, BackgroundTasksChanged, CommandsChanged, CompactBoundary, ControlRequestProgress,
    ElicitationComplete, FilesPersisted, HookProgress, HookResponse, HookStarted, Informational,
    Init, LocalCommandOutput, MemoryRecall, MirrorError, ModelRefusalFallback,
    ModelRefusalNoFallback, Notification, OtherEvent, PermissionDenied, PluginInstall,
    SessionStateChanged, SessionTitleChanged, SessionWritesLost, Status, TaskNotification,
    TaskProgress, TaskStarted, TaskUpdated, ThinkingTokens, WorkerShuttingDown, lenient::Within,
};
use crate::wire::json::Raw;

/// Declares [`SystemEvent`]: each subtype, and the record that it is read into, of the same name.
macro_rules! system_events {
    ($($(#[$attr:meta])* $name:ident = $subtype:literal,)*) => {
        /// A `system` line.
        ///
        /// # Example
        ///
        /// ```
        /// use byre::event::{Event, SystemEvent};
        ///
        /// fn model(event: &Event) -> Option<&str> {
        ///     match event {
        ///         Event::System(SystemEvent::Init(init)) => Some(&init.model),
        ///         _ => None,
        ///     }
        /// }
        /// ```
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum SystemEvent {
            $($(#[$attr])* $name(Arc<$name>),)*
            /// Any other subtype.
            Other(OtherEvent),
        }

        impl SystemEvent {
            pub(super) fn parse(raw: &Raw) -> Self {
                let (text, within) = (raw.as_str(), Within::line(raw));
                let subtype = subtype_of(text);
                let event = match &*subtype {
                    $($subtype => $name::read(text, within).map(|e| Self::$name(Arc::new(e))),)*
                    _ => None,
                };
                event.unwrap_or_else(|| {
                    Self::Other(OtherEvent { kind: subtype.into_owned(), raw: raw.clone() })
                })
            }

            /// Returns the `subtype`.
            ///
            /// # Example
            ///
            /// ```
            /// fn is_retry(event: &byre::event::SystemEvent) -> bool {
            ///     event.subtype() == "api_retry"
            /// }
            /// ```
            #[must_use]
            pub fn subtype(&self) -> &str {
                match self {
                    $(Self::$name(_) => $subtype,)*
                    Self::Other(other) => &other.kind,
                }
            }

            /// Returns the JSON that the CLI sent.
            ///
            /// # Example
            ///
            /// ```
            /// fn log(event: &byre::event::SystemEvent) {
            ///     eprintln!("{}", event.raw());
            /// }
            /// ```
            #[must_use]
            pub fn raw(&self) -> &Raw {
                match self {
                    $(Self::$name(event) => &event.raw,)*
                    Self::Other(other) => &other.raw,
                }
            }
        }
    };
}

system_events! {
    /// A turn starts. Comes at the start of every turn, also of those that nobody asked for.
    Init = "init",
    /// What the CLI does at the moment.
    Status = "status",
    /// The conversation was made shorter here.
    CompactBoundary = "compact_boundary",
    /// A request has failed, and is tried again.
    ApiRetry = "api_retry",
    /// How far something is that the host has asked for.
    ControlRequestProgress = "control_request_progress",
    /// The model has refused, and another one answers.
    ModelRefusalFallback = "model_refusal_fallback",
    /// The model has refused, and no other one answers.
    ModelRefusalNoFallback = "model_refusal_no_fallback",
    /// What a command printed that the CLI carries out itself.
    LocalCommandOutput = "local_command_output",
    /// Something that the person should read.
    Informational = "informational",
    /// A line for the edge of the screen.
    Notification = "notification",
    /// A hook runs.
    HookStarted = "hook_started",
    /// What a hook has written so far.
    HookProgress = "hook_progress",
    /// A hook has ended.
    HookResponse = "hook_response",
    /// How far the installation of plugins is.
    PluginInstall = "plugin_install",
    /// A subagent, or something else in the background, starts.
    TaskStarted = "task_started",
    /// How far a task is.
    TaskProgress = "task_progress",
    /// Something about a task has changed.
    TaskUpdated = "task_updated",
    /// A task is over, and the model is told.
    TaskNotification = "task_notification",
    /// What runs in the background now.
    BackgroundTasksChanged = "background_tasks_changed",
    /// How much the model has thought so far.
    ThinkingTokens = "thinking_tokens",
    /// Whether the session waits.
    SessionStateChanged = "session_state_changed",
    /// The session has a new title.
    SessionTitleChanged = "session_title_changed",
    /// The CLI is about to end.
    WorkerShuttingDown = "worker_shutting_down",
    /// The commands that a prompt can begin with.
    CommandsChanged = "commands_changed",
    /// Files were uploaded.
    FilesPersisted = "files_persisted",
    /// Memories were put into the conversation.
    MemoryRecall = "memory_recall",
    /// What an MCP server had asked the person is answered.
    ElicitationComplete = "elicitation_complete",
    /// A tool was not allowed to run, and nobody was asked.
    PermissionDenied = "permission_denied",
    /// The conversation could not be copied elsewhere.
    MirrorError = "mirror_error",
    /// The disk is full, and the session's file is not complete.
    SessionWritesLost = "session_writes_lost",
}

/// Reads the `subtype` of a line. Mostly it comes second, and then nothing else is looked at.
fn subtype_of(text: &str) -> Cow<'_, str> {
    #[derive(Deserialize)]
    struct Head<'a> {
        #[serde(borrow, default)]
        subtype: Option<Cow<'a, str>>,
    }
    if let Some(rest) = text.strip_prefix("{\"type\":\"system\",\"subtype\":\"")
        && let Some(end) = memchr::memchr2(b'"', b'\\', rest.as_bytes())
        && rest.as_bytes()[end] == b'"'
    {
        return Cow::Borrowed(&rest[..end]);
    }
    let head = serde_json::from_str::<Head<'_>>(text).ok();
    head.and_then(|head| head.subtype).unwrap_or_default()
}
