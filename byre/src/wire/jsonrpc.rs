//! JSON-RPC 2.0, as MCP uses it.
//!
//! Source: MCP 2025-11-25, "Base protocol".

use std::{borrow::Cow, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, value::RawValue};

use super::{json::Borrowed, params::Params};

/// The id of a JSON-RPC request, as JSON text: `2`, or `"2"` with its quotes.
///
/// Kept as text, because the CLI drops an answer whose id differs in value or type, and says nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Id(Arc<str>);

/// A JSON-RPC message that came in.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    /// Wants an answer.
    Request { id: Id, method: Cow<'a, str>, params: Params<'a> },
    /// Wants none.
    Notification { method: Cow<'a, str>, params: Params<'a> },
    /// Answers a request of ours.
    Response,
    /// Is none of these; the id, where there is one, is for the error.
    Malformed { id: Option<Id> },
}

impl<'a> Message<'a> {
    /// Reads one message. Never fails: what can't be read is [`Malformed`](Self::Malformed).
    pub(crate) fn parse(text: &'a str) -> Self {
        #[derive(Deserialize)]
        struct OnlyId<'a> {
            #[serde(default, borrow)]
            id: Option<&'a RawValue>,
        }
        serde_json::from_str(text).unwrap_or_else(|_| {
            let only = serde_json::from_str::<OnlyId<'_>>(text).ok();
            Self::Malformed { id: only.and_then(|only| Id::of_request(only.id?)) }
        })
    }

    /// The id, where there is one that can be answered.
    pub(crate) fn id(&self) -> Option<&Id> {
        match self {
            Self::Request { id, .. } => Some(id),
            Self::Malformed { id } => id.as_ref(),
            Self::Notification { .. } | Self::Response => None,
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Message<'a> {
    /// Reads a message. [`parse`](Self::parse) has a second look at what is an error here.
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Envelope<'a> {
            #[serde(default, borrow)]
            id: Option<&'a RawValue>,
            #[serde(default, borrow)]
            method: Option<Borrowed<'a>>,
            #[serde(default, borrow)]
            params: Params<'a>,
            #[serde(default, borrow)]
            result: Option<&'a RawValue>,
            #[serde(default, borrow)]
            error: Option<&'a RawValue>,
        }
        let envelope = Envelope::deserialize(json)?;
        Ok(
            match (
                envelope.id.and_then(Id::of_request),
                envelope.method.map(|Borrowed(method)| method),
            ) {
                (Some(id), Some(method)) => Self::Request { id, method, params: envelope.params },
                (None, Some(method)) if envelope.id.is_none() => {
                    Self::Notification { method, params: envelope.params }
                }
                (_, None) if envelope.result.is_some() || envelope.error.is_some() => {
                    Self::Response
                }
                (id, _) => Self::Malformed { id },
            },
        )
    }
}

impl Id {
    /// The id of a request. The specification allows strings and integers; `null` and objects can't be matched.
    fn of_request(raw: &RawValue) -> Option<Self> {
        let is_id = raw.get().starts_with(|c: char| c == '"' || c == '-' || c.is_ascii_digit());
        is_id.then(|| Self::from_raw(raw))
    }

    /// The id in the raw JSON of another message, `notifications/cancelled` for example.
    pub(crate) fn from_raw(raw: &RawValue) -> Self {
        Self(raw.get().into())
    }
}

/// What went wrong, for the CLI's MCP client. A tool that fails is not such an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProtocolError {
    pub(crate) code: i32,
    pub(crate) message: String,
}

impl ProtocolError {
    /// The message is no JSON-RPC message.
    pub(crate) const INVALID_REQUEST: i32 = -32600;
    /// There is no such method, or no such server.
    pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
    /// The parameters do not fit, or name a tool that does not exist.
    pub(crate) const INVALID_PARAMS: i32 = -32602;

    pub(crate) fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// Makes the answer to `id`: `result` is JSON text of one line.
pub(crate) fn response(id: &Id, result: &str) -> String {
    ["{\"jsonrpc\":\"2.0\",\"id\":", &id.0, ",\"result\":", result, "}"].concat()
}

/// The same for a result that is still to be written, without a copy of it.
///
/// # Errors
///
/// If it can't be written as JSON.
pub(crate) fn response_with<T: Serialize>(id: &Id, result: &T) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Response<'a, T> {
        jsonrpc: &'a str,
        id: &'a RawValue,
        result: &'a T,
    }
    let id = serde_json::from_str(&id.0)?;
    serde_json::to_string(&Response { jsonrpc: "2.0", id, result })
}

/// Makes the error answer to `id`, or to nobody in particular.
pub(crate) fn error_response(id: Option<&Id>, error: &ProtocolError) -> String {
    let id = id.map_or("null", |id| &id.0);
    let message = Value::from(error.message.as_str());
    let code = error.code;
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":{code},\"message\":{message}}}}}"
    )
}

#[cfg(test)]
mod tests;
