//! The MCP shapes that byre's server sends and reads.
//!
//! Source: MCP 2025-11-25, "Tools".

use base64::{Engine, engine::general_purpose::STANDARD as BASE64};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The protocol versions that byre's server speaks, oldest first.
pub(crate) const PROTOCOL_VERSIONS: [&str; 4] =
    ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// Chooses the version for a client that asks for `asked`: the same one where byre speaks it, else the
/// newest, which the client may refuse.
pub(crate) fn negotiate_version(asked: &str) -> &'static str {
    let newest = PROTOCOL_VERSIONS[PROTOCOL_VERSIONS.len() - 1];
    PROTOCOL_VERSIONS.into_iter().find(|version| *version == asked).unwrap_or(newest)
}

/// What a tool tells the CLI about itself. All are hints, and none is sent unless it is set.
///
/// Only `read_only` changes what the CLI does: it calls read-only tools of one message at the same
/// time, and all others one after another (seen with 2.1.332).
///
/// ```json
/// {"title":"Find orders","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}
/// ```
///
/// # Example
///
/// ```
/// use byre::tool::ToolAnnotations;
///
/// let mut annotations = ToolAnnotations::default();
/// annotations.read_only_hint = Some(true);
/// assert_eq!(serde_json::to_string(&annotations).unwrap(), r#"{"readOnlyHint":true}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ToolAnnotations {
    /// A name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The tool changes nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_only_hint: Option<bool>,
    /// The tool may destroy something, and not only add.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub destructive_hint: Option<bool>,
    /// A second call with the same arguments changes nothing more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idempotent_hint: Option<bool>,
    /// The tool reaches beyond this machine or program, to the web for example.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open_world_hint: Option<bool>,
}

impl ToolAnnotations {
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The answer to `tools/call`.
///
/// ```json
/// {"content":[{"type":"text","text":"5"}],"structuredContent":{"sum":5},"isError":true}
/// ```
///
/// `structuredContent` and `isError` are absent where they say nothing: the CLI refuses a result whose
/// `isError` is `null`. Where `structured_content` is set, the model sees its JSON *instead of* the
/// content (seen with CLI 2.1.332).
///
/// # Example
///
/// ```
/// use byre::tool::{CallToolResult, Content};
///
/// let result = CallToolResult::new([Content::text("done")]);
/// assert_eq!(serde_json::to_string(&result).unwrap(), r#"{"content":[{"type":"text","text":"done"}]}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CallToolResult {
    /// What the model sees, in this order.
    #[serde(default)]
    pub content: Vec<Content>,
    /// The result as data; an object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured_content: Option<Value>,
    /// The tool failed, and the content says why.
    #[serde(default, skip_serializing_if = "is_false")]
    pub is_error: bool,
    /// Anything for the client alone.
    #[serde(default, rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Map<String, Value>>,
    /// What is only logged. It is never sent.
    #[serde(skip)]
    pub(crate) detail: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl CallToolResult {
    /// Makes the result of a tool that went well.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::tool::{CallToolResult, Content};
    ///
    /// assert!(!CallToolResult::new([Content::text("42")]).is_error);
    /// ```
    #[must_use]
    pub fn new(content: impl IntoIterator<Item = Content>) -> Self {
        Self { content: content.into_iter().collect(), ..Self::default() }
    }

    /// Makes the result of a tool that failed, with a text that helps the model to do better.
    ///
    /// # Example
    ///
    /// ```
    /// let result = byre::tool::CallToolResult::error("no such order: 7");
    /// assert!(result.is_error);
    /// ```
    #[must_use]
    pub fn error(text: impl Into<String>) -> Self {
        Self { content: vec![Content::text(text)], is_error: true, ..Self::default() }
    }

    /// Returns what is only logged, of a tool that failed; it is never sent.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::{ToolError, tool::CallToolResult};
    ///
    /// let result = CallToolResult::from(ToolError::new("try again later").detail("the queue is full"));
    /// assert_eq!(result.text(), "try again later");
    /// assert_eq!(result.detail(), Some("the queue is full"));
    /// ```
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        self.detail.as_deref()
    }

    /// Returns the texts among the content, joined by line breaks.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::tool::CallToolResult::error("too big").text(), "too big");
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.content.iter().filter_map(Content::as_text);
        texts.collect::<Vec<_>>().join("\n")
    }
}

/// One piece of what a tool gives back.
///
/// ```json
/// {"type":"text","text":"5"}
/// {"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}
/// {"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}
/// {"type":"resource","resource":{"uri":"file:///a.txt","mimeType":"text/plain","text":"hello"}}
/// {"type":"resource_link","uri":"https://example.com/a","name":"a"}
/// ```
///
/// The model sees texts, and images in PNG, JPEG, GIF and WebP. The CLI saves other images, audio and
/// binary resources to a file, and shows the model the path (seen with 2.1.332).
///
/// # Example
///
/// ```
/// use byre::tool::Content;
///
/// let content = [Content::text("a red dot"), Content::image(b"\x89PNG...", "image/png")];
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Content {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// An image.
    Image {
        /// The bytes in base64.
        data: String,
        /// The media type, `image/png` for example.
        mime_type: String,
    },
    /// A sound.
    Audio {
        /// The bytes in base64.
        data: String,
        /// The media type, `audio/wav` for example.
        mime_type: String,
    },
    /// A file or document that comes with its contents.
    Resource {
        /// The contents.
        resource: ResourceContents,
    },
    /// A file or document that stays where it is.
    #[non_exhaustive]
    ResourceLink {
        /// Where it is.
        uri: String,
        /// What it is called.
        name: String,
        /// What it holds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        /// The media type.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
    },
}

impl Content {
    /// Makes a text.
    ///
    /// # Example
    ///
    /// ```
    /// byre::tool::Content::text("hello");
    /// ```
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// Returns the text, if it is one.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::tool::Content;
    ///
    /// assert_eq!(Content::text("hello").as_text(), Some("hello"));
    /// assert_eq!(Content::image(b"", "image/png").as_text(), None);
    /// ```
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text { text } => Some(text),
            _ => None,
        }
    }

    /// Makes an image from its bytes and media type, which nobody looks at; [`image`](crate::tool::image) has
    /// functions that do. Of another kind than PNG, JPEG, GIF and WebP there is a warning once it is sent.
    ///
    /// # Example
    ///
    /// ```
    /// byre::tool::Content::image(b"\x89PNG...", "image/png");
    /// ```
    #[must_use]
    pub fn image(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::Image { data: BASE64.encode(bytes), mime_type: mime_type.into() }
    }

    /// Makes a sound from its bytes and media type, which nobody looks at; [`audio`](crate::tool::audio) has
    /// functions that do.
    ///
    /// # Example
    ///
    /// ```
    /// byre::tool::Content::audio(b"RIFF...", "audio/wav");
    /// ```
    #[must_use]
    pub fn audio(bytes: impl AsRef<[u8]>, mime_type: impl Into<String>) -> Self {
        Self::Audio { data: BASE64.encode(bytes), mime_type: mime_type.into() }
    }

    /// Makes a resource that is text. [`resource::text`](crate::tool::resource::text) looks at what it is given.
    ///
    /// # Example
    ///
    /// ```
    /// byre::tool::Content::resource_text("file:///notes.md", "text/markdown", "# Notes");
    /// ```
    #[must_use]
    pub fn resource_text(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        let (uri, mime_type) = (uri.into(), Some(mime_type.into()));
        Self::Resource { resource: ResourceContents::Text { uri, mime_type, text: text.into() } }
    }

    /// Makes a resource from its bytes. [`resource::bytes`](crate::tool::resource::bytes) looks at what it is given.
    ///
    /// # Example
    ///
    /// ```
    /// byre::tool::Content::resource_bytes("file:///a.zip", "application/zip", b"PK");
    /// ```
    #[must_use]
    pub fn resource_bytes(
        uri: impl Into<String>,
        mime_type: impl Into<String>,
        bytes: impl AsRef<[u8]>,
    ) -> Self {
        let (uri, mime_type) = (uri.into(), Some(mime_type.into()));
        let blob = BASE64.encode(bytes);
        Self::Resource { resource: ResourceContents::Blob { uri, mime_type, blob } }
    }

    /// Makes a link to a resource. [`resource_link`](crate::resource_link) looks at what it is given.
    ///
    /// # Example
    ///
    /// ```
    /// byre::tool::Content::resource_link("https://example.com/spec.pdf", "The specification");
    /// ```
    #[must_use]
    pub fn resource_link(uri: impl Into<String>, name: impl Into<String>) -> Self {
        Self::ResourceLink {
            uri: uri.into(),
            name: name.into(),
            description: None,
            mime_type: None,
        }
    }
}

/// The contents of a resource: text, or bytes in base64.
///
/// ```json
/// {"uri":"file:///a.txt","mimeType":"text/plain","text":"hello"}
/// {"uri":"file:///a.zip","blob":"UEs="}
/// ```
///
/// # Example
///
/// ```
/// use byre::tool::{Content, ResourceContents};
///
/// let content = Content::resource_text("file:///a.txt", "text/plain", "hello");
/// assert!(matches!(content, Content::Resource { resource: ResourceContents::Text { .. } }));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum ResourceContents {
    /// Text.
    Text {
        /// Where it is from.
        uri: String,
        /// The media type.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
        /// The text.
        text: String,
    },
    /// Bytes.
    Blob {
        /// Where it is from.
        uri: String,
        /// The media type.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mime_type: Option<String>,
        /// The bytes in base64.
        blob: String,
    },
}

#[cfg(test)]
mod tests;
