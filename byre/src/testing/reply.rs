//! One reply of the model, as data.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the model says when it is asked once: blocks of text and tool calls, in this order.
///
/// The first block is made by a function such as [`say`](Self::say), further ones by methods such as
/// [`and_call`](Self::and_call).
///
/// # Example
///
/// ```
/// use std::time::Duration;
/// use byre::testing::Reply;
/// use serde_json::json;
///
/// let reply = Reply::say("Let me look ")
///     .and_wait(Duration::from_millis(50))
///     .and_more("that up.") // the same block, as a second piece of the stream
///     .and_call("find", json!({"name": "byre"}));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reply {
    pub(crate) parts: Vec<Part>,
}

/// One step of a reply.
///
/// ```json
/// {"say":"I will add."}
/// {"call":{"name":"add","arguments":{"a":2,"b":3}}}
/// {"error":{"status":529,"body":{},"headers":[["retry-after","1"]]}}
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Part {
    /// A text block, or its first piece.
    Say(String),
    /// A further piece of the text block before it.
    More(String),
    /// A thinking block.
    Think(String),
    Call {
        name: String,
        #[serde(default)]
        arguments: Value,
    },
    /// A call whose arguments are written as they are.
    CallJson {
        name: String,
        json: String,
    },
    WaitMs(u64),
    /// Waits until somebody gives up.
    Hold,
    /// The connection breaks here.
    Cut,
    Error(ApiError),
}

/// An answer of the API that is no message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ApiError {
    pub(crate) status: u16,
    pub(crate) body: Value,
    #[serde(default)]
    pub(crate) headers: Vec<(String, String)>,
}

impl Reply {
    fn new(part: Part) -> Self {
        Self { parts: vec![part] }
    }

    fn and(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }

    /// Makes a reply of one text.
    ///
    /// # Example
    ///
    /// ```
    /// let reply = byre::testing::Reply::say("Hello.");
    /// ```
    #[must_use]
    pub fn say(text: impl Into<String>) -> Self {
        Self::new(Part::Say(text.into()))
    }

    /// Makes a reply of one text that is streamed in these pieces.
    ///
    /// # Example
    ///
    /// ```
    /// let reply = byre::testing::Reply::say_in(["Hel", "lo."]);
    /// ```
    #[must_use]
    pub fn say_in<T: Into<String>>(pieces: impl IntoIterator<Item = T>) -> Self {
        let mut parts: Vec<_> = pieces.into_iter().map(|piece| Part::More(piece.into())).collect();
        if let Some(Part::More(text)) = parts.first_mut() {
            parts[0] = Part::Say(std::mem::take(text));
        }
        Self { parts }
    }

    /// Makes a reply of one tool call. `arguments` is an object.
    ///
    /// # Example
    ///
    /// ```
    /// # use serde_json::json;
    /// let reply = byre::testing::Reply::call("add", json!({"a": 2, "b": 3}));
    /// ```
    #[must_use]
    pub fn call(tool: impl Into<String>, arguments: Value) -> Self {
        Self::default().and_call(tool, arguments)
    }

    /// Makes a reply of one tool call whose arguments are this text, as it is: to see what becomes of
    /// half a surrogate pair, of a key that comes twice, or of no JSON at all.
    ///
    /// The stand-in takes halves of pairs as U+FFFD, and what is no JSON as no arguments.
    ///
    /// # Example
    ///
    /// ```
    /// let reply = byre::testing::Reply::call_json("echo", r#"{"text":"\ud83d"}"#);
    /// ```
    #[must_use]
    pub fn call_json(tool: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self::new(Part::CallJson { name: tool.into(), json: arguments.into() })
    }

    /// Makes a reply that starts with a thinking block.
    ///
    /// # Example
    ///
    /// ```
    /// let reply = byre::testing::Reply::think("Two and three…").and_say("5");
    /// ```
    #[must_use]
    pub fn think(text: impl Into<String>) -> Self {
        Self::new(Part::Think(text.into()))
    }

    /// Makes a reply that comes after a pause.
    ///
    /// # Example
    ///
    /// ```
    /// # use std::time::Duration;
    /// let slow = byre::testing::Reply::wait(Duration::from_millis(200)).and_say("Here I am.");
    /// ```
    #[must_use]
    pub fn wait(time: Duration) -> Self {
        Self::default().and_wait(time)
    }

    /// Makes a reply that never comes: something to interrupt.
    ///
    /// # Example
    ///
    /// ```
    /// let reply = byre::testing::Reply::hold();
    /// ```
    #[must_use]
    pub fn hold() -> Self {
        Self::new(Part::Hold)
    }

    /// Makes a reply that the API refuses with `status`, in the API's own form of an error.
    ///
    /// # Example
    ///
    /// ```
    /// let reply = byre::testing::Reply::error(429, "rate limited").and_header("retry-after", "1");
    /// ```
    #[must_use]
    pub fn error(status: u16, message: impl Into<String>) -> Self {
        let kind = match status {
            400 => "invalid_request_error",
            401 => "authentication_error",
            403 => "permission_error",
            404 => "not_found_error",
            413 => "request_too_large",
            429 => "rate_limit_error",
            529 => "overloaded_error",
            _ => "api_error",
        };
        let error = serde_json::json!({"type": kind, "message": message.into()});
        Self::error_body(status, serde_json::json!({"type": "error", "error": error}))
    }

    /// Makes a reply that the API refuses with `status` and exactly this body.
    ///
    /// # Example
    ///
    /// ```
    /// # use serde_json::json;
    /// let reply = byre::testing::Reply::error_body(502, json!("bad gateway"));
    /// ```
    #[must_use]
    pub fn error_body(status: u16, body: Value) -> Self {
        Self::new(Part::Error(ApiError { status, body, headers: Vec::new() }))
    }

    /// Adds a header to the refusal of [`error`](Self::error); does nothing for any other reply.
    ///
    /// # Example
    ///
    /// ```
    /// let reply = byre::testing::Reply::error(529, "busy").and_header("retry-after", "1");
    /// ```
    #[must_use]
    pub fn and_header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        if let Some(Part::Error(error)) = self.parts.last_mut() {
            error.headers.push((name.into(), value.into()));
        }
        self
    }

    /// Adds a text block.
    ///
    /// # Example
    ///
    /// ```
    /// let reply = byre::testing::Reply::say("One block.").and_say("Another.");
    /// ```
    #[must_use]
    pub fn and_say(self, text: impl Into<String>) -> Self {
        self.and(Part::Say(text.into()))
    }

    /// Adds a piece to the text block before it.
    ///
    /// # Example
    ///
    /// ```
    /// let reply = byre::testing::Reply::say("Hel").and_more("lo.");
    /// ```
    #[must_use]
    pub fn and_more(self, text: impl Into<String>) -> Self {
        self.and(Part::More(text.into()))
    }

    /// Adds a tool call. `arguments` is an object.
    ///
    /// # Example
    ///
    /// ```
    /// # use serde_json::json;
    /// let reply = byre::testing::Reply::say("I will add.").and_call("add", json!({"a": 2, "b": 3}));
    /// ```
    #[must_use]
    pub fn and_call(self, tool: impl Into<String>, arguments: Value) -> Self {
        self.and(Part::Call { name: tool.into(), arguments })
    }

    /// Adds a pause.
    ///
    /// # Example
    ///
    /// ```
    /// # use std::time::Duration;
    /// let reply = byre::testing::Reply::say("Hel").and_wait(Duration::from_millis(50)).and_more("lo.");
    /// ```
    #[must_use]
    pub fn and_wait(self, time: Duration) -> Self {
        self.and(Part::WaitMs(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)))
    }

    /// Stops here, in the middle of the message, and says nothing more.
    ///
    /// # Example
    ///
    /// ```
    /// let reply = byre::testing::Reply::say("I am about to").and_hold();
    /// ```
    #[must_use]
    pub fn and_hold(self) -> Self {
        self.and(Part::Hold)
    }

    /// Breaks the connection here. Only [`MessagesApi`](super::MessagesApi) has one to break; the
    /// stand-in ends the message.
    ///
    /// # Example
    ///
    /// ```
    /// let reply = byre::testing::Reply::say("I am about to").and_cut();
    /// ```
    #[must_use]
    pub fn and_cut(self) -> Self {
        self.and(Part::Cut)
    }
}
