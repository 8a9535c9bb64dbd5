//! Hides keys and tokens that have a form of their own.

use std::borrow::Cow;

use memchr::memmem;

/// What stands in place of a secret.
pub(crate) const HIDDEN: &str = "[redacted]";

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

/// Hides what looks like a key or a token in a text, or in a line of JSON, which stays one.
pub(crate) fn hide(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for prefix in PREFIXES {
        if let Some(hidden) = hide_tokens(&text, prefix, true) {
            text = Cow::Owned(hidden);
        }
    }
    if let Some(hidden) = hide_tokens(&text, "Bearer ", false) {
        text = Cow::Owned(hidden);
    }
    text
}

/// Says whether the byte before `at` ends an escape, as the `n` of `\n` does, and so no word.
fn follows_escape(bytes: &[u8], at: usize) -> bool {
    let escapes = |at: usize| {
        let backslashes = bytes[..at].iter().rev().take_while(|byte| **byte == b'\\').count();
        backslashes % 2 == 1
    };
    (at >= 2 && escapes(at - 1)) || (at >= 6 && bytes[at - 5] == b'u' && escapes(at - 5))
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
