//! What can be told of a session without reading all of it.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::PathBuf,
    time::SystemTime,
};

use super::{
    entry::Entry,
    places::Found,
    skipped::{SkipReason, Skipped},
    time,
};
use crate::wire::event::ContentBlock;

/// How much is read of each end of a file: mostly the first of these, and more where that holds no
/// prompt, or no whole line.
const WINDOWS: [u64; 4] = [64 << 10, 256 << 10, 1 << 20, 4 << 20];

/// How many characters of the first prompt are told.
const MAX_PROMPT: usize = 200;

/// A stored session, as far as it can be told without reading all of it.
///
/// # Example
///
/// ```
/// fn line(session: &byre::sessions::SessionInfo) -> String {
///     format!("{}  {}", session.id, session.summary)
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionInfo {
    /// The id, which [`resume`](crate::SessionBuilder::resume) takes. The name of the file.
    pub id: String,
    /// What to show for it: the title, or else the last prompt, the summary that older CLIs wrote, or the
    /// first prompt.
    pub summary: String,
    /// The title that it was given, or else the one that the CLI made up.
    pub title: Option<String>,
    /// What the conversation began with: one line, of at most 200 characters. `None` where it began in
    /// another way than with a prompt.
    pub first_prompt: Option<String>,
    /// The tag; see [`Sessions::tag`](super::Sessions::tag).
    pub tag: Option<String>,
    /// The directory that it was started in.
    pub cwd: Option<PathBuf>,
    /// The Git branch that it was on last; `HEAD` outside of any.
    pub git_branch: Option<String>,
    /// When it began, by the first time stamp in the file.
    pub created: Option<SystemTime>,
    /// When the file was last written to.
    pub modified: SystemTime,
    /// The size of the file, in bytes.
    pub size: u64,
    /// The file.
    pub path: PathBuf,
}

/// Reads what both ends of a session's file tell.
///
/// # Errors
///
/// Why it is no session to show.
pub(super) fn read(found: Found, directory: Option<&PathBuf>) -> Result<SessionInfo, Skipped> {
    match Ends::read(&found) {
        Ok(ends) => {
            ends.info(&found, directory).map_err(|reason| Skipped::file(&found.path, reason))
        }
        Err(error) => Err(Skipped::unreadable(found.path, &error)),
    }
}

/// The entries at the beginning and at the end of a file. They overlap in a short one.
struct Ends {
    head: Vec<Entry>,
    tail: Vec<Entry>,
}

impl Ends {
    fn read(found: &Found) -> io::Result<Self> {
        let mut file = File::open(&found.path)?;
        let mut ends = Self { head: Vec::new(), tail: Vec::new() };
        for window in WINDOWS {
            ends.head = entries(&lines_at_start(&mut file, window)?);
            if window >= found.size || first_prompt(&ends.head).is_some() {
                break;
            }
        }
        for window in WINDOWS {
            ends.tail = entries(&lines_at_end(&mut file, window)?);
            if window >= found.size || !ends.tail.is_empty() {
                break;
            }
        }
        Ok(ends)
    }

    fn info(self, found: &Found, directory: Option<&PathBuf>) -> Result<SessionInfo, SkipReason> {
        if self
            .head
            .iter()
            .find(|entry| entry.uuid.is_some())
            .is_some_and(|first| first.is_sidechain)
        {
            return Err(SkipReason::Sidechain);
        }
        let first_prompt = first_prompt(&self.head);
        let title = self
            .last(|entry| entry.custom_title.as_deref())
            .or_else(|| self.last(|entry| entry.ai_title.as_deref()));
        let summary = title
            .clone()
            .or_else(|| self.last(|entry| entry.last_prompt.as_deref()))
            .or_else(|| {
                self.last(|entry| entry.summary.as_deref().filter(|_| entry.kind == "summary"))
            })
            .or_else(|| first_prompt.clone())
            .ok_or(SkipReason::NoConversation)?;
        let first =
            |of: fn(&Entry) -> Option<&str>| self.head.iter().find_map(of).map(str::to_owned);
        let git_branch = self.tail.iter().rev().find_map(|entry| entry.git_branch.clone());
        let created = first(|entry| entry.timestamp.as_deref()).as_deref().and_then(time::parse);
        Ok(SessionInfo {
            id: found.id.clone(),
            summary,
            title,
            first_prompt,
            tag: self.last(|entry| entry.tag.as_deref().filter(|_| entry.kind == "tag")),
            cwd: first(|entry| entry.cwd.as_deref())
                .map(PathBuf::from)
                .or_else(|| directory.cloned()),
            git_branch: git_branch.or_else(|| first(|entry| entry.git_branch.as_deref())),
            created,
            modified: found.modified,
            size: found.size,
            path: found.path.clone(),
        })
    }

    /// The last that an entry says, and `None` where that is nothing: an empty title takes a title back.
    fn last(&self, of: impl Fn(&Entry) -> Option<&str>) -> Option<String> {
        let mut entries = self.head.iter().chain(&self.tail).rev();
        entries.find_map(of).filter(|text| !text.is_empty()).map(str::to_owned)
    }
}

fn entries(lines: &[u8]) -> Vec<Entry> {
    let lines = lines.split(|byte| *byte == b'\n').map(<[u8]>::to_vec);
    lines.filter_map(Entry::parse).filter_map(Result::ok).collect()
}

/// The first lines of a file, of at most this many bytes together. Without the one that is cut.
fn lines_at_start(file: &mut File, window: u64) -> io::Result<Vec<u8>> {
    file.rewind()?;
    let mut bytes = Vec::new();
    // One byte more, to see whether there is more.
    file.take(window + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > window {
        bytes.pop();
        let end = memchr::memrchr(b'\n', &bytes).map_or(0, |at| at + 1);
        bytes.truncate(end);
    }
    Ok(bytes)
}

/// The last lines of a file, of at most this many bytes together. Without the one that is cut.
fn lines_at_end(file: &mut File, window: u64) -> io::Result<Vec<u8>> {
    // The length as it is now: the CLI may be writing.
    let size = file.seek(SeekFrom::End(0))?;
    let start = size.saturating_sub(window);
    // One byte more, to see whether the first line is whole.
    file.seek(SeekFrom::Start(start.saturating_sub(1)))?;
    let mut bytes = Vec::new();
    file.take(window + 1).read_to_end(&mut bytes)?;
    if start > 0 {
        let end = memchr::memchr(b'\n', &bytes).map_or(bytes.len(), |at| at + 1);
        bytes.drain(..end);
    }
    Ok(bytes)
}

/// The first prompt that a person wrote; a slash command only where there is no other.
fn first_prompt(entries: &[Entry]) -> Option<String> {
    let mut command = None;
    for entry in entries {
        if entry.kind != "user" || entry.is_meta || entry.is_compact_summary {
            continue;
        }
        if entry.answered_calls().next().is_some() {
            continue;
        }
        let blocks = entry.message.iter().flat_map(|message| &message.content);
        for block in blocks {
            let ContentBlock::Text(text) = block else { continue };
            let text = text.text.replace(['\n', '\r'], " ");
            let text = text.trim();
            if let Some(name) = between(text, "<command-name>", "</command-name>") {
                command.get_or_insert_with(|| name.to_owned());
            } else if !text.is_empty() && !is_of_the_cli(text) {
                return Some(shorten(text));
            }
        }
    }
    command
}

/// Says whether the CLI or an editor has written this in the user's place.
fn is_of_the_cli(text: &str) -> bool {
    let starts = [
        "<local-command-stdout>",
        "<session-start-hook>",
        "<tick>",
        "<goal>",
        "[Request interrupted by user",
    ];
    let is_all = |name: &str| {
        text.starts_with(&format!("<{name}>")) && text.ends_with(&format!("</{name}>"))
    };
    starts.iter().any(|start| text.starts_with(start))
        || is_all("ide_opened_file")
        || is_all("ide_selection")
}

fn between<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(open)?;
    rest.split_once(close).map(|(text, _)| text)
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(MAX_PROMPT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
    }
}

#[cfg(test)]
mod tests;
