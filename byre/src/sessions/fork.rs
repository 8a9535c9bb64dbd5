//! Copies a session.

use std::{
    collections::{HashMap, HashSet},
    fmt::{self, Write as _},
    fs::{self, OpenOptions},
    io::{self, Write as _},
    path::Path,
    time::SystemTime,
};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Value, json, value::RawValue};
use uuid::Uuid;

use super::{Sessions, change::TitleLine, entry::Entry, info, read, time};
use crate::error::{Error, ErrorKind};

/// Fields that hold what was said and done. An id in them belongs to the conversation.
const CONTENT: [&str; 5] = ["message", "toolUseResult", "attachment", "rendered", "content"];

/// Fields that make no sense in a copy.
const DROPPED: [&str; 3] = ["teamName", "agentName", "slug"];

/// How to [fork](super::Sessions::fork) a session.
///
/// # Example
///
/// ```
/// use byre::sessions::ForkOptions;
///
/// let options = ForkOptions::default().title("Another way");
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct ForkOptions {
    up_to: Option<String>,
    title: Option<String>,
}

impl ForkOptions {
    /// Copies up to and including the message with this [`uuid`](super::SessionMessage::uuid); everything
    /// by default.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::sessions::{ForkOptions, Sessions};
    ///
    /// # fn run(sessions: &Sessions, id: &str) -> byre::Result<()> {
    /// let conversation = sessions.conversation(id)?;
    /// if let Some(message) = conversation.messages.get(3) {
    ///     let copy = sessions.fork(id, &ForkOptions::default().up_to(&message.uuid))?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn up_to(mut self, message_uuid: impl Into<String>) -> Self {
        self.up_to = Some(message_uuid.into());
        self
    }

    /// Gives the copy this title; by default, that of the original with ` (fork)`.
    ///
    /// # Example
    ///
    /// ```
    /// let options = byre::sessions::ForkOptions::default().title("Another way");
    /// ```
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }
}

/// What copies a session.
impl Sessions {
    /// Copies a session, and returns the id of the copy, which can be resumed like any other.
    ///
    /// The copy lies in the same project and has ids of its own throughout; each entry names the one that
    /// it was copied from, in `forkedFrom`. Subagents, costs and the history of edited files stay with the
    /// original. The file is readable for its owner alone.
    ///
    /// [`fork_session`](crate::SessionBuilder::fork_session) copies too, when the CLI starts.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::InvalidInput`] if the session has no message [`up_to`](ForkOptions::up_to), or the
    ///   title is empty
    /// - [`ErrorKind::SessionNotFound`] if the session is not stored here, holds no conversation, or `id`
    ///   is no session id
    /// - [`ErrorKind::Io`] if a file can't be read or written
    ///
    /// # Example
    ///
    /// ```
    /// use byre::sessions::{ForkOptions, Sessions};
    ///
    /// # async fn run(id: &str) -> byre::Result<()> {
    /// let copy = Sessions::new()?.fork(id, &ForkOptions::default())?;
    /// let session = byre::Session::builder().resume(copy).spawn().await?;
    /// # session.close().await
    /// # }
    /// ```
    pub fn fork(&self, id: &str, options: &ForkOptions) -> crate::Result<String> {
        let action = format!("fork session {id}");
        let session = self.find(id, &action)?;
        let title = match options.title.as_deref().map(str::trim) {
            Some("") => {
                return Err(
                    Error::new(ErrorKind::InvalidInput, action).reason("the title is empty")
                );
            }
            Some(title) => title.to_owned(),
            None => {
                let info = info::read(session.clone(), None).ok();
                let title = info.and_then(|info| info.title.or(info.first_prompt));
                format!("{} (fork)", title.as_deref().unwrap_or("Session"))
            }
        };
        let (entries, _) = read(&session.path, &action)?;
        let new_id = Uuid::new_v4().to_string();
        let up_to = options.up_to.as_deref();
        let text = copy(&entries, up_to, id, &new_id, &title).ok_or_else(|| match up_to {
            Some(uuid) => Error::new(ErrorKind::InvalidInput, &action)
                .reason(format!("it has no message {uuid:?}")),
            None => Error::new(ErrorKind::SessionNotFound, &action)
                .reason("there is no conversation in it"),
        })?;
        write_new(&session.path.with_file_name(format!("{new_id}.jsonl")), &text)
            .map_err(|error| Error::io(action, error))?;
        Ok(new_id)
    }
}

/// The text of a copy's file.
///
/// Every entry gets an id of its own, so that nobody takes the two for the same; whatever names an entry
/// names its copy then. Gives `None` where there is nothing to copy, or no message `up_to`.
fn copy(
    entries: &[Entry],
    up_to: Option<&str>,
    original: &str,
    id: &str,
    title: &str,
) -> Option<String> {
    let end = match up_to {
        None => entries.len(),
        Some(uuid) => {
            1 + entries.iter().rposition(|entry| entry.is_link() && entry.uuid() == uuid)?
        }
    };
    let links = || entries[..end].iter().filter(|entry| entry.is_link());
    let parents: HashMap<&str, &str> =
        links().filter_map(|entry| Some((entry.uuid(), entry.parent_uuid.as_deref()?))).collect();
    let ids: HashMap<String, String> = links()
        .filter(|entry| is_copied(entry))
        .map(|entry| (entry.uuid().to_owned(), Uuid::new_v4().to_string()))
        .collect();
    let last = links().rfind(|entry| is_copied(entry))?;
    let mut text = String::new();
    for entry in links().filter(|entry| is_copied(entry)) {
        let mut fields = Fields::of(entry)?;
        fields.retain(|name| !DROPPED.contains(&name));
        fields.rename_ids(&ids);
        // An id of no copied entry would lead nowhere.
        if entry.source_tool_assistant_uuid.as_ref().is_some_and(|uuid| !ids.contains_key(uuid)) {
            fields.retain(|name| name != "sourceToolAssistantUUID");
        }
        let parent = copied_parent(entry, &parents, &ids);
        fields.set("parentUuid", &json!(parent));
        if fields.has("requestRef") && !fields.has("requestSessionId") {
            // The request that it came of is noted in the original alone.
            fields.set("requestSessionId", &json!(original));
        }
        fields.set("sessionId", &json!(id));
        if std::ptr::eq(entry, last) {
            fields.set("timestamp", &json!(time::format(SystemTime::now())));
        }
        let from = json!({"sessionId": original, "messageUuid": entry.uuid()});
        fields.set("forkedFrom", &from);
        let _ = writeln!(text, "{fields}");
    }
    // What the CLI shows the model in place of results that were too long.
    for entry in entries.iter().filter(|entry| entry.kind == "content-replacement") {
        let mut fields = Fields::of(entry)?;
        fields.rename_ids(&ids);
        fields.set("sessionId", &json!(id));
        let _ = writeln!(text, "{fields}");
    }
    let title = serde_json::to_string(&TitleLine::new(title, id)).ok()?;
    let _ = writeln!(text, "{title}");
    Some(text)
}

fn is_copied(entry: &Entry) -> bool {
    !entry.is_sidechain && entry.kind != "progress"
}

/// The copy of the nearest ancestor that has one.
fn copied_parent<'a>(
    entry: &'a Entry,
    parents: &HashMap<&'a str, &'a str>,
    ids: &'a HashMap<String, String>,
) -> Option<&'a str> {
    let mut seen = HashSet::new();
    let mut parent = entry.parent_uuid.as_deref()?;
    while seen.insert(parent) {
        if let Some(id) = ids.get(parent) {
            return Some(id);
        }
        parent = parents.get(parent)?;
    }
    None
}

/// Writes a new file for its owner alone. Fails if it is there already, and leaves nothing behind if it
/// fails.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    let written = file.write_all(text.as_bytes());
    if written.is_err() {
        drop(file);
        let _ = fs::remove_file(path);
    }
    written
}

/// The fields of an entry in their order, each as it was written.
struct Fields(Vec<(String, Box<RawValue>)>);

impl Fields {
    fn of(entry: &Entry) -> Option<Self> {
        serde_json::from_str(entry.raw.as_str()).ok()
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(field, _)| field == name)
    }

    fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        self.0.retain(|(name, _)| keep(name));
    }

    /// Sets a field, at its place or at the end.
    fn set(&mut self, name: &str, value: &Value) {
        let Ok(value) = RawValue::from_string(value.to_string()) else { return };
        match self.0.iter_mut().find(|(field, _)| field == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    /// Replaces the ids of entries wherever they stand, except in what was said and done.
    fn rename_ids(&mut self, ids: &HashMap<String, String>) {
        for (_, raw) in self.0.iter_mut().filter(|(name, _)| !CONTENT.contains(&name.as_str())) {
            let Ok(mut value) = serde_json::from_str::<Value>(raw.get()) else { continue };
            if rename(&mut value, ids)
                && let Ok(renamed) = RawValue::from_string(value.to_string())
            {
                *raw = renamed;
            }
        }
    }
}

/// Replaces strings that are ids, and says whether there was any.
fn rename(value: &mut Value, ids: &HashMap<String, String>) -> bool {
    match value {
        Value::String(text) => match ids.get(text) {
            Some(id) => {
                text.clone_from(id);
                true
            }
            None => false,
        },
        // No short cut: all of them have to be looked at.
        Value::Array(values) => {
            values.iter_mut().fold(false, |any, value| rename(value, ids) | any)
        }
        Value::Object(map) => map.values_mut().fold(false, |any, value| rename(value, ids) | any),
        _ => false,
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

impl fmt::Display for Fields {
    /// Writes the JSON object, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (name, value)) in self.0.iter().enumerate() {
            let start = if at == 0 { '{' } else { ',' };
            write!(f, "{start}{}:{}", Value::from(name.as_str()), value.get())?;
        }
        f.write_str(if self.0.is_empty() { "{}" } else { "}" })
    }
}

#[cfg(test)]
mod tests;
