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

use std::borrow::Cow;

use memchr::memmem;
use serde_json::Value;

use crate::wire::tokens::{self, HIDDEN};

/// Shorter values are left: `true`, `production`, `en_US`.
const SHORTEST: usize = 8;

/// How many secrets are remembered: a line of a CLI may bring any number.
const MOST: usize = 1000;

/// Knows secrets, and hides them.
#[derive(Default)]
pub(crate) struct Redactor {
    /// As they stand in JSON text, without the quotes. The longest first: another may be the beginning of it.
    known: Vec<String>,
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
            self.remember(secret);
        }
    }

    fn remember(&mut self, secret: &str) {
        let secret = escaped(secret);
        if !self.known.contains(&secret) {
            let at = self.known.partition_point(|known| known.len() > secret.len());
            self.known.insert(at, secret);
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
            self.remember(email);
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
        if let Cow::Owned(hidden) = tokens::hide(&line) {
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

#[cfg(test)]
mod tests;
