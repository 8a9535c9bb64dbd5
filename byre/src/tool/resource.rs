//! Files and documents that come with their contents.
//!
//! Each function looks at what it is given: the URI must have a scheme, the media type a slash, and bytes
//! must be there. What is wrong is an error that says so. [`resource_link`] names a document and leaves it
//! where it is.
//!
//! The model sees texts, and images as [`image`] makes them. The CLI saves other bytes to a file
//! and shows the model its path (seen with 2.1.332).
//!
//! # Example
//!
//! ```
//! use byre::{ToolError, tool::Content};
//!
//! /// Reads a note.
//! #[byre::tool(read_only)]
//! async fn note(name: String) -> Result<Content, ToolError> {
//!     let text = std::fs::read_to_string(format!("/srv/notes/{name}.md"))?;
//!     byre::resource::text(format!("file:///srv/notes/{name}.md"), "text/markdown", text)
//! }
//! # fn main() {}
//! ```

use super::{Content, ToolError, image};

/// Makes a resource from a text.
///
/// # Errors
///
/// If the URI has no scheme, or the media type is none.
///
/// # Example
///
/// ```
/// assert!(byre::resource::text("file:///notes.md", "text/markdown", "# Notes").is_ok());
///
/// let error = byre::resource::text("notes.md", "text/markdown", "# Notes").unwrap_err();
/// assert_eq!(error.text(), "the URI \"notes.md\" has no scheme; use `file:///…` or `https://…`");
/// ```
pub fn text(
    uri: impl Into<String>,
    media_type: impl Into<String>,
    text: impl Into<String>,
) -> Result<Content, ToolError> {
    let (uri, media_type) = (uri.into(), media_type.into());
    check_uri(&uri)?;
    check_media_type(&media_type)?;
    Ok(Content::resource_text(uri, media_type, text))
}

/// Makes a resource from bytes. Those of an image that the model can see are looked at as
/// [`image::any`] does.
///
/// # Errors
///
/// If the URI has no scheme, the media type is none, there are no bytes, or they are an image that is not what
/// the media type says or too large for the API.
///
/// # Example
///
/// ```
/// assert!(byre::resource::bytes("file:///a.zip", "application/zip", b"PK\x03\x04").is_ok());
/// assert!(byre::resource::bytes("file:///a.zip", "application/zip", b"").is_err());
/// ```
pub fn bytes(
    uri: impl Into<String>,
    media_type: impl Into<String>,
    bytes: impl AsRef<[u8]>,
) -> Result<Content, ToolError> {
    let (uri, media_type, bytes) = (uri.into(), media_type.into(), bytes.as_ref());
    check_uri(&uri)?;
    check_media_type(&media_type)?;
    if bytes.is_empty() {
        return Err(ToolError::new(format!("the resource {uri:?} is empty")));
    }
    if let Some(format) = image::Format::of_media_type(&media_type) {
        image::check(bytes, format).map_err(ToolError::new)?;
    }
    Ok(Content::resource_bytes(uri, media_type, bytes))
}

/// Makes a link to a document that stays where it is. The model sees the name and the URI.
///
/// # Errors
///
/// If the URI has no scheme, or the name is empty.
///
/// # Example
///
/// ```
/// assert!(byre::resource_link("https://example.com/spec.pdf", "The specification").is_ok());
/// assert!(byre::resource_link("/srv/spec.pdf", "The specification").is_err());
/// ```
pub fn resource_link(
    uri: impl Into<String>,
    name: impl Into<String>,
) -> Result<Content, ToolError> {
    let (uri, name) = (uri.into(), name.into());
    check_uri(&uri)?;
    if name.trim().is_empty() {
        return Err(ToolError::new(format!("the link to {uri:?} has no name")));
    }
    Ok(Content::resource_link(uri, name))
}

/// Checks that a URI has a scheme and something after it, and no blanks.
///
/// Source: RFC 3986, section 3.1. A scheme of one letter would be the drive of a path.
fn check_uri(uri: &str) -> Result<(), ToolError> {
    let is_scheme = |scheme: &str| {
        scheme.len() > 1
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    };
    let problem = match uri.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => {
            if rest.is_empty() {
                "names nothing after its scheme"
            } else if uri.contains(|c: char| c.is_whitespace() || c.is_control()) {
                "has blanks in it; write `%20` for a blank"
            } else {
                return Ok(());
            }
        }
        _ => "has no scheme; use `file:///…` or `https://…`",
    };
    Err(ToolError::new(format!("the URI {uri:?} {problem}")))
}

fn check_media_type(media_type: &str) -> Result<(), ToolError> {
    let (kind, rest) = media_type.split_once('/').unwrap_or_default();
    if kind.is_empty() || rest.is_empty() || media_type.contains(char::is_control) {
        return Err(ToolError::new(format!(
            "{media_type:?} is no media type; use `text/plain` or `application/octet-stream`, for example"
        )));
    }
    Ok(())
}
