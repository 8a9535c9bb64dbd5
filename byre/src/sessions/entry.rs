//! One line of a session's file.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use serde::Deserialize;

use super::skipped::{SkipReason, Skipped};
use crate::wire::{
    event::{ContentBlock, Message},
    json::{Line, Raw, lenient},
};

/// How long a line may be before it is skipped. The same limit as for the lines of a running CLI.
const MAX_LINE: u64 = 512 * 1024 * 1024;

/// A line of a session's file, as far as byre reads it.
///
/// ```json
/// {"parentUuid":null,"isSidechain":false,"type":"user","message":{"role":"user","content":"2 + 3?"},"uuid":"63772430-e81a-4e28-bd2a-0f727b227e9f","timestamp":"2026-12-01T02:17:51.816Z","cwd":"/srv/app","sessionId":"1878a6f9-b536-4b8e-98f0-bdf8fc5cd625","gitBranch":"main"}
/// ```
///
/// An odd field counts as absent; the format is open.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Entry {
    #[serde(rename = "type", deserialize_with = "lenient")]
    pub(super) kind: String,
    #[serde(deserialize_with = "lenient")]
    pub(super) subtype: String,
    #[serde(deserialize_with = "lenient")]
    pub(super) uuid: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) parent_uuid: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) session_id: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) timestamp: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) cwd: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) git_branch: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) is_sidechain: bool,
    #[serde(deserialize_with = "lenient")]
    pub(super) is_meta: bool,
    #[serde(deserialize_with = "lenient")]
    pub(super) is_compact_summary: bool,
    #[serde(deserialize_with = "lenient")]
    pub(super) team_name: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) agent_id: Option<String>,
    /// The entry with the call that this result of a tool answers.
    #[serde(rename = "sourceToolAssistantUUID", deserialize_with = "lenient")]
    pub(super) source_tool_assistant_uuid: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) compact_metadata: CompactMetadata,
    #[serde(deserialize_with = "lenient")]
    pub(super) message: Option<Message>,
    #[serde(deserialize_with = "lenient")]
    pub(super) custom_title: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) ai_title: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) last_prompt: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) summary: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) tag: Option<String>,
    #[serde(skip)]
    pub(super) raw: Raw,
}

/// What a `compact_boundary` says of the messages that stay behind the summary.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct CompactMetadata {
    #[serde(deserialize_with = "lenient")]
    pub(super) preserved_segment: Option<PreservedSegment>,
    #[serde(deserialize_with = "lenient")]
    pub(super) preserved_messages: Option<PreservedMessages>,
}

/// The first and the last of them, and the entry behind which they belong.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct PreservedSegment {
    #[serde(rename = "headUuid")]
    pub(super) head: String,
    #[serde(rename = "anchorUuid")]
    pub(super) anchor: String,
    #[serde(rename = "tailUuid")]
    pub(super) tail: String,
}

/// All of them, in order, and the entry behind which they belong.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct PreservedMessages {
    #[serde(rename = "anchorUuid")]
    pub(super) anchor: String,
    pub(super) uuids: Vec<String>,
}

impl Entry {
    /// Reads a line without its line break; `None` for a blank one.
    ///
    /// # Errors
    ///
    /// If it is no JSON object.
    pub(super) fn parse(line: Vec<u8>) -> Option<Result<Self, SkipReason>> {
        let raw = match Line::parse(line)? {
            Line::Frame(raw) => raw,
            Line::Text(_) => return Some(Err(SkipReason::NotJson)),
        };
        let entry = raw.parse::<Self>().map_err(|_| SkipReason::NotJson);
        Some(entry.map(|entry| Self { raw, ..entry }))
    }

    /// Says whether it is a link of the chain of `parentUuid`s.
    pub(super) fn is_link(&self) -> bool {
        let kinds = ["user", "assistant", "system", "attachment", "progress"];
        self.uuid.is_some() && kinds.contains(&self.kind.as_str())
    }

    /// Says whether somebody says something here: the model, or the user's side.
    pub(super) fn is_message(&self) -> bool {
        self.kind == "user" || self.kind == "assistant"
    }

    pub(super) fn uuid(&self) -> &str {
        self.uuid.as_deref().unwrap_or_default()
    }

    fn blocks(&self) -> &[ContentBlock] {
        self.message.as_ref().map_or(&[], |message| &message.content)
    }

    /// The calls in this message.
    pub(super) fn calls(&self) -> impl Iterator<Item = &str> {
        self.blocks().iter().filter_map(|block| match block {
            ContentBlock::ToolUse(call) => Some(call.id.as_str()),
            _ => None,
        })
    }

    /// The calls whose results stand in this message.
    pub(super) fn answered_calls(&self) -> impl Iterator<Item = &str> {
        self.blocks().iter().filter_map(|block| match block {
            ContentBlock::ToolResult(result) => Some(result.tool_use_id.as_str()),
            _ => None,
        })
    }
}

/// Reads all lines of a file, and says which it could not.
///
/// # Errors
///
/// If the file can't be read.
pub(super) fn read(path: &Path) -> io::Result<(Vec<Entry>, Vec<Skipped>)> {
    read_from(BufReader::new(File::open(path)?), path, MAX_LINE)
}

fn read_from(
    mut file: impl BufRead,
    path: &Path,
    max_line: u64,
) -> io::Result<(Vec<Entry>, Vec<Skipped>)> {
    let (mut entries, mut skipped) = (Vec::new(), Vec::new());
    for number in 1.. {
        let mut line = Vec::new();
        let count = (&mut file).take(max_line + 1).read_until(b'\n', &mut line)?;
        if count == 0 {
            break;
        }
        let is_whole = line.ends_with(b"\n");
        let entry = if !is_whole && line.len() as u64 > max_line {
            file.skip_until(b'\n')?;
            Some(Err(SkipReason::TooLong))
        } else {
            Entry::parse(line)
        };
        match entry {
            None => {}
            Some(Ok(entry)) => entries.push(entry),
            Some(Err(SkipReason::NotJson)) if !is_whole => {
                let reason = SkipReason::CutShort;
                skipped.push(Skipped { path: path.to_owned(), line: Some(number), reason });
            }
            Some(Err(reason)) => {
                skipped.push(Skipped { path: path.to_owned(), line: Some(number), reason });
            }
        }
    }
    Ok((entries, skipped))
}

#[cfg(test)]
mod tests;
