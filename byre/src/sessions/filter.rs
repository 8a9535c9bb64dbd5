//! Which sessions to list, and what was found.

use std::path::PathBuf;

use super::{info::SessionInfo, skipped::Skipped};

/// Which sessions to [list](super::Sessions::list).
///
/// # Example
///
/// ```
/// use byre::sessions::Filter;
///
/// let second_page = Filter::project("/srv/app").offset(20).limit(20);
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Filter {
    pub(super) project: Option<PathBuf>,
    pub(super) worktrees: bool,
    pub(super) limit: Option<usize>,
    pub(super) offset: usize,
}

/// What [`Sessions::list`](super::Sessions::list) has found.
///
/// # Example
///
/// ```
/// use byre::sessions::{Filter, Sessions};
///
/// # fn run() -> byre::Result<()> {
/// let listing = Sessions::new()?.list(&Filter::all())?;
/// println!("{} sessions, {} skipped", listing.sessions.len(), listing.skipped.len());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Listing {
    /// The sessions, the one that was changed last first.
    pub sessions: Vec<SessionInfo>,
    /// What looked like a session and is none to show.
    pub skipped: Vec<Skipped>,
}

impl Filter {
    /// The sessions of all projects.
    ///
    /// # Example
    ///
    /// ```
    /// let all = byre::sessions::Filter::all();
    /// ```
    pub fn all() -> Self {
        Self { project: None, worktrees: true, limit: None, offset: 0 }
    }

    /// The sessions that were started in this directory, or in another work tree of the Git repository
    /// that it is in.
    ///
    /// # Example
    ///
    /// ```
    /// let here = byre::sessions::Filter::project(".");
    /// ```
    pub fn project(directory: impl Into<PathBuf>) -> Self {
        Self { project: Some(directory.into()), ..Self::all() }
    }

    /// Leaves out other work trees of the repository.
    ///
    /// # Example
    ///
    /// ```
    /// let only_here = byre::sessions::Filter::project(".").without_worktrees();
    /// ```
    pub fn without_worktrees(mut self) -> Self {
        self.worktrees = false;
        self
    }

    /// At most this many. Files that are not needed for that are not opened.
    ///
    /// # Example
    ///
    /// ```
    /// let newest = byre::sessions::Filter::all().limit(1);
    /// ```
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Without the first ones.
    ///
    /// # Example
    ///
    /// ```
    /// let second = byre::sessions::Filter::all().offset(1).limit(1);
    /// ```
    pub fn offset(mut self, offset: usize) -> Self {
        self.offset = offset;
        self
    }
}
