//! Every kind of type that a parameter may have: its schema, what a tool takes for it, and what it refuses in
//! which words.
//!
//! Shared by the tests of `byre::tool`, which hold the code to this table, and by a live test, which sees that
//! the real CLI offers all of it to the model.

#![allow(clippy::option_option, clippy::too_many_lines, reason = "it is a table of odd types")]

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap},
    net::IpAddr,
    num::{NonZeroI32, NonZeroU8},
    path::PathBuf,
    time::Duration,
};

use byre::tool::Tool;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// One type, as the parameter `p` of a tool that returns how `Debug` shows it.
pub(crate) struct Case {
    pub(crate) tool: Tool,
    /// Of `p`, or of the whole where there are definitions.
    #[allow(dead_code, reason = "the live test compares with the tool's own")]
    pub(crate) schema: Value,
    /// Values that fit, and how they show.
    pub(crate) takes: Vec<(Value, &'static str)>,
    /// Values that do not fit, and what is said of them.
    pub(crate) refuses: Vec<(Value, &'static str)>,
}

macro_rules! cases {
    ($($name:ident: $ty:ty = $schema:tt
        takes $($yes:tt => $shown:literal),+;
        refuses [$($no:tt => $words:literal),*];)*) => {
        vec![$({
            /// Takes one.
            #[byre::tool(register = false)]
            async fn $name(p: $ty) -> String {
                format!("{p:?}")
            }

            let mut tools = byre::tools![$name];
            Case {
                tool: tools.remove(0),
                schema: json!($schema),
                takes: vec![$((json!($yes), $shown)),+],
                refuses: vec![$((json!($no), $words)),*],
            }
        }),*]
    };
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Size {
    Small,
    Large,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "shown by `Debug` only")]
enum Colour {
    /// None.
    Clear,
    Grey(u8),
    Rgb {
        red: u8,
    },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[expect(dead_code, reason = "shown by `Debug` only")]
enum Shape {
    Circle { radius: f64 },
    Point,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
#[expect(dead_code, reason = "shown by `Debug` only")]
enum Adjacent {
    Number(i64),
    Words(Vec<String>),
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "shown by `Debug` only")]
enum Untagged {
    Number(i64),
    Flag { flag: bool },
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "shown by `Debug` only")]
struct Tree {
    value: i32,
    #[serde(default)]
    children: Vec<Tree>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "shown by `Debug` only")]
struct Item {
    #[schemars(length(min = 1, max = 5))]
    name: String,
    #[schemars(range(min = 0))] // JavaScript makes this of 0.0 anyway
    price: f64,
    size: Option<Size>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[expect(dead_code, reason = "shown by `Debug` only")]
struct Nested {
    maybe: Option<Option<i64>>,
    big: Option<u128>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Code(
    #[schemars(regex(pattern = r"^[A-Z]{2}\d$"))]
    #[expect(dead_code, reason = "shown")]
    String,
);

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = numbers();
    cases.extend(texts());
    cases.extend(collections());
    cases.extend(enums());
    cases.extend(structs());
    cases
}

fn numbers() -> Vec<Case> {
    cases! {
        int8: i8 = {"type": "integer", "minimum": -128, "maximum": 127}
            takes (-3) => "-3", "5" => "5", 5.0 => "5";
            refuses [200 => "`p`: expected an integer from -128 to 127, got the number 200",
                "x" => "`p`: expected an integer, got the string \"x\"",
                2.5 => "`p`: expected an integer, got the number 2.5"];
        int32: i32 = {"type": "integer"}
            takes 7 => "7";
            refuses [3_000_000_000_u32 =>
                "`p`: expected an integer from -2147483648 to 2147483647, got the number 3000000000"];
        int64: i64 = {"type": "integer"}
            takes 9_007_199_254_740_991_i64 => "9007199254740991",
                "9007199254740993" => "9007199254740993",
                "-9223372036854775808" => "-9223372036854775808";
            refuses [9_007_199_254_740_992_i64 => "`p`: the number 9007199254740992 is too large to come \
                through exactly (beyond ±9007199254740991); send it as a string of digits",
                (-9_007_199_254_740_993_i64) => "`p`: the number -9007199254740993 is too large to come \
                through exactly (beyond ±9007199254740991); send it as a string of digits",
                "12345678901234567890123" =>
                    "`p`: expected an integer, got the string \"12345678901234567890123\"",
                "007" => "`p`: expected an integer, got the string \"007\""];
        uint64: u64 = {"type": "integer", "minimum": 0}
            takes 1 => "1", "18446744073709551615" => "18446744073709551615";
            refuses [(-1) => "`p`: expected an integer that is not negative, got the number -1",
                12_345_678_901_234_567_890_u64 => "`p`: the number 12345678901234567890 is too large to come \
                through exactly (beyond ±9007199254740991); send it as a string of digits"];
        uint_size: usize = {"type": "integer", "minimum": 0}
            takes 1 => "1";
            refuses ["1.5" => "`p`: expected an integer, got the string \"1.5\""];
        int128: i128 = {
                "type": ["integer", "string"],
                "pattern": "^-?[0-9]+$",
                "description": "An integer; one beyond 9007199254740991 has to be a string of digits.",
            }
            takes (-5) => "-5", "5" => "5",
                "-170141183460469231731687303715884105728" => "-170141183460469231731687303715884105728";
            refuses ["five" => "`p`: expected a string that matches `^-?[0-9]+$`, got the string \"five\"",
                1e20 => "`p`: the number 1e+20 is too large to come through exactly (beyond \
                ±9007199254740991); send it as a string of digits",
                "170141183460469231731687303715884105728" => "`p`: expected an integer from \
                -170141183460469231731687303715884105728 to 170141183460469231731687303715884105727, got the \
                string \"170141183460469231731687303715884105728\"",
                true => "`p`: expected a string or an integer, got true"];
        uint128: u128 = {
                "type": ["integer", "string"],
                "minimum": 0,
                "pattern": "^[0-9]+$",
                "description": "An integer; one beyond 9007199254740991 has to be a string of digits.",
            }
            takes 5 => "5",
                "340282366920938463463374607431768211455" => "340282366920938463463374607431768211455";
            refuses [(-1) => "`p`: expected an integer that is not negative, got the number -1",
                "-1" => "`p`: expected a string that matches `^[0-9]+$`, got the string \"-1\""];
        big_list: Vec<i128> = {
                "type": "array",
                "items": {
                    "type": ["integer", "string"],
                    "pattern": "^-?[0-9]+$",
                    "description": "An integer; one beyond 9007199254740991 has to be a string of digits.",
                },
            }
            takes [1, "36893488147419103232"] => "[1, 36893488147419103232]";
            refuses [["x"] => "`p[0]`: expected a string that matches `^-?[0-9]+$`, got the string \"x\""];
        non_zero: NonZeroI32 = {"type": "integer", "not": {"const": 0}}
            takes (-1) => "-1";
            refuses [0 => "`p`: expected an integer other than 0, got the number 0"];
        non_zero_small: NonZeroU8 = {"type": "integer", "minimum": 1, "maximum": 255}
            takes 255 => "255";
            refuses [0 => "`p`: expected an integer from 1 to 255, got the number 0"];
        double: f64 = {"type": "number"}
            takes 0.5 => "0.5", "0.5" => "0.5", 1e300 => "1e300", "-2e3" => "-2000.0";
            refuses ["NaN" => "`p`: expected a number, got the string \"NaN\""];
        boolean: bool = {"type": "boolean"}
            takes true => "true", "false" => "false", "True" => "true";
            refuses ["yes" => "`p`: expected true or false, got the string \"yes\"",
                1 => "`p`: expected true or false, got the number 1"];
    }
}

fn texts() -> Vec<Case> {
    cases! {
        string: String = {"type": "string"}
            takes "x" => "\"x\"", "5" => "\"5\"", "[1]" => "\"[1]\"";
            refuses [5 => "`p`: expected a string, got the number 5"];
        character: char = {"type": "string", "minLength": 1, "maxLength": 1}
            takes "é" => "'é'";
            refuses ["ab" => "`p`: expected a string of 1 character, got 2"];
        cow: Cow<'static, str> = {"type": "string"}
            takes "x" => "\"x\"";
            refuses [null => "`p`: expected a string, got null"];
        boxed: Box<str> = {"type": "string"}
            takes "x" => "\"x\"";
            refuses [[] => "`p`: expected a string, got a list"];
        path: PathBuf = {"type": "string"}
            takes "/tmp" => "\"/tmp\"";
            refuses [1 => "`p`: expected a string, got the number 1"];
        pattern: Code = {"type": "string", "pattern": r"^[A-Z]{2}\d$"}
            takes "AB1" => "Code(\"AB1\")";
            refuses ["AB١" =>
                "`p`: expected a string that matches `^[A-Z]{2}\\d$`, got the string \"AB١\""];
        address: IpAddr = {"type": "string"}
            takes "::1" => "::1";
            refuses ["1.2.3" => "`p`: invalid IP address syntax"];
        instant: chrono::DateTime<chrono::Utc> = {"type": "string", "format": "date-time"}
            takes "2026-11-30T08:15:00+01:00" => "2026-11-30T07:15:00Z";
            refuses ["2026-11-30" => "`p`: expected a date and time like `2026-11-30T08:15:00Z`, got the \
                string \"2026-11-30\""];
        date: chrono::NaiveDate = {"type": "string", "format": "date"}
            takes "2024-02-29" => "2024-02-29";
            refuses ["2023-02-29" =>
                "`p`: expected a date like `2026-11-30`, got the string \"2023-02-29\""];
        local: chrono::NaiveDateTime = {
                "type": "string",
                "description": "Without a time zone, like 2026-11-30T08:15:00.",
            }
            takes "2026-11-30T08:15:00" => "2026-11-30T08:15:00";
            refuses ["noon" => "`p`: input contains invalid characters"];
        uuid_v4: uuid::Uuid = {"type": "string", "format": "uuid"}
            takes "67e55044-10b1-426f-9247-bb680e5fe0c8" => "67e55044-10b1-426f-9247-bb680e5fe0c8";
            refuses ["67e55044" => "`p`: expected a UUID like `67e55044-10b1-426f-9247-bb680e5fe0c8`, got the \
                string \"67e55044\""];
        link: url::Url = {"type": "string", "format": "uri"}
            takes "https://example.com/a" => "Url { scheme: \"https\", cannot_be_a_base: false, username: \
                \"\", password: None, host: Some(Domain(\"example.com\")), port: None, path: \"/a\", query: \
                None, fragment: None }";
            refuses ["example.com" =>
                "`p`: expected a URI like `https://example.com/`, got the string \"example.com\""];
        blob: bytes::Bytes = {
                "type": ["array", "string"],
                "items": {"type": "integer", "minimum": 0, "maximum": 255},
            }
            takes [104, 105] => "b\"hi\"", "hi" => "b\"hi\"";
            refuses [[256] => "`p[0]`: expected an integer from 0 to 255, got the number 256",
                1 => "`p`: expected a string or a list, got the number 1"];
    }
}

fn collections() -> Vec<Case> {
    cases! {
        list: Vec<i64> = {"type": "array", "items": {"type": "integer"}}
            takes [1, 2] => "[1, 2]", "[1, 2]" => "[1, 2]", ["1", 2.0] => "[1, 2]";
            refuses [["a", 1, null] => "`p[0]`: expected an integer, got the string \"a\"\n\
                - `p[2]`: expected an integer, got null",
                "[1, 2" => "`p`: expected a list, got the string \"[1, 2\"",
                "{\"a\": 1}" => "`p`: expected a list, got the string \"{\\\"a\\\": 1}\""];
        set: BTreeSet<String> = {"type": "array", "uniqueItems": true, "items": {"type": "string"}}
            takes ["b", "a"] => "{\"a\", \"b\"}";
            refuses [["a", "a"] => "`p[1]`: the same as `[0]`; every value may be there once"];
        tuple: (i32, String) = {
                "type": "array",
                "prefixItems": [{"type": "integer"}, {"type": "string"}],
                "minItems": 2,
                "maxItems": 2,
            }
            takes [1, "a"] => "(1, \"a\")", ["1", "a"] => "(1, \"a\")";
            refuses [[1] => "`p`: expected a list of 2 values, got 1",
                ["a", 1] => "`p[0]`: expected an integer, got the string \"a\"\n\
                - `p[1]`: expected a string, got the number 1"];
        array: [u8; 2] = {
                "type": "array",
                "items": {"type": "integer", "minimum": 0, "maximum": 255},
                "minItems": 2,
                "maxItems": 2,
            }
            takes [1, 2] => "[1, 2]";
            refuses [[1, 2, 300] => "`p`: expected a list of 2 values, got 3\n\
                - `p[2]`: expected an integer from 0 to 255, got the number 300"];
        tree_map: BTreeMap<String, bool> = {
                "type": "object",
                "additionalProperties": {"type": "boolean"},
            }
            takes {"a": true} => "{\"a\": true}", {"a": "true"} => "{\"a\": true}",
                "{\"a\": true}" => "{\"a\": true}";
            refuses [{"a": 1} => "`p.a`: expected true or false, got the number 1"];
        number_keys: BTreeMap<u32, String> = {
                "type": "object",
                "patternProperties": {r"^\d+$": {"type": "string"}},
                "additionalProperties": false,
            }
            takes {"7": "a"} => "{7: \"a\"}";
            refuses [{"x": "a"} => "`p.x`: unknown"];
        hash_map: HashMap<String, f64> = {"type": "object", "additionalProperties": {"type": "number"}}
            takes {"a": 1} => "{\"a\": 1.0}";
            refuses [[] => "`p`: expected an object, got a list"];
        any: Value = true
            takes null => "Null", "5" => "String(\"5\")", 18_014_398_509_481_984_u64 =>
                "Number(18014398509481984)";
            refuses [];
        json_object: Map<String, Value> = {"type": "object", "additionalProperties": true}
            takes {"a": [1]} => "{\"a\": Array [Number(1)]}", "{\"a\": \"5\"}" => "{\"a\": String(\"5\")}";
            refuses [1 => "`p`: expected an object, got the number 1"];
        duration: Duration = {
                "type": "object",
                "properties": {
                    "secs": {"type": "integer", "minimum": 0},
                    "nanos": {"type": "integer", "minimum": 0},
                },
                "required": ["secs", "nanos"],
            }
            takes {"secs": 1, "nanos": 5} => "1.000000005s";
            refuses [{"secs": -1} => "`p.nanos`: missing (an integer)\n\
                - `p.secs`: expected an integer that is not negative, got the number -1"];
    }
}

fn enums() -> Vec<Case> {
    cases! {
        unit: Size = {"type": "string", "enum": ["small", "large"]}
            takes "small" => "Small";
            refuses ["huge" => "`p`: expected one of `small`, `large`, got the string \"huge\"",
                1 => "`p`: expected one of `small`, `large`, got the number 1"];
        external: Colour = {
                "oneOf": [
                    {"type": "string", "const": "clear", "description": "None."},
                    {
                        "type": "object",
                        "properties": {"grey": {"type": "integer", "minimum": 0, "maximum": 255}},
                        "required": ["grey"],
                        "additionalProperties": false,
                    },
                    {
                        "type": "object",
                        "properties": {
                            "rgb": {
                                "type": "object",
                                "properties": {"red": {"type": "integer", "minimum": 0, "maximum": 255}},
                                "required": ["red"],
                            },
                        },
                        "required": ["rgb"],
                        "additionalProperties": false,
                    },
                ],
            }
            takes "clear" => "Clear", {"grey": 3} => "Grey(3)", {"grey": "3"} => "Grey(3)",
                {"rgb": {"red": 1}} => "Rgb { red: 1 }";
            refuses [{"grey": 300} => "`p.grey`: expected an integer from 0 to 255, got the number 300",
                {"rgb": {}} => "`p.rgb.red`: missing (an integer)",
                "red" => "`p`: expected one of `clear`, `grey`, `rgb`, got the string \"red\"",
                {"gray": 1} => "`p.gray`: unknown; did you mean `grey`?"];
        internal: Shape = {
                "oneOf": [
                    {
                        "type": "object",
                        "properties": {
                            "kind": {"type": "string", "const": "circle"},
                            "radius": {"type": "number"},
                        },
                        "required": ["kind", "radius"],
                    },
                    {
                        "type": "object",
                        "properties": {"kind": {"type": "string", "const": "point"}},
                        "required": ["kind"],
                    },
                ],
            }
            takes {"kind": "circle", "radius": 2} => "Circle { radius: 2.0 }", {"kind": "point"} => "Point",
                {"kind": "circle", "radius": "2.5"} => "Circle { radius: 2.5 }";
            refuses [{"kind": "circle"} => "`p.radius`: missing (a number)",
                {"kind": "ring"} => "`p.kind`: expected one of `circle`, `point`, got the string \"ring\"",
                {"radius": 2} => "`p.kind`: missing (one of `circle`, `point`)"];
        adjacent: Adjacent = {
                "oneOf": [
                    {
                        "type": "object",
                        "properties": {
                            "t": {"type": "string", "const": "Number"},
                            "c": {"type": "integer"},
                        },
                        "required": ["t", "c"],
                    },
                    {
                        "type": "object",
                        "properties": {
                            "t": {"type": "string", "const": "Words"},
                            "c": {"type": "array", "items": {"type": "string"}},
                        },
                        "required": ["t", "c"],
                    },
                ],
            }
            takes {"t": "Number", "c": 1} => "Number(1)", {"t": "Words", "c": "[\"a\"]"} => "Words([\"a\"])";
            refuses [{"t": "Words", "c": [1]} => "`p.c[0]`: expected a string, got the number 1"];
        untagged: Untagged = {
                "anyOf": [
                    {"type": "integer"},
                    {"type": "object", "properties": {"flag": {"type": "boolean"}}, "required": ["flag"]},
                ],
            }
            takes 1 => "Number(1)", "1" => "Number(1)", {"flag": "true"} => "Flag { flag: true }",
                "{\"flag\": true}" => "Flag { flag: true }";
            refuses ["x" => "`p`: expected an integer or an object, got the string \"x\"",
                {} => "`p.flag`: missing (true or false)"];
    }
}

fn structs() -> Vec<Case> {
    cases! {
        items: Vec<Item> = {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string", "minLength": 1, "maxLength": 5},
                        "price": {"type": "number", "minimum": 0},
                        "size": {"type": ["string", "null"], "enum": ["small", "large", null]},
                    },
                    "required": ["name", "price"],
                    "additionalProperties": false,
                },
            }
            takes [{"name": "a", "price": "1.5", "size": null}] =>
                    "[Item { name: \"a\", price: 1.5, size: None }]",
                "[{\"name\": \"a\", \"price\": 1}]" => "[Item { name: \"a\", price: 1.0, size: None }]";
            refuses [[{"name": "", "price": -1}, {"nmae": "a", "price": 1, "size": "big"}] =>
                "`p[0].name`: expected a string of 1 to 5 characters, got 0\n\
                - `p[0].price`: expected a number that is not negative, got the number -1\n\
                - `p[1].name`: missing (a string)\n\
                - `p[1].size`: expected one of `small`, `large`, got the string \"big\"\n\
                - `p[1].nmae`: unknown; did you mean `name`?"];
        // Absent, `null` and `None` are one: serde has no other value for what is not there.
        optional: Option<Option<i64>> = {"type": "integer"}
            takes null => "None", 1 => "Some(Some(1))", "1" => "Some(Some(1))";
            refuses ["x" => "`p`: expected an integer, got the string \"x\""];
        nested: Nested = {
                "type": "object",
                "properties": {
                    "maybe": {"type": ["integer", "null"]},
                    "big": {
                        "type": ["integer", "string", "null"],
                        "minimum": 0,
                        "pattern": "^[0-9]+$",
                        "description":
                            "An integer; one beyond 9007199254740991 has to be a string of digits.",
                    },
                },
            }
            takes {} => "Nested { maybe: None, big: None }",
                {"maybe": null} => "Nested { maybe: None, big: None }",
                {"maybe": "5", "big": "36893488147419103232"} =>
                    "Nested { maybe: Some(Some(5)), big: Some(36893488147419103232) }";
            refuses [{"maybe": true} => "`p.maybe`: expected an integer, got true"];
        recursive: Tree = {
                "type": "object",
                "properties": {
                    "p": {
                        "type": "object",
                        "properties": {
                            "value": {"type": "integer"},
                            "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
                        },
                        "required": ["value"],
                    },
                },
                "required": ["p"],
                "additionalProperties": false,
                "$defs": {
                    "Tree": {
                        "type": "object",
                        "properties": {
                            "value": {"type": "integer"},
                            "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
                        },
                        "required": ["value"],
                    },
                },
            }
            takes {"value": "1", "children": [{"value": 2, "children": "[]"}]} =>
                    "Tree { value: 1, children: [Tree { value: 2, children: [] }] }",
                {"value": 1, "children": null} => "Tree { value: 1, children: [] }";
            refuses [{"value": 1, "children": [{"value": 2, "children": [{}]}]} =>
                "`p.children[0].children[0].value`: missing (an integer)"];
        boxed_tree: Box<Tree> = {
                "type": "object",
                "properties": {
                    "p": {
                        "type": "object",
                        "properties": {
                            "value": {"type": "integer"},
                            "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
                        },
                        "required": ["value"],
                    },
                },
                "required": ["p"],
                "additionalProperties": false,
                "$defs": {
                    "Tree": {
                        "type": "object",
                        "properties": {
                            "value": {"type": "integer"},
                            "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
                        },
                        "required": ["value"],
                    },
                },
            }
            takes {"value": 1} => "Tree { value: 1, children: [] }";
            refuses [1 => "`p`: expected an object, got the number 1"];
    }
}
