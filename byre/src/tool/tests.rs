use std::collections::BTreeMap;

use serde_json::{
    Map, json,
    value::{RawValue, to_raw_value},
};

use super::*;
use crate::function::surroundings::Surroundings;

fn context() -> ToolContext {
    ToolContext::new("byre", None, Surroundings::default())
}

mod calls;
mod content;
mod errors;
mod results;
mod run;
mod schemas;
mod sent;
#[cfg(feature = "testing")] // judges them as the test kit does
mod types;

/// Adds two integers.
#[byre::tool(register = false)]
async fn add(
    /// The first addend.
    a: i64,
    /// The second addend.
    b: i64,
) -> i64 {
    a + b
}

/// Calls a tool with `arguments`, which is JSON.
async fn call(tool: &Tool, arguments: &str) -> CallToolResult {
    let arguments: Box<RawValue> = serde_json::from_str(arguments).unwrap();
    tool.call(Some(&arguments), &context()).await
}

fn only(tools: Vec<Tool>) -> Tool {
    let [tool] = <[Tool; 1]>::try_from(tools).unwrap();
    tool
}

#[test]
fn the_definition_is_one_line_in_the_order_of_the_parameters() {
    /// Does things.
    #[byre::tool(register = false, title = "Do", read_only, open_world = false)]
    async fn act(
        zebra: String,
        /// How many.
        #[arg(default = 3)]
        apple: u32,
        maybe: Option<bool>,
    ) -> Json<BTreeMap<String, bool>> {
        Json([(zebra, maybe.unwrap_or(apple > 3))].into())
    }

    assert_eq!(
        only(crate::tools![act]).definition(),
        concat!(
            r#"{"name":"act","title":"Do","description":"Does things.","inputSchema":{"type":"object","#,
            r#""properties":{"zebra":{"type":"string"},"#,
            r#""apple":{"description":"How many.","type":"integer","default":3,"minimum":0},"#,
            r#""maybe":{"type":"boolean"}},"required":["zebra"],"additionalProperties":false},"#,
            r#""outputSchema":{"additionalProperties":{"type":"boolean"},"type":"object"},"#,
            r#""annotations":{"title":"Do","readOnlyHint":true,"openWorldHint":false}}"#,
        )
    );
}

#[test]
fn a_definition_says_nothing_that_was_not_said() {
    assert_eq!(
        only(crate::tools![add]).definition(),
        concat!(
            r#"{"name":"add","description":"Adds two integers.","inputSchema":{"type":"object","#,
            r#""properties":{"a":{"description":"The first addend.","type":"integer"},"#,
            r#""b":{"description":"The second addend.","type":"integer"}},"#,
            r#""required":["a","b"],"additionalProperties":false}}"#,
        )
    );
}

#[test]
fn a_definition_is_the_same_bytes_every_time() {
    for tool in registered() {
        assert_eq!(tool.definition(), tool.definition(), "of {tool:?}");
        assert!(!tool.definition().contains('\n'), "of {tool:?}");
        let parsed: Value = serde_json::from_str(&tool.definition()).unwrap();
        assert_eq!(parsed["inputSchema"], tool.input_schema(), "of {tool:?}");
    }
}

/// Registers itself.
#[byre::tool(name = "registers-itself", description = "Registers itself")]
async fn registers() {}

#[test]
fn tools_register_themselves_unless_they_are_told_not_to() {
    let is_registered = |name| registered().iter().any(|tool| tool.name() == name);
    assert!(is_registered("registers-itself"));
    assert!(!is_registered("add"));
}

#[test]
fn a_tool_knows_where_it_is() {
    let location = only(crate::tools![registers]).location();
    assert_eq!(location.module, "byre::tool::tests");
    assert!(location.file.ends_with("tool/tests.rs"), "{location}");
    assert_eq!(location.to_string(), format!("{}:{}", location.file, location.line));
    let line = include_str!("tests.rs").lines().nth(location.line as usize - 1).unwrap();
    assert!(line.contains("registers-itself"), "line {location} is {line}");
}

#[test]
fn the_hints_are_annotations() {
    /// Erases.
    #[byre::tool(register = false, destructive, idempotent = true, read_only = false)]
    async fn erase() {}

    let tool = only(crate::tools![erase]);
    assert_eq!(
        serde_json::to_value(tool.annotations()).unwrap(),
        json!({"readOnlyHint": false, "destructiveHint": true, "idempotentHint": true})
    );
    assert_eq!(tool.title(), None);
    assert_eq!(tool.output_schema(), None);
}
