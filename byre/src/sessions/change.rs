//! Changes a session's file.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
    thread,
    time::Duration,
};

use serde::Serialize;
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::UnicodeNormalization;

use super::places::Found;

/// How long a last line without an end is given to get one, and in which steps. The CLI writes a line at
/// once, so it is complete in no time, or never.
const LINE_STEPS: u32 = 10;
const LINE_STEP: Duration = Duration::from_millis(20);

/// A line that gives a session a title.
///
/// The CLI looks for these lines by their first bytes, so the order of the fields matters.
#[derive(Serialize)]
pub(super) struct TitleLine<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(rename = "customTitle")]
    title: &'a str,
    #[serde(rename = "sessionId")]
    session_id: &'a str,
}

impl<'a> TitleLine<'a> {
    pub(super) fn new(title: &'a str, session_id: &'a str) -> Self {
        Self { kind: "custom-title", title, session_id }
    }
}

/// A line that tags a session; an empty tag takes the tag away.
#[derive(Serialize)]
pub(super) struct TagLine<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    tag: &'a str,
    #[serde(rename = "sessionId")]
    session_id: &'a str,
}

impl<'a> TagLine<'a> {
    pub(super) fn new(tag: &'a str, session_id: &'a str) -> Self {
        Self { kind: "tag", tag, session_id }
    }
}

/// Adds a line to a file that the CLI may be writing to at the same time.
///
/// The line goes out in one write to a file that is open for appending, which the system never puts into
/// the middle of another such write. The file is not made if it has gone.
///
/// # Errors
///
/// If the file is missing or can't be written.
pub(super) fn append(path: &Path, line: &impl Serialize) -> io::Result<()> {
    let mut file = OpenOptions::new().read(true).append(true).open(path)?;
    let mut text = String::new();
    if !has_whole_lines(&mut file)? {
        // The CLI was stopped while it wrote. Its half of a line stays alone, and ours whole.
        text.push('\n');
    }
    text.push_str(&serde_json::to_string(line)?);
    text.push('\n');
    file.write_all(text.as_bytes())
}

/// Says whether a file ends with a line break, as soon as it does.
fn has_whole_lines(file: &mut File) -> io::Result<bool> {
    for _ in 0..LINE_STEPS {
        if ends_with_line_break(file)? {
            return Ok(true);
        }
        thread::sleep(LINE_STEP);
    }
    ends_with_line_break(file)
}

fn ends_with_line_break(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(true);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    Ok(file.read(&mut last)? == 1 && last == *b"\n")
}

/// Removes a session's file and its folder. What has gone already is removed.
///
/// # Errors
///
/// If either is there and can't be removed.
pub(super) fn delete(session: &Found) -> io::Result<()> {
    let folder = session.path.with_extension("");
    or_absent(fs::remove_file(&session.path))?;
    match fs::symlink_metadata(&folder) {
        Ok(metadata) if metadata.is_dir() => or_absent(fs::remove_dir_all(&folder)),
        // A link is removed, and not what it leads to.
        Ok(_) => or_absent(fs::remove_file(&folder)),
        Err(error) => or_absent(Err(error)),
    }
}

fn or_absent(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if super::places::is_absent(&error) => Ok(()),
        result => result,
    }
}

/// The form in which a tag is stored: what looks the same is the same, and nothing in it is invisible.
pub(super) fn clean_tag(tag: &str) -> String {
    let mut tag = tag.to_owned();
    // Leaving a character out can bring two others together.
    for _ in 0..10 {
        let cleaned: String = tag.nfkc().filter(|c| is_visible(*c)).collect();
        if cleaned == tag {
            break;
        }
        tag = cleaned;
    }
    tag.trim().to_owned()
}

fn is_visible(c: char) -> bool {
    !matches!(
        get_general_category(c),
        GeneralCategory::Format | GeneralCategory::PrivateUse | GeneralCategory::Unassigned
    )
}

#[cfg(test)]
mod tests;
