//! Puts what serde says into words about JSON, which is all that the model knows of.

use std::fmt::Write as _;

use serde_json::Value;

/// Says what a value is: "the string \"x\"", "the number 3", "a list".
pub(crate) fn value(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => format!("the number {number}"),
        Value::String(text) => format!("the string {:?}", shortened(text, 60)),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// Cuts `text` after `max` characters.
pub(crate) fn shortened(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// Lists the values that are allowed.
pub(crate) fn one_of(values: &[&str]) -> String {
    let mut text = match values {
        [_] => String::new(),
        _ => "one of ".to_owned(),
    };
    for (at, value) in values.iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}`{value}`");
    }
    text
}

/// Returns a message of serde in plain words, and the name of the field that it is about, if it
/// stands in the message.
///
/// Source: serde 1.0.229, the provided methods of `de::Error`. What byre does not know, it leaves:
/// that is the text of a `Deserialize` written by hand.
pub(crate) fn plain(message: &str) -> (Option<String>, String) {
    if let Some(field) = message.strip_prefix("missing field ") {
        return (Some(unquoted(field)), "missing".to_owned());
    }
    if let Some(field) = message.strip_prefix("duplicate field ") {
        return (Some(unquoted(field)), "given twice".to_owned());
    }
    if message.starts_with("data did not match any variant") {
        return (None, "fits none of the forms that it can have".to_owned());
    }
    let Some((got, wanted)) = message.rsplit_once(", expected ") else {
        return match message.strip_prefix("unknown field ") {
            // ", there are no fields"
            Some(rest) => (Some(unquoted(before_comma(rest))), "unknown".to_owned()),
            None => (None, message.to_owned()),
        };
    };
    if let Some(field) = got.strip_prefix("unknown field ") {
        let known: Vec<_> = wanted.split('`').skip(1).step_by(2).collect();
        let field = unquoted(field);
        let text = match super::nearest::nearest(&field, known.iter().copied()) {
            Some(meant) => format!("unknown; did you mean `{meant}`?"),
            None => format!("unknown; expected {}", one_of(&known)),
        };
        return (Some(field), text);
    }
    let text = if let Some(variant) = got.strip_prefix("unknown variant ") {
        let known: Vec<_> = wanted.split('`').skip(1).step_by(2).collect();
        let variant = shortened(&unquoted(variant), 60);
        format!("expected {}, got the string {variant:?}", one_of(&known))
    } else if let Some(got) = got.strip_prefix("invalid type: ") {
        format!("expected {}, got {}", expected(wanted), unexpected(got))
    } else if let Some(got) = got.strip_prefix("invalid value: ") {
        let wanted = range(wanted).unwrap_or_else(|| expected(wanted));
        format!("expected {wanted}, got {}", unexpected(got))
    } else if let Some(len) = got.strip_prefix("invalid length ") {
        format!("expected {}, got {len}", length(wanted))
    } else {
        message.to_owned()
    };
    (None, text)
}

/// Returns what a visitor expects in plain words: "i64" is "an integer".
pub(crate) fn expected(wanted: &str) -> String {
    let text = match wanted {
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128"
        | "usize" => "an integer",
        "f32" | "f64" => "a number",
        "a string" | "a borrowed string" | "str" | "string" | "path string" | "identifier"
        | "field identifier" | "variant identifier" | "os string" => "a string",
        "a character" => "a string of one character",
        "a boolean" => "true or false",
        "unit" | "unit struct" => "null",
        "any valid JSON value" => "any JSON value",
        "string or map" => "a string or an object",
        "a sequence" | "a set" | "byte array" | "a byte array" => "a list",
        "a map" | "map" => "an object",
        _ if wanted.starts_with("a nonzero ") => "an integer other than 0",
        _ if wanted.starts_with("struct ") || wanted.starts_with("struct variant ") => "an object",
        _ if wanted.starts_with("unit struct ") => "null",
        _ if wanted.starts_with("tuple ")
            || wanted.starts_with("an array of length ")
            || wanted.starts_with("a tuple of size ")
            || wanted.starts_with("an empty array") =>
        {
            return length(wanted);
        }
        _ if wanted.starts_with("internally tagged enum ")
            || wanted.starts_with("adjacently tagged enum ") =>
        {
            "an object"
        }
        _ if wanted.starts_with("enum ") => "one of its variants",
        _ => wanted,
    };
    text.to_owned()
}

/// Returns which integers fit, for one that does not.
fn range(wanted: &str) -> Option<String> {
    let (min, max): (i64, i64) = match wanted {
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" | "u128" | "usize" => return Some("an integer that is not negative".to_owned()),
        "i64" | "i128" | "isize" => return Some("a smaller integer".to_owned()),
        _ => return None,
    };
    Some(format!("an integer from {min} to {max}"))
}

/// Returns what length a list is to have: serde says it in many ways, all with one number.
fn length(wanted: &str) -> String {
    if wanted.starts_with("fewer elements") {
        return "fewer values".to_owned();
    }
    let is_number = |word: &&str| word.bytes().all(|b| b.is_ascii_digit());
    match wanted.split(' ').rev().find(is_number) {
        Some("1") => "a list of 1 value".to_owned(),
        Some(number) => format!("a list of {number} values"),
        None if wanted.starts_with("an empty") => "an empty list".to_owned(),
        None => "a list".to_owned(),
    }
}

/// Returns what came in plain words: "floating point `2.5`" is "the number 2.5".
fn unexpected(got: &str) -> String {
    if let Some(text) = got.strip_prefix("string ") {
        let text = serde_json::from_str::<String>(text)
            .unwrap_or_else(|_| text.trim_matches('"').to_owned());
        return format!("the string {:?}", shortened(&text, 60));
    }
    for (kind, noun) in [
        ("integer ", "the number "),
        ("floating point ", "the number "),
        ("boolean ", ""),
        ("character ", "the character "),
    ] {
        if let Some(value) = got.strip_prefix(kind) {
            return format!("{noun}{}", unquoted(value));
        }
    }
    match got {
        "sequence" => "a list",
        "map" => "an object",
        "unit value" | "null" | "Option value" => "null",
        other => other,
    }
    .to_owned()
}

/// Removes the backticks around a name.
fn unquoted(name: &str) -> String {
    name.trim_matches('`').to_owned()
}

fn before_comma(text: &str) -> &str {
    text.split_once(", ").map_or(text, |(before, _)| before)
}

#[cfg(test)]
mod tests;
