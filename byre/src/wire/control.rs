//! The control channel: requests, answers and withdrawals, in both directions.
//!
//! ```json
//! {"type":"control_request","request_id":"c-1","request":{"subtype":"mcp_message","server_name":"byre","message":{}}}
//! {"type":"control_response","response":{"subtype":"success","request_id":"c-1","response":{}}}
//! {"type":"control_response","response":{"subtype":"error","request_id":"c-1","error":"why"}}
//! {"type":"control_cancel_request","request_id":"c-1"}
//! ```

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};

use super::json::lenient;

/// The id of a control request, as JSON text: `"c-1"` with its quotes, or `7`.
///
/// The sender of a request mints its id. Kept as text so that it goes back exactly as it came.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RequestId(String);

impl RequestId {
    /// The `n`th id of this host.
    pub(crate) fn nth(n: u64) -> Self {
        Self(format!("\"byre-{n}\""))
    }

    fn from_raw(raw: &RawValue) -> Self {
        Self(raw.get().to_owned())
    }
}

/// A request of the CLI. `request` holds `subtype` and whatever belongs to it.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) id: RequestId,
    pub(crate) request: Box<RawValue>,
}

impl Request {
    /// Reads a `control_request` line, or gives `None` if it has no id or no request: nobody could be
    /// answered then.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Envelope<'a> {
            #[serde(borrow)]
            request_id: &'a RawValue,
            request: Box<RawValue>,
        }
        let envelope: Envelope<'_> = serde_json::from_str(line).ok()?;
        Some(Self { id: RequestId::from_raw(envelope.request_id), request: envelope.request })
    }
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
        let line = match self {
            Self::Success(payload) => format!(
                "{{\"type\":\"control_response\",\"response\":{{\"subtype\":\"success\",\
                 \"request_id\":{},\"response\":{payload}}}}}\n",
                id.0
            ),
            Self::Error { message, code } => {
                let mut line = format!(
                    "{{\"type\":\"control_response\",\"response\":{{\"subtype\":\"error\",\
                     \"request_id\":{},\"error\":{}",
                    id.0,
                    Value::from(message.as_str())
                );
                if let Some(code) = code {
                    // Writing to a string cannot fail.
                    let _ = write!(line, ",\"error_code\":\"{code}\"");
                }
                line.push_str("}}\n");
                line
            }
            Self::Nothing => return,
        };
        out.extend_from_slice(line.as_bytes());
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
