//! How long things may take.

use std::time::Duration;

use super::SessionBuilder;

/// How long things may take.
///
/// | limit | of what | by default |
/// |---|---|---|
/// | [`spawn_timeout`](Self::spawn_timeout) | the start of the CLI | 60 seconds |
/// | [`control_timeout`](Self::control_timeout) | the answer to a request of a [`SessionHandle`](crate::SessionHandle) | 60 seconds |
/// | [`idle_timeout`](Self::idle_timeout) | silence in a turn | 20 minutes |
/// | [`turn_timeout`](Self::turn_timeout) | a whole turn | none |
/// | [`call_timeout`](Self::call_timeout) | a call of a tool | none |
///
/// All but the last fail with [`ErrorKind::Timeout`](crate::ErrorKind::Timeout), and
/// [`Error::timeout`](crate::Error::timeout) says which one it was, and what was heard last. A call that takes too long
/// is an error of the tool, which the model reads.
impl SessionBuilder {
    /// Limits how long the CLI may take to start, 60 seconds by default; `None` lets it take its time.
    ///
    /// It runs the `SessionStart` hooks of its settings in that time, and may install plugins. It reports when
    /// they start, what they print and when they end, and each such line starts the time anew.
    ///
    /// # Example
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let builder = byre::Session::builder().spawn_timeout(Duration::from_secs(180));
    /// ```
    pub fn spawn_timeout(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.limits.spawn = limit.into();
        self
    }

    /// Limits how long the CLI may take to answer a control request, such as
    /// [`interrupt`](crate::SessionHandle::interrupt); 60 seconds by default, and `None` waits for as long as
    /// the session lives. The request is withdrawn then; the session goes on.
    ///
    /// # Example
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let builder = byre::Session::builder().control_timeout(Duration::from_secs(5));
    /// ```
    pub fn control_timeout(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.limits.control = limit.into();
        self
    }

    /// Limits how long the CLI may be silent while a turn runs; 20 minutes by default, and `None` lets it be
    /// silent for ever. The session ends then, as [`close`](crate::Session::close) ends it.
    ///
    /// Every line of the CLI starts the time anew, `keep_alive` and `tool_progress` too: it writes one of
    /// these every 30 seconds while a tool or a hook of anybody's runs. An `api_retry` also adds the
    /// wait that it announces. The time stands still while a tool, a hook or a permission function of this
    /// program runs. So what is left is the time in which the model writes one block of text, and that is
    /// minutes at most; with [`include_partial_messages`](Self::include_partial_messages), seconds.
    ///
    /// # Example
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let builder = byre::Session::builder().idle_timeout(Duration::from_secs(300));
    /// let patient = byre::Session::builder().idle_timeout(None);
    /// ```
    pub fn idle_timeout(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.limits.idle = limit.into();
        self
    }

    /// Limits how long each [`Turn`](crate::Turn) may take, whatever happens in it; no limit by default.
    /// The session ends then, as [`close`](crate::Session::close) ends it.
    ///
    /// A single prompt may have a [limit of its own](crate::Prompt::turn_timeout). To stop a turn and keep the
    /// session, use `tokio::time::timeout`: dropping a turn interrupts it.
    ///
    /// # Example
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let builder = byre::Session::builder().turn_timeout(Duration::from_secs(3600));
    /// ```
    pub fn turn_timeout(mut self, limit: impl Into<Option<Duration>>) -> Self {
        self.limits.turn = limit.into();
        self
    }
}
