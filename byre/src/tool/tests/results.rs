//! What becomes of the values that functions return.

use std::{borrow::Cow, fmt};

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::*;

/// Compares the text of a result with `want`.
fn check_text(result: impl IntoToolResult, want: &str) {
    assert_eq!(result.into_tool_result(), CallToolResult::new([Content::text(want)]));
}

fn check_error<T: IntoToolResult>(result: T, want: &str) {
    assert_eq!(result.into_tool_result(), CallToolResult::error(want));
}

#[test]
fn plain_values_are_text() {
    check_text("a", "a");
    check_text("a".to_owned(), "a");
    check_text(Cow::Borrowed("a"), "a");
    check_text('a', "a");
    check_text(true, "true");
    check_text(-3i8, "-3");
    check_text(u128::MAX, "340282366920938463463374607431768211455");
    assert_eq!(().into_tool_result(), CallToolResult::new([]));
}

#[test]
fn floats_are_short() {
    check_text(0.1 + 0.2, "0.30000000000000004");
    check_text(5.0, "5");
    check_text(0.5f32, "0.5");
    check_text(1e300, "1e300");
    check_text(f64::NAN, "NaN");
    check_text(f32::NEG_INFINITY, "-inf");
}

#[test]
fn a_json_value_is_json_text() {
    check_text(json!({"b": 1, "a": [null]}), r#"{"a":[null],"b":1}"#);
    check_text(json!("a"), r#""a""#);
}

#[test]
fn content_is_passed_on() {
    let image = Content::image(b"x", "image/png");
    assert_eq!(image.clone().into_tool_result(), CallToolResult::new([image.clone()]));
    let both = vec![Content::text("a"), image];
    assert_eq!(both.clone().into_tool_result().content, both);
    check_error(CallToolResult::error("no"), "no");
}

#[test]
fn errors_are_for_the_model() {
    check_text(Ok::<_, String>(5), "5");
    check_error(Err::<(), _>("no such order"), "no such order");
    check_error(Err::<i32, _>(fmt::Error), &fmt::Error.to_string());
    check_error(Err::<(), _>(" "), "the tool failed and gave no reason");
}

#[derive(Serialize, JsonSchema)]
struct Sum {
    sum: i64,
    /// What stood for it before.
    previous: Option<i64>,
}

#[test]
fn data_is_sent_as_structure_and_as_the_same_text() {
    let result = Json(Sum { sum: 5, previous: None }).into_tool_result();
    assert_eq!(result.structured_content, Some(json!({"sum": 5, "previous": null})));
    assert_eq!(result.text(), result.structured_content.unwrap().to_string());
    assert_eq!(
        <Result<Json<Sum>, String>>::output_schema().unwrap(),
        json!({
            "type": "object",
            "properties": {
                "sum": {"type": "integer"},
                "previous": {"type": ["integer", "null"], "description": "What stood for it before."},
            },
            "required": ["sum", "previous"],
        })
    );
}

#[test]
fn data_that_is_no_object_is_wrapped() {
    let result = Json(vec![1, 2]).into_tool_result();
    assert_eq!(result.structured_content, Some(json!({"result": [1, 2]})));
    assert_eq!(result.text(), r#"{"result":[1,2]}"#);
    assert_eq!(
        Json::<Vec<u8>>::output_schema().unwrap(),
        json!({
            "type": "object",
            "properties": {
                "result": {
                    "type": "array",
                    "items": {"type": "integer", "minimum": 0, "maximum": 255},
                },
            },
            "required": ["result"],
        })
    );
    // What is an object only now and then is wrapped always, as its schema says.
    let result = Json(json!({"a": 1})).into_tool_result();
    assert_eq!(result.text(), r#"{"result":{"a":1}}"#);
}

#[test]
fn data_that_refers_to_itself_has_a_definition() {
    #[derive(Serialize, JsonSchema)]
    struct Tree {
        children: Vec<Tree>,
    }

    let schema = Json::<Vec<Tree>>::output_schema().unwrap();
    assert!(schema["$defs"]["Tree"].is_object(), "{schema}");
    assert!(jsonschema::draft202012::meta::is_valid(&schema));
    let tree = Tree { children: vec![Tree { children: vec![] }] };
    let result = Json(vec![tree]).into_tool_result();
    assert!(jsonschema::draft202012::is_valid(&schema, &result.structured_content.unwrap()));
}

#[test]
fn data_that_is_not_json_is_an_error() {
    #[derive(JsonSchema)]
    struct Odd;

    impl Serialize for Odd {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("odd"))
        }
    }

    check_error(Json(Odd), "the result can't be written as JSON: odd");
}
