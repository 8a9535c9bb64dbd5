//! What a host can ask for at the launch: pure data, whether it travels as a flag or in `initialize`.

pub(crate) mod agent;
pub(crate) mod mcp;
pub(crate) mod prompt;
pub(crate) mod sandbox;

/// How hard the model tries.
///
/// # Example
///
/// ```
/// use byre::{Session, options::Effort};
///
/// let builder = Session::builder().effort(Effort::High);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Effort {
    /// The least.
    Low,
    /// Between low and high.
    Medium,
    /// More than most questions need.
    High,
    /// Between high and the most.
    XHigh,
    /// The most.
    Max,
}

impl Effort {
    /// Returns the name on the wire.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::options::Effort::XHigh.as_str(), "xhigh");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::XHigh => "xhigh",
            Self::Max => "max",
        }
    }
}

/// Whether the model thinks before it answers.
///
/// # Example
///
/// ```
/// use byre::{Session, options::Thinking};
///
/// let builder = Session::builder().thinking(Thinking::Adaptive);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Thinking {
    /// As much as it finds right.
    Adaptive,
    /// Up to this many tokens. Newer models take any number but 0 for [`Adaptive`](Self::Adaptive).
    Budget(u32),
    /// Not at all.
    Disabled,
}

/// What the host sees of the model's thinking.
///
/// # Example
///
/// ```
/// use byre::{Session, options::ThinkingDisplay};
///
/// let builder = Session::builder().thinking_display(ThinkingDisplay::Omitted);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ThinkingDisplay {
    /// A summary.
    Summarized,
    /// Nothing.
    Omitted,
}

impl ThinkingDisplay {
    /// Returns the name on the wire.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::options::ThinkingDisplay::Omitted.as_str(), "omitted");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Summarized => "summarized",
            Self::Omitted => "omitted",
        }
    }
}

/// Where the CLI reads settings from. What an administrator has set is read in any case.
///
/// # Example
///
/// ```
/// use byre::{Session, options::SettingSource};
///
/// let builder = Session::builder().setting_sources([SettingSource::User]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SettingSource {
    /// The user's, in the configuration folder.
    User,
    /// Those that the project shares, in `.claude/settings.json`.
    Project,
    /// The user's for this project, in `.claude/settings.local.json`.
    Local,
}

impl SettingSource {
    /// Returns the name on the wire.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::options::SettingSource::Local.as_str(), "local");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }
}

/// How the previews of a question with choices are to be written.
///
/// # Example
///
/// ```
/// use byre::{Session, options::PreviewFormat};
///
/// let builder = Session::builder().question_previews(PreviewFormat::Html);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PreviewFormat {
    /// Markdown.
    Markdown,
    /// HTML.
    Html,
}

impl PreviewFormat {
    /// Returns the name on the wire.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::options::PreviewFormat::Html.as_str(), "html");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Html => "html",
        }
    }
}

#[cfg(test)]
mod tests;
