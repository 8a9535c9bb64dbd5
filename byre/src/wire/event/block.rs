//! Content blocks: what messages consist of.
//!
//! Source: Claude Messages API, content blocks; what the CLI makes of them, seen with 2.1.332.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::{Value, value::RawValue};

use super::{
    OtherEvent,
    lenient::{Lenient, Within},
    table::record,
};
use crate::wire::json::{Raw, kind_of};

/// One block of a [`Message`](super::Message).
///
/// Serialises to what the CLI sent.
///
/// # Example
///
/// ```
/// use byre::event::ContentBlock;
///
/// let json = r#"{"type":"text","text":"5"}"#;
/// let block: ContentBlock = serde_json::from_str(json)?;
/// assert_eq!(block.text(), Some("5"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContentBlock {
    /// Text.
    Text(TextBlock),
    /// What the model thinks before it answers.
    Thinking(ThinkingBlock),
    /// The same, readable to the API alone.
    RedactedThinking(RedactedThinkingBlock),
    /// The model calls a tool.
    ToolUse(ToolUse),
    /// What a tool gave back.
    ToolResult(ToolResult),
    /// The model calls a tool that the API runs.
    ServerToolUse(ServerToolUse),
    /// What a tool that the API ran gave back: `web_search_tool_result` and the like.
    ServerToolResult(ServerToolResult),
    /// An image.
    Image(Box<ImageBlock>),
    /// A PDF file or a text file.
    Document(Box<DocumentBlock>),
    /// A finding of a search, which the model may cite.
    SearchResult(SearchResultBlock),
    /// A tool that a search for tools has found.
    ToolReference(ToolReference),
    /// A file that the API's container has.
    ContainerUpload(ContainerUpload),
    /// Any other block.
    Other(OtherEvent),
}

impl ContentBlock {
    /// Reads it from `text`, which stands in the line that `within` names. Too deep in other blocks, it is
    /// [`Other`](Self::Other).
    fn of(text: &str, within: Within<'_>) -> Self {
        let kind = kind_of(text);
        let block = within.deeper().and_then(|within| Self::known(&kind, text, within));
        block.unwrap_or_else(|| {
            Self::Other(OtherEvent { kind: kind.into_owned(), raw: within.keep(text) })
        })
    }

    fn known(kind: &str, text: &str, within: Within<'_>) -> Option<Self> {
        match kind {
            "text" => TextBlock::read(text, within).map(Self::Text),
            "thinking" => ThinkingBlock::read(text, within).map(Self::Thinking),
            "redacted_thinking" => {
                RedactedThinkingBlock::read(text, within).map(Self::RedactedThinking)
            }
            "tool_use" => ToolUse::read(text, within).map(Self::ToolUse),
            "tool_result" => ToolResult::read(text, within).map(Self::ToolResult),
            // `mcp_tool_use` is a call of a server that the API itself is connected to.
            "server_tool_use" | "mcp_tool_use" => {
                ServerToolUse::read(text, within).map(Self::ServerToolUse)
            }
            "image" => ImageBlock::read(text, within).map(Box::new).map(Self::Image),
            "document" => DocumentBlock::read(text, within).map(Box::new).map(Self::Document),
            "search_result" => SearchResultBlock::read(text, within).map(Self::SearchResult),
            "tool_reference" => ToolReference::read(text, within).map(Self::ToolReference),
            "container_upload" => ContainerUpload::read(text, within).map(Self::ContainerUpload),
            kind if kind.ends_with("_tool_result") => {
                ServerToolResult::read(text, within).map(Self::ServerToolResult)
            }
            _ => None,
        }
    }

    /// Returns the JSON that the CLI sent. Where it sent text in place of blocks, the block that the
    /// text stands for.
    ///
    /// # Example
    ///
    /// ```
    /// fn show(block: &byre::event::ContentBlock) {
    ///     println!("{}", block.raw());
    /// }
    /// ```
    #[must_use]
    pub fn raw(&self) -> &Raw {
        match self {
            Self::Text(block) => &block.raw,
            Self::Thinking(block) => &block.raw,
            Self::RedactedThinking(block) => &block.raw,
            Self::ToolUse(block) => &block.raw,
            Self::ToolResult(block) => &block.raw,
            Self::ServerToolUse(block) => &block.raw,
            Self::ServerToolResult(block) => &block.raw,
            Self::Image(block) => &block.raw,
            Self::Document(block) => &block.raw,
            Self::SearchResult(block) => &block.raw,
            Self::ToolReference(block) => &block.raw,
            Self::ContainerUpload(block) => &block.raw,
            Self::Other(block) => &block.raw,
        }
    }

    /// Returns the text of a [`Text`](Self::Text) block.
    ///
    /// # Example
    ///
    /// ```
    /// fn show(block: &byre::event::ContentBlock) {
    ///     println!("{}", block.text().unwrap_or("(no text)"));
    /// }
    /// ```
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(block) => Some(&block.text),
            _ => None,
        }
    }

    /// Makes a block of its JSON.
    pub(super) fn from_value(value: &Value) -> Self {
        Self::of(&value.to_string(), Within::default())
    }
}

impl<'de> Lenient<'de> for ContentBlock {
    fn read<D: Deserializer<'de>>(json: D, within: Within<'_>) -> Result<Option<Self>, D::Error> {
        let raw = <&RawValue>::deserialize(json)?;
        Ok(Some(Self::of(raw.get(), within)))
    }

    fn only_item(text: &str) -> Option<Self> {
        Some(Self::from_value(&serde_json::json!({"type": "text", "text": text})))
    }

    fn is_null(&self) -> bool {
        self.raw().as_str() == "null"
    }
}

impl Serialize for ContentBlock {
    /// Serialises to what the CLI sent.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ContentBlock {
    /// Reads a block. One that byre does not know is [`Other`](Self::Other).
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        let text = Box::<RawValue>::deserialize(json)?;
        if !text.get().starts_with('{') {
            return Err(D::Error::custom("a content block is an object"));
        }
        let raw = Raw::new(text.get().to_owned());
        Ok(Self::of(raw.as_str(), Within::line(&raw)))
    }
}

/// Joins the text of the text blocks. Where there is one, it is not copied.
pub(crate) fn texts(blocks: &[ContentBlock]) -> Cow<'_, str> {
    let mut texts = blocks.iter().filter_map(ContentBlock::text);
    let Some(first) = texts.next() else {
        return Cow::Borrowed("");
    };
    texts.fold(Cow::Borrowed(first), |joined, text| joined + text)
}

record! {
    /// Text.
    r#"{"type":"text","text":"It rains.","citations":[{"type":"web_search_result_location","cited_text":"rain","url":"https://example.com","title":"Weather"}]}"#
    pub struct TextBlock {
        /// The text.
        pub text: String,
        /// What the text rests on, in order.
        pub citations: Vec<Citation>,
    }
    with raw
}

record! {
    /// What a piece of text rests on. Which of the fields it has depends on
    /// [`kind`](Self::kind).
    r#"{"type":"char_location","cited_text":"rain","document_index":0,"document_title":"Weather","start_char_index":3,"end_char_index":7}"#
    pub struct Citation {
        /// `char_location`, `page_location`, `content_block_location`, `web_search_result_location` or
        /// `search_result_location`; the set is open.
        pub kind: String = "type",
        /// The words that are cited.
        pub cited_text: String,
        /// Which document it is, counted from 0.
        pub document_index: Option<u64>,
        /// The document's title.
        pub document_title: Option<String>,
        /// Where it begins in the document, in characters.
        pub start_char_index: Option<u64>,
        /// Where it ends in the document, in characters.
        pub end_char_index: Option<u64>,
        /// The first page, counted from 1.
        pub start_page_number: Option<u64>,
        /// The page after the last one.
        pub end_page_number: Option<u64>,
        /// The first block of a document that consists of blocks.
        pub start_block_index: Option<u64>,
        /// The block after the last one.
        pub end_block_index: Option<u64>,
        /// The page on the web.
        pub url: Option<String>,
        /// Its title, or that of the search result.
        pub title: Option<String>,
        /// Where a search result is from.
        pub source: Option<String>,
        /// Which search result it is, counted from 0.
        pub search_result_index: Option<u64>,
    }
}

record! {
    /// What the model thinks before it answers.
    r#"{"type":"thinking","thinking":"Two and three …","signature":"EqQB"}"#
    pub struct ThinkingBlock {
        /// The thought, or a summary of it; empty where it is not shown.
        pub thinking: String,
        /// The API's proof that the thought is the model's own.
        pub signature: String,
    }
    with raw
}

record! {
    /// What the model thinks, readable to the API alone.
    r#"{"type":"redacted_thinking","data":"EmwK"}"#
    pub struct RedactedThinkingBlock {
        /// The encrypted thought.
        pub data: String,
    }
    with raw
}

record! {
    /// A call that the model asks for.
    r#"{"type":"tool_use","id":"toolu_9","name":"mcp__byre__add","input":{"a":2,"b":3}}"#
    pub struct ToolUse {
        /// The API's id of the call, which its [`ToolResult`] repeats.
        pub id: String,
        /// The tool's name; `mcp__byre__add` for a tool `add` of byre's server.
        pub name: String,
        /// The arguments.
        pub input: Value,
    }
    with raw
}

record! {
    /// What a tool gave back to the model.
    r#"{"type":"tool_result","tool_use_id":"toolu_9","content":[{"type":"text","text":"5"}],"is_error":false}"#
    pub struct ToolResult {
        /// The call that this answers.
        pub tool_use_id: String,
        /// The blocks. A plain string on the wire is one text block here.
        pub content: Vec<ContentBlock>,
        /// The tool failed, was denied or was interrupted.
        pub is_error: bool,
    }
    with raw
}

impl ToolResult {
    /// Returns the text blocks, joined.
    ///
    /// # Example
    ///
    /// ```
    /// fn is_empty(result: &byre::event::ToolResult) -> bool {
    ///     result.text().is_empty()
    /// }
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        texts(&self.content).into_owned()
    }
}

record! {
    /// A call of a tool that the API runs: `web_search`, `web_fetch`, `code_execution`,
    /// `bash_code_execution`, `text_editor_code_execution`, `tool_search_tool_regex`,
    /// `tool_search_tool_bm25`, `advisor`. On the wire also `mcp_tool_use`.
    r#"{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"rain"}}"#
    pub struct ServerToolUse {
        /// The API's id of the call, which its [`ServerToolResult`] repeats.
        pub id: String,
        /// The tool's name.
        pub name: String,
        /// The arguments.
        pub input: Value,
        /// The MCP server, for `mcp_tool_use`.
        pub server_name: Option<String>,
    }
    with raw
}

record! {
    /// What a tool that the API ran gave back.
    r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"https://example.com","title":"Weather","encrypted_content":"Eo8B"}]}"#
    pub struct ServerToolResult {
        /// Which tool: `web_search_tool_result`, `advisor_tool_result`, …; the set is open.
        pub kind: String = "type",
        /// The call that this answers.
        pub tool_use_id: String,
        /// What it found, or an object that says why it failed. The shape is the tool's.
        pub content: Value,
        /// The tool failed; only for `mcp_tool_result`, others say so in the content.
        pub is_error: bool,
    }
    with raw
}

record! {
    /// An image.
    r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}}"#
    pub struct ImageBlock {
        /// Where its bytes are.
        pub source: MediaSource,
    }
    with raw
}

record! {
    /// A PDF file or a text file.
    r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"It rains."},"title":"Weather","context":"From today."}"#
    pub struct DocumentBlock {
        /// Where its content is.
        pub source: MediaSource,
        /// Its title.
        pub title: Option<String>,
        /// What the model should know about it.
        pub context: Option<String>,
        /// `{"enabled":true}` where the model may cite it.
        pub citations: Option<Value>,
    }
    with raw
}

record! {
    /// Where the bytes of an image or a document are. Which of the fields it has depends on
    /// [`kind`](Self::kind).
    r#"{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}"#
    pub struct MediaSource {
        /// `base64`, `text`, `url`, `file` or `content`; the set is open.
        pub kind: String = "type",
        /// The media type, `image/png` for example.
        pub media_type: Option<String>,
        /// The text, or the bytes in base64.
        pub data: Option<String>,
        /// Where it is on the web.
        pub url: Option<String>,
        /// The API's id of an uploaded file.
        pub file_id: Option<String>,
        /// The blocks of a document that consists of blocks.
        pub content: Vec<ContentBlock>,
    }
}

record! {
    /// A finding of a search, which the model may cite.
    r#"{"type":"search_result","source":"https://example.com","title":"Weather","content":[{"type":"text","text":"It rains."}]}"#
    pub struct SearchResultBlock {
        /// Where it is from.
        pub source: String,
        /// Its title.
        pub title: String,
        /// What it says.
        pub content: Vec<ContentBlock>,
        /// `{"enabled":true}` where the model may cite it.
        pub citations: Option<Value>,
    }
    with raw
}

record! {
    /// A tool that a search for tools has found.
    r#"{"type":"tool_reference","tool_name":"mcp__byre__add"}"#
    pub struct ToolReference {
        /// The tool's name.
        pub tool_name: String,
    }
    with raw
}

record! {
    /// A file that the API's container has.
    r#"{"type":"container_upload","file_id":"file_1"}"#
    pub struct ContainerUpload {
        /// The API's id of the file.
        pub file_id: String,
    }
    with raw
}
