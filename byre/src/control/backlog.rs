//! What becomes of events that the application does not read.

/// What becomes of events that the application does not read.
///
/// The CLI is answered whatever the application does, so its lines are read all the time, and those that are
/// events wait in memory: as text, with 8 bytes more each, and some 100 for those that came together. By default
/// they may be as many as there are, and a warning says so at 256 MB and each time that it has doubled, as
/// [`Event::Warning`](crate::Event::Warning). Limits are in bytes, and hold for what comes while something waits
/// already: an event that is read as it comes may be of any size.
///
/// # Example
///
/// ```
/// use byre::options::Backlog;
///
/// let builder = byre::Session::builder().backlog(Backlog::drop_partials(16_000_000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlog {
    pub(super) limit: usize,
    pub(super) policy: Policy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    Grow,
    DropPartials,
    Fail,
}

impl Backlog {
    /// Keeps everything, and warns above so many bytes.
    ///
    /// # Example
    ///
    /// ```
    /// let backlog = byre::options::Backlog::grow(1_000_000_000);
    /// ```
    #[must_use]
    pub const fn grow(bytes: usize) -> Self {
        Self { limit: bytes, policy: Policy::Grow }
    }

    /// Above so many bytes, leaves out pieces of messages
    /// ([`Event::Stream`](crate::Event::Stream)), which come whole later; a warning says so, and how many
    /// they were. Everything else is kept.
    ///
    /// # Example
    ///
    /// ```
    /// let backlog = byre::options::Backlog::drop_partials(16_000_000);
    /// ```
    #[must_use]
    pub const fn drop_partials(bytes: usize) -> Self {
        Self { limit: bytes, policy: Policy::DropPartials }
    }

    /// Above so many bytes, ends the session with [`ErrorKind::Unread`](crate::ErrorKind::Unread).
    ///
    /// # Example
    ///
    /// ```
    /// let backlog = byre::options::Backlog::fail(256_000_000);
    /// ```
    #[must_use]
    pub const fn fail(bytes: usize) -> Self {
        Self { limit: bytes, policy: Policy::Fail }
    }
}

impl Default for Backlog {
    fn default() -> Self {
        Self::grow(256_000_000)
    }
}
