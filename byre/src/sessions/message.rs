//! The messages of a stored conversation.

use std::{path::PathBuf, time::SystemTime};

use super::{entry::Entry, skipped::Skipped, time};
use crate::wire::{
    event::{ContentBlock, Message, ToolResult, ToolUse},
    json::Raw,
};

/// A stored conversation.
///
/// # Example
///
/// ```
/// use byre::sessions::Sessions;
///
/// # fn run(id: &str) -> byre::Result<()> {
/// for message in Sessions::new()?.conversation(id)?.messages {
///     println!("{:?}: {}", message.role, message.text());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Conversation {
    /// Its messages, oldest first. One message of the model with several blocks is several here, all with
    /// the same [`Message::id`], as it is in the events of a running session.
    pub messages: Vec<SessionMessage>,
    /// The lines of the file that could not be read.
    pub skipped: Vec<Skipped>,
}

/// The entries of a session's file, as they are: also those that are no messages, and those of branches
/// that were left.
///
/// # Example
///
/// ```
/// use byre::sessions::Sessions;
///
/// # fn run(id: &str) -> byre::Result<()> {
/// for entry in Sessions::new()?.entries(id)?.entries {
///     println!("{entry}");
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entries {
    /// One JSON object for each line, in the order of the file.
    pub entries: Vec<Raw>,
    /// The lines that could not be read.
    pub skipped: Vec<Skipped>,
}

/// One message of a stored conversation.
///
/// ```json
/// {"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"2 + 3?"},"uuid":"63772430-e81a-4e28-bd2a-0f727b227e9f","timestamp":"2026-12-01T02:17:51.816Z","cwd":"/srv/app","sessionId":"1878a6f9-b536-4b8e-98f0-bdf8fc5cd625","gitBranch":"main"}
/// ```
///
/// # Example
///
/// ```
/// use byre::sessions::{Role, SessionMessage};
///
/// fn is_prompt(message: &SessionMessage) -> bool {
///     message.role == Role::User && message.tool_results().next().is_none()
/// }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SessionMessage {
    /// Who says it.
    pub role: Role,
    /// The entry's id. The CLI mints it; for a prompt, it is the one that it was sent with.
    pub uuid: String,
    /// The session that it was said in. A copy that the CLI made keeps the ids of its entries, but not
    /// this one.
    pub session_id: String,
    /// What is said, in the same shape as in the events of a running session.
    pub message: Message,
    /// When.
    pub timestamp: Option<SystemTime>,
    /// The `Agent` call that started the subagent which says this; `None` for the main agent.
    pub parent_tool_use_id: Option<String>,
    /// The subagent that started the subagent which says this; `None` where the main agent did.
    pub parent_agent_id: Option<String>,
    /// The CLI has put this in the place of everything that was said before.
    pub is_compact_summary: bool,
    /// The line of the file.
    pub raw: Raw,
}

/// Who says a [`SessionMessage`].
///
/// # Example
///
/// ```
/// assert_ne!(byre::sessions::Role::User, byre::sessions::Role::Assistant);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// A person, a tool, or the CLI in the user's place.
    User,
    /// The model.
    Assistant,
}

/// A subagent of a stored session.
///
/// # Example
///
/// ```
/// use byre::sessions::Sessions;
///
/// # fn run(id: &str) -> byre::Result<()> {
/// let sessions = Sessions::new()?;
/// for subagent in sessions.subagents(id)? {
///     let conversation = sessions.subagent_conversation(id, &subagent.id)?;
///     println!("{:?}: {} messages", subagent.agent_type, conversation.messages.len());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Subagent {
    /// Its id, which the CLI minted.
    pub id: String,
    /// What kind of agent it was, `general-purpose` for example.
    pub agent_type: Option<String>,
    /// What it was to do, in a few words of the model that started it.
    pub description: Option<String>,
    /// The `Agent` call that started it.
    pub tool_use_id: Option<String>,
    /// The subagent that started it; `None` where the main agent did.
    pub parent_agent_id: Option<String>,
    /// The file with its conversation.
    pub path: PathBuf,
}

impl SessionMessage {
    pub(super) fn new(entry: &Entry, subagent: Option<&Subagent>) -> Self {
        Self {
            role: if entry.kind == "assistant" { Role::Assistant } else { Role::User },
            uuid: entry.uuid().to_owned(),
            session_id: entry.session_id.clone().unwrap_or_default(),
            message: entry.message.clone().unwrap_or_default(),
            timestamp: entry.timestamp.as_deref().and_then(time::parse),
            parent_tool_use_id: subagent.and_then(|subagent| subagent.tool_use_id.clone()),
            parent_agent_id: subagent.and_then(|subagent| subagent.parent_agent_id.clone()),
            is_compact_summary: entry.is_compact_summary,
            raw: entry.raw.clone(),
        }
    }

    /// Returns the text blocks, joined.
    ///
    /// # Example
    ///
    /// ```
    /// fn is_silent(message: &byre::sessions::SessionMessage) -> bool {
    ///     message.text().is_empty()
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
    /// fn calls(message: &byre::sessions::SessionMessage) -> Vec<&str> {
    ///     message.tool_uses().map(|call| call.name.as_str()).collect()
    /// }
    /// ```
    pub fn tool_uses(&self) -> impl Iterator<Item = &ToolUse> {
        self.message.content.iter().filter_map(|block| match block {
            ContentBlock::ToolUse(call) => Some(call),
            _ => None,
        })
    }

    /// Returns the results of tools in this message, in order.
    ///
    /// # Example
    ///
    /// ```
    /// fn failures(message: &byre::sessions::SessionMessage) -> usize {
    ///     message.tool_results().filter(|result| result.is_error).count()
    /// }
    /// ```
    pub fn tool_results(&self) -> impl Iterator<Item = &ToolResult> {
        self.message.content.iter().filter_map(|block| match block {
            ContentBlock::ToolResult(result) => Some(result),
            _ => None,
        })
    }
}
