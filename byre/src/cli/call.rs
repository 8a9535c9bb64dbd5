//! Calls a tool as the CLI would, and shows the result as the model would see it.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use base64::{Engine, prelude::BASE64_STANDARD as BASE64};
use serde_json::{Value, value::RawValue};

use super::report::{FAILURE, Report};
use crate::{
    function::{state::States, surroundings::Surroundings},
    registry::{self, mcp_server::McpServer},
    seen::seen,
    tool::{CallToolResult, Content, ResourceContents, Tool, context::ToolContext},
};

/// Reads the arguments, from stdin if they are `-`.
///
/// What is JSON and does not fit goes to the tool, whose answer is what the model would read.
pub(super) async fn arguments(text: &str) -> Result<Box<RawValue>, String> {
    let text = if text == "-" {
        // Without a limit: whoever types or pipes it in is the one whose memory it takes.
        let read = tokio::task::spawn_blocking(|| io::read_to_string(io::stdin()));
        match read.await {
            Ok(Ok(text)) => text,
            Ok(Err(error)) => return Err(format!("could not read stdin: {error}")),
            Err(error) => return Err(format!("could not read stdin: {error}")),
        }
    } else {
        text.to_owned()
    };
    RawValue::from_string(text.trim().to_owned())
        .map_err(|error| format!("the arguments are no JSON: {error}"))
}

/// Calls a tool, inside of all that its server puts around it, and shows what comes of it. `out` is where to
/// save what is no text.
pub(super) async fn call(
    states: &States,
    server: &McpServer,
    tool: &Tool,
    arguments: &RawValue,
    out: Option<&PathBuf>,
) -> Report {
    if let Err(error) = registry::check_states(std::slice::from_ref(tool), &[], states) {
        return Report::error(FAILURE, error.to_string());
    }
    let surroundings = Surroundings::new(states.clone());
    let context = ToolContext::new(&*server.name, None, surroundings);
    let result = tool.run(Some(arguments), &context, &server.around).await;
    let full_name = registry::qualified_name(&server.name, tool.name());
    let mut report = show(&server.name, &full_name, &result);
    if let Some(path) = out {
        save(&result, path, &mut report);
    }
    report
}

/// Shows a result as the model would see it: texts as they are, images by kind and size.
fn show(server: &str, full_name: &str, result: &CallToolResult) -> Report {
    let mut report = Report::default();
    let json = serde_json::to_value(result).unwrap_or_default();
    match seen(server, full_name, &json) {
        Ok(Value::Array(blocks)) => {
            for block in blocks {
                report.line(match &block["text"] {
                    Value::String(text) => text.clone(),
                    _ => image(&block["source"]),
                });
            }
        }
        Ok(Value::String(text)) => report.line(text),
        Ok(other) => report.line(other.to_string()),
        Err(text) => {
            report.line(text);
            report.note("(the model is told that the call failed)");
            report.code = FAILURE;
        }
    }
    report
}

fn image(source: &Value) -> String {
    let kind = source["media_type"].as_str().unwrap_or("image");
    match BASE64.decode(source["data"].as_str().unwrap_or_default()) {
        Ok(bytes) => format!("[{kind}, {} bytes]", bytes.len()),
        Err(error) => format!("[{kind}, whose base64 is broken: {error}]"),
    }
}

/// Saves the first piece of the content that is made of bytes.
fn save(result: &CallToolResult, path: &Path, report: &mut Report) {
    let data = result.content.iter().find_map(|content| match content {
        Content::Image { data, .. } | Content::Audio { data, .. } => Some(data),
        Content::Resource { resource: ResourceContents::Blob { blob, .. } } => Some(blob),
        _ => None,
    });
    let saved = match data.map(|data| BASE64.decode(data)) {
        Some(Ok(bytes)) => fs::write(path, &bytes)
            .map(|()| format!("saved {} bytes as {}", bytes.len(), path.display()))
            .map_err(|error| format!("could not write {}: {error}", path.display())),
        Some(Err(error)) => Err(format!("could not read the base64 of the result: {error}")),
        None => Err("there is no image, sound or file in the result to save".to_owned()),
    };
    match saved {
        Ok(text) => report.note(text),
        Err(text) => {
            report.note(format!("error: {text}"));
            report.code = FAILURE;
        }
    }
}

#[cfg(test)]
mod tests;
