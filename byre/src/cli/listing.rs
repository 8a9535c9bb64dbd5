//! The tools, shown to people.

use std::fmt::Write;

use serde_json::Value;

use super::{
    ordered::{self, Members},
    report::Report,
};
use crate::{registry::mcp_server::McpServer, tool::Tool};

/// What is said where there are no tools.
pub(super) const NONE: &str = "this program has no tools; those of a crate that it never names are not \
                               linked in: say `use that_crate as _;`";

/// Where a description is cut, in characters: the parameters are to be seen too.
const DESCRIPTION: usize = 60;

/// How many of the values of an enum are shown.
const VALUES: usize = 6;

/// The lists as the CLI is told, byte for byte: one line for each server.
pub(super) fn json(servers: &[McpServer]) -> Report {
    let mut report = Report::default();
    for server in servers {
        let definitions = server.tools.iter().map(Tool::definition).collect::<Vec<_>>();
        report.line(format!("[{}]", definitions.join(",")));
    }
    if servers.is_empty() {
        report.line("[]");
    }
    report
}

/// A table of the tools, which names the servers only where there are several.
pub(super) fn table(servers: &[McpServer]) -> Report {
    let mut report = Report::default();
    let row = |server: &McpServer, tool: &Tool| {
        let description = first_line(tool.description());
        [server.name.clone(), tool.name().to_owned(), description, parameters(tool)]
    };
    let mut rows = vec![["SERVER", "NAME", "DESCRIPTION", "PARAMETERS"].map(str::to_owned)];
    for server in servers {
        rows.extend(server.tools.iter().map(|tool| row(server, tool)));
    }
    if rows.len() == 1 {
        report.note(NONE);
        return report;
    }
    let hidden = usize::from(servers.len() == 1);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths = [0, 1, 2].map(|column| width(column).unwrap_or_default());
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths).skip(hidden) {
            let _ = write!(line, "{cell:width$}  ");
        }
        line.push_str(&row[3]);
        report.line(line.trim_end());
    }
    report
}

/// The schemas. Each is a JSON document, so what is not JSON goes to stderr.
pub(super) fn schema(tool: &Tool) -> Report {
    let mut report = Report::default();
    let definition = tool.definition();
    let definition = Members::of(&definition);
    let output = definition.get("outputSchema");
    if output.is_some() {
        report.note("arguments:");
    }
    report.line(ordered::pretty(definition.get("inputSchema").unwrap_or("null")));
    if let Some(output) = output {
        report.note("result:");
        report.line(ordered::pretty(output));
    }
    report
}

fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    if line.chars().count() <= DESCRIPTION {
        return line.to_owned();
    }
    let cut = line.chars().take(DESCRIPTION - 1).collect::<String>();
    format!("{}…", cut.trim_end())
}

/// The parameters in one line, in the order of the source: `a: integer, b?: string, limit: integer = 20`.
fn parameters(tool: &Tool) -> String {
    let definition = tool.definition();
    let schema = Members::of(&definition).get("inputSchema").unwrap_or("{}");
    let whole: Value = serde_json::from_str(schema).unwrap_or_default();
    let required = |name: &str| {
        whole["required"].as_array().is_some_and(|names| names.iter().any(|known| known == name))
    };
    let properties = Members::of(Members::of(schema).get("properties").unwrap_or("{}"));
    let shown = properties.0.iter().map(|(name, property)| {
        let property: Value = serde_json::from_str(property.get()).unwrap_or_default();
        let kind = kind(&property);
        match property.get("default") {
            Some(default) if !default.is_null() => format!("{name}: {kind} = {default}"),
            _ if required(name) => format!("{name}: {kind}"),
            _ => format!("{name}?: {kind}"),
        }
    });
    shown.collect::<Vec<_>>().join(", ")
}

/// What a value may be, in a few words.
fn kind(schema: &Value) -> String {
    if let Some(constant) = schema.get("const") {
        return constant.to_string();
    }
    if let Some(values) = schema["enum"].as_array() {
        let mut shown = values.iter().take(VALUES).map(Value::to_string).collect::<Vec<_>>();
        if values.len() > VALUES {
            shown.push("…".to_owned());
        }
        return shown.join("|");
    }
    if let Some(reference) = schema["$ref"].as_str() {
        return reference.rsplit('/').next().unwrap_or(reference).to_owned();
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[key].as_array() {
            return either(choices.iter().map(kind));
        }
    }
    match &schema["type"] {
        Value::String(name) if name == "array" && schema["items"].is_object() => {
            format!("array of {}", kind(&schema["items"]))
        }
        Value::String(name) => name.clone(),
        Value::Array(names) => either(names.iter().filter_map(Value::as_str).map(str::to_owned)),
        _ => "any".to_owned(),
    }
}

/// Joins what a value may be. `null` stands for a value that may be left out, which is said otherwise.
fn either(kinds: impl Iterator<Item = String>) -> String {
    let kinds = kinds.filter(|kind| kind != "null").collect::<Vec<_>>();
    if kinds.is_empty() { "null".to_owned() } else { kinds.join("|") }
}

#[cfg(test)]
mod tests;
