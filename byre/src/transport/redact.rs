//! Hides secrets in what is written down: the account's e-mail address, keys and tokens.
//!
//! Three ways to know a secret:
//!
//! 1. The program gave it: values of headers and environments, and those of its settings.
//! 2. A line says so: the account's address in the answer to `initialize`, and values under `headers` and `env`.
//! 3. It looks like one: `sk-ant-…`, `ghp_…`, `Bearer …`, and others with a prefix of their own.
//!
//! What is known is hidden everywhere, from the line on that makes it known. A word that is short or common would
//! hide half of the text, so only values of eight characters and more are taken for secrets.

use std::{borrow::Cow, collections::BTreeSet};

use memchr::memmem;
use serde_json::Value;

/// What stands in place of a secret.
const HIDDEN: &str = "[redacted]";

/// Shorter values are left: `true`, `production`, `en_US`.
const SHORTEST: usize = 8;

/// How many secrets are remembered: a line of a CLI may bring any number.
const MOST: usize = 1000;

/// How keys and tokens begin that have a form of their own.
const PREFIXES: [&str; 13] = [
    "sk-ant-",
    "sk-proj-",
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "AKIA",
    "ya29.",
    "eyJhbGciOi",
];

/// Knows secrets, and hides them.
#[derive(Default)]
pub(crate) struct Redactor {
    /// As they stand in JSON text, without the quotes.
    known: BTreeSet<String>,
    knows_account: bool,
}

impl Redactor {
    /// Knows these from the start.
    pub(crate) fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        let mut this = Self::default();
        for secret in secrets {
            this.learn(&secret);
        }
        this
    }

    fn learn(&mut self, secret: &str) {
        if secret.chars().count() >= SHORTEST && self.known.len() < MOST {
            self.known.insert(escaped(secret));
        }
    }

    /// Looks for secrets that the line makes known. `received` lines are the CLI's.
    pub(crate) fn read(&mut self, line: &str, received: bool) {
        let has = |name: &str| memmem::find(line.as_bytes(), name.as_bytes()).is_some();
        // Most lines have none of these, and a look is cheaper than a parse.
        let may_tell_account = received && !self.knows_account && has("\"email\"");
        if !may_tell_account && !has("\"headers\"") && !has("\"env\"") {
            return;
        }
        let Ok(value) = serde_json::from_str::<Value>(line) else { return };
        if may_tell_account
            && let Some(email) = value["response"]["response"]["account"]["email"].as_str()
            && !email.is_empty()
        {
            self.knows_account = true;
            self.known.insert(escaped(email));
        }
        for secret in values_of(&value) {
            self.learn(secret);
        }
    }

    /// Hides what is known and what looks like a secret in a line of JSON.
    pub(crate) fn hide<'a>(&self, line: &'a str) -> Cow<'a, str> {
        let mut line = Cow::Borrowed(line);
        for secret in &self.known {
            if memmem::find(line.as_bytes(), secret.as_bytes()).is_some() {
                line = Cow::Owned(hide_in_strings(&line, secret));
            }
        }
        for prefix in PREFIXES {
            if let Some(hidden) = hide_tokens(&line, prefix, true) {
                line = Cow::Owned(hidden);
            }
        }
        if let Some(hidden) = hide_tokens(&line, "Bearer ", false) {
            line = Cow::Owned(hidden);
        }
        line
    }
}

/// A text as it stands in JSON, without the quotes.
fn escaped(text: &str) -> String {
    let json = Value::from(text).to_string();
    json[1..json.len() - 1].to_owned()
}

/// Hides `secret` in the strings of a line of JSON. Elsewhere, and in the middle of an escape, it is another
/// thing: a number, or the `n` of a line break; and the line would be no JSON any more.
fn hide_in_strings(line: &str, secret: &str) -> String {
    let mut hidden = String::with_capacity(line.len());
    let (mut rest, mut in_string) = (line, false);
    while let Some(next) = rest.chars().next() {
        if in_string && rest.starts_with(secret) {
            hidden.push_str(HIDDEN);
            rest = &rest[secret.len()..];
            continue;
        }
        let len = match next {
            // With what it escapes.
            '\\' if in_string => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            other => other.len_utf8(),
        };
        in_string ^= next == '"';
        hidden.push_str(&rest[..len]);
        rest = &rest[len..];
    }
    hidden
}

/// Says whether the byte before `at` ends an escape, as the `n` of `\n` does, and so no word.
fn follows_escape(bytes: &[u8], at: usize) -> bool {
    let escapes = |at: usize| {
        let backslashes = bytes[..at].iter().rev().take_while(|byte| **byte == b'\\').count();
        backslashes % 2 == 1
    };
    (at >= 2 && escapes(at - 1)) || (at >= 6 && bytes[at - 5] == b'u' && escapes(at - 5))
}

/// The texts under `headers` and `env`, wherever these stand.
pub(crate) fn values_of(value: &Value) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        match value {
            Value::Array(values) => rest.extend(values),
            Value::Object(map) => {
                for (key, value) in map {
                    match value {
                        Value::Object(values) if key == "headers" || key == "env" => {
                            found.extend(values.values().filter_map(Value::as_str));
                        }
                        _ => rest.push(value),
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// Says whether a variable of this name is for a secret.
pub(crate) fn names_a_secret(name: &str) -> bool {
    const WORDS: [&str; 8] =
        ["KEY", "APIKEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIALS", "AUTHORIZATION"];

    name.to_ascii_uppercase().split(['_', '-']).any(|word| WORDS.contains(&word))
}

/// Hides the tokens that begin with `prefix`, and are long enough for one; `None` if there are none. Without
/// `whole`, the prefix itself stays.
fn hide_tokens(line: &str, prefix: &str, whole: bool) -> Option<String> {
    const LEAST: usize = 12;
    let in_token =
        |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'+' | b'/' | b'=');
    let bytes = line.as_bytes();
    let mut hidden = String::new();
    let mut done = 0;
    for at in memmem::find_iter(bytes, prefix.as_bytes()) {
        let starts = at == 0 || !in_token(bytes[at - 1]) || follows_escape(bytes, at);
        let body = at + prefix.len();
        let length = bytes[body..].iter().take_while(|&&b| in_token(b)).count();
        if at < done || !starts || length < LEAST {
            continue;
        }
        hidden.push_str(&line[done..if whole { at } else { body }]);
        hidden.push_str(HIDDEN);
        done = body + length;
    }
    if done == 0 {
        return None;
    }
    hidden.push_str(&line[done..]);
    Some(hidden)
}

#[cfg(test)]
mod tests;
