//! What was passed over, and why.

use std::{fmt, io, path::PathBuf};

/// A file, or a line of one, that was passed over.
///
/// One bad file must not hide the others, nor one bad line a conversation. So they are skipped, and told
/// here.
///
/// # Example
///
/// ```
/// use byre::sessions::{Filter, Sessions};
///
/// # fn run() -> byre::Result<()> {
/// for skipped in Sessions::new()?.list(&Filter::all())?.skipped {
///     eprintln!("{skipped}");
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// The file or folder.
    pub path: PathBuf,
    /// The number of the line, from 1, if it is only that.
    pub line: Option<u64>,
    /// Why.
    pub reason: SkipReason,
}

/// Why something was [`Skipped`].
///
/// # Example
///
/// ```
/// use byre::sessions::SkipReason;
///
/// assert_eq!(SkipReason::Empty.to_string(), "it is empty");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkipReason {
    /// A `.jsonl` file whose name is no session id.
    NotASession,
    /// Something that has the name of a session, and is a folder, a pipe or a device.
    NotAFile,
    /// A file of no bytes. The CLI does not count it as a session either.
    Empty,
    /// The file of a subagent.
    Sidechain,
    /// Neither a title nor a prompt stands in it.
    NoConversation,
    /// It can't be read: the system's reason.
    Unreadable(String),
    /// The line is not a JSON object.
    NotJson,
    /// The last line has no end and is no JSON: the CLI was stopped while it wrote it, or is writing it
    /// now.
    CutShort,
    /// The line is longer than 512 MiB.
    TooLong,
}

impl Skipped {
    pub(super) fn file(path: impl Into<PathBuf>, reason: SkipReason) -> Self {
        Self { path: path.into(), line: None, reason }
    }

    pub(super) fn unreadable(path: impl Into<PathBuf>, error: &io::Error) -> Self {
        Self::file(path, SkipReason::Unreadable(error.to_string()))
    }
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "skipped {}", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotASession => "its name is no session id",
            Self::NotAFile => "it is not a file",
            Self::Empty => "it is empty",
            Self::Sidechain => "it belongs to a subagent",
            Self::NoConversation => "there is no prompt and no title in it",
            Self::Unreadable(reason) => return write!(f, "it can't be read: {reason}"),
            Self::NotJson => "it is not a JSON object",
            Self::CutShort => "it is cut short",
            Self::TooLong => "it is too long",
        })
    }
}
