//! One line of a session's file.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use super::skipped::{SkipReason, Skipped};
use crate::wire::{
    event::{ContentBlock, Message},
    json::{Fields, Line, Raw},
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
#[derive(Clone, Debug, Default)]
pub(super) struct Entry {
    pub(super) kind: String,
    pub(super) uuid: Option<String>,
    pub(super) parent_uuid: Option<String>,
    pub(super) session_id: Option<String>,
    pub(super) timestamp: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) git_branch: Option<String>,
    pub(super) is_sidechain: bool,
    pub(super) is_meta: bool,
    pub(super) is_compact_summary: bool,
    pub(super) team_name: Option<String>,
    pub(super) agent_id: Option<String>,
    /// The entry with the call that this result of a tool answers.
    pub(super) source_tool_assistant_uuid: Option<String>,
    pub(super) compact_metadata: CompactMetadata,
    pub(super) message: Option<Message>,
    pub(super) custom_title: Option<String>,
    pub(super) ai_title: Option<String>,
    pub(super) last_prompt: Option<String>,
    pub(super) summary: Option<String>,
    pub(super) tag: Option<String>,
    pub(super) raw: Raw,
}

/// What a `compact_boundary` says of the messages that stay behind the summary.
#[derive(Clone, Debug, Default)]
pub(super) struct CompactMetadata {
    pub(super) preserved_segment: Option<PreservedSegment>,
    pub(super) preserved_messages: Option<PreservedMessages>,
}

/// The first and the last of them, and the entry behind which they belong.
#[derive(Clone, Debug)]
pub(super) struct PreservedSegment {
    pub(super) head: String,
    pub(super) anchor: String,
    pub(super) tail: String,
}

/// All of them, in order, and the entry behind which they belong.
#[derive(Clone, Debug)]
pub(super) struct PreservedMessages {
    pub(super) anchor: String,
    pub(super) uuids: Vec<String>,
}

impl CompactMetadata {
    fn of(text: &str) -> serde_json::Result<Self> {
        let fields = Fields::of(text)?;
        let segment = fields.json("preservedSegment").map(PreservedSegment::of);
        let messages = fields.json("preservedMessages").map(PreservedMessages::of);
        fields.finish(Self {
            preserved_segment: segment.and_then(Result::ok),
            preserved_messages: messages.and_then(Result::ok),
        })
    }
}

impl PreservedSegment {
    fn of(text: &str) -> serde_json::Result<Self> {
        let fields = Fields::of(text)?;
        fields.finish(Self {
            head: fields.required("headUuid")?,
            anchor: fields.required("anchorUuid")?,
            tail: fields.required("tailUuid")?,
        })
    }
}

impl PreservedMessages {
    fn of(text: &str) -> serde_json::Result<Self> {
        let fields = Fields::of(text)?;
        fields.finish(Self {
            anchor: fields.required("anchorUuid")?,
            uuids: fields.required("uuids")?,
        })
    }
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
        Some(Self::of(&raw).map_err(|_| SkipReason::NotJson))
    }

    fn of(raw: &Raw) -> serde_json::Result<Self> {
        let fields = Fields::of(raw.as_str())?;
        fields.finish(Self {
            kind: fields.lenient("type"),
            uuid: fields.lenient("uuid"),
            parent_uuid: fields.lenient("parentUuid"),
            session_id: fields.lenient("sessionId"),
            timestamp: fields.lenient("timestamp"),
            cwd: fields.lenient("cwd"),
            git_branch: fields.lenient("gitBranch"),
            is_sidechain: fields.lenient("isSidechain"),
            is_meta: fields.lenient("isMeta"),
            is_compact_summary: fields.lenient("isCompactSummary"),
            team_name: fields.lenient("teamName"),
            agent_id: fields.lenient("agentId"),
            source_tool_assistant_uuid: fields.lenient("sourceToolAssistantUUID"),
            compact_metadata: fields
                .json("compactMetadata")
                .and_then(|text| CompactMetadata::of(text).ok())
                .unwrap_or_default(),
            message: fields.lenient("message"),
            custom_title: fields.lenient("customTitle"),
            ai_title: fields.lenient("aiTitle"),
            last_prompt: fields.lenient("lastPrompt"),
            summary: fields.lenient("summary"),
            tag: fields.lenient("tag"),
            raw: raw.clone(),
        })
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
