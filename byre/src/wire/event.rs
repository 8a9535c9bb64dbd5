//! What the CLI reports on stdout besides control traffic.
//!
//! Parsing never fails: every event that byre has not heard of becomes [`Event::Other`] with its JSON,
//! and a field that has another shape than byre knows is left at its default.
//!
//! Source: lines of CLI 2.1.332, and the types of the Agent SDK for TypeScript 0.3.332.

use std::{fmt, sync::Arc};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error as _, IgnoredAny, MapAccess},
};
use serde_json::value::RawValue;

use super::json::{Raw, kind_of};

mod agent;
mod assembler;
mod assistant;
mod block;
mod calls;
mod cost;
mod failure;
mod hook;
mod init;
mod lenient;
mod limit;
mod message;
mod notice;
mod other;
mod result;
mod state;
mod stream;
mod system;
mod table;
mod task;
mod tasks;
mod user;

use self::lenient::{Lenient, Within, next_key, next_value, read_text};
pub use self::{
    agent::Agent,
    assembler::{Assembler, Change, Update},
    assistant::{
        AssistantError, AssistantEvent, ContextAgent, ContextCategory, ContextFile, ContextKind,
        ContextLimit, ContextOverLimit, ContextSkill, ContextTool, ContextUsage, ExtraUsage,
        PlanLimit, PlanLimits, SessionUsage, ToolUseMeta, UsageReport,
    },
    block::{
        Citation, ContainerUpload, ContentBlock, DocumentBlock, ImageBlock, MediaSource,
        RedactedThinkingBlock, SearchResultBlock, ServerToolResult, ServerToolUse, TextBlock,
        ThinkingBlock, ToolReference, ToolResult, ToolUse,
    },
    calls::{ToolCall, ToolCallUpdate, ToolCalls},
    cost::{Cost, CostTracker},
    failure::{Failure, Failures},
    hook::{HookOutcome, HookProgress, HookResponse, HookStarted},
    init::{ApiKeySource, Init, ManagedLock, McpServerStatus, Plugin, PluginError, ViewMode},
    limit::{
        LimitScope, OverageDisabledReason, RateLimitEvent, RateLimitInfo, RateLimitStatus,
        RateLimitType,
    },
    message::{
        CacheCreation, Message, Origin, OriginKind, OutputTokensDetails, Role, ServerToolUsage,
        StopReason, Usage,
    },
    notice::{
        ApiRetry, FallbackDirection, FallbackScope, Informational, Level, LocalCommandOutput,
        ModelRefusalFallback, ModelRefusalNoFallback, NoResponse, Notification,
        NotificationPriority, PermissionDenied, PromptSubmitKind, PromptSubmitOutcome,
    },
    other::{
        ActiveGoal, AuthStatus, AutocompactState, CommandLifecycle, CommandState,
        ConversationReset, Goal, KeepAlive, PromptSuggestion, ResetTrigger, SubagentRetry,
        ToolProgress, ToolUseSummary, TranscriptMirror,
    },
    result::{
        CostBasis, FastModeDisabledReason, FastModeState, ModelUsage, PermissionDenial,
        ResultEvent, ResultSubtype, TerminalReason,
    },
    state::{
        Activity, CommandsChanged, CompactBoundary, CompactMetadata, CompactResult, CompactTrigger,
        ControlRequestProgress, ElicitationComplete, FilesPersisted, LostWrite, Memory,
        MemoryRecall, MemoryScope, MirrorError, PersistedFile, PluginInstall, PluginInstallStatus,
        PreservedMessages, PreservedSegment, RecallMode, RequestStatus, SessionState,
        SessionStateChanged, SessionTitleChanged, SessionWritesLost, SlashCommand, Status,
        ThinkingTokens, UnpersistedFile, WorkerShuttingDown,
    },
    stream::{Delta, MessageDelta, MessageEnd, MessageStreamEvent, StreamEvent},
    system::SystemEvent,
    task::{
        BackgroundTask, BackgroundTasksChanged, ResourceLink, TaskNotification, TaskPatch,
        TaskProgress, TaskStarted, TaskStatus, TaskUpdated, TaskUsage,
    },
    tasks::{Task, Tasks},
    user::{Decision, NonExecutionKind, PermissionDecision, Priority, ToolResultMeta, UserEvent},
};

/// Declares [`Event`]: the types that are told apart by `type` alone, and the record of each.
macro_rules! events {
    ($($(#[$attr:meta])* $variant:ident($record:ident) = $kind:literal,)*) => {
        /// One thing that the CLI reports.
        ///
        /// Cheap to clone, and every event keeps the JSON that it was read from, with the fields that
        /// byre does not know, at any depth; that JSON is what an event serialises to. It deserialises
        /// from the same.
        ///
        /// # Example
        ///
        /// ```
        /// use byre::Event;
        ///
        /// # async fn run(session: &mut byre::Session) -> byre::Result<()> {
        /// let mut turn = session.prompt("What is 2 + 3?");
        /// while let Some(event) = turn.next().await {
        ///     match event? {
        ///         Event::Assistant(message) => println!("{}", message.text()),
        ///         Event::Result(result) => println!("{} turns", result.num_turns),
        ///         other => println!("{}", other.raw()),
        ///     }
        /// }
        /// # Ok(())
        /// # }
        /// ```
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Event {
            /// Something about the session itself: its start, a retry, a compaction, a task.
            System(SystemEvent),
            /// A piece of a message while the model writes it; only with
            /// [`include_partial_messages`](crate::SessionBuilder::include_partial_messages).
            Stream(StreamEvent),
            $($(#[$attr])* $variant(Arc<$record>),)*
            /// byre itself has something to say that does not end the session. Not from the CLI.
            Warning(Warning),
            /// Anything else.
            Other(OtherEvent),
        }

        impl Event {
            /// Reads the event of a line whose `type` is `kind`.
            pub(crate) fn parse(kind: &str, raw: &Raw) -> Self {
                let event = match kind {
                    "stream_event" => StreamEvent::parse(raw).map(Self::Stream),
                    "system" => Some(Self::System(SystemEvent::parse(raw))),
                    $($kind => $record::read(raw.as_str(), Within::line(raw))
                        .map(|event| Self::$variant(Arc::new(event))),)*
                    WARNING => Warning::parse(raw).map(Self::Warning),
                    _ => None,
                };
                let other = || OtherEvent { kind: kind.to_owned(), raw: raw.clone() };
                event.unwrap_or_else(|| Self::Other(other()))
            }

            /// Returns the JSON that the CLI sent.
            ///
            /// # Example
            ///
            /// ```
            /// fn log(event: &byre::Event) {
            ///     eprintln!("{}", event.raw());
            /// }
            /// ```
            #[must_use]
            pub fn raw(&self) -> &Raw {
                match self {
                    Self::System(event) => event.raw(),
                    Self::Stream(event) => &event.raw,
                    $(Self::$variant(event) => &event.raw,)*
                    Self::Warning(event) => &event.raw,
                    Self::Other(event) => &event.raw,
                }
            }

            /// Returns the `type` on the wire; `byre_warning` for a [`Warning`](Self::Warning).
            ///
            /// # Example
            ///
            /// ```
            /// fn is_news(event: &byre::Event) -> bool {
            ///     event.kind() != "keep_alive"
            /// }
            /// ```
            #[must_use]
            pub fn kind(&self) -> &str {
                match self {
                    Self::System(_) => "system",
                    Self::Stream(_) => "stream_event",
                    $(Self::$variant(_) => $kind,)*
                    Self::Warning(_) => WARNING,
                    Self::Other(event) => &event.kind,
                }
            }
        }
    };
}

events! {
    /// One finished block of what the model says.
    Assistant(AssistantEvent) = "assistant",
    /// What goes to the model in the user's place: results of tools, feedback of hooks.
    User(UserEvent) = "user",
    /// A turn is over.
    Result(ResultEvent) = "result",
    /// A tool still runs.
    ToolProgress(ToolProgress) = "tool_progress",
    /// What several calls were for, in a few words.
    ToolUseSummary(ToolUseSummary) = "tool_use_summary",
    /// How a login goes.
    AuthStatus(AuthStatus) = "auth_status",
    /// How much of the plan is used.
    RateLimit(RateLimitEvent) = "rate_limit_event",
    /// What the person may want to ask next.
    PromptSuggestion(PromptSuggestion) = "prompt_suggestion",
    /// The conversation starts anew.
    ConversationReset(ConversationReset) = "conversation_reset",
    /// What the session works towards.
    ActiveGoal(ActiveGoal) = "active_goal",
    /// What became of a prompt.
    CommandLifecycle(CommandLifecycle) = "command_lifecycle",
    /// How near the context is to being made shorter.
    AutocompactState(AutocompactState) = "autocompact_state",
    /// Nothing. A session does not deliver it.
    KeepAlive(KeepAlive) = "keep_alive",
    /// What was written to the session's file. For the host alone.
    TranscriptMirror(TranscriptMirror) = "transcript_mirror",
}

impl Event {
    /// Reads the event of a line. One that only looks like JSON is a warning.
    pub(crate) fn read(raw: Raw) -> Self {
        // Deltas pass by in their thousands. Anything else may be kept for long.
        let is_delta = kind_of(raw.as_str()) == "stream_event";
        let raw = if is_delta { raw } else { raw.on_its_own() };
        match Self::parse(&kind_of(raw.as_str()), &raw) {
            Self::Other(event) if !event.raw.is_json() => {
                let start: String = event.raw.as_str().chars().take(SHOWN).collect();
                let message =
                    format!("a line on the CLI's stdout is broken and is skipped: {start}");
                Self::Warning(Warning::new(message))
            }
            event => event,
        }
    }

    /// Returns the text that this event adds to the answer, if partial messages are on.
    ///
    /// The [`Assistant`](Self::Assistant) event repeats the whole text at the end: print one or the
    /// other.
    ///
    /// # Example
    ///
    /// ```
    /// fn print(event: &byre::Event) {
    ///     if let Some(text) = event.text_delta() {
    ///         print!("{text}");
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn text_delta(&self) -> Option<&str> {
        match self {
            Self::Stream(event) => match event.delta() {
                Some(Delta::Text(text)) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the text of a message of the model or the user, its text blocks joined.
    ///
    /// # Example
    ///
    /// ```
    /// fn show(event: &byre::Event) {
    ///     if let Some(text) = event.text() {
    ///         println!("{text}");
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Assistant(event) => Some(event.text()),
            Self::User(event) => Some(event.message.text()),
            _ => None,
        }
    }

    /// Returns the id of the `Agent` call that started the subagent which this event is from; `None`
    /// for the main agent and the session itself.
    ///
    /// # Example
    ///
    /// ```
    /// fn is_main(event: &byre::Event) -> bool {
    ///     event.parent_tool_use_id().is_none()
    /// }
    /// ```
    #[must_use]
    pub fn parent_tool_use_id(&self) -> Option<&str> {
        match self {
            Self::Assistant(event) => event.parent_tool_use_id.as_deref(),
            Self::User(event) => event.parent_tool_use_id.as_deref(),
            Self::Stream(event) => event.parent_tool_use_id.as_deref(),
            // A heartbeat has the call itself in the place of the agent.
            Self::ToolProgress(event) if event.is_beat() => None,
            Self::ToolProgress(event) => event.parent_tool_use_id.as_deref(),
            _ => None,
        }
    }

    /// Returns the agent that this event is from.
    ///
    /// # Example
    ///
    /// ```
    /// fn is_main(event: &byre::Event) -> bool {
    ///     event.agent() == byre::event::Agent::Main
    /// }
    /// ```
    #[must_use]
    pub fn agent(&self) -> Agent {
        Agent::from(self.parent_tool_use_id())
    }

    /// Returns the id of the session that this event is from.
    ///
    /// # Example
    ///
    /// ```
    /// let json = r#"{"type":"prompt_suggestion","suggestion":"Go on","session_id":"s","uuid":"u"}"#;
    /// let event: byre::Event = serde_json::from_str(json)?;
    /// assert_eq!((event.session_id(), event.uuid()), (Some("s"), Some("u")));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn session_id(&self) -> Option<&str> {
        self.ids().0
    }

    /// Returns the id of this event, which the CLI mints.
    ///
    /// # Example
    ///
    /// ```
    /// fn is_the_one(event: &byre::Event, uuid: &str) -> bool {
    ///     event.uuid() == Some(uuid)
    /// }
    /// ```
    #[must_use]
    pub fn uuid(&self) -> Option<&str> {
        self.ids().1
    }

    /// The session's id, and the event's own. They are read when somebody asks: a delta is one of
    /// thousands.
    fn ids(&self) -> (Option<&str>, Option<&str>) {
        let ids = read_text::<Ids<'_>>(self.raw().as_str(), Within::default());
        let Ids { session_id, uuid } = ids.ok().flatten().unwrap_or_default();
        (session_id, uuid)
    }
}

#[derive(Default)]
struct Ids<'a> {
    session_id: Option<&'a str>,
    uuid: Option<&'a str>,
}

impl<'de> Lenient<'de> for Ids<'de> {
    fn from_map<A: MapAccess<'de>>(
        mut map: A,
        within: Within<'_>,
    ) -> Result<Option<Self>, A::Error> {
        let mut ids = Self::default();
        while let Some(key) = next_key(&mut map)? {
            match &*key {
                "session_id" => ids.session_id = next_value(&mut map, within)?,
                "uuid" => ids.uuid = next_value(&mut map, within)?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Some(ids))
    }
}

impl Serialize for Event {
    /// Serialises to what the CLI sent.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Event {
    /// Reads an event from the JSON of a line. One that byre does not know is [`Other`](Self::Other).
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(json)?;
        if !text.get().starts_with('{') {
            return Err(D::Error::custom("an event is an object"));
        }
        let raw = Raw::new(text.get().to_owned());
        Ok(Self::parse(&kind_of(raw.as_str()), &raw))
    }
}

/// How much of a broken line is shown, in characters.
const SHOWN: usize = 200;

/// The `type` of a [`Warning`].
const WARNING: &str = "byre_warning";

/// byre itself has something to say that does not end the session: the transcript can't be written, a
/// server of ours did not connect.
///
/// Serialises to `{"type":"byre_warning","message":"…"}`.
///
/// # Example
///
/// ```
/// fn show(warning: &byre::event::Warning) {
///     eprintln!("warning: {warning}");
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// What happened, in one sentence.
    pub message: String,
    raw: Raw,
}

impl Warning {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        let message = message.into();
        let raw = serde_json::json!({"type": WARNING, "message": message}).to_string();
        Self { message, raw: Raw::new(raw) }
    }

    fn parse(raw: &Raw) -> Option<Self> {
        let message = raw.to_value().get("message")?.as_str()?.to_owned();
        Some(Self { message, raw: raw.clone() })
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Something that byre has no type for.
///
/// # Example
///
/// ```
/// fn is_summary(event: &byre::event::OtherEvent) -> bool {
///     event.kind == "post_turn_summary"
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OtherEvent {
    /// Its `type`, or its `subtype` for a `system` line.
    pub kind: String,
    /// Its JSON.
    pub raw: Raw,
}

#[cfg(test)]
mod tests;
