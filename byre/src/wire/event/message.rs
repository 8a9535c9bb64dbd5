//! Messages and what they cost, in the Messages API's shape; and what every side says about them.

use serde_json::Value;

use super::{
    block::{ContentBlock, ToolResult, ToolUse, texts},
    table::{record, words},
};

words! {
    /// Why the model stopped.
    pub enum StopReason {
        /// It was done.
        EndTurn = "end_turn",
        /// The message became too long.
        MaxTokens = "max_tokens",
        /// It wrote a word that it was told to stop at.
        StopSequence = "stop_sequence",
        /// It waits for tools.
        ToolUse = "tool_use",
        /// It made a pause in a long turn.
        PauseTurn = "pause_turn",
        /// It refused.
        Refusal = "refusal",
        /// The conversation became too long.
        ModelContextWindowExceeded = "model_context_window_exceeded",
        /// A hook put the call of a tool off.
        ToolDeferred = "tool_deferred",
    }
}

words! {
    /// Who speaks.
    pub enum Role {
        /// The user, or the CLI in their place.
        User = "user",
        /// The model.
        Assistant = "assistant",
        /// The CLI, to the model.
        System = "system",
    }
}

record! {
    /// A message of the conversation.
    r#"{"id":"msg_7","type":"message","role":"assistant","model":"claude-opus-5-5","content":[{"type":"text","text":"5"}],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":12,"output_tokens":1}}"#
    pub struct Message {
        /// The API's id; `None` for messages of the user.
        pub id: Option<String>,
        /// Who speaks.
        pub role: Option<Role>,
        /// The model that wrote it; `None` for messages of the user, and `<synthetic>` where the CLI
        /// wrote it itself.
        pub model: Option<String>,
        /// The blocks. A plain string on the wire is one text block here.
        pub content: Vec<ContentBlock>,
        /// Why the model stopped; `None` while it has not.
        pub stop_reason: Option<StopReason>,
        /// The word that it stopped at.
        pub stop_sequence: Option<String>,
        /// What it took. In an [`AssistantEvent`](super::AssistantEvent) the output is a first guess;
        /// [`CostTracker`](super::CostTracker) counts right.
        pub usage: Option<Usage>,
        /// What the API took out of the conversation.
        pub context_management: Option<Value>,
        /// The container that code ran in.
        pub container: Option<Value>,
        /// More about why the model stopped.
        pub stop_details: Option<Value>,
        /// What the API says about the request.
        pub diagnostics: Option<Value>,
    }
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
        texts(&self.content).into_owned()
    }

    /// Returns what the model thought, joined.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::event::Message::default().thinking(), "");
    /// ```
    #[must_use]
    pub fn thinking(&self) -> String {
        let thoughts = self.content.iter().filter_map(|block| match block {
            ContentBlock::Thinking(block) => Some(block.thinking.as_str()),
            _ => None,
        });
        thoughts.collect()
    }

    /// Returns the tool calls that the model asks for, in order.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::event::Message::default().tool_uses().count(), 0);
    /// ```
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUse> {
        self.content.iter().filter_map(|block| match block {
            ContentBlock::ToolUse(call) => Some(call),
            _ => None,
        })
    }

    /// Returns the results of tools, in order.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::event::Message::default().tool_results().count(), 0);
    /// ```
    pub fn tool_results(&self) -> impl Iterator<Item = &ToolResult> {
        self.content.iter().filter_map(|block| match block {
            ContentBlock::ToolResult(result) => Some(result),
            _ => None,
        })
    }
}

record! {
    /// What one message or one turn took, as the API counts.
    r#"{"input_tokens":20,"output_tokens":10,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens_details":{"thinking_tokens":0},"service_tier":"standard"}"#
    pub struct Usage {
        /// Tokens of the request that were not in a cache.
        pub input_tokens: u64,
        /// Tokens of the answer.
        pub output_tokens: u64,
        /// Tokens of the request that were put into a cache.
        pub cache_creation_input_tokens: u64,
        /// Tokens of the request that were in a cache.
        pub cache_read_input_tokens: u64,
        /// What the tokens of the answer were for.
        pub output_tokens_details: Option<OutputTokensDetails>,
        /// How often the API's own tools ran.
        pub server_tool_use: Option<ServerToolUsage>,
        /// How long the cached tokens are kept.
        pub cache_creation: Option<CacheCreation>,
        /// `standard`, `priority` or `batch`; the set is open.
        pub service_tier: Option<String>,
        /// `standard` or `fast`; the set is open.
        pub speed: Option<String>,
        /// Where the model ran.
        pub inference_geo: Option<String>,
        /// The steps of a request that took several.
        pub iterations: Vec<Value>,
        /// What was given back because another model had to answer.
        pub fallback_credit: Option<Value>,
    }
}

record! {
    /// [`Usage::output_tokens_details`].
    r#"{"thinking_tokens":512}"#
    pub struct OutputTokensDetails {
        /// Tokens of thinking, among those of the answer.
        pub thinking_tokens: u64,
    }
}

record! {
    /// [`Usage::server_tool_use`].
    r#"{"web_search_requests":1,"web_fetch_requests":0}"#
    pub struct ServerToolUsage {
        /// Searches of the web.
        pub web_search_requests: u64,
        /// Pages fetched.
        pub web_fetch_requests: u64,
    }
}

record! {
    /// [`Usage::cache_creation`].
    r#"{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":2048}"#
    pub struct CacheCreation {
        /// Tokens that are kept for five minutes.
        pub ephemeral_5m_input_tokens: u64,
        /// Tokens that are kept for an hour.
        pub ephemeral_1h_input_tokens: u64,
    }
}

words! {
    /// What started a turn, or sent a message.
    pub enum OriginKind {
        /// A person.
        Human = "human",
        /// A message of a channel.
        Channel = "channel",
        /// Another session.
        Peer = "peer",
        /// A task in the background has ended, or a schedule was due.
        TaskNotification = "task-notification",
        /// The coordinator of a group of agents.
        Coordinator = "coordinator",
        /// Something else.
        Unclassified = "unclassified",
        /// An agent that watches.
        Observer = "observer",
        /// The CLI, to go on where the model stopped.
        AutoContinuation = "auto-continuation",
        /// What an agent that watches does.
        ObserverActivity = "observer-activity",
    }
}

record! {
    /// What started a turn, or sent a message. Which of the fields it has depends on
    /// [`kind`](Self::kind).
    r#"{"kind":"task-notification","producer":"session-task","runId":"0mx3-78d8"}"#
    pub struct Origin {
        /// What it was. Treat what byre does not know as not a person.
        pub kind: OriginKind,
        /// Which kind of notification: `scheduled-trigger`, `peer-send-message`, `projects-relay`,
        /// `session-inbox` or `external-event`; the set is open.
        pub subkind: Option<String>,
        /// Which part of the CLI made the notification; seen with 2.1.332.
        pub producer: Option<String>,
        /// Why a schedule was due.
        pub fire_reason: Option<String> = "fireReason",
        /// The run of the task.
        pub run_id: Option<String> = "runId",
        /// The server of a channel.
        pub server: Option<String>,
        /// Which peer or observer.
        pub from: Option<String>,
        /// The permission mode of the peer.
        pub from_mode: Option<String> = "fromMode",
        /// The peer's name.
        pub name: Option<String>,
        /// The peer's session.
        pub from_session: Option<String> = "fromSession",
        /// The task of the sender.
        pub sender_task_id: Option<String> = "senderTaskId",
        /// What the peer wrote.
        pub body: Option<String>,
        /// The peer's process, where the CLI knows it for sure.
        pub verified_peer_pid: Option<u64> = "verifiedPeerPid",
    }
}
