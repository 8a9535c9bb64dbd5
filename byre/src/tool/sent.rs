//! What is said of a result before it is sent: to the log, and, where it breaks its promise, to the model.

use std::borrow::Cow;

use super::{CallToolResult, Content, MOST_CHARS, Tool, image};
use crate::wire::tokens;

/// How many characters the CLI passes on as they are. Of a longer result the model sees a preview and the
/// path of a file, and above 25,000 tokens only the path.
///
/// Source: seen with CLI 2.1.332, where 49,000 characters went through and 51,000 did not. Tokens never
/// matter below: it takes four characters for a token there, and counts only where that says more than half
/// of the limit.
const MAX_CHARS: usize = 50_000;

/// How many characters of an error the CLI passes on; from a longer one it cuts the middle.
///
/// Source: seen with CLI 2.1.332.
const MAX_ERROR_CHARS: usize = 10_000;

/// Says what is to be said of a result, and returns what is sent.
///
/// In debug builds a result that does not fit the output schema becomes an error, so that a tool's tests see
/// what its users would; in release builds it is sent as it is.
pub(super) fn looked_at(tool: &Tool, result: CallToolResult) -> CallToolResult {
    if let Some(detail) = &result.detail {
        let (text, location) = (result.text(), tool.location());
        tracing::warn!(tool = tool.name(), %location, detail, "a tool failed: {}", tokens::hide(&text));
    }
    if cfg!(debug_assertions)
        && let Some(problems) = misfits(tool, &result)
    {
        let location = tool.location();
        tracing::error!(
            tool = tool.name(),
            %location,
            "the result of a tool does not fit its output schema:{problems}"
        );
        return CallToolResult::error(format!(
            "the result of `{}` does not fit its output schema, which is a mistake in the tool and not in the \
             call:{problems}",
            tool.name()
        ));
    }
    warn_of_length(tool, &result);
    warn_of_images(tool, &result);
    result
}

/// Lists what does not fit the output schema, a line each; `None` where all does.
fn misfits(tool: &Tool, result: &CallToolResult) -> Option<String> {
    // An error has no data, and the schema is not about it.
    if result.is_error {
        return None;
    }
    let checker = tool.output_checker()?;
    let problems = match &result.structured_content {
        None => vec!["there is no structured content".to_owned()],
        Some(value) => checker.problems(value).iter().map(ToString::to_string).collect(),
    };
    let mut list = String::new();
    for problem in problems {
        list.push_str("\n- ");
        list.push_str(&problem);
    }
    (!list.is_empty()).then_some(list)
}

fn warn_of_length(tool: &Tool, result: &CallToolResult) {
    let (limit, raised) = match tool.limits().max_result_chars {
        _ if result.is_error => (MAX_ERROR_CHARS, false),
        None => (MAX_CHARS, false),
        Some(limit) => (usize::try_from(limit.min(MOST_CHARS)).unwrap_or(usize::MAX), true),
    };
    let Some(chars) = longer_than(limit, result) else { return };
    let (tool, location) = (tool.name(), tool.location());
    if result.is_error {
        tracing::warn!(
            tool,
            %location,
            chars,
            "an error of a tool is longer than {limit} characters; the model sees its beginning and its end"
        );
    } else if raised {
        tracing::warn!(
            tool,
            %location,
            chars,
            "the result of a tool is longer than its `max_result_chars` of {limit}; the model sees a preview and \
             the path of a file. Return less, or raise it; at most {MOST_CHARS}"
        );
    } else {
        tracing::warn!(
            tool,
            %location,
            chars,
            "the result of a tool is longer than {limit} characters; the model sees a preview and the path of a \
             file, and above 25000 tokens only the path. Return less, or set `max_result_chars`; at most \
             {MOST_CHARS}"
        );
    }
}

/// Counts the characters that the model would see, if they are more than `limit`, as JavaScript counts.
fn longer_than(limit: usize, result: &CallToolResult) -> Option<usize> {
    let texts = result.content.iter().filter_map(Content::as_text).collect::<Vec<_>>();
    // In place of structured content the model sees the content of an error.
    let data = result.structured_content.as_ref().filter(|_| !result.is_error);
    let seen = match (data, &texts[..]) {
        // Beside data, MCP wants the same as text, which saves writing it once more.
        (Some(_), [text]) if text.starts_with('{') => vec![Cow::Borrowed(*text)],
        (Some(value), _) => vec![Cow::Owned(value.to_string())],
        (None, texts) => texts.iter().map(|text| Cow::Borrowed(*text)).collect(),
    };
    // In UTF-16 a text has no more units than it has bytes in UTF-8.
    if seen.iter().map(|text| text.len()).sum::<usize>() <= limit {
        return None;
    }
    let count = seen.iter().map(|text| units(text)).sum();
    (count > limit).then_some(count)
}

/// How many units a text has in UTF-16. Counts bytes, many at a time: one for each that begins a character, and one
/// more for each that begins a character of four.
fn units(text: &str) -> usize {
    let begins = text.bytes().filter(|byte| byte & 0xc0 != 0x80).count();
    begins + text.bytes().filter(|byte| *byte >= 0xf0).count()
}

/// Warns of images that the model will not see.
fn warn_of_images(tool: &Tool, result: &CallToolResult) {
    for content in &result.content {
        let Content::Image { data, mime_type } = content else { continue };
        let (tool, location) = (tool.name(), tool.location());
        if !image::MEDIA_TYPES.contains(&mime_type.as_str()) {
            tracing::warn!(
                tool,
                %location,
                mime_type,
                "a tool returned an image of a kind that the model can't see; it is shown a path. Use PNG, JPEG, \
                 GIF or WebP"
            );
        } else if data.len() > image::MAX_BASE64 {
            tracing::warn!(
                tool,
                %location,
                bytes = data.len(),
                "a tool returned an image of more than 5 MB in base64, which is more than the API takes; make it \
                 smaller"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn units_are_those_of_javascript() {
        for text in ["", "a", "aé", "漢字", "🐄🐄", "a\u{10ffff}é\u{ffff}\u{7ff}\u{800}"] {
            assert_eq!(super::units(text), text.encode_utf16().count(), "{text}");
        }
    }
}
