//! JSON text as the CLI writes it: one object a line, with what JavaScript allows and `serde_json`
//! does not.

mod fields;
mod lines;

use std::{
    borrow::Cow,
    fmt, mem,
    ops::{Deref, Range},
    str,
    sync::{Arc, LazyLock},
};

use memchr::memmem;
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::{Map, Value, value::RawValue};

pub(crate) use self::{fields::Fields, lines::Lines};

/// The JSON text of one line, or of one value in it, exactly as the CLI sent it.
///
/// Cheap to clone: all parts of a line share its text, and keep all of it in memory. A
/// [`StreamEvent`](crate::event::StreamEvent) shares it with the lines that came with it, 64 KiB of them at most.
/// Unpaired surrogate escapes (`"\ud83d"`), which JavaScript writes when it cuts an emoji in half and which are
/// not valid Unicode, stand here as `\ufffd`.
///
/// # Example
///
/// ```
/// # fn show(event: &byre::Event) {
/// println!("{}", event.raw());
/// let cost = event.raw().to_value()["total_cost_usd"].as_f64();
/// # }
/// ```
#[derive(Clone)]
pub struct Raw {
    line: Text,
    /// Invariant: on character boundaries of `line`.
    range: Range<usize>,
}

/// A text that several share.
#[derive(Clone)]
enum Text {
    /// One piece of memory. Thousands of lines may wait to be read, and a small piece beside each would keep the
    /// allocator from giving their memory back.
    Copied(Arc<str>),
    /// A long text is not copied.
    Taken(Arc<String>),
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Copied(text) => text,
            Self::Taken(text) => text,
        }
    }
}

impl Raw {
    pub(crate) fn new(text: String) -> Self {
        Self { range: 0..text.len(), line: Text::Taken(Arc::new(text)) }
    }

    fn copied(text: &str) -> Self {
        Self { range: 0..text.len(), line: Text::Copied(text.into()) }
    }

    /// Returns the value that `part` is the text of: without a copy where `part` lies in this line.
    pub(crate) fn part(&self, part: &str) -> Self {
        // The address is only compared. What it leads to is checked by `get`.
        let start = part.as_ptr().addr().wrapping_sub(self.line.as_ptr().addr());
        let range = start..start.saturating_add(part.len());
        if self.line.get(range.clone()).is_some() {
            Self { line: self.line.clone(), range }
        } else {
            Self::copied(part)
        }
    }

    /// Returns the JSON text, without line breaks.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(event: &byre::Event) {
    /// assert!(event.raw().as_str().starts_with('{'));
    /// # }
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.line.get(self.range.clone()).unwrap_or_default()
    }

    /// Parses the text into a [`Value`], or gives [`Value::Null`] where it is nested deeper than
    /// `serde_json` follows (128 levels).
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(event: &byre::Event) {
    /// let kind = &event.raw().to_value()["type"];
    /// # }
    /// ```
    #[must_use]
    pub fn to_value(&self) -> Value {
        self.parse().unwrap_or_default()
    }

    /// Says whether it is JSON. A line that was only [glanced](Line::glance) at may be something else.
    pub(crate) fn is_json(&self) -> bool {
        serde_json::from_str::<IgnoredAny>(self.as_str()).is_ok()
    }

    /// The same, but takes a line that is [read later](READ_LATER) at its word, if it was not cut short.
    fn looks_like_json(&self) -> bool {
        let text = self.as_str();
        text.ends_with('}') && READ_LATER.iter().any(|start| text.starts_with(start))
            || self.is_json()
    }

    /// Returns the same with a text of its own, where it is only a small part of one: so whoever keeps it
    /// keeps nothing else in memory.
    pub(crate) fn on_its_own(self) -> Self {
        if self.range.len() > self.line.len() / 2 { self } else { Self::copied(self.as_str()) }
    }

    /// Leaves out white space, and a byte order mark, at both ends.
    fn trimmed(mut self) -> Self {
        let is_space = |c: char| c.is_whitespace() || c == '\u{feff}';
        let text = self.as_str();
        let (end, start) = (text.trim_end_matches(is_space).len(), text.len());
        let start = start - text.trim_start_matches(is_space).len();
        self.range = self.range.start + start.min(end)..self.range.start + end;
        self
    }

    /// Reads the text as a `T`.
    pub(crate) fn parse<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        serde_json::from_str(self.as_str())
    }
}

impl Default for Raw {
    /// Returns an object without fields.
    fn default() -> Self {
        static EMPTY: LazyLock<Raw> = LazyLock::new(|| Raw::new("{}".to_owned()));
        EMPTY.clone()
    }
}

impl PartialEq for Raw {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Raw {}

impl fmt::Display for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Raw {
    /// Serialises to what the CLI sent.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue =
            serde_json::from_str(self.as_str()).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// How lines begin that are read by whoever gets them, in full: what is long, or comes in its thousands. They
/// begin so as CLI 2.1.332 writes them; one that begins otherwise is looked through first.
pub(crate) const READ_LATER: [&str; 4] = [
    "{\"type\":\"stream_event\",",
    "{\"type\":\"control_request\",",
    "{\"type\":\"assistant\",",
    "{\"type\":\"user\",",
];

/// Text in JSON, without a copy where it has no escapes. serde makes a copy for a `Cow` alone in an option or as a
/// key.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct Borrowed<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

/// One line of stdout, told apart.
#[derive(Debug)]
pub(crate) enum Line {
    /// A JSON object.
    Frame(Raw),
    /// Anything else: a warning of the CLI or of a wrapper script, or a line cut short.
    Text(String),
}

impl Line {
    /// Tells a line apart, or gives `None` for a blank one. `line` has no line break at its end.
    ///
    /// Text that is not UTF-8 is read with U+FFFD in place of the bad bytes: the CLI writes UTF-8,
    /// and half a line of mojibake is better than a request without an answer.
    pub(crate) fn parse(line: Vec<u8>) -> Option<Self> {
        Self::of(Raw::new(decode(line)), Raw::is_json)
    }

    /// The same, but a line that begins like a message and ends like an object is taken for one: who gets it
    /// reads it, and learns then whether it is [JSON](Raw::is_json). A long text need not be read twice.
    pub(crate) fn glance(line: Vec<u8>) -> Option<Self> {
        Self::of(Raw::new(decode(line)), Raw::looks_like_json)
    }

    /// Tells apart every line of `bytes`, which all end with a line break but the last: the same as
    /// [`glance`](Self::glance) for each, but they share one copy of their text.
    pub(crate) fn glance_at_all(bytes: &[u8], take: impl FnMut(Self)) {
        let lines = memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]);
        let mut start = 0;
        let ranges = lines.map(|end| mem::replace(&mut start, end + 1)..end);
        match str::from_utf8(bytes) {
            Ok(text) if !may_have_lone_surrogates(text) => {
                let text = Text::Copied(text.into());
                let raw = |range| Raw { line: text.clone(), range };
                let lines = ranges.map(|range| Self::of(raw(range), Raw::looks_like_json));
                lines.flatten().for_each(take);
            }
            _ => ranges.filter_map(|range| Self::glance(bytes[range].to_vec())).for_each(take),
        }
    }

    fn of(raw: Raw, passes: fn(&Raw) -> bool) -> Option<Self> {
        let raw = raw.trimmed();
        let text = raw.as_str();
        if text.is_empty() {
            return None;
        }
        let is_frame = text.starts_with('{') && passes(&raw);
        Some(if is_frame { Self::Frame(raw) } else { Self::Text(text.to_owned()) })
    }
}

/// Decodes a line. Mends what JavaScript writes and `serde_json` refuses.
fn decode(line: Vec<u8>) -> String {
    let text = String::from_utf8(line)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    replace_lone_surrogates(text)
}

/// Reads the `type` of an object; empty if it has none. Mostly it comes first, and then nothing else is
/// looked at.
pub(crate) fn kind_of(text: &str) -> Cow<'_, str> {
    #[derive(Deserialize)]
    struct Head<'a> {
        #[serde(borrow, default, rename = "type")]
        kind: Option<Cow<'a, str>>,
    }
    if let Some(rest) = text.strip_prefix("{\"type\":\"")
        && let Some(end) = memchr::memchr2(b'"', b'\\', rest.as_bytes())
        && rest.as_bytes()[end] == b'"'
    {
        return Cow::Borrowed(&rest[..end]);
    }
    let head = serde_json::from_str::<Head<'_>>(text).ok();
    head.and_then(|head| head.kind).unwrap_or_default()
}

/// Says whether there is an escaped surrogate; most texts have none.
fn may_have_lone_surrogates(text: &str) -> bool {
    static FINDERS: LazyLock<[memmem::Finder<'static>; 2]> =
        LazyLock::new(|| ["\\ud", "\\uD"].map(memmem::Finder::new));
    memchr::memchr(b'\\', text.as_bytes()).is_some_and(|start| {
        FINDERS.iter().any(|finder| finder.find(&text.as_bytes()[start..]).is_some())
    })
}

/// Replaces escaped surrogates that have no partner by `\ufffd`.
///
/// `serde_json` refuses a line that holds one, and the line may be a tool call that somebody waits
/// for. Escapes that are part of a pair, and text that only looks like an escape (`\\ud83d`), stay.
pub(crate) fn replace_lone_surrogates(text: String) -> String {
    if !may_have_lone_surrogates(&text) {
        return text;
    }
    let mut repaired = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        repaired.push_str(&rest[..at]);
        rest = &rest[at..];
        let len = match (escaped_unit(rest), rest.get(6..).and_then(escaped_unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                repaired.push_str("\\ufffd");
                rest = &rest[6..];
                continue;
            }
            (Some(_), _) => 6,
            // `\\`, `\n` and so on: the backslash and the one character that it escapes.
            (None, _) => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
        repaired.push_str(&rest[..len]);
        rest = &rest[len..];
    }
    repaired.push_str(rest);
    repaired
}

/// Reads the UTF-16 unit of a `\uXXXX` escape that `text` starts with.
fn escaped_unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    if digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        u16::from_str_radix(digits, 16).ok()
    } else {
        None
    }
}

/// Makes an object of its fields.
///
/// `collect` would sort them first, and each kind of iterator brings the compiler a sort of its own.
pub(crate) fn object(fields: impl IntoIterator<Item = (String, Value)>) -> Map<String, Value> {
    let mut object = Map::new();
    for (name, value) in fields {
        object.insert(name, value);
    }
    object
}

/// Reads a field, or gives its default where it is `null` or has another shape than byre knows: one odd
/// field must not hide the others. For `deserialize_with`.
pub(crate) fn lenient<'de, D, T>(json: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned + Default,
{
    // From the text, because a value in memory does not hold every number as it was written.
    let raw = Box::<RawValue>::deserialize(json)?;
    Ok(serde_json::from_str(raw.get()).unwrap_or_default())
}

#[cfg(test)]
mod tests;
