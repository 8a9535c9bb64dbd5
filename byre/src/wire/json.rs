//! JSON text as the CLI writes it: one object a line, with what JavaScript allows and `serde_json`
//! does not.

use std::{
    borrow::Cow,
    fmt,
    ops::Range,
    sync::{Arc, LazyLock},
};

use memchr::memmem;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};

/// The JSON text of one line, or of one value in it, exactly as the CLI sent it.
///
/// Cheap to clone: all parts of a line share its text, and keep all of it in memory. Unpaired surrogate escapes (`"\ud83d"`), which JavaScript writes when it cuts an
/// emoji in half and which are not valid Unicode, stand here as `\ufffd`.
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
    line: Arc<String>,
    /// Invariant: on character boundaries of `line`.
    range: Range<usize>,
}

impl Raw {
    pub(crate) fn new(text: String) -> Self {
        Self { range: 0..text.len(), line: Arc::new(text) }
    }

    /// Returns the value that `part` is the text of: without a copy where `part` lies in this line.
    pub(crate) fn part(&self, part: &str) -> Self {
        // The address is only compared. What it leads to is checked by `get`.
        let start = part.as_ptr().addr().wrapping_sub(self.line.as_ptr().addr());
        let range = start..start.saturating_add(part.len());
        if self.line.get(range.clone()).is_some() {
            Self { line: Arc::clone(&self.line), range }
        } else {
            Self::new(part.to_owned())
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

/// One line of stdout, told apart.
#[derive(Debug)]
pub(crate) enum Line {
    /// A JSON object, with its `type` (empty if it has none).
    Frame { kind: String, raw: Raw },
    /// Anything else: a warning of the CLI or of a wrapper script, or a line cut short.
    Text(String),
}

impl Line {
    /// Tells a line apart, or gives `None` for a blank one. `line` has no line break at its end.
    ///
    /// Text that is not UTF-8 is read with U+FFFD in place of the bad bytes: the CLI writes UTF-8,
    /// and half a line of mojibake is better than a request without an answer.
    pub(crate) fn parse(line: Vec<u8>) -> Option<Self> {
        #[derive(Deserialize)]
        struct Head<'a> {
            #[serde(borrow, default, rename = "type")]
            kind: Option<Cow<'a, str>>,
        }

        let text = String::from_utf8(line)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        let text = trim(text);
        if text.is_empty() {
            return None;
        }
        if !text.starts_with('{') {
            return Some(Self::Text(text));
        }
        let text = replace_lone_surrogates(text);
        let kind = match serde_json::from_str::<Head<'_>>(&text) {
            Ok(head) => head.kind.unwrap_or_default().into_owned(),
            Err(_) => return Some(Self::Text(text)),
        };
        Some(Self::Frame { kind, raw: Raw::new(text) })
    }
}

/// Removes white space at both ends, without a copy where there is none.
fn trim(text: String) -> String {
    let trimmed = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    if trimmed.len() == text.len() { text } else { trimmed.to_owned() }
}

/// Replaces escaped surrogates that have no partner by `\ufffd`.
///
/// `serde_json` refuses a line that holds one, and the line may be a tool call that somebody waits
/// for. Escapes that are part of a pair, and text that only looks like an escape (`\\ud83d`), stay.
pub(crate) fn replace_lone_surrogates(text: String) -> String {
    if memmem::find(text.as_bytes(), b"\\ud").is_none()
        && memmem::find(text.as_bytes(), b"\\uD").is_none()
    {
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
