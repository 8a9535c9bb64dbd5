use std::{collections::BTreeMap, future::Future, time::Duration};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::*;

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

/// Calls a tool with `arguments`, which is JSON, and returns the text and whether it is an error.
async fn call(tool: &Tool, arguments: &str) -> (String, bool) {
    let arguments: Box<RawValue> = serde_json::from_str(arguments).unwrap();
    let result = tool.call(Some(&arguments)).await;
    (result.text(), result.is_error)
}

fn only(tools: Vec<Tool>) -> Tool {
    let [tool] = <[Tool; 1]>::try_from(tools).unwrap();
    tool
}

#[tokio::test]
async fn a_tool_is_called_with_its_arguments() {
    let add = only(crate::tools![add]);
    assert_eq!(call(&add, r#"{"a":2,"b":40}"#).await, ("42".to_owned(), false));
    assert_eq!(super::tests::add(2, 40).await, 42);
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
            r#""apple":{"default":3,"description":"How many.","minimum":0,"type":"integer"},"#,
            r#""maybe":{"type":"boolean"}},"required":["zebra"],"additionalProperties":false},"#,
            r#""outputSchema":{"additionalProperties":{"type":"boolean"},"type":"object"},"#,
            r#""annotations":{"title":"Do","readOnlyHint":true,"openWorldHint":false}}"#,
        )
    );
}
