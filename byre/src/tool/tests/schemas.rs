//! The schemas of parameters of all kinds.

#![allow(dead_code)] // of these types only the schemas are looked at

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    path::PathBuf,
    time::Duration,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::*;

/// Declares tools with one parameter `p`, and returns them with a value that fits each.
macro_rules! zoo {
    ($($name:ident: $ty:ty = $example:tt;)*) => {
        vec![$({
            /// Takes one.
            #[byre::tool(register = false)]
            async fn $name(p: $ty) {
                let _ = p;
            }

            (only(crate::tools![$name]), json!($example))
        },)*]
    };
}

#[derive(Deserialize, JsonSchema)]
struct Point {
    /// Left to right.
    x: f32,
    y: Option<f32>,
}

#[derive(Deserialize, JsonSchema)]
enum Unit {
    A,
    B,
}

/// A colour.
#[derive(Deserialize, JsonSchema)]
enum External {
    /// None.
    Clear,
    Grey(u8),
    Rgb {
        red: u8,
    },
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Internal {
    Circle { radius: f64 },
    Square { side: f64 },
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Number(i64),
    Word(String),
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Number(i64),
    Word(String),
}

#[derive(Deserialize, JsonSchema)]
struct Tree {
    value: i32,
    children: Vec<Tree>,
}

#[derive(Deserialize, JsonSchema)]
struct Newtype(u64);

type Alias = Option<Point>;

fn zoo() -> Vec<(Tool, Value)> {
    zoo! {
        int8: i8 = (-1);
        int16: i16 = 1;
        int32: i32 = 1;
        int64: i64 = 1;
        int128: i128 = 1;
        int_size: isize = 1;
        uint8: u8 = 1;
        uint16: u16 = 1;
        uint32: u32 = 1;
        uint64: u64 = 1;
        uint128: u128 = 1;
        uint_size: usize = 1;
        float: f32 = 0.5;
        double: f64 = 0.5;
        boolean: bool = true;
        character: char = "x";
        string: String = "x";
        list: Vec<String> = ["x"];
        array: [u8; 2] = [1, 2];
        tuple: (i32, String) = [1, "x"];
        hash_map: HashMap<String, i32> = {"a": 1};
        tree_map: BTreeMap<String, Point> = {"a": {"x": 1, "y": null}};
        set: HashSet<String> = ["a", "b"];
        nested: Point = {"x": 1.5};
        unit: Unit = "A";
        external: External = {"Rgb": {"red": 1}};
        internal: Internal = {"kind": "Circle", "radius": 1};
        adjacent: Adjacent = {"t": "Word", "c": "x"};
        untagged: Untagged = "x";
        optional: Option<i32> = 1;
        optional_enum: Option<Unit> = "B";
        optional_external: Option<External> = "Clear";
        optional_alias: Alias = {"x": 1};
        optional_value: Option<Value> = {"a": 1};
        optional_tree: Option<Tree> = {"value": 1, "children": []};
        optional_list: Option<Vec<Option<u8>>> = [1, null];
        recursive: Tree = {"value": 1, "children": [{"value": 2, "children": []}]};
        any: Value = [1];
        path: PathBuf = "/tmp";
        duration: Duration = {"secs": 1, "nanos": 0};
        newtype: Newtype = 1;
        boxed: Box<Point> = {"x": 1};
    }
}

/// Calls `check` with each schema that is nested in `schema`, itself included.
fn walk(schema: &Value, check: &mut dyn FnMut(&Map<String, Value>)) {
    match schema {
        Value::Object(map) => {
            check(map);
            map.values().for_each(|value| walk(value, check));
        }
        Value::Array(values) => values.iter().for_each(|value| walk(value, check)),
        _ => (),
    }
}

#[tokio::test]
async fn every_schema_is_valid_and_fits_what_the_tool_takes() {
    for (tool, example) in zoo() {
        let schema = tool.input_schema();
        assert!(jsonschema::draft202012::meta::is_valid(&schema), "{tool:?}: {schema}");
        assert_eq!(schema["type"], "object", "{tool:?}");
        assert_eq!(schema["additionalProperties"], false, "{tool:?}");
        walk(&schema, &mut |schema| {
            for key in ["$schema", "title", "format"] {
                assert!(!schema.contains_key(key), "{tool:?} has {key}: {schema:?}");
            }
        });
        let arguments = json!({"p": example});
        assert!(jsonschema::draft202012::is_valid(&schema, &arguments), "{tool:?}: {schema}");
        let result = call(&tool, &arguments.to_string()).await;
        assert!(!result.is_error, "{tool:?}: {}", result.text());
    }
}

#[tokio::test]
async fn what_the_schema_lets_out_the_tool_does_without() {
    for (tool, _) in zoo() {
        let schema = tool.input_schema();
        let optional = schema["required"] == json!([]);
        assert_eq!(optional, tool.name().starts_with("optional"), "{tool:?}: {schema}");
        let result = call(&tool, "{}").await;
        assert_eq!(result.is_error, !optional, "{tool:?}: {}", result.text());
        if optional {
            let property = &schema["properties"]["p"];
            assert_ne!(property["type"][1], "null", "{tool:?}: {schema}");
            let nulls = json!([{"type": "null"}]);
            assert_ne!(property["anyOf"][1], nulls[0], "{tool:?}: {schema}");
        }
    }
}

/// Compares the schema of the parameter `p` of the tool `name` of the zoo with `want`.
#[expect(clippy::needless_pass_by_value, reason = "`json!` makes values")]
fn check(name: &str, want: Value) {
    let (tool, _) = zoo().into_iter().find(|(tool, _)| tool.name() == name).unwrap();
    assert_eq!(tool.input_schema()["properties"]["p"], want, "for {name}");
}

#[test]
fn schemas_are_what_they_should_be() {
    check("int64", json!({"type": "integer"}));
    check("uint64", json!({"type": "integer", "minimum": 0}));
    check("uint8", json!({"type": "integer", "minimum": 0, "maximum": 255}));
    check("double", json!({"type": "number"}));
    check("path", json!({"type": "string"}));
    check("any", json!(true));
    check("optional", json!({"type": "integer"}));
    check("optional_value", json!(true));
    check("unit", json!({"type": "string", "enum": ["A", "B"]}));
    check("optional_enum", json!({"type": "string", "enum": ["A", "B"]}));
    check(
        "optional_alias",
        json!({
            "type": "object",
            "properties": {
                "x": {"type": "number", "description": "Left to right."},
                "y": {"type": ["number", "null"]},
            },
            "required": ["x"],
        }),
    );
    check(
        "optional_list",
        json!({
            "type": "array",
            "items": {"type": ["integer", "null"], "minimum": 0, "maximum": 255},
        }),
    );
    check(
        "optional_external",
        json!({
            "description": "A colour.",
            "oneOf": [
                {"type": "string", "const": "Clear", "description": "None."},
                {
                    "type": "object",
                    "properties": {"Grey": {"type": "integer", "minimum": 0, "maximum": 255}},
                    "required": ["Grey"],
                    "additionalProperties": false,
                },
                {
                    "type": "object",
                    "properties": {
                        "Rgb": {
                            "type": "object",
                            "properties": {
                                "red": {"type": "integer", "minimum": 0, "maximum": 255},
                            },
                            "required": ["red"],
                        },
                    },
                    "required": ["Rgb"],
                    "additionalProperties": false,
                },
            ],
        }),
    );
}

#[test]
fn only_recursive_types_have_definitions() {
    for (tool, _) in zoo() {
        let schema = tool.input_schema();
        let recursive = matches!(tool.name(), "recursive" | "optional_tree");
        assert_eq!(schema.get("$defs").is_some(), recursive, "{tool:?}: {schema}");
    }
}

#[test]
fn the_comment_on_a_parameter_wins_over_that_on_its_type() {
    /// Paints.
    #[byre::tool(register = false)]
    async fn paint(
        /// The colour
        /// to paint with.
        with: External,
        over: External,
        /// Anything.
        any: Value,
    ) {
        let _ = (with, over, any);
    }

    let properties = &only(crate::tools![paint]).input_schema()["properties"];
    assert_eq!(properties["with"]["description"], "The colour to paint with.");
    assert_eq!(properties["over"]["description"], "A colour.");
    assert_eq!(properties["any"], json!({"description": "Anything."}));
}

#[test]
fn a_title_that_the_user_gives_stays_and_so_do_real_formats() {
    #[derive(Deserialize, JsonSchema)]
    #[schemars(title = "When")]
    struct When {
        #[schemars(extend("format" = "date-time"))]
        at: String,
        #[schemars(extend("format" = "uint8"))]
        format: String,
    }

    /// Waits.
    #[byre::tool(register = false)]
    async fn wait(until: When) {
        let _ = until;
    }

    let until = &only(crate::tools![wait]).input_schema()["properties"]["until"];
    assert_eq!(until["title"], "When");
    assert_eq!(until["properties"]["at"]["format"], "date-time");
    assert_eq!(until["properties"]["format"], json!({"type": "string"}));
}

#[test]
fn a_default_is_in_the_schema() {
    #[derive(Default, Deserialize, Serialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Order {
        #[default]
        Newest,
        Oldest,
    }

    /// Searches.
    #[byre::tool(register = false)]
    async fn search(
        #[arg(default)] order: Order,
        #[arg(default = 10)] limit: u32,
        #[arg(default)] tag: Option<String>,
    ) {
        let _ = (matches!(order, Order::Oldest), limit, tag);
    }

    let schema = only(crate::tools![search]).input_schema();
    assert_eq!(
        schema["properties"]["order"],
        json!({"type": "string", "enum": ["newest", "oldest"], "default": "newest"})
    );
    assert_eq!(schema["properties"]["limit"]["default"], 10);
    assert_eq!(schema["properties"]["tag"], json!({"type": "string"}));
    assert_eq!(schema["required"], json!([]));
}
