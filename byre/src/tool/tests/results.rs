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

/// Declares tools that return values of all kinds, calls them, and compares text and structure.
macro_rules! check_returned {
    ($($name:ident: $ty:ty = $value:expr => $text:expr, $structure:expr;)*) => {
        $({
            /// Returns it.
            #[byre::tool(register = false)]
            async fn $name() -> $ty {
                $value
            }

            let tool = only(crate::tools![$name]);
            let result = call(&tool, "{}").await;
            let structure: Option<Value> = $structure;
            assert_eq!(result.text(), $text, "of {}", stringify!($name));
            assert_eq!(result.structured_content, structure, "of {}", stringify!($name));
            assert!(!result.is_error, "of {}", stringify!($name));
            let schema = tool.output_schema();
            assert_eq!(schema.is_some(), structure.is_some(), "of {}", stringify!($name));
            if let (Some(schema), Some(structure)) = (schema, structure) {
                assert_eq!(schema["type"], "object");
                assert!(jsonschema::draft202012::is_valid(&schema, &structure), "{schema}");
            }
        })*
    };
}

#[tokio::test]
async fn data_may_be_returned_as_it_is() {
    type Answer = Result<Sum, ToolError>;

    /// Both data and something of its own; the latter wins.
    #[derive(Serialize, JsonSchema)]
    struct Both;

    impl IntoToolResult for Both {
        fn into_tool_result(self) -> CallToolResult {
            text("of its own")
        }
    }

    fn text(text: &str) -> CallToolResult {
        CallToolResult::new([Content::text(text)])
    }

    fn sum() -> Sum {
        Sum { sum: 5, previous: None }
    }

    let sum_json = || Some(json!({"sum": 5, "previous": null}));
    let sum_text = r#"{"previous":null,"sum":5}"#;

    check_returned! {
        plain: Sum = sum() => sum_text, sum_json();
        wrapped: Json<Sum> = Json(sum()) => sum_text, sum_json();
        boxed: Box<Sum> = Box::new(sum()) => sum_text, sum_json();
        in_result: Result<Sum, String> = Ok(sum()) => sum_text, sum_json();
        json_in_result: Result<Json<Sum>, String> = Ok(Json(sum())) => sum_text, sum_json();
        in_alias: Answer = Ok(sum()) => sum_text, sum_json();
        list: Vec<u8> = vec![1] => r#"{"result":[1]}"#, Some(json!({"result": [1]}));
        option: Option<Sum> = None => r#"{"result":null}"#, Some(json!({"result": null}));
        tuple: (u8, String) = (1, "a".into()) => r#"{"result":[1,"a"]}"#, Some(json!({"result": [1, "a"]}));
        map: BTreeMap<String, u8> = [("a".into(), 1)].into() => r#"{"a":1}"#, Some(json!({"a": 1}));
        // These are data as well, and stay text.
        word: String = "a".into() => "a", None;
        word_in_result: Result<String, String> = Ok("a".into()) => "a", None;
        number: Result<u8, fmt::Error> = Ok(1) => "1", None;
        truth: bool = true => "true", None;
        nothing: Result<(), String> = Ok(()) => "", None;
        value: Value = json!([1]) => "[1]", None;
        content: Result<Content, ToolError> = Ok(Content::text("a")) => "a", None;
        contents: Vec<Content> = vec![Content::text("a")] => "a", None;
        result: CallToolResult = text("a") => "a", None;
        both: Both = Both => "of its own", None;
    }
}
