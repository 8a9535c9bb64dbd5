//! What a tool can know and do beside its arguments.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use serde_json::{Value, json, value::RawValue};

use crate::function::{
    cancellation::{Cancellable, Cancellation},
    surroundings::Surroundings,
};

use super::def::ToolFuture;

/// The call that a tool is in, as a parameter of the tool.
///
/// It may stand anywhere among the parameters, under any name, and the model knows nothing of it. Cheap to
/// clone.
///
/// # Example
///
/// ```
/// use byre::ToolContext;
///
/// /// Counts to a number.
/// #[byre::tool]
/// async fn count(to: u32, context: ToolContext) -> String {
///     for n in 0..to {
///         context.progress(n.into(), f64::from(to), None);
///         tokio::task::yield_now().await;
///     }
///     format!("counted for {:?}", context.tool_use_id())
/// }
/// # fn main() {}
/// ```
#[derive(Clone)]
pub struct ToolContext(Arc<Inner>);

struct Inner {
    server: Arc<str>,
    /// Read when somebody asks: few tools do.
    meta: OnceLock<Value>,
    meta_json: Option<Box<RawValue>>,
    cancellation: Cancellation,
    surroundings: Surroundings,
}

impl ToolContext {
    /// `meta` is the `_meta` of the request.
    pub(crate) fn new(
        server: impl Into<Arc<str>>,
        meta: Option<&RawValue>,
        surroundings: Surroundings,
    ) -> Self {
        Self(Arc::new(Inner {
            server: server.into(),
            meta: OnceLock::new(),
            meta_json: meta.map(ToOwned::to_owned),
            cancellation: Cancellation::default(),
            surroundings,
        }))
    }

    pub(crate) fn surroundings(&self) -> &Surroundings {
        &self.0.surroundings
    }

    /// Returns the name of the server by which the tool was called.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(context: &byre::ToolContext) {
    /// println!("called by way of {}", context.server());
    /// # }
    /// ```
    #[must_use]
    pub fn server(&self) -> &str {
        &self.0.server
    }

    /// Returns the id of the session, once the CLI has told it. `None` in tests without a session.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(context: &byre::ToolContext) {
    /// println!("{}", context.session_id().as_deref().unwrap_or("?"));
    /// # }
    /// ```
    #[must_use]
    pub fn session_id(&self) -> Option<String> {
        self.0.surroundings.session_id()
    }

    /// Makes a call end with its request, or by itself if it wants to.
    pub(crate) fn cancellable(&self, call: ToolFuture) -> Cancellable<super::CallToolResult> {
        Cancellable::new(call, self.0.cancellation.clone())
    }

    /// Returns the id of the call, which the API made: it joins the call to the events and to hooks.
    /// `None` where the CLI does not tell, and in tests without a session.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(context: &byre::ToolContext) {
    /// println!("{}", context.tool_use_id().unwrap_or("?"));
    /// # }
    /// ```
    #[must_use]
    pub fn tool_use_id(&self) -> Option<&str> {
        self.meta()["claudecode/toolUseId"].as_str()
    }

    /// Returns the `_meta` of the request, or `null` where it has none.
    ///
    /// ```json
    /// {"claudecode/toolUseId":"toolu_0_1","progressToken":2}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(context: &byre::ToolContext) {
    /// let token = &context.meta()["progressToken"];
    /// # }
    /// ```
    #[must_use]
    pub fn meta(&self) -> &Value {
        self.0.meta.get_or_init(|| {
            let json = self.0.meta_json.as_deref();
            json.and_then(|json| serde_json::from_str(json.get()).ok()).unwrap_or_default()
        })
    }

    /// Returns what tells the tool that its call was cancelled, by an interrupt for example.
    ///
    /// A tool that does not ask for it is dropped at its next `.await`. One that does is left to end by
    /// itself, also when the session is closed, and what it returns is thrown away.
    ///
    /// # Example
    ///
    /// ```
    /// # async fn show(context: byre::ToolContext) {
    /// context.cancellation().cancelled().await;
    /// # }
    /// ```
    #[must_use]
    pub fn cancellation(&self) -> Cancellation {
        self.0.cancellation.take()
    }

    /// Tells the CLI how far the call has come: `done` of `total`, in any unit, and what it does.
    ///
    /// The CLI 2.1.332 takes it and shows it nowhere; it does not give the call more time. Does nothing
    /// where the CLI did not ask for it.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(context: &byre::ToolContext) {
    /// context.progress(3.0, 10.0, "reading c.txt");
    /// context.progress(4.0, None, None);
    /// # }
    /// ```
    pub fn progress<'a>(
        &self,
        done: f64,
        total: impl Into<Option<f64>>,
        message: impl Into<Option<&'a str>>,
    ) {
        let token = &self.meta()["progressToken"];
        if token.is_null() {
            return;
        }
        let mut params = json!({"progressToken": token, "progress": done});
        if let Some(total) = total.into() {
            params["total"] = total.into();
        }
        if let Some(message) = message.into() {
            params["message"] = message.into();
        }
        self.notify("notifications/progress", params);
    }

    /// Sends something to the CLI's log of this server.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::tool::LogLevel;
    ///
    /// # fn show(context: &byre::ToolContext) {
    /// context.log(LogLevel::Warning, "the disk is nearly full");
    /// context.log(LogLevel::Info, serde_json::json!({"files": 3}));
    /// # }
    /// ```
    pub fn log(&self, level: LogLevel, data: impl Into<Value>) {
        let params =
            json!({"level": level.as_str(), "logger": &*self.0.server, "data": data.into()});
        self.notify("notifications/message", params);
    }

    fn notify(&self, method: &str, params: Value) {
        if let Some(session) = self.0.surroundings.session() {
            session.notify(&self.0.server, method, params);
        }
    }
}

impl fmt::Debug for ToolContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolContext").field("meta", self.meta()).finish_non_exhaustive()
    }
}

/// How important a message of the log is, in the words of MCP.
///
/// # Example
///
/// ```
/// use byre::tool::LogLevel;
///
/// assert!(LogLevel::Error > LogLevel::Info);
/// assert_eq!(LogLevel::Error.as_str(), "error");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum LogLevel {
    /// For somebody who looks for a mistake.
    Debug,
    /// The usual course of things.
    Info,
    /// Usual, and worth knowing.
    Notice,
    /// Something may go wrong.
    Warning,
    /// Something went wrong.
    Error,
    /// A part of the program does not work.
    Critical,
    /// Somebody must act at once.
    Alert,
    /// Nothing works.
    Emergency,
}

impl LogLevel {
    /// Returns the word on the wire.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::tool::LogLevel::Debug.as_str(), "debug");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }
}
