//! What the model does in a test, as data. Knows neither the CLI nor the API.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{reply::Reply, request::ModelRequest};
use crate::{Error, ErrorKind, Result};

/// What the model does: a list of replies, one for each time that it is asked.
///
/// A reply that calls tools is followed by their results and the next reply. One that calls none ends
/// the turn; a `Stop` hook that blocks leads to one more. The replies of a further turn simply come
/// next in the list.
///
/// A tool is named as in Rust (`add`): the script finds `mcp__byre__add` among the tools that it was
/// offered. A name that starts with `mcp__`, and the name of a built-in tool, stay as they are.
///
/// Text, and strings in the arguments of calls, may hold placeholders: `{result}` is the text of the
/// last tool result, `{result:0}` that of the first in the last message. A placeholder without such a
/// result stays as it is.
///
/// A script that has run out says "the script has no more replies", and so never hangs.
///
/// # Example
///
/// ```
/// use byre::testing::{Reply, Script};
/// use serde_json::json;
///
/// let script = Script::new()
///     // The first turn.
///     .call("add", json!({"a": 2, "b": 3}))
///     .say("2 + 3 is {result}.")
///     // The second, with two calls in one message.
///     .call_all([("add", json!({"a": 1, "b": 1})), ("add", json!({"a": 2, "b": 2}))])
///     .reply_with(|request| Reply::say(format!("{} results", request.tool_results.len())));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Script {
    pub(crate) replies: Vec<Step>,
    pub(crate) others: Vec<(String, Script)>,
}

/// One reply of a script.
#[derive(Clone)]
pub(crate) enum Step {
    Data(Reply),
    With(Arc<dyn Fn(&ModelRequest) -> Reply + Send + Sync>),
}

impl Script {
    /// Makes a script without replies.
    ///
    /// # Example
    ///
    /// ```
    /// let silent = byre::testing::Script::new();
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a reply of one text, which ends the turn.
    ///
    /// # Example
    ///
    /// ```
    /// let script = byre::testing::Script::new().say("Hello.").say("And hello again.");
    /// ```
    #[must_use]
    pub fn say(self, text: impl Into<String>) -> Self {
        self.reply(Reply::say(text))
    }

    /// Adds a reply of one text that is streamed in these pieces.
    ///
    /// # Example
    ///
    /// ```
    /// let script = byre::testing::Script::new().say_in(["Hel", "lo."]);
    /// ```
    #[must_use]
    pub fn say_in<T: Into<String>>(self, pieces: impl IntoIterator<Item = T>) -> Self {
        self.reply(Reply::say_in(pieces))
    }

    /// Adds a reply of one tool call. `arguments` is an object.
    ///
    /// # Example
    ///
    /// ```
    /// # use serde_json::json;
    /// let script = byre::testing::Script::new().call("add", json!({"a": 2, "b": 3}));
    /// ```
    #[must_use]
    pub fn call(self, tool: impl Into<String>, arguments: Value) -> Self {
        self.reply(Reply::call(tool, arguments))
    }

    /// Adds a reply of several tool calls in one message.
    ///
    /// The CLI runs those of read-only tools at the same time, all others one after another.
    ///
    /// # Example
    ///
    /// ```
    /// # use serde_json::json;
    /// let script = byre::testing::Script::new()
    ///     .call_all([("look", json!({"at": 1})), ("look", json!({"at": 2}))]);
    /// ```
    #[must_use]
    pub fn call_all<T: Into<String>>(self, calls: impl IntoIterator<Item = (T, Value)>) -> Self {
        self.reply(
            calls
                .into_iter()
                .fold(Reply::default(), |reply, (tool, arguments)| reply.and_call(tool, arguments)),
        )
    }

    /// Adds a reply that the API refuses with `status`, in the API's own form of an error.
    ///
    /// The CLI asks again after some of them, so a script that wants to see the turn fail repeats the
    /// error, or the CLI is told not to retry, as [`RealCli`](super::RealCli) does.
    ///
    /// # Example
    ///
    /// ```
    /// let script = byre::testing::Script::new().error(529, "Overloaded").say("Here I am.");
    /// ```
    #[must_use]
    pub fn error(self, status: u16, message: impl Into<String>) -> Self {
        self.reply(Reply::error(status, message))
    }

    /// Adds a reply.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::testing::{Reply, Script};
    /// # use serde_json::json;
    ///
    /// let script = Script::new().reply(Reply::say("I will add.").and_call("add", json!({"a": 1})));
    /// ```
    #[must_use]
    pub fn reply(mut self, reply: Reply) -> Self {
        self.replies.push(Step::Data(reply));
        self
    }

    /// Adds a reply that depends on what the model was asked.
    ///
    /// Such a script can't be written as JSON. `reply` runs on a task of the test kit, so an assertion
    /// that fails in it does not fail the test: return what you saw, and assert on that.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::testing::{Reply, Script};
    ///
    /// let script = Script::new().reply_with(|request| match request.tool("add") {
    ///     Some(tool) => Reply::say(&tool.description),
    ///     None => Reply::say("I was not offered `add`."),
    /// });
    /// ```
    #[must_use]
    pub fn reply_with(
        mut self,
        reply: impl Fn(&ModelRequest) -> Reply + Send + Sync + 'static,
    ) -> Self {
        self.replies.push(Step::With(Arc::new(reply)));
        self
    }

    /// Plays another script to conversations that start with a prompt containing `text`: those of
    /// subagents, which run at the same time as the main one.
    ///
    /// Of several that fit, the first that was added plays. A subagent that has no script is told that
    /// there is nothing to do.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::testing::Script;
    /// # use serde_json::json;
    ///
    /// let script = Script::new()
    ///     .call("Agent", json!({"description": "count", "prompt": "Count the files."}))
    ///     .say("Started.")
    ///     .for_prompt("Count the files", Script::new().say("Seven."));
    /// ```
    #[must_use]
    pub fn for_prompt(mut self, text: impl Into<String>, script: Self) -> Self {
        self.others.push((text.into(), script));
        self
    }

    /// Writes the script as JSON, for a stand-in in another process.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`] if a reply is a function.
    ///
    /// # Example
    ///
    /// ```
    /// let json = byre::testing::Script::new().say("Hello.").to_json().unwrap();
    /// assert_eq!(json, r#"{"replies":[[{"say":"Hello."}]]}"#);
    /// ```
    pub fn to_json(&self) -> Result<String> {
        let error = || Error::new(ErrorKind::Configuration, "write the script as JSON");
        let stored = self.store().ok_or_else(|| error().reason("a reply of it is a function"))?;
        serde_json::to_string(&stored).map_err(|err| error().source(err))
    }

    /// Reads a script that [`to_json`](Self::to_json) wrote.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`] if `json` is no script.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::testing::Script;
    /// let script = Script::from_json(r#"{"replies":[[{"say":"Hello."}]]}"#).unwrap();
    /// ```
    pub fn from_json(json: &str) -> Result<Self> {
        let stored: Stored = serde_json::from_str(json).map_err(|err| {
            Error::new(ErrorKind::Configuration, "read the script")
                .reason(err.to_string())
                .source(err)
        })?;
        Ok(stored.restore())
    }

    fn store(&self) -> Option<Stored> {
        let replies = self.replies.iter().map(|step| match step {
            Step::Data(reply) => Some(reply.clone()),
            Step::With(_) => None,
        });
        let others = self.others.iter().map(|(text, script)| Some((text.clone(), script.store()?)));
        Some(Stored {
            replies: replies.collect::<Option<_>>()?,
            for_prompt: others.collect::<Option<_>>()?,
        })
    }
}

/// The JSON form of a [`Script`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    replies: Vec<Reply>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    for_prompt: Vec<(String, Stored)>,
}

impl Stored {
    fn restore(self) -> Script {
        Script {
            replies: self.replies.into_iter().map(Step::Data).collect(),
            others: self
                .for_prompt
                .into_iter()
                .map(|(text, script)| (text, script.restore()))
                .collect(),
        }
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Data(reply) => reply.fmt(f),
            Self::With(_) => f.write_str("a function"),
        }
    }
}

#[cfg(test)]
mod tests;
