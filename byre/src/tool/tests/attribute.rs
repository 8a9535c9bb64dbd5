//! What stands in the parentheses of the attribute, in the tool.

use std::time::Duration;

use super::*;

/// Has all of it.
#[byre::tool(
    register = false,
    server = "stock",
    timeout = 1.5,
    concurrency = 2,
    max_result_chars = 200_000,
    always_load = false,
    meta(owner = "team a", "vendor/level" = 3, nested = {"list": [1, null, 2 + 3]}, none = null),
    examples = [{"a": 1}, {"a": 2, "b": [true]}],
)]
async fn full(a: i64, #[arg(default)] b: Vec<bool>) -> usize {
    b.len() + usize::from(a == 0)
}

#[test]
fn what_was_said_is_in_the_tool() {
    let tool = only(crate::tools![full]);
    assert_eq!(tool.server(), Some("stock"));
    let Limits { timeout, concurrency, max_result_chars, always_load } = tool.limits();
    assert_eq!(timeout, Some(Duration::from_millis(1500)));
    assert_eq!((concurrency, max_result_chars, always_load), (Some(2), Some(200_000), Some(false)));
    assert_eq!(tool.examples(), [json!({"a": 1}), json!({"a": 2, "b": [true]})]);
    assert_eq!(
        Value::Object(tool.wire_meta()),
        json!({
            "owner": "team a", "vendor/level": 3, "nested": {"list": [1, null, 5]}, "none": null,
            "anthropic/maxResultSizeChars": 200_000, "anthropic/alwaysLoad": false,
        })
    );
}

#[test]
fn what_was_not_said_is_not_there() {
    let tool = only(crate::tools![add]);
    let Limits { timeout, concurrency, max_result_chars, always_load } = tool.limits();
    assert_eq!((timeout, concurrency, max_result_chars, always_load), (None, None, None, None));
    assert!(tool.server().is_none() && tool.examples().is_empty() && tool.wire_meta().is_empty());
}
