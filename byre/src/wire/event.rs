//! What the CLI reports on stdout besides control traffic.
//!
//! Parsing never fails: a line that has the name but not the shape of a known event, and every event
//! that byre has not heard of, becomes [`Event::Other`] with its JSON.

use std::{fmt, time::Duration};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};

use super::json::Raw;

/// One thing that the CLI reports.
///
/// Cheap to clone. Every event keeps the JSON that it was read from, with the fields that byre does not
/// know; that JSON is what an event serialises to.
///
/// # Example
///
/// ```
/// use byre::Event;
///
/// # async fn run(session: &mut byre::Session) -> byre::Result<()> {
/// let mut turn = session.prompt("What is 2 + 3?");
/// while let Some(event) = turn.next().await {
///     match event? {
///         Event::Assistant(message) => println!("{}", message.text()),
///         Event::Result(result) => println!("{} turns", result.num_turns),
///         other => println!("{}", other.raw()),
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// Something about the session itself: its start, a retry, a compaction, a task.
    System(SystemEvent),
    /// One finished block of what the model says.
    Assistant(AssistantEvent),
    /// What goes to the model in the user's place: results of tools, feedback of hooks.
    User(UserEvent),
    /// A turn is over.
    Result(ResultEvent),
    /// A piece of a message while the model writes it; only with
    /// [`include_partial_messages`](crate::SessionBuilder::include_partial_messages).
    Stream(StreamEvent),
    /// byre itself has something to say that does not end the session. Not from the CLI.
    Warning(Warning),
    /// Anything else.
    Other(OtherEvent),
}

impl Event {
    /// Reads the event of a line whose `type` is `kind`.
    pub(crate) fn parse(kind: &str, raw: &Raw) -> Self {
        let event = match kind {
            "system" => SystemEvent::parse(raw).map(Self::System),
            "assistant" => AssistantEvent::parse(raw).map(Self::Assistant),
            "user" => UserEvent::parse(raw).map(Self::User),
            "result" => ResultEvent::parse(raw).map(Self::Result),
            "stream_event" => StreamEvent::parse(raw).map(Self::Stream),
            _ => None,
        };
        event.unwrap_or_else(|| Self::Other(OtherEvent { kind: kind.to_owned(), raw: raw.clone() }))
    }

    /// Returns the JSON that the CLI sent.
    ///
    /// # Example
    ///
    /// ```
    /// fn log(event: &byre::Event) {
    ///     eprintln!("{}", event.raw());
    /// }
    /// ```
    #[must_use]
    pub fn raw(&self) -> &Raw {
        match self {
            Self::System(event) => event.raw(),
            Self::Assistant(event) => &event.raw,
            Self::User(event) => &event.raw,
            Self::Result(event) => &event.raw,
            Self::Stream(event) => &event.raw,
            Self::Warning(event) => &event.raw,
            Self::Other(event) => &event.raw,
        }
    }

    /// Returns the text that this event adds to the answer, if partial messages are on.
    ///
    /// The [`Assistant`](Self::Assistant) event repeats the whole text at the end: print one or the
    /// other.
    ///
    /// # Example
    ///
    /// ```
    /// fn print(event: &byre::Event) {
    ///     if let Some(text) = event.text_delta() {
    ///         print!("{text}");
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn text_delta(&self) -> Option<&str> {
        match self {
            Self::Stream(StreamEvent { delta: Some(Delta::Text(text)), .. }) => Some(text),
            _ => None,
        }
    }
}

impl Serialize for Event {
    /// Serialises to what the CLI sent.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw().serialize(serializer)
    }
}

/// A `system` line.
///
/// # Example
///
/// ```
/// use byre::event::{Event, SystemEvent};
///
/// fn model(event: &Event) -> Option<&str> {
///     match event {
///         Event::System(SystemEvent::Init(init)) => Some(&init.model),
///         _ => None,
///     }
/// }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SystemEvent {
    /// A turn starts. Comes at the start of every turn, also of those that nobody asked for.
    Init(Box<Init>),
    /// Any other subtype.
    Other(OtherEvent),
}

impl SystemEvent {
    fn parse(raw: &Raw) -> Option<Self> {
        #[derive(Deserialize)]
        struct Head {
            #[serde(default)]
            subtype: String,
        }
        let Head { subtype } = raw.parse().ok()?;
        if subtype == "init"
            && let Ok(fields) = raw.parse::<Init>()
        {
            return Some(Self::Init(Box::new(Init { raw: raw.clone(), ..fields })));
        }
        Some(Self::Other(OtherEvent { kind: subtype, raw: raw.clone() }))
    }

    fn raw(&self) -> &Raw {
        match self {
            Self::Init(init) => &init.raw,
            Self::Other(other) => &other.raw,
        }
    }
}

/// `system`/`init`: what the session has, at the start of each turn.
///
/// ```json
/// {"type":"system","subtype":"init","session_id":"8f3a…","cwd":"/srv/app","model":"claude-opus-5-5","permissionMode":"default","tools":["Bash","mcp__byre__add"],"mcp_servers":[{"name":"byre","status":"connected","source":"sdk"}],"claude_code_version":"2.1.332","uuid":"…"}
/// ```
///
/// # Example
///
/// ```
/// fn has_tool(init: &byre::event::Init, name: &str) -> bool {
///     init.tools.iter().any(|tool| tool == name)
/// }
/// ```
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Init {
    /// The session's id; the CLI mints it. `/clear` changes it.
    #[serde(deserialize_with = "or_default")]
    pub session_id: String,
    /// The working directory.
    #[serde(deserialize_with = "or_default")]
    pub cwd: String,
    /// The model's name.
    #[serde(deserialize_with = "or_default")]
    pub model: String,
    /// The permission mode, as on the wire.
    #[serde(rename = "permissionMode", deserialize_with = "or_default")]
    pub permission_mode: String,
    /// The names of all tools, with `mcp__<server>__<tool>` for those of MCP servers.
    #[serde(deserialize_with = "or_default")]
    pub tools: Vec<String>,
    /// The MCP servers and how they fare.
    #[serde(deserialize_with = "or_default")]
    pub mcp_servers: Vec<McpServerStatus>,
    /// The CLI's version.
    #[serde(deserialize_with = "or_default")]
    pub claude_code_version: String,
    /// The JSON that the CLI sent.
    #[serde(skip)]
    pub raw: Raw,
}

impl Default for Init {
    fn default() -> Self {
        Self {
            session_id: String::new(),
            cwd: String::new(),
            model: String::new(),
            permission_mode: String::new(),
            tools: Vec::new(),
            mcp_servers: Vec::new(),
            claude_code_version: String::new(),
            raw: Raw::new(String::new()),
        }
    }
}

impl Default for Raw {
    fn default() -> Self {
        Self::new(String::new())
    }
}

/// One of [`Init::mcp_servers`].
///
/// ```json
/// {"name":"byre","status":"connected","source":"sdk"}
/// ```
///
/// # Example
///
/// ```
/// fn failed(server: &byre::event::McpServerStatus) -> bool {
///     server.status == "failed"
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct McpServerStatus {
    /// The server's key in the configuration.
    pub name: String,
    /// `connected`, `failed`, `disabled`, `pending` or `needs-auth`; the set is open.
    pub status: String,
}

/// One finished content block of a message of the model, or several.
///
/// The CLI sends one such line for each block, all with the same [`Message::id`].
///
/// ```json
/// {"type":"assistant","message":{"id":"msg_7","role":"assistant","model":"claude-opus-5-5","content":[{"type":"text","text":"5"}]},"parent_tool_use_id":null,"session_id":"8f3a…","uuid":"…"}
/// ```
///
/// # Example
///
/// ```
/// fn show(event: &byre::event::AssistantEvent) {
///     for call in event.tool_uses() {
///         println!("calls {} with {}", call.name, call.input);
///     }
///     println!("{}", event.text());
/// }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AssistantEvent {
    /// The message, as far as it is finished.
    pub message: Message,
    /// The `Agent` call that started the subagent which says this; `None` for the main agent.
    pub parent_tool_use_id: Option<String>,
    /// What kind of API failure this message reports, `rate_limit` for example.
    pub error: Option<String>,
    /// The JSON that the CLI sent.
    pub raw: Raw,
}

impl AssistantEvent {
    fn parse(raw: &Raw) -> Option<Self> {
        #[derive(Deserialize)]
        struct Fields {
            message: Message,
            #[serde(default)]
            parent_tool_use_id: Option<String>,
            #[serde(default)]
            error: Option<String>,
        }
        let Fields { message, parent_tool_use_id, error } = raw.parse().ok()?;
        Some(Self { message, parent_tool_use_id, error, raw: raw.clone() })
    }

    /// Returns the text blocks, joined.
    ///
    /// # Example
    ///
    /// ```
    /// fn is_silent(event: &byre::event::AssistantEvent) -> bool {
    ///     event.text().is_empty()
    /// }
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        self.message.text()
    }

    /// Returns the tool calls that the model asks for, in order.
    ///
    /// # Example
    ///
    /// ```
    /// fn calls(event: &byre::event::AssistantEvent) -> Vec<&str> {
    ///     event.tool_uses().map(|call| call.name.as_str()).collect()
    /// }
    /// ```
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUse> {
        self.message.content.iter().filter_map(|block| match block {
            ContentBlock::ToolUse(call) => Some(call),
            _ => None,
        })
    }
}

/// A `user` line of the CLI: mostly results of tools.
///
/// ```json
/// {"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_0","content":[{"type":"text","text":"5"}]}]},"parent_tool_use_id":null}
/// ```
///
/// # Example
///
/// ```
/// fn show(event: &byre::event::UserEvent) {
///     for result in event.tool_results() {
///         println!("{} gave {}", result.tool_use_id, result.text());
///     }
/// }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UserEvent {
    /// The message.
    pub message: Message,
    /// The `Agent` call whose subagent this belongs to; `None` for the main agent.
    pub parent_tool_use_id: Option<String>,
    /// The CLI made this message up, a Stop hook's feedback for example.
    pub is_synthetic: bool,
    /// The JSON that the CLI sent.
    pub raw: Raw,
}

impl UserEvent {
    fn parse(raw: &Raw) -> Option<Self> {
        #[derive(Deserialize)]
        struct Fields {
            message: Message,
            #[serde(default)]
            parent_tool_use_id: Option<String>,
            #[serde(default, rename = "isSynthetic")]
            is_synthetic: Option<bool>,
        }
        let Fields { message, parent_tool_use_id, is_synthetic } = raw.parse().ok()?;
        let is_synthetic = is_synthetic.unwrap_or(false);
        Some(Self { message, parent_tool_use_id, is_synthetic, raw: raw.clone() })
    }

    /// Returns the results of tools in this message.
    ///
    /// # Example
    ///
    /// ```
    /// fn failures(event: &byre::event::UserEvent) -> usize {
    ///     event.tool_results().filter(|result| result.is_error).count()
    /// }
    /// ```
    pub fn tool_results(&self) -> impl Iterator<Item = &ToolResult> {
        self.message.content.iter().filter_map(|block| match block {
            ContentBlock::ToolResult(result) => Some(result),
            _ => None,
        })
    }
}

/// A message of the conversation, in the Messages API's shape.
///
/// # Example
///
/// ```
/// fn is_from(message: &byre::event::Message, model: &str) -> bool {
///     message.model.as_deref() == Some(model)
/// }
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Message {
    /// The API's id; `None` for messages of the user.
    pub id: Option<String>,
    /// The model that wrote it; `None` for messages of the user.
    pub model: Option<String>,
    /// The blocks. A plain string on the wire is one text block here.
    #[serde(deserialize_with = "blocks")]
    pub content: Vec<ContentBlock>,
}

impl Message {
    /// Returns the text blocks, joined.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::event::Message::default().text(), "");
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        texts(&self.content)
    }
}

fn texts(blocks: &[ContentBlock]) -> String {
    let texts = blocks.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

/// Reads `content`, which is a string, a list of blocks, or absent.
fn blocks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ContentBlock>, D::Error> {
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    if let Ok(text) = serde_json::from_str::<String>(raw.get()) {
        return Ok(vec![ContentBlock::Text(text)]);
    }
    let blocks = serde_json::from_str::<Vec<&RawValue>>(raw.get()).unwrap_or_default();
    Ok(blocks.into_iter().map(ContentBlock::parse).collect())
}

/// One block of a [`Message`].
///
/// # Example
///
/// ```
/// use byre::event::ContentBlock;
///
/// fn is_text(block: &ContentBlock) -> bool {
///     matches!(block, ContentBlock::Text(_))
/// }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ContentBlock {
    /// Text.
    Text(String),
    /// What the model thought before it spoke.
    Thinking(String),
    /// The model calls a tool.
    ToolUse(ToolUse),
    /// What a tool gave back.
    ToolResult(ToolResult),
    /// Any other block; `kind` is its `type`.
    Other(OtherEvent),
}

impl ContentBlock {
    fn parse(raw: &RawValue) -> Self {
        #[derive(Deserialize)]
        struct Head {
            #[serde(default, rename = "type")]
            kind: String,
        }
        #[derive(Deserialize)]
        struct Text {
            text: String,
        }
        #[derive(Deserialize)]
        struct Thinking {
            thinking: String,
        }
        fn read<T: DeserializeOwned>(raw: &RawValue) -> Option<T> {
            serde_json::from_str(raw.get()).ok()
        }

        let kind = read::<Head>(raw).map(|head| head.kind).unwrap_or_default();
        let block = match kind.as_str() {
            "text" => read(raw).map(|Text { text }| Self::Text(text)),
            "thinking" => read(raw).map(|Thinking { thinking }| Self::Thinking(thinking)),
            "tool_use" => read(raw).map(Self::ToolUse),
            "tool_result" => read(raw).map(Self::ToolResult),
            _ => None,
        };
        block.unwrap_or_else(|| {
            Self::Other(OtherEvent { kind, raw: Raw::new(raw.get().to_owned()) })
        })
    }
}

/// A call that the model asks for.
///
/// ```json
/// {"type":"tool_use","id":"toolu_9","name":"mcp__byre__add","input":{"a":2,"b":3}}
/// ```
///
/// # Example
///
/// ```
/// fn show(call: &byre::event::ToolUse) -> String {
///     format!("{}({})", call.name, call.input)
/// }
/// ```
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct ToolUse {
    /// The API's id of the call, which its [`ToolResult`] repeats.
    pub id: String,
    /// The tool's name; `mcp__byre__add` for a tool `add` of byre's server.
    pub name: String,
    /// The arguments.
    #[serde(default)]
    pub input: Value,
}

/// What a tool gave back to the model.
///
/// ```json
/// {"type":"tool_result","tool_use_id":"toolu_9","content":[{"type":"text","text":"5"}],"is_error":false}
/// ```
///
/// # Example
///
/// ```
/// fn show(result: &byre::event::ToolResult) -> String {
///     result.text()
/// }
/// ```
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct ToolResult {
    /// The call that this answers.
    pub tool_use_id: String,
    /// The blocks. A plain string on the wire is one text block here.
    #[serde(default, deserialize_with = "blocks")]
    pub content: Vec<ContentBlock>,
    /// The tool failed, was denied or was interrupted.
    #[serde(default, deserialize_with = "or_default")]
    pub is_error: bool,
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
        texts(&self.content)
    }
}

/// Reads a field, or its default where it is `null` or has another shape than byre knows: one odd field
/// must not hide the rest, least of all in a `result`, which somebody waits for.
fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Default + DeserializeOwned,
{
    let raw = Box::<RawValue>::deserialize(deserializer)?;
    Ok(serde_json::from_str(raw.get()).unwrap_or_default())
}

/// A piece of a message while the model writes it.
///
/// ```json
/// {"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}},"parent_tool_use_id":null}
/// ```
///
/// # Example
///
/// ```
/// use byre::event::{Delta, StreamEvent};
///
/// fn is_thinking(event: &StreamEvent) -> bool {
///     matches!(event.delta, Some(Delta::Thinking(_)))
/// }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StreamEvent {
    /// What the piece adds to its block; `None` for starts and stops.
    pub delta: Option<Delta>,
    /// The `Agent` call whose subagent writes this; `None` for the main agent.
    pub parent_tool_use_id: Option<String>,
    /// The JSON that the CLI sent.
    pub raw: Raw,
}

impl StreamEvent {
    fn parse(raw: &Raw) -> Option<Self> {
        #[derive(Deserialize)]
        struct Line {
            event: ApiEvent,
            #[serde(default)]
            parent_tool_use_id: Option<String>,
        }
        #[derive(Deserialize)]
        struct ApiEvent {
            #[serde(rename = "type")]
            kind: String,
            #[serde(default)]
            delta: Option<RawDelta>,
        }
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct RawDelta {
            #[serde(rename = "type")]
            kind: String,
            text: String,
            thinking: String,
            partial_json: String,
        }
        let Line { event, parent_tool_use_id } = raw.parse().ok()?;
        let delta = event.delta.filter(|_| event.kind == "content_block_delta");
        let delta = delta.and_then(|delta| match delta.kind.as_str() {
            "text_delta" => Some(Delta::Text(delta.text)),
            "thinking_delta" => Some(Delta::Thinking(delta.thinking)),
            "input_json_delta" => Some(Delta::ToolInput(delta.partial_json)),
            _ => None,
        });
        Some(Self { delta, parent_tool_use_id, raw: raw.clone() })
    }
}

/// What a [`StreamEvent`] adds to its block.
///
/// # Example
///
/// ```
/// use byre::event::Delta;
///
/// fn shown(delta: &Delta) -> &str {
///     match delta {
///         Delta::Text(text) => text,
///         _ => "",
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Delta {
    /// Text of the answer.
    Text(String),
    /// Text of the model's thinking.
    Thinking(String),
    /// A piece of the JSON text of a tool call's arguments.
    ToolInput(String),
}

/// A turn is over. Exactly one comes for each turn.
///
/// Judge by `is_error`: an API failure ends a turn with `subtype` `success` and `is_error` true.
///
/// ```json
/// {"type":"result","subtype":"success","is_error":false,"result":"5","num_turns":2,"duration_ms":812,"total_cost_usd":0.0021,"session_id":"8f3a…","terminal_reason":"completed","user_message_uuids":["0f6f…"],"uuid":"…"}
/// ```
///
/// # Example
///
/// ```
/// fn was_interrupted(result: &byre::event::ResultEvent) -> bool {
///     result.terminal_reason.as_deref().is_some_and(|reason| reason.starts_with("aborted"))
/// }
/// ```
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ResultEvent {
    /// `success`, `error_during_execution`, `error_max_turns`, …; the set is open.
    #[serde(deserialize_with = "or_default")]
    pub subtype: String,
    /// The turn failed.
    #[serde(deserialize_with = "or_default")]
    pub is_error: bool,
    /// The last text of the model, or what went wrong; absent in errors that list [`errors`](Self::errors).
    #[serde(deserialize_with = "or_default")]
    pub result: Option<String>,
    /// What went wrong.
    #[serde(deserialize_with = "or_default")]
    pub errors: Vec<String>,
    /// Why the turn ended: `completed`, `max_turns`, `aborted_tools`, …; the set is open.
    #[serde(deserialize_with = "or_default")]
    pub terminal_reason: Option<String>,
    /// The session's id.
    #[serde(deserialize_with = "or_default")]
    pub session_id: String,
    /// How many messages the model and the CLI made.
    #[serde(deserialize_with = "or_default")]
    pub num_turns: u64,
    /// How long the turn took, in milliseconds.
    #[serde(deserialize_with = "or_default")]
    pub duration_ms: u64,
    /// What the process has cost so far, in US dollars; not this turn alone.
    #[serde(deserialize_with = "or_default")]
    pub total_cost_usd: f64,
    /// The value that a JSON schema asked for.
    #[serde(deserialize_with = "or_default")]
    pub structured_output: Option<Value>,
    /// The prompts that this turn answers, by the ids that were sent with them.
    #[serde(deserialize_with = "or_default")]
    pub user_message_uuids: Vec<String>,
    /// What started the turn, if not a prompt of this program: `{"kind":"task-notification"}` for
    /// example.
    #[serde(deserialize_with = "or_default")]
    pub origin: Option<Value>,
    /// The JSON that the CLI sent.
    #[serde(skip)]
    pub raw: Raw,
}

impl ResultEvent {
    fn parse(raw: &Raw) -> Option<Self> {
        let fields = raw.parse::<Self>().ok()?;
        Some(Self { raw: raw.clone(), ..fields })
    }

    /// Returns what the turn says: the model's last text, or what went wrong.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::event::ResultEvent::default().text(), "");
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        self.result.clone().unwrap_or_else(|| self.errors.join("; "))
    }

    /// The `kind` of [`origin`](Self::origin).
    pub(crate) fn origin_kind(&self) -> Option<&str> {
        self.origin.as_ref()?.get("kind")?.as_str()
    }

    /// Returns how long the turn took.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(byre::event::ResultEvent::default().duration().is_zero());
    /// ```
    #[must_use]
    pub fn duration(&self) -> Duration {
        Duration::from_millis(self.duration_ms)
    }
}

/// byre itself has something to say that does not end the session: the transcript can't be written, a
/// server of ours did not connect.
///
/// Serialises to `{"type":"byre_warning","message":"…"}`.
///
/// # Example
///
/// ```
/// fn show(warning: &byre::event::Warning) {
///     eprintln!("warning: {warning}");
/// }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Warning {
    /// What happened, in one sentence.
    pub message: String,
    raw: Raw,
}

impl Warning {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        let message = message.into();
        let raw = serde_json::json!({"type": "byre_warning", "message": message}).to_string();
        Self { message, raw: Raw::new(raw) }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Something that byre has no type for.
///
/// # Example
///
/// ```
/// fn is_retry(event: &byre::event::OtherEvent) -> bool {
///     event.kind == "api_retry"
/// }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OtherEvent {
    /// Its `type`, or its `subtype` for a `system` line.
    pub kind: String,
    /// Its JSON.
    pub raw: Raw,
}

#[cfg(test)]
mod tests;
