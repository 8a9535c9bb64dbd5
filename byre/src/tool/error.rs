//! What a tool fails with.

use std::{error::Error, fmt};

use super::CallToolResult;

/// What a tool fails with: a text that the model reads, and a detail that is only logged.
///
/// `?` makes one of every error: of what implements [`std::error::Error`], of anyhow's and eyre's, of
/// `String` and `&str`. The text then is that of the error and of all its sources, each said once:
/// `can't read the orders: permission denied`.
///
/// Where that would tell the model what it has no use for, or what is none of its business,
/// [`new`](Self::new) and [`ForModel`] say it in other words, and [`detail`](Self::detail) keeps the error for the log:
/// a warning of `tracing` under the target `byre`, with the name of the tool and the `detail`.
///
/// It does not implement `std::error::Error` itself, so that `?` can take every type that does.
///
/// # Example
///
/// ```
/// use byre::{ForModel, ToolError};
///
/// /// Reads a page of the manual.
/// #[byre::tool(read_only)]
/// async fn manual(page: u32) -> Result<String, ToolError> {
///     if page == 0 {
///         return Err(ToolError::new("pages are counted from 1"));
///     }
///     let path = format!("/srv/manual/{page}.txt");
///     // The model reads "there is no such page"; the path and the reason stand in the log.
///     std::fs::read_to_string(path).for_model("there is no such page")
/// }
/// # fn main() {}
/// ```
// A box, because a `Result` is as large as its larger half.
pub struct ToolError(Box<Inner>);

struct Inner {
    text: String,
    detail: Option<Box<dyn Error + Send + Sync>>,
}

impl ToolError {
    /// Makes an error that the model reads as `text`.
    ///
    /// The text should say what to do next. An empty one becomes "the tool failed and gave no reason".
    ///
    /// # Example
    ///
    /// ```
    /// use byre::ToolError;
    ///
    /// let error = ToolError::new("no such order; `find_orders` lists them");
    /// assert_eq!(error.to_string(), "no such order; `find_orders` lists them");
    /// ```
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(Box::new(Inner { text: text.into(), detail: None }))
    }

    /// Adds what is only logged: an error, or a text. It takes the place of one that was there before.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::ToolError;
    ///
    /// let cause = std::io::Error::other("10.0.0.7 refuses the connection");
    /// let error = ToolError::new("the warehouse can't be reached").detail(cause);
    /// assert_eq!(error.text(), "the warehouse can't be reached");
    /// ```
    #[must_use]
    pub fn detail(mut self, detail: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.0.detail = Some(detail.into());
        self
    }

    /// Returns what the model reads. `Display` prints it too.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::ToolError::from("too big").text(), "too big");
    /// ```
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Returns what is only logged.
    ///
    /// # Example
    ///
    /// ```
    /// let error = byre::ToolError::new("try again later").detail("the queue is full");
    /// assert_eq!(error.source().unwrap().to_string(), "the queue is full");
    /// ```
    #[must_use]
    pub fn source(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.0.detail.as_deref()
    }

    /// Makes one that says what `error` and its sources say.
    pub(crate) fn of<E: Error + ?Sized>(error: &E) -> Self {
        Self::new(chain(error))
    }
}

impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for ToolError {
    fn from(error: E) -> Self {
        Self::of(&*error.into())
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text)
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { text, detail } = &*self.0;
        f.debug_struct("ToolError").field("text", text).field("detail", detail).finish()
    }
}

impl From<ToolError> for CallToolResult {
    fn from(error: ToolError) -> Self {
        let Inner { text, detail } = *error.0;
        let text = if text.trim().is_empty() { NO_REASON.to_owned() } else { text };
        Self { detail: detail.map(|detail| chain(&*detail)), ..Self::error(text) }
    }
}

/// What the model reads where an error has no text: the CLI would say "Unknown error".
const NO_REASON: &str = "the tool failed and gave no reason";

/// How many sources are told. An error whose source is itself has no end.
const MAX_SOURCES: usize = 32;

/// Returns what an error and its sources say, with `: ` between them.
///
/// Many errors print their source themselves, so what was said already is not said again.
pub(super) fn chain<E: Error + ?Sized>(error: &E) -> String {
    let mut text = error.to_string();
    let mut last = text.clone();
    let sources = std::iter::successors(error.source(), |error| (*error).source());
    for source in sources.take(MAX_SOURCES) {
        let next = source.to_string();
        if !says(&last, &next) {
            if !text.is_empty() {
                text.push_str(": ");
            }
            text.push_str(&next);
        }
        last = next;
    }
    text
}

/// Says whether `part` stands in `text` for itself: "denied" does in "access denied", "a" does not.
fn says(text: &str, part: &str) -> bool {
    let part = part.trim();
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    part.is_empty()
        || text.match_indices(part).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + part.len()..]);
            !is_word(before.chars().next_back()) && !is_word(after.chars().next())
        })
}

/// Says failures in words for the model.
///
/// # Example
///
/// ```
/// use byre::ForModel;
///
/// let error = "x".parse::<u8>().for_model("the file is damaged").unwrap_err();
/// assert_eq!(error.text(), "the file is damaged");
/// assert_eq!(error.source().unwrap().to_string(), "invalid digit found in string");
///
/// let error = [1, 2].get(7).for_model("there is no eighth line").unwrap_err();
/// assert_eq!(error.text(), "there is no eighth line");
/// ```
pub trait ForModel<T> {
    /// Replaces the error by one that the model reads as `text`; the error itself is only logged.
    ///
    /// # Errors
    ///
    /// If there was an error, or nothing.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::{ForModel, ToolError};
    ///
    /// fn user() -> Result<String, ToolError> {
    ///     std::env::var("USER").for_model("nobody is logged in")
    /// }
    /// ```
    fn for_model(self, text: impl Into<String>) -> Result<T, ToolError>;
}

impl<T, E: Into<Box<dyn Error + Send + Sync>>> ForModel<T> for Result<T, E> {
    fn for_model(self, text: impl Into<String>) -> Result<T, ToolError> {
        self.map_err(|error| ToolError::new(text).detail(error))
    }
}

impl<T> ForModel<T> for Option<T> {
    fn for_model(self, text: impl Into<String>) -> Result<T, ToolError> {
        self.ok_or_else(|| ToolError::new(text))
    }
}
