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

use super::{
    Sessions, or_gone,
    places::{Found, is_absent},
};
use crate::error::{Error, ErrorKind, Result};

/// How long a last line without an end is given to get one, and in which steps. The CLI writes a line at
/// once, so it is complete in no time, or never.
const LINE_STEPS: u32 = 10;
const LINE_STEP: Duration = Duration::from_millis(20);

/// What changes a session where it lies.
impl Sessions {
    /// Gives a session a title. White space at its ends is left out.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::InvalidInput`] if the title is empty
    /// - [`ErrorKind::SessionNotFound`] if the session is not stored here, or `id` is no session id
    /// - [`ErrorKind::Io`] if its file can't be written
    ///
    /// # Example
    ///
    /// ```
    /// use byre::sessions::Sessions;
    ///
    /// # fn run(id: &str) -> byre::Result<()> {
    /// Sessions::new()?.rename(id, "The one with the hay")?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn rename(&self, id: &str, title: &str) -> Result<()> {
        let action = format!("rename session {id}");
        let title = title.trim();
        if title.is_empty() {
            return Err(Error::new(ErrorKind::InvalidInput, action).reason("the title is empty"));
        }
        let session = self.find(id, &action)?;
        append(&session.path, &TitleLine::new(title, id)).map_err(|error| or_gone(action, error))
    }

    /// Tags a session, in place of the tag that it had. The CLI itself makes no use of tags.
    ///
    /// What looks the same is stored as the same: the tag is brought into Unicode's form NFKC, invisible
    /// characters and white space at its ends are left out.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::InvalidInput`] if nothing of the tag is left then
    /// - [`ErrorKind::SessionNotFound`] if the session is not stored here, or `id` is no session id
    /// - [`ErrorKind::Io`] if its file can't be written
    ///
    /// # Example
    ///
    /// ```
    /// use byre::sessions::Sessions;
    ///
    /// # fn run(id: &str) -> byre::Result<()> {
    /// Sessions::new()?.tag(id, "reviewed")?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn tag(&self, id: &str, tag: &str) -> Result<()> {
        let action = format!("tag session {id}");
        let tag = clean_tag(tag);
        if tag.is_empty() {
            return Err(Error::new(ErrorKind::InvalidInput, action)
                .reason("the tag is empty")
                .hint("`untag` takes the tag away"));
        }
        let session = self.find(id, &action)?;
        append(&session.path, &TagLine::new(&tag, id)).map_err(|error| or_gone(action, error))
    }

    /// Takes the tag of a session away.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::SessionNotFound`] if the session is not stored here, or `id` is no session id
    /// - [`ErrorKind::Io`] if its file can't be written
    ///
    /// # Example
    ///
    /// ```
    /// use byre::sessions::Sessions;
    ///
    /// # fn run(id: &str) -> byre::Result<()> {
    /// Sessions::new()?.untag(id)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn untag(&self, id: &str) -> Result<()> {
        let action = format!("take the tag from session {id}");
        let session = self.find(id, &action)?;
        append(&session.path, &TagLine::new("", id)).map_err(|error| or_gone(action, error))
    }

    /// Deletes a session, with its subagents and everything else that the CLI stores in its folder, in
    /// every project where it lies. It can't be undone.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::SessionNotFound`] if the session is not stored here, or `id` is no session id
    /// - [`ErrorKind::Io`] if a file can't be removed
    ///
    /// # Example
    ///
    /// ```
    /// use byre::sessions::Sessions;
    ///
    /// # fn run(id: &str) -> byre::Result<()> {
    /// Sessions::new()?.delete(id)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn delete(&self, id: &str) -> Result<()> {
        let action = format!("delete session {id}");
        for session in self.find_all(id, &action)? {
            remove(&session).map_err(|error| Error::io(&action, error))?;
        }
        Ok(())
    }
}

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
struct TagLine<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    tag: &'a str,
    #[serde(rename = "sessionId")]
    session_id: &'a str,
}

impl<'a> TagLine<'a> {
    fn new(tag: &'a str, session_id: &'a str) -> Self {
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
fn append(path: &Path, line: &impl Serialize) -> io::Result<()> {
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
fn remove(session: &Found) -> io::Result<()> {
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
        Err(error) if is_absent(&error) => Ok(()),
        result => result,
    }
}

/// The form in which a tag is stored: what looks the same is the same, and nothing in it is invisible.
fn clean_tag(tag: &str) -> String {
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
