//! Why a session could not be started, or had to end.
//!
//! Three kinds of failure exist in byre, and they never mix: a *tool error* is for the model
//! ([`CallToolResult`](crate::tool::CallToolResult) with `is_error`), a *protocol error* is for the
//! CLI (a JSON-RPC error code), and a *session error*, the [`Error`] of this module, is for the
//! programmer.

use std::{error, fmt, io, process::ExitStatus, sync::Arc};

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
/// `Debug`, which `fn main() -> byre::Result<()>` prints, adds the end of the CLI's stderr.
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
    exit: Option<Arc<Exit>>,
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
    /// The CLI refused a control request.
    Refused,
    /// The CLI did not answer in time.
    Timeout,
    /// The prompt can't be sent as it is, for example because an image has an unknown format.
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

/// How the CLI ended, as far as byre saw it.
///
/// # Example
///
/// ```
/// fn report(error: &byre::Error) -> Option<i32> {
///     let exit = error.exit()?;
///     eprintln!("last words: {}", exit.stderr);
///     exit.status.and_then(|status| status.code())
/// }
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Exit {
    /// The exit status, or `None` where there is no process of ours (a custom transport), or it had
    /// not ended yet when its stdout closed.
    pub status: Option<ExitStatus>,
    /// The last lines that the CLI wrote to stderr, at most 8 KiB of them.
    pub stderr: String,
    /// The last lines on stdout that were not JSON, at most 20.
    pub stdout: Vec<String>,
    /// What the last `result` said, if it was an error and nothing came after it.
    ///
    /// The CLI exits with code 1 after such a result, so this, not the code, is the reason.
    pub result: Option<String>,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind, action: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            action: action.into(),
            reason: None,
            hint: None,
            exit: None,
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
        let mut error = Self::new(kind, action).reason(exit.to_string());
        error.0.hint = hint.map(str::to_owned);
        error.0.exit = Some(exit);
        error
    }

    pub(crate) fn reason(mut self, reason: impl Into<String>) -> Self {
        self.0.reason = Some(reason.into());
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
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

    /// Returns how the CLI ended, when that is what happened.
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

impl Exit {
    /// Says whether it ended because the session to resume is not stored.
    ///
    /// Source: texts seen with CLI 2.1.332, for an id and for a title.
    fn is_of_no_session(&self) -> bool {
        let texts = self.result.iter().chain([&self.stderr]);
        texts.flat_map(|text| text.lines()).any(|line| {
            line.starts_with("No conversation found with session ID:")
                || (line.contains("--resume requires a valid session ID")
                    && line.contains("does not match any session title"))
        })
    }

    /// What to do about it, for the ends that byre knows.
    ///
    /// Source: texts seen with CLI 2.1.332.
    fn hint(&self) -> Option<&'static str> {
        let said = |text: &str| {
            self.stderr.contains(text)
                || self.result.as_ref().is_some_and(|result| result.contains(text))
        };
        if said("cannot be used with root") {
            Some(
                "bypass mode does not run as root: use another user, or say `IS_SANDBOX=1` \
                 in the environment of a container made for it",
            )
        } else if said("Please run /login") || said("Invalid API key") {
            Some("log in with `claude` once, or set ANTHROPIC_API_KEY")
        } else if self.is_of_no_session() {
            Some("the session to resume is not stored on this machine and configuration folder")
        } else if said("unknown option") {
            Some("the CLI is older or newer than this version of byre expects; try `claude update`")
        } else {
            None
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // After an error result a non-zero code is expected, so the result is the better reason.
        if let Some(result) = &self.result {
            return write!(f, "the CLI ended after an error: {result}");
        }
        match self.status {
            Some(status) => write!(f, "the CLI ended with {status}")?,
            None => f.write_str("the CLI closed its stdout")?,
        }
        match self.stderr.lines().rev().find(|line| !line.trim().is_empty()) {
            Some(line) => write!(f, ", its last line on stderr: {}", line.trim()),
            None => f.write_str(" and wrote nothing to stderr"),
        }
    }
}

#[cfg(test)]
mod tests;
