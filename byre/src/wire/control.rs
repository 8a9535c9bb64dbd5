//! The control channel: requests, answers and withdrawals, in both directions.
//!
//! ```json
//! {"type":"control_request","request_id":"c-1","request":{"subtype":"mcp_message","server_name":"byre","message":{}}}
//! {"type":"control_response","response":{"subtype":"success","request_id":"c-1","response":{}}}
//! {"type":"control_response","response":{"subtype":"error","request_id":"c-1","error":"why"}}
//! {"type":"control_cancel_request","request_id":"c-1"}
//! ```

use std::{borrow::Cow, fmt::Write, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};

use super::{json::lenient, jsonrpc::Message};

/// The id of a control request, as JSON text: `"c-1"` with its quotes, or `7`.
///
/// The sender of a request mints its id. Kept as text so that it goes back exactly as it came.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RequestId(Arc<str>);

impl RequestId {
    /// The `n`th id of this host.
    pub(crate) fn nth(n: u64) -> Self {
        Self(format!("\"byre-{n}\"").into())
    }

    fn from_raw(raw: &RawValue) -> Self {
        Self(raw.get().into())
    }
}

/// A request of the CLI, as far as byre reads it. All fields that this request does not have are empty.
///
/// One pass over the line reads all of them: most of what comes is of these two kinds.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    line: &'a str,
    pub(crate) subtype: Cow<'a, str>,
    /// `mcp_message`: for which server, and the JSON-RPC message.
    pub(crate) server_name: Cow<'a, str>,
    pub(crate) message: Option<Message<'a>>,
    /// `hook_callback`: which hook, and what it is told.
    pub(crate) callback_id: Cow<'a, str>,
    pub(crate) input: Option<&'a RawValue>,
    pub(crate) tool_use_id: Option<Cow<'a, str>>,
}

impl<'a> Request<'a> {
    /// Reads a `control_request` line, or gives `None` if it has no id or no request: nobody could be
    /// answered then. Where the request itself can't be read, the id comes with the answer to that.
    pub(crate) fn parse(line: &'a str) -> Option<(RequestId, Result<Self, Answer>)> {
        match serde_json::from_str::<Envelope<'_, Message<'_>>>(line) {
            Ok(Envelope { request_id, request }) => {
                Some((RequestId::from_raw(request_id), Ok(request.on(line, |message| message))))
            }
            // A message that can't be read is its server's business.
            Err(_) => {
                let (request_id, request) = parts(line)?;
                let request = serde_json::from_str::<Body<'_, &RawValue>>(request.get())
                    .map(|body| body.on(line, |message| Message::parse(message.get())))
                    .map_err(|error| Answer::error(format!("the request can't be read: {error}")));
                Some((RequestId::from_raw(request_id), request))
            }
        }
    }

    /// Returns the JSON of the request, without what is around it.
    pub(crate) fn body(&self) -> &'a str {
        parts(self.line).map_or("{}", |(_, request)| request.get())
    }
}

/// A `control_request`, with its JSON-RPC message as an `M`.
#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 'a, M: Deserialize<'de>"))]
struct Envelope<'a, M> {
    #[serde(borrow)]
    request_id: &'a RawValue,
    request: Body<'a, M>,
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "'de: 'a, M: Deserialize<'de>"))]
struct Body<'a, M> {
    #[serde(borrow, default)]
    subtype: Cow<'a, str>,
    #[serde(borrow, default)]
    server_name: Cow<'a, str>,
    #[serde(default)]
    message: Option<M>,
    #[serde(borrow, default)]
    callback_id: Cow<'a, str>,
    #[serde(borrow, default)]
    input: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tool_use_id: Option<Cow<'a, str>>,
}

impl<'a, M> Body<'a, M> {
    fn on(self, line: &'a str, read: impl FnOnce(M) -> Message<'a>) -> Request<'a> {
        let Self { subtype, server_name, message, callback_id, input, tool_use_id } = self;
        let message = message.map(read);
        Request { line, subtype, server_name, message, callback_id, input, tool_use_id }
    }
}

/// Returns the id and the request of a `control_request` line.
fn parts(line: &str) -> Option<(&RawValue, &RawValue)> {
    #[derive(Deserialize)]
    struct Envelope<'a> {
        #[serde(borrow)]
        request_id: &'a RawValue,
        #[serde(borrow)]
        request: &'a RawValue,
    }
    let envelope: Envelope<'_> = serde_json::from_str(line).ok()?;
    Some((envelope.request_id, envelope.request))
}

/// What came back for a request of ours.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// The payload; `null` where the answer had none.
    Success(Value),
    /// The CLI refused: a text for a person, and a code for a program where it gave one.
    Error { message: String, code: Option<String> },
}

/// Reads a `control_response` line into the id it answers and what it says.
pub(crate) fn parse_response(line: &str) -> Option<(RequestId, Outcome)> {
    #[derive(Deserialize)]
    struct Envelope<'a> {
        #[serde(borrow)]
        response: Response<'a>,
    }
    #[derive(Deserialize)]
    struct Response<'a> {
        // None of these may cost the answer its id: who waits for it would wait to the end.
        #[serde(default, deserialize_with = "lenient")]
        subtype: String,
        #[serde(borrow)]
        request_id: &'a RawValue,
        #[serde(borrow, default, rename = "response")]
        payload: Option<&'a RawValue>,
        #[serde(default, deserialize_with = "lenient")]
        error: Value,
        #[serde(default, deserialize_with = "lenient")]
        error_code: Option<String>,
    }
    let Envelope { response } = serde_json::from_str(line).ok()?;
    let outcome = if response.subtype == "error" {
        let message = match response.error {
            Value::String(text) => text,
            other => other.to_string(),
        };
        Outcome::Error { message, code: response.error_code }
    } else {
        match serde_json::from_str(response.payload.map_or("null", RawValue::get)) {
            Ok(payload) => Outcome::Success(payload),
            // Nested too deep, or a number that is too large.
            Err(error) => {
                Outcome::Error { message: format!("the answer can't be read: {error}"), code: None }
            }
        }
    };
    Some((RequestId::from_raw(response.request_id), outcome))
}

/// Reads the id that a `control_cancel_request` line withdraws.
pub(crate) fn parse_cancel(line: &str) -> Option<RequestId> {
    #[derive(Deserialize)]
    struct Cancel<'a> {
        #[serde(borrow)]
        request_id: &'a RawValue,
    }
    let cancel: Cancel<'_> = serde_json::from_str(line).ok()?;
    Some(RequestId::from_raw(cancel.request_id))
}

/// What a handler answers to a request of the CLI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Done; the payload is one line of JSON text.
    Success(String),
    /// Done; the payload is this JSON-RPC message, of one line.
    Mcp(String),
    /// Not done; a text for the CLI's log, and a code that it understands where there is one.
    Error { message: String, code: Option<&'static str> },
    /// Nothing is written: the CLI has withdrawn the request, or wants silence from a host that can't
    /// serve it.
    Nothing,
}

impl Answer {
    pub(crate) fn error(message: impl Into<String>) -> Self {
        Self::Error { message: message.into(), code: None }
    }

    pub(crate) fn unsupported(subtype: &str) -> Self {
        Self::Error {
            message: format!("byre does not answer control requests of subtype {subtype:?}"),
            code: Some("unsupported_request"),
        }
    }

    /// Writes the line, newline included, that answers `id`; nothing for a withdrawn request.
    pub(crate) fn write_line(&self, id: &RequestId, out: &mut Vec<u8>) {
        const START: &str = "{\"type\":\"control_response\",\"response\":{\"subtype\":";
        // Piece by piece: an answer may be long, and is copied only once.
        let mut write = |pieces: &[&str]| {
            out.reserve(pieces.iter().map(|piece| piece.len()).sum());
            for piece in pieces {
                out.extend_from_slice(piece.as_bytes());
            }
        };
        match self {
            Self::Success(payload) => write(&[
                START,
                "\"success\",\"request_id\":",
                &id.0,
                ",\"response\":",
                payload,
                "}}\n",
            ]),
            Self::Mcp(message) => write(&[
                START,
                "\"success\",\"request_id\":",
                &id.0,
                ",\"response\":{\"mcp_response\":",
                message,
                "}}}\n",
            ]),
            Self::Error { message, code } => {
                let mut error = Value::from(message.as_str()).to_string();
                if let Some(code) = code {
                    // Writing to a string cannot fail.
                    let _ = write!(error, ",\"error_code\":\"{code}\"");
                }
                write(&[START, "\"error\",\"request_id\":", &id.0, ",\"error\":", &error, "}}\n"]);
            }
            Self::Nothing => {}
        }
    }
}

/// Writes the line, newline included, of a request of ours. `body` must be an object; `subtype` is put
/// into it.
pub(crate) fn write_request(id: &RequestId, subtype: &str, body: Value, out: &mut Vec<u8>) {
    #[derive(Serialize)]
    struct Body<'a> {
        subtype: &'a str,
        #[serde(flatten)]
        rest: serde_json::Map<String, Value>,
    }
    let mut rest = match body {
        Value::Object(map) => map,
        _ => serde_json::Map::new(),
    };
    rest.remove("subtype");
    let body = serde_json::to_string(&Body { subtype, rest }).unwrap_or_default();
    let line =
        format!("{{\"type\":\"control_request\",\"request_id\":{},\"request\":{body}}}\n", id.0);
    out.extend_from_slice(line.as_bytes());
}

/// Writes the line, newline included, that withdraws a request of ours.
pub(crate) fn write_cancel(id: &RequestId, out: &mut Vec<u8>) {
    let line = format!("{{\"type\":\"control_cancel_request\",\"request_id\":{}}}\n", id.0);
    out.extend_from_slice(line.as_bytes());
}

#[cfg(test)]
mod tests;
