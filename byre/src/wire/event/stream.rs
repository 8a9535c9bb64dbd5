//! Messages while the model writes them.
//!
//! This is where most lines come from: a long answer is thousands of them. So a delta is read in one
//! pass, and only what it brings is copied.

use std::borrow::Cow;

use serde::de::{IgnoredAny, MapAccess};
use serde_json::Value;

use super::{
    OtherEvent,
    block::ContentBlock,
    lenient::{Lenient, Within, next_key, next_value, read_text},
    message::{Message, StopReason, Usage},
    table::record,
};
use crate::wire::json::Raw;

/// `stream_event`: a piece of a message while the model writes it; only with
/// [`include_partial_messages`](crate::SessionBuilder::include_partial_messages).
///
/// [`Assembler`](super::Assembler) puts them together.
///
/// ```json
/// {"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}},"session_id":"8f3a…","parent_tool_use_id":null,"uuid":"…"}
/// ```
///
/// # Example
///
/// ```
/// use byre::event::{Delta, StreamEvent};
///
/// fn is_thinking(event: &StreamEvent) -> bool {
///     matches!(event.delta(), Some(Delta::Thinking(_)))
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct StreamEvent {
    /// The piece.
    pub event: MessageStreamEvent,
    /// The `Agent` call whose subagent writes this; `None` for the main agent.
    pub parent_tool_use_id: Option<String>,
    /// From the request to the first token, in milliseconds; only at the start of a message.
    pub ttft_ms: Option<u64>,
    /// How the model's thinking is shown; only at the start of a message, seen with 2.1.332.
    pub thinking_display: Option<String>,
    /// The last prompt that is answered; only where it has changed.
    pub user_message_uuid: Option<String>,
    /// All prompts that are answered, at most 64; only where they have changed.
    pub user_message_uuids: Vec<String>,
    /// Why a turn goes on that was cut off by a restart of the CLI.
    pub resume_reason: Option<String>,
    /// The JSON that the CLI sent, with the session's id and others that are not worth a copy each time.
    pub raw: Raw,
}

impl StreamEvent {
    pub(super) fn parse(raw: &Raw) -> Option<Self> {
        let line: Line<'_> = read_text(raw.as_str(), Within::line(raw)).ok()??;
        Some(Self {
            event: line.event.into_event(raw),
            parent_tool_use_id: line.parent_tool_use_id,
            ttft_ms: line.ttft_ms,
            thinking_display: line.thinking_display,
            user_message_uuid: line.user_message_uuid,
            user_message_uuids: line.user_message_uuids,
            resume_reason: line.resume_reason,
            raw: raw.clone(),
        })
    }

    /// Returns what the piece adds to its block; `None` for starts and stops.
    ///
    /// # Example
    ///
    /// ```
    /// fn adds(event: &byre::event::StreamEvent) -> bool {
    ///     event.delta().is_some()
    /// }
    /// ```
    #[must_use]
    pub fn delta(&self) -> Option<&Delta> {
        match &self.event {
            MessageStreamEvent::BlockDelta { delta, .. } => Some(delta),
            _ => None,
        }
    }
}

/// What a [`StreamEvent`] brings.
///
/// Source: Claude Messages API, streaming.
///
/// # Example
///
/// ```
/// use byre::event::MessageStreamEvent;
///
/// fn is_start(event: &MessageStreamEvent) -> bool {
///     matches!(event, MessageStreamEvent::MessageStart(_))
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MessageStreamEvent {
    /// `message_start`: a message begins; it is empty yet.
    MessageStart(Box<Message>),
    /// `content_block_start`: a block begins; it is empty yet.
    BlockStart {
        /// Which block of the message, counted from 0.
        index: u64,
        /// The block.
        block: Box<ContentBlock>,
    },
    /// `content_block_delta`: a block grows.
    BlockDelta {
        /// Which block of the message, counted from 0.
        index: u64,
        /// By what.
        delta: Delta,
    },
    /// `content_block_stop`: a block is finished.
    BlockStop {
        /// Which block of the message, counted from 0.
        index: u64,
    },
    /// `message_delta`: why the model stopped, and what the message took.
    MessageDelta(Box<MessageDelta>),
    /// `message_stop`: the message is finished.
    MessageStop,
    /// `ping`: nothing.
    Ping,
    /// Anything else.
    Other(OtherEvent),
}

/// What a [`StreamEvent`] adds to its block.
///
/// # Example
///
/// ```
/// use byre::event::Delta;
///
/// fn shown(delta: &Delta) -> &str {
///     match delta {
///         Delta::Text(text) => text,
///         _ => "",
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Delta {
    /// `text_delta`: text of the answer.
    Text(String),
    /// `thinking_delta`: text of the model's thinking.
    Thinking(String),
    /// `input_json_delta`: a piece of the JSON text of a tool call's arguments.
    ToolInput(String),
    /// `signature_delta`: the API's proof that the thought is the model's own.
    Signature(String),
    /// `citations_delta`: what a piece of text rests on, as in
    /// [`TextBlock::citations`](super::TextBlock::citations).
    Citation(Box<Value>),
    /// Anything else.
    Other(OtherEvent),
}

record! {
    /// Why the model stopped, and what the message took.
    r#"{"delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}}"#
    pub struct MessageDelta {
        /// Why it stopped.
        pub delta: MessageEnd,
        /// What the message took, all of it; fields that did not change may be missing.
        pub usage: Option<Usage>,
    }
}

record! {
    /// [`MessageDelta::delta`].
    r#"{"stop_reason":"end_turn","stop_sequence":null}"#
    pub struct MessageEnd {
        /// Why the model stopped.
        pub stop_reason: Option<StopReason>,
        /// The word that it stopped at.
        pub stop_sequence: Option<String>,
    }
}

/// Declares a record of this module alone, which borrows from the line.
macro_rules! borrowed_record {
    ($name:ident { $($field:ident: $ty:ty = $wire:literal,)* }) => {
        #[derive(Default)]
        struct $name<'de> {
            $($field: $ty,)*
            /// Text without escapes is not copied.
            kind: Cow<'de, str>,
        }

        impl<'de> Lenient<'de> for $name<'de> {
            fn from_map<A: MapAccess<'de>>(
                mut map: A,
                within: Within<'_>,
            ) -> Result<Option<Self>, A::Error> {
                let mut record = Self::default();
                while let Some(key) = next_key(&mut map)? {
                    match &*key {
                        "type" => record.kind = next_value(&mut map, within)?.unwrap_or_default(),
                        $($wire => {
                            record.$field = next_value(&mut map, within)?.unwrap_or_default();
                        })*
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                Ok(Some(record))
            }
        }
    };
}

borrowed_record! {
    Line {
        event: ApiEvent<'de> = "event",
        parent_tool_use_id: Option<String> = "parent_tool_use_id",
        ttft_ms: Option<u64> = "ttft_ms",
        thinking_display: Option<String> = "thinking_display",
        user_message_uuid: Option<String> = "user_message_uuid",
        user_message_uuids: Vec<String> = "user_message_uuids",
        resume_reason: Option<String> = "resume_reason",
    }
}

borrowed_record! {
    ApiEvent {
        index: u64 = "index",
        delta: ApiDelta<'de> = "delta",
        content_block: Option<Box<ContentBlock>> = "content_block",
        message: Option<Box<Message>> = "message",
        usage: Option<Box<Usage>> = "usage",
    }
}

borrowed_record! {
    ApiDelta {
        text: Option<String> = "text",
        thinking: Option<String> = "thinking",
        partial_json: Option<String> = "partial_json",
        signature: Option<String> = "signature",
        citation: Option<Box<Value>> = "citation",
        stop_reason: Option<StopReason> = "stop_reason",
        stop_sequence: Option<String> = "stop_sequence",
    }
}

impl ApiEvent<'_> {
    fn into_event(self, raw: &Raw) -> MessageStreamEvent {
        let index = self.index;
        match &*self.kind {
            "content_block_delta" => {
                MessageStreamEvent::BlockDelta { index, delta: self.delta.into_delta(raw) }
            }
            "message_start" => MessageStreamEvent::MessageStart(self.message.unwrap_or_default()),
            "content_block_start" => MessageStreamEvent::BlockStart {
                index,
                block: self.content_block.unwrap_or_else(|| {
                    let raw = Raw::default();
                    Box::new(ContentBlock::Other(OtherEvent { kind: String::new(), raw }))
                }),
            },
            "content_block_stop" => MessageStreamEvent::BlockStop { index },
            "message_delta" => MessageStreamEvent::MessageDelta(Box::new(MessageDelta {
                delta: MessageEnd {
                    stop_reason: self.delta.stop_reason,
                    stop_sequence: self.delta.stop_sequence,
                },
                usage: self.usage.map(|usage| *usage),
            })),
            "message_stop" => MessageStreamEvent::MessageStop,
            "ping" => MessageStreamEvent::Ping,
            kind => {
                MessageStreamEvent::Other(OtherEvent { kind: kind.to_owned(), raw: raw.clone() })
            }
        }
    }
}

impl ApiDelta<'_> {
    fn into_delta(self, raw: &Raw) -> Delta {
        let known = match &*self.kind {
            "text_delta" => self.text.map(Delta::Text),
            "thinking_delta" => self.thinking.map(Delta::Thinking),
            "input_json_delta" => self.partial_json.map(Delta::ToolInput),
            "signature_delta" => self.signature.map(Delta::Signature),
            "citations_delta" => self.citation.map(Delta::Citation),
            _ => None,
        };
        known.unwrap_or_else(|| {
            Delta::Other(OtherEvent { kind: self.kind.into_owned(), raw: raw.clone() })
        })
    }
}
