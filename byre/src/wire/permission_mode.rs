//! How the CLI decides whether a tool may run, by its names on the wire.

use serde::{Deserialize, Serialize};

/// How the CLI decides whether a tool may run.
///
/// # Example
///
/// ```
/// use byre::{PermissionMode, Session};
///
/// let builder = Session::builder().permission_mode(PermissionMode::AcceptEdits);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum PermissionMode {
    /// Asks for what no rule allows.
    Default,
    /// Also allows edits of files.
    AcceptEdits,
    /// Only plans; runs nothing that changes anything, and so no tool that is not `read_only`.
    Plan,
    /// Allows everything. Can only be entered where the launch allowed it.
    BypassPermissions,
    /// Denies instead of asking.
    DontAsk,
    /// Lets a classifier decide.
    Auto,
}

impl PermissionMode {
    /// Returns the name on the wire.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::PermissionMode::AcceptEdits.as_str(), "acceptEdits");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::AcceptEdits => "acceptEdits",
            Self::Plan => "plan",
            Self::BypassPermissions => "bypassPermissions",
            Self::DontAsk => "dontAsk",
            Self::Auto => "auto",
        }
    }

    /// Reads the name on the wire, or gives `None` for a mode that byre does not know.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::PermissionMode;
    ///
    /// assert_eq!(PermissionMode::from_name("plan"), Some(PermissionMode::Plan));
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [
            Self::Default,
            Self::AcceptEdits,
            Self::Plan,
            Self::BypassPermissions,
            Self::DontAsk,
            Self::Auto,
        ];
        all.into_iter().find(|mode| mode.as_str() == name)
    }
}
