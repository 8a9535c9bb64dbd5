//! Parameters with attributes of serde and schemars, and `Args`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::*;
use crate::Args;

/// Calls a tool, and compares the text of its answer.
async fn check(tool: &Tool, arguments: Value, want: &str) {
    assert_eq!(call(tool, &arguments.to_string()).await.text(), want, "for {arguments}");
}

fn shout<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(String::deserialize(deserializer)?.to_uppercase())
}

fn thirty() -> u32 {
    30
}

/// Uses all of it.
#[byre::tool(register = false)]
async fn all(
    plain: u8,
    /// The customer.
    #[serde(rename = "customerId", alias = "customer")]
    #[schemars(range(min = 1, max = 9), example = 7)]
    customer: u64,
    #[serde(deserialize_with = "shout")] word: String,
    #[serde(default = "thirty")] days: u32,
    #[serde(default)] tags: Vec<String>,
    #[schemars(length(min = 2), pattern(r"^\w+$"), description = "Its own words")]
    /// Not these words.
    #[arg(default = "none")]
    name: String,
    #[serde(skip)] hidden: u8,
    #[cfg_attr(all(), serde(rename = "maybe"))] option: Option<i64>,
) -> String {
    format!("{plain} {customer} {word} {days} {tags:?} {name} {hidden} {option:?}")
}

#[test]
fn attributes_of_fields_are_in_the_schema() {
    assert_eq!(
        only(crate::tools![all]).input_schema(),
        json!({
            "type": "object",
            "properties": {
                "plain": {"type": "integer", "minimum": 0, "maximum": 255},
                "customerId": {
                    "type": "integer", "minimum": 1, "maximum": 9, "examples": [7],
                    "description": "The customer.",
                },
                "word": {"type": "string"},
                "days": {"type": "integer", "minimum": 0, "default": 30},
                "tags": {"type": "array", "items": {"type": "string"}, "default": []},
                "name": {
                    "type": "string", "minLength": 2, "pattern": r"^\w+$", "default": "none",
                    "description": "Its own words",
                },
                "maybe": {"type": "integer"},
            },
            "required": ["plain", "customerId", "word"],
            "additionalProperties": false,
        })
    );
}

#[tokio::test]
async fn attributes_of_fields_are_followed() {
    let tool = only(crate::tools![all]);
    check(
        &tool,
        json!({"plain": 1, "customerId": 2, "word": "x"}),
        "1 2 X 30 [] none 0 None",
    )
    .await;
    check(
        &tool,
        json!({
            "plain": 1, "customer": 2, "word": "x", "days": null, "tags": ["t"], "name": "n_n", "maybe": 3,
        }),
        r#"1 2 X 30 ["t"] n_n 0 Some(3)"#,
    )
    .await;
    check(
        &tool,
        json!({"plain": 1, "customrId": 2, "word": "x", "option": 1}),
        "the arguments of `all` do not fit:\n\
         - `customerId`: missing\n\
         - `customrId`: unknown; did you mean `customerId`?\n\
         - `option`: unknown; the parameters are `plain`, `customer`, `customerId`, `word`, `days`, `tags`, \
         `name`, `maybe`",
    )
    .await;
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Page {
    /// Where it begins.
    #[serde(default)]
    start: u64,
    length: Option<u8>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Query {
    /// What to look for.
    words_to_find: String,
    #[serde(default, alias = "tag")]
    tags: Vec<String>,
}

#[tokio::test]
async fn the_fields_of_a_struct_are_the_parameters() {
    /// Searches.
    #[byre::tool(register = false)]
    async fn search(Args(query): Args<Query>, page: Args<Page>, deep: bool) -> String {
        format!("{} {:?} {} {:?} {deep}", query.words_to_find, query.tags, page.start, page.length)
    }

    let tool = only(crate::tools![search]);
    assert_eq!(
        tool.definition(),
        concat!(
            r#"{"name":"search","description":"Searches.","inputSchema":{"type":"object","properties":{"#,
            r#""wordsToFind":{"description":"What to look for.","type":"string"},"#,
            r#""tags":{"default":[],"items":{"type":"string"},"type":"array"},"#,
            r#""start":{"default":0,"description":"Where it begins.","minimum":0,"type":"integer"},"#,
            r#""length":{"maximum":255,"minimum":0,"type":"integer"},"deep":{"type":"boolean"}},"#,
            r#""required":["wordsToFind","deep"],"additionalProperties":false}}"#,
        )
    );
    check(
        &tool,
        json!({"wordsToFind": "w", "tag": ["t"], "length": null, "deep": true}),
        r#"w ["t"] 0 None true"#,
    )
    .await;
    check(
        &tool,
        json!({"wordsToFind": 1, "begin": 2, "deep": true, "lenth": 2}),
        "the arguments of `search` do not fit:\n\
         - `wordsToFind`: expected a string, got the number 1\n\
         - `begin`: unknown; the parameters are `wordsToFind`, `tag`, `tags`, `start`, `length`, `deep`\n\
         - `lenth`: unknown; did you mean `length`?",
    )
    .await;
}

/// An enum whose tag stands beside the fields.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

#[tokio::test]
async fn what_is_flattened_stands_beside_the_rest() {
    /// Draws.
    #[byre::tool(register = false)]
    async fn draw(
        #[serde(flatten)] shape: Shape,
        #[serde(flatten)] page: Option<Page>,
        color: String,
        #[serde(flatten)] more: BTreeMap<String, i64>,
    ) -> String {
        format!("{shape:?} {page:?} {color} {more:?}")
    }

    let tool = only(crate::tools![draw]);
    let schema = tool.input_schema();
    assert_eq!(schema["properties"]["kind"], json!({"type": "string", "enum": ["circle", "square"]}));
    assert_eq!(schema["properties"]["radius"]["type"], "number");
    assert_eq!(schema["required"], json!(["kind", "color"]));
    assert_eq!(schema["additionalProperties"], json!({"type": "integer"}));
    check(
        &tool,
        json!({"kind": "circle", "radius": 1, "color": "red", "x": 3}),
        r#"Circle { radius: 1.0 } Some(Page { start: 0, length: None }) red {"x": 3}"#,
    )
    .await;
}

#[tokio::test]
async fn an_enum_of_structs_can_be_all_the_parameters() {
    /// Draws.
    #[byre::tool(register = false)]
    async fn draw(Args(shape): Args<Shape>) -> Json<Shape> {
        Json(shape)
    }

    let tool = only(crate::tools![draw]);
    assert_eq!(tool.input_schema()["type"], "object");
    assert_eq!(tool.input_schema()["required"], json!(["kind"]));
    assert!(tool.faults().is_empty(), "{:?}", tool.faults());
    check(&tool, json!({"kind": "square", "side": 2}), r#"{"kind":"square","side":2.0}"#).await;
    let missing = call(&tool, r#"{"kind": "square"}"#).await;
    assert!(missing.is_error && missing.text().contains("side"), "{}", missing.text());
    let unknown = call(&tool, r#"{"kind": "square", "side": 1, "sides": 2}"#).await;
    assert!(unknown.is_error && unknown.text().contains("did you mean `side`?"), "{}", unknown.text());
}

#[test]
fn what_does_not_go_together_is_a_fault() {
    /// Clashes.
    #[byre::tool(register = false)]
    async fn clash(Args(_page): Args<Page>, start: u8, #[serde(rename = "start")] begin: u8) -> u8 {
        start + begin
    }
    /// Takes too much.
    #[byre::tool(register = false)]
    async fn greedy(#[serde(flatten)] all: BTreeMap<String, i64>, one: u8) -> usize {
        all.len() + usize::from(one)
    }
    /// Takes no struct.
    #[byre::tool(register = false)]
    async fn number(Args(number): Args<u8>) -> u8 {
        number
    }

    let clash = "has two parameters called `start`";
    assert_eq!(only(crate::tools![clash]).faults(), [clash, clash]);
    assert_eq!(
        only(crate::tools![greedy]).faults(),
        ["has a parameter that takes all other arguments, and that is not the last one"]
    );
    assert_eq!(
        only(crate::tools![number]).faults(),
        ["takes its arguments as `u8`, which is no struct with named fields"]
    );
}

#[tokio::test]
async fn names_are_written_in_the_case_that_is_asked_for() {
    /// Counts.
    #[byre::tool(register = false, rename_all = "camelCase")]
    async fn count(max_count: u8, #[serde(alias = "least")] min_count: u8, r#type: Option<u8>) -> u8 {
        max_count - min_count + r#type.unwrap_or(0)
    }

    let tool = only(crate::tools![count]);
    assert_eq!(tool.input_schema()["required"], json!(["maxCount", "minCount"]));
    check(&tool, json!({"maxCount": 5, "minCount": 2, "type": 1}), "4").await;
    check(&tool, json!({"maxCount": 5, "least": 2}), "3").await;
}

#[tokio::test]
async fn what_the_schema_says_holds_under_another_name_too() {
    /// Finds the orders of a customer.
    #[byre::tool(register = false)]
    async fn find(
        #[serde(alias = "customer_id")]
        #[schemars(range(min = 1))]
        customer: u64,
    ) -> u64 {
        customer
    }

    let tool = only(crate::tools![find]);
    assert_eq!(call(&tool, r#"{"customer_id": 7}"#).await.text(), "7");
    let result = call(&tool, r#"{"customer_id": 0}"#).await;
    assert!(result.is_error && result.text().contains("`customer`"), "{}", result.text());
    let result = call(&tool, r#"{"customer_id": 7, "customer": 8}"#).await;
    assert!(result.is_error, "{}", result.text());
}
