//! How the CLI ended, and what can be done about it.

use std::{fmt, process::ExitStatus};

use crate::wire::event::ResultEvent;

/// How the CLI ended, as far as byre saw it.
///
/// # Example
///
/// ```
/// fn report(error: &byre::Error) -> Option<i32> {
///     let exit = error.exit()?;
///     eprintln!("last words: {}", exit.stderr);
///     if let Some(result) = &exit.result {
///         eprintln!("{} ({:?})", result.text(), result.api_error_status);
///     }
///     exit.code()
/// }
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Exit {
    /// The exit status, or `None` where there is no process of ours (a custom transport), it closed its
    /// stdin or stdout and byre had to end it, or a [limit of time](crate::Error::timeout) was reached.
    pub status: Option<ExitStatus>,
    /// The last lines that the CLI wrote to stderr, at most 8 KiB of them.
    pub stderr: String,
    /// The last lines on stdout that were not JSON, at most 20 and the first 8 KiB of each.
    pub stdout: Vec<String>,
    /// The last `result`, if it was an error and the conversation did not go on after it.
    ///
    /// The CLI exits with code 1 after such a result, so this, not the code, is the reason.
    pub result: Option<Box<ResultEvent>>,
}

impl Exit {
    /// Returns the exit code, where the CLI has ended by itself.
    ///
    /// # Example
    ///
    /// ```
    /// fn was_told_to_end(exit: &byre::Exit) -> bool {
    ///     exit.code() == Some(143)
    /// }
    /// ```
    #[must_use]
    pub fn code(&self) -> Option<i32> {
        self.status?.code()
    }

    /// Returns the signal that ended the CLI, 9 for SIGKILL for example. Always `None` where there are no
    /// signals.
    ///
    /// # Example
    ///
    /// ```
    /// fn was_killed(exit: &byre::Exit) -> bool {
    ///     exit.signal() == Some(9)
    /// }
    /// ```
    #[must_use]
    pub fn signal(&self) -> Option<i32> {
        #[cfg(unix)]
        return std::os::unix::process::ExitStatusExt::signal(&self.status?);
        #[cfg(not(unix))]
        None
    }

    /// What the last result gives as the reason why the session could not start.
    pub(super) fn startup_failure(&self) -> Option<&str> {
        self.result.as_ref()?.startup_failure_reason.as_deref()
    }

    /// Says whether it ended because the session to resume is not stored.
    ///
    /// Source: texts seen with CLI 2.1.332, for an id and for a title.
    pub(super) fn is_of_no_session(&self) -> bool {
        self.said().iter().flat_map(|text| text.lines()).any(|line| {
            line.starts_with("No conversation found with session ID:")
                || (line.contains("--resume requires a valid session ID")
                    && line.contains("does not match any session title"))
        })
    }

    /// What to do about it, for the ends that byre knows.
    ///
    /// Source: texts and reasons seen with CLI 2.1.332.
    pub(super) fn hint(&self) -> Option<&'static str> {
        let texts = self.said();
        let said = |text: &str| texts.iter().any(|said| said.contains(text));
        let reason = self.startup_failure().unwrap_or_default();
        if reason == "bypass_root" || said("cannot be used with root") {
            Some(
                "bypass mode does not run as root: use another user, or say `IS_SANDBOX=1` \
                 in the environment of a container made for it",
            )
        } else if said("Please run /login") || said("Invalid API key") {
            Some("log in with `claude` once, or set ANTHROPIC_API_KEY")
        } else if self.is_of_no_session() {
            Some("the session to resume is not stored on this machine and configuration folder")
        } else if reason == "cli_version_too_old" || said("needs an update") {
            Some("the CLI is too old; try `claude update`")
        } else if said("unknown option") {
            Some("the CLI is older or newer than this version of byre expects; try `claude update`")
        } else if reason == "cwd_unavailable" || said("uv_cwd") {
            Some("the working directory is gone; name another with `current_dir`")
        } else if self.code() == Some(127) {
            Some(
                "that code means that a script did not find a program, `node` for example; is it on \
                 the PATH that the CLI gets?",
            )
        } else if self.signal() == Some(9) {
            Some("somebody killed it: mostly the system, for want of memory")
        } else {
            None
        }
    }

    /// What the CLI has said before its end.
    fn said(&self) -> Vec<String> {
        let result = self.result.as_ref().map(|result| result.text());
        result.into_iter().chain([self.stderr.clone()]).collect()
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // After an error result a non-zero code is expected, so the result is the better reason.
        if let Some(result) = &self.result {
            f.write_str("the CLI ended after an error: ")?;
            return match result.text() {
                text if text.is_empty() => f.write_str(result.subtype.as_str()),
                text => f.write_str(&text),
            };
        }
        match self.status {
            Some(status) => write!(f, "the CLI ended with {status}")?,
            None => f.write_str("the CLI closed its end of the pipe")?,
        }
        match self.stderr.lines().rev().find(|line| !line.trim().is_empty()) {
            Some(line) => write!(f, ", its last line on stderr: {}", line.trim()),
            None => f.write_str(" and wrote nothing to stderr"),
        }
    }
}
