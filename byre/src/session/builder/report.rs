//! What is reported, and where it is recorded.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use super::SessionBuilder;
use crate::{control::backlog::Backlog, wire::option::PreviewFormat};

/// What is reported, and where it is recorded.
impl SessionBuilder {
    /// Reports each message piece by piece while the model writes it; off by default.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().include_partial_messages(true);
    /// ```
    pub fn include_partial_messages(mut self, include: bool) -> Self {
        self.launch.include_partial_messages = include;
        self
    }

    /// Reports when hooks of any kind start and end; off by default.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().include_hook_events(true);
    /// ```
    pub fn include_hook_events(mut self, include: bool) -> Self {
        self.launch.output.hook_events = include;
        self
    }

    /// Reports when the session turns busy or idle, or waits for somebody: `system` lines of subtype
    /// `session_state_changed`; off by default.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().include_session_state(true);
    /// ```
    pub fn include_session_state(mut self, include: bool) -> Self {
        let value = include.then_some("1".as_ref());
        self.launch.set_env("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS".as_ref(), value);
        self
    }

    /// Reports what subagents say, and not only the tools that they call; off by default.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().forward_subagent_text(true);
    /// ```
    pub fn forward_subagent_text(mut self, forward: bool) -> Self {
        self.initialize_field("forwardSubagentText", forward);
        self
    }

    /// Reports what the user may want to say next, after each turn; off by default.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().prompt_suggestions(true);
    /// ```
    pub fn prompt_suggestions(mut self, suggest: bool) -> Self {
        self.initialize_field("promptSuggestions", suggest);
        self
    }

    /// Reports from time to time what a subagent is at; off by default. It costs requests to the API.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().agent_progress_summaries(true);
    /// ```
    pub fn agent_progress_summaries(mut self, summarize: bool) -> Self {
        self.initialize_field("agentProgressSummaries", summarize);
        self
    }

    /// Says that the user can stop each background task by itself, so that an interrupt leaves them running;
    /// it ends background agents by default.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().per_task_stop(true);
    /// ```
    pub fn per_task_stop(mut self, offered: bool) -> Self {
        self.initialize_field("perTaskStopAffordance", offered);
        self
    }

    /// Chooses how the model writes the previews of its questions with choices; Markdown by default.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::options::PreviewFormat;
    ///
    /// let builder = byre::Session::builder().question_previews(PreviewFormat::Html);
    /// ```
    pub fn question_previews(mut self, format: PreviewFormat) -> Self {
        let value = format.as_str().as_ref();
        self.launch.set_env("CLAUDE_CODE_QUESTION_PREVIEW_FORMAT".as_ref(), Some(value));
        self
    }

    /// Has the CLI write what it does into its own log; off by default.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().debug(true);
    /// ```
    pub fn debug(mut self, debug: bool) -> Self {
        self.launch.output.debug = debug;
        self
    }

    /// Has the CLI write what it does into this file. It may hold what was said.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().debug_file("/tmp/claude.log");
    /// ```
    pub fn debug_file(mut self, path: impl Into<PathBuf>) -> Self {
        self.launch.output.debug_file = Some(path.into());
        self
    }

    /// Calls `handler` with each line that the CLI writes to stderr, without its line break. byre keeps the
    /// last lines for its errors in any case.
    ///
    /// The handler runs on the runtime's threads: it must not block. If it panics, it goes on with the next
    /// line.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().stderr(|line| eprintln!("claude: {line}"));
    /// ```
    pub fn stderr(mut self, handler: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.on_stderr = Some(Arc::new(handler));
        self
    }

    /// Limits how long a line of the CLI may be, in bytes; 512 MiB by default.
    ///
    /// Until a line ends, it is kept in memory. One that is longer is thrown away, which an
    /// [`Event::Warning`](crate::Event::Warning) says as soon as the limit is passed, and the session goes on.
    /// If it was a request, the CLI gets no answer to it.
    ///
    /// # Example
    ///
    /// ```
    /// // Screenshots and files come as one line.
    /// let builder = byre::Session::builder().max_line(64 * 1024 * 1024);
    /// ```
    pub fn max_line(mut self, bytes: usize) -> Self {
        self.max_line = Some(bytes);
        self
    }

    /// Says what becomes of events that the program does not read. By default all of them are kept, with a warning
    /// above 256 MB.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::options::Backlog;
    ///
    /// let builder = byre::Session::builder().backlog(Backlog::fail(256_000_000));
    /// ```
    pub fn backlog(mut self, backlog: Backlog) -> Self {
        self.backlog = backlog;
        self
    }

    /// Records every line in both directions, one JSON object a line:
    /// `{"dir":"send"|"recv","msg":…}`.
    ///
    /// Lines are appended to the file, which is made for its owner alone. Pieces of messages
    /// (`stream_event`) are left out. Secrets are written as `[redacted]`: the account's e-mail address, values of
    /// headers and environments that the program gives, variables called after keys, tokens and passwords, and
    /// what looks like a key or a token; of eight characters or more. What the model says and does is written as it
    /// is. A write error is told once, as [`Event::Warning`](crate::Event::Warning); it never slows or ends the
    /// session.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().transcript("session.jsonl");
    /// ```
    pub fn transcript(mut self, path: impl AsRef<Path>) -> Self {
        self.transcript = Some(path.as_ref().to_path_buf());
        self
    }
}
