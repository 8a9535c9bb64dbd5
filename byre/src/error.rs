//! Why a session could not be started, or had to end.
//!
//! Three kinds of failure exist in byre, and they never mix: a *tool error* is for the model
//! ([`CallToolResult`](crate::tool::CallToolResult) with `is_error`), a *protocol error* is for the
//! CLI (a JSON-RPC error code), and a *session error*, the [`Error`] of this module, is for the
//! programmer.

mod exit;
mod timeout;

use std::{error, fmt, io, sync::Arc};

pub use self::{
    exit::Exit,
    timeout::{Clock, LastHeard, Timeout},
};

/// `Result` with byre's [`Error`].
///
/// # Example
///
/// ```
/// fn configure() -> byre::Result<()> {
///     Ok(())
/// }
/// # configure().unwrap();
/// ```
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a session could not be started, or had to end.
///
/// `Display` is one line: what byre could not do, why, and what to do next where byre knows.
/// `Debug`, which `fn main() -> byre::Result<()>` prints, adds what the last `result` was, the last lines on
/// stdout that were not JSON, and the end of the CLI's stderr.
/// The cause, if any, is in [`source`](error::Error::source) and not repeated in `Display`.
///
/// A tool or hook that fails is *not* an `Error`: its message goes to the model and the session goes
/// on.
///
/// # Example
///
/// ```
/// # async fn run() -> byre::Result<()> {
/// match byre::Session::builder().cli_path("/no/such/claude").spawn().await {
///     Ok(session) => session.close().await,
///     Err(error) if error.kind() == byre::ErrorKind::CliNotFound => {
///         eprintln!("{error}");
///         Ok(())
///     }
///     Err(error) => Err(error),
/// }
/// # }
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    /// What byre was doing, as an infinitive phrase: "read from the CLI's stdout".
    action: String,
    reason: Option<String>,
    hint: Option<String>,
    /// What the CLI calls its refusal.
    code: Option<String>,
    exit: Option<Arc<Exit>>,
    timeout: Option<Arc<Timeout>>,
    /// The prompt that was sent, and whose turn did not end.
    unfinished: Option<String>,
    source: Option<Box<dyn error::Error + Send + Sync>>,
}

/// What kind of [`Error`] it is, to match on.
///
/// # Example
///
/// ```
/// let retry = |kind: byre::ErrorKind| kind == byre::ErrorKind::Timeout;
/// assert!(!retry(byre::ErrorKind::CliNotFound));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No `claude` was found in any of the places that the message lists.
    CliNotFound,
    /// The CLI was found and could not be started, or its working directory is gone.
    Spawn,
    /// The builder was given something that the CLI or the API would refuse, or drop in silence.
    Configuration,
    /// The CLI ended, or its pipes closed, before the work was done.
    Exited,
    /// The CLI refused a control request; see [`Error::error_code`]. Or it has left out something that the
    /// session was to start with.
    Refused,
    /// A limit of time was reached; [`Error::timeout`] says which.
    Timeout,
    /// The application did not read events, and more of them waited than
    /// [`Backlog::fail`](crate::options::Backlog::fail) allows.
    Unread,
    /// The prompt can't be sent as it is, for example because an image has an unknown format; or it was withdrawn
    /// before the CLI began with it.
    Prompt,
    /// The session that was named is not stored on this machine, or not in this config folder.
    SessionNotFound,
    /// A method was given something that it can't do anything with, an empty title for example.
    InvalidInput,
    /// The session was closed by this program.
    Closed,
    /// A file or pipe of ours failed.
    Io,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, action: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            action: action.into(),
            reason: None,
            hint: None,
            code: None,
            exit: None,
            timeout: None,
            unfinished: None,
            source: None,
        }))
    }

    pub(crate) fn configuration(reason: impl Into<String>) -> Self {
        Self::new(ErrorKind::Configuration, "configure the session").reason(reason)
    }

    pub(crate) fn io(action: impl Into<String>, source: io::Error) -> Self {
        Self::new(ErrorKind::Io, action).source(source)
    }

    pub(crate) fn exited(action: impl Into<String>, exit: Arc<Exit>) -> Self {
        let hint = exit.hint();
        let kind =
            if exit.is_of_no_session() { ErrorKind::SessionNotFound } else { ErrorKind::Exited };
        let code = exit.startup_failure().map(str::to_owned);
        let mut error = Self::new(kind, action).reason(exit.to_string()).code(code);
        error.0.hint = hint.map(str::to_owned);
        error.0.exit = Some(exit);
        error
    }

    pub(crate) fn timeout_of(action: impl Into<String>, timeout: Arc<Timeout>) -> Self {
        let mut error = Self::new(ErrorKind::Timeout, action).reason(timeout.to_string());
        error.0.timeout = Some(timeout);
        error
    }

    /// Adds what is known of the CLI.
    pub(crate) fn with_exit(mut self, exit: Option<Arc<Exit>>) -> Self {
        self.0.exit = exit;
        self
    }

    /// Says that this prompt was sent, and that its turn did not end.
    pub(crate) fn unfinished(mut self, prompt_uuid: String) -> Self {
        self.0.unfinished = Some(prompt_uuid);
        self
    }

    pub(crate) fn reason(mut self, reason: impl Into<String>) -> Self {
        self.0.reason = Some(reason.into());
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    pub(crate) fn code(mut self, code: Option<String>) -> Self {
        self.0.code = code;
        self
    }

    pub(crate) fn source(mut self, source: impl Into<Box<dyn error::Error + Send + Sync>>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Returns what kind of error this is.
    ///
    /// # Example
    ///
    /// ```
    /// fn is_final(error: &byre::Error) -> bool {
    ///     error.kind() != byre::ErrorKind::Timeout
    /// }
    /// ```
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the CLI's name for why it refused a control request, where it gave one:
    /// `unsupported_request`, `invalid_mode`, `bypass_not_launched`, `blocked_by_hook` and others. Or its name
    /// for why it did not start: `cli_version_too_old`, `bypass_root`, `cwd_unavailable` and others. Both sets
    /// are open.
    ///
    /// # Example
    ///
    /// ```
    /// fn is_too_old(error: &byre::Error) -> bool {
    ///     error.error_code() == Some("unsupported_request")
    /// }
    /// ```
    #[must_use]
    pub fn error_code(&self) -> Option<&str> {
        self.0.code.as_deref()
    }

    /// Returns how the CLI ended, when that is what happened. After a [limit of time](Self::timeout), it is
    /// what the CLI had left on stderr and stdout until then.
    ///
    /// # Example
    ///
    /// ```
    /// fn stderr(error: &byre::Error) -> &str {
    ///     error.exit().map_or("", |exit| &exit.stderr)
    /// }
    /// ```
    #[must_use]
    pub fn exit(&self) -> Option<&Exit> {
        self.0.exit.as_deref()
    }

    /// Returns which limit of time was reached, when that is what happened, and what was heard last.
    ///
    /// # Example
    ///
    /// ```
    /// fn is_slow(error: &byre::Error) -> bool {
    ///     error.timeout().is_some_and(|timeout| timeout.clock == byre::Clock::Turn)
    /// }
    /// ```
    #[must_use]
    pub fn timeout(&self) -> Option<&Timeout> {
        self.0.timeout.as_deref()
    }

    /// Returns the id of the prompt whose turn was cut off: it was sent, and the agent may have done some of
    /// what it asks for. `None` where nothing was sent, so that it may be sent again without harm.
    ///
    /// byre never sends a prompt twice. [`Session::restart`](crate::Session::restart) brings the conversation
    /// back, with as much of that turn as the CLI had stored.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(session: &mut byre::Session) -> byre::Result<()> {
    /// if let Err(error) = session.prompt("Deploy it.").await {
    ///     let was_sent = error.unfinished_prompt().is_some();
    ///     session.restart().await?;
    ///     let prompt = if was_sent { "Look how far it came, and go on." } else { "Deploy it." };
    ///     session.prompt(prompt).await?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn unfinished_prompt(&self) -> Option<&str> {
        self.0.unfinished.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "could not {}", self.0.action)?;
        if let Some(reason) = &self.0.reason {
            write!(f, ": {reason}")?;
        }
        if let Some(hint) = &self.0.hint {
            write!(f, "; {hint}")?;
        }
        if self.0.unfinished.is_some() {
            f.write_str(
                "; the prompt was sent, may have been carried out in part, and is not sent again",
            )?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    /// Prints for a person, because `main` prints errors this way.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)?;
        let mut cause = error::Error::source(self);
        while let Some(error) = cause {
            write!(f, "\n  because: {error}")?;
            cause = error.source();
        }
        if let Some(exit) = &self.0.exit {
            if let Some(result) = &exit.result {
                write!(f, "\n  result: {}", result.subtype.as_str())?;
                if let Some(reason) = &result.terminal_reason {
                    write!(f, ", {}", reason.as_str())?;
                }
                if let Some(status) = result.api_error_status {
                    write!(f, ", status {status} of the API")?;
                }
            }
            for (name, text) in
                [("stdout", exit.stdout.join("\n")), ("stderr", exit.stderr.clone())]
            {
                for line in text.lines() {
                    write!(f, "\n  {name}: {line}")?;
                }
            }
        }
        Ok(())
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        self.0.source.as_ref().map(|source| &**source as _)
    }
}

#[cfg(test)]
mod tests;
