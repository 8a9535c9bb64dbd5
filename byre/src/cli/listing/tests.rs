use std::collections::HashMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{json, kind, schema, table};
use crate::{Json, McpServer, tool::Tool};

#[derive(Deserialize, Serialize, JsonSchema)]
struct Point {
    x: i64,
}

/// Adds two integers.
///
/// This paragraph is not shown.
#[byre::tool(register = false)]
async fn add(b: i64, #[arg(default = 7)] a: i64, note: Option<String>) -> Json<Point> {
    Json(Point { x: a + b + i64::from(note.is_some()) })
}

/// Takes what there is, under a description that is far too long for one line of a table, as some are.
#[byre::tool(register = false)]
async fn take(points: Vec<Point>, by_name: HashMap<String, u8>, anything: Value) {
    drop((points, by_name, anything));
}

/// Does nothing.
#[byre::tool(register = false)]
async fn rest() {}

fn server(name: &str, tools: Vec<Tool>) -> McpServer {
    McpServer::new(name).tools(tools)
}

#[test]
fn the_table_shows_names_descriptions_and_parameters_in_the_order_of_the_source() {
    let report = table(&[server("byre", byre::tools![add, rest, take])]);
    assert_eq!(
        report.out(),
        "\
NAME  DESCRIPTION                                                   PARAMETERS
add   Adds two integers.                                            b: integer, a: integer = 7, note?: string
rest  Does nothing.
take  Takes what there is, under a description that is far too lo…  points: array of object, by_name: object, anything: any"
    );
    assert_eq!((report.err().as_str(), report.code), ("", 0));
}

#[test]
fn no_tools_are_no_table() {
    assert_eq!(table(&[server("byre", vec![])]), table(&[]));
    let report = table(&[]);
    assert_eq!(report.out(), "");
    assert!(report.err().contains("`use that_crate as _;`"), "{}", report.err());
    assert_eq!(json(&[]).out(), "[]");
}

#[test]
fn the_list_is_what_the_cli_is_told() {
    let tools = byre::tools![add, rest];
    let (add, rest) = (tools[0].definition(), tools[1].definition());
    let both = server("byre", tools);
    let servers = [both, server("stock", byre::tools![rest])];
    assert_eq!(json(&servers[..1]).out(), format!("[{add},{rest}]"));
    assert_eq!(json(&servers).out(), format!("[{add},{rest}]\n[{rest}]"));
}

#[test]
fn servers_are_named_where_there_are_several() {
    let servers = [server("byre", byre::tools![add]), server("stock", byre::tools![rest])];
    assert_eq!(
        table(&servers).out(),
        "\
SERVER  NAME  DESCRIPTION         PARAMETERS
byre    add   Adds two integers.  b: integer, a: integer = 7, note?: string
stock   rest  Does nothing."
    );
}

#[test]
fn schemas_are_documents_of_their_own_and_headed_only_where_there_are_two() {
    let report = schema(&byre::tools![rest][0]);
    assert_eq!(report.err(), "");
    let input: Value = serde_json::from_str(&report.out()).unwrap();
    assert_eq!(input, byre::tools![rest][0].input_schema());

    let add = &byre::tools![add][0];
    let report = schema(add);
    assert_eq!(report.err(), "arguments:\nresult:");
    let out = report.out();
    let documents = serde_json::Deserializer::from_str(&out).into_iter::<Value>();
    let documents = documents.collect::<Result<Vec<_>, _>>().unwrap();
    assert_eq!(documents, [add.input_schema(), add.output_schema().unwrap()]);
    assert!(out.find("\"b\"").unwrap() < out.find("\"a\"").unwrap(), "{out}");
}

#[test]
fn kinds_of_values_are_told_in_a_few_words() {
    let check = |schema: Value, shown: &str| assert_eq!(kind(&schema), shown, "{schema}");
    check(json!({"type": "integer", "minimum": 0}), "integer");
    check(json!({"type": ["string", "null"]}), "string");
    check(json!({"type": "null"}), "null");
    check(json!({"enum": ["a", "b"]}), r#""a"|"b""#);
    check(json!({"enum": [1, 2, 3, 4, 5, 6, 7]}), "1|2|3|4|5|6|…");
    check(json!({"const": "a"}), r#""a""#);
    check(json!({"$ref": "#/$defs/Point"}), "Point");
    check(json!({"anyOf": [{"$ref": "#/$defs/Point"}, {"type": "null"}]}), "Point");
    check(
        json!({"oneOf": [{"const": "a"}, {"type": "array", "items": {"type": "number"}}]}),
        r#""a"|array of number"#,
    );
    check(json!({"type": "array"}), "array");
    check(json!(true), "any");
}
