//! What serde and schemars know may stand on parameters.

#![deny(warnings)]

use std::collections::BTreeMap;

use byre::Args;

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Point {
    x: f64,
    y: f64,
}

mod hex {
    pub fn deserialize<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = <String as serde::Deserialize>::deserialize(deserializer)?;
        u64::from_str_radix(&text, 16).map_err(serde::de::Error::custom)
    }
}

fn ten() -> u8 {
    10
}

const MOST: i64 = 3;

/// Takes.
#[byre::tool(rename_all = "camelCase")]
async fn take(
    #[serde(rename = "in", alias = "into")] place: String,
    #[serde(with = "hex")]
    #[schemars(with = "String")]
    hex_number: u64,
    #[serde(default = "ten")] ten: u8,
    #[serde(skip)] skipped: Vec<Point>,
    #[schemars(range(min = 1, max = MOST))] small: i64,
    #[schemars(length(min = 1), inner(length(max = 3)))] words: Vec<String>,
    #[schemars(email, extend("x-secret" = true), example = "a@b.c")] mail: String,
    #[schemars(regex(pattern = "^a"), title = "A")] a: Option<String>,
    #[cfg_attr(all(), schemars(url), allow(unused_mut))] mut url: String,
    #[cfg(any())]
    #[serde(default)]
    absent: NoSuchType,
    #[cfg(all())]
    #[serde(default)]
    present: u8,
    #[serde(flatten)] point: Point,
    Args(more): Args<BTreeMap<String, bool>>,
) -> String {
    url.push('/');
    format!(
        "{place}{hex_number}{ten}{skipped:?}{small}{words:?}{mail}{a:?}{url}{present}{point:?}{more:?}{}",
        point.x + point.y
    )
}

fn main() {
    let tools = byre::tools![take];
    let schema = tools[0].input_schema();
    let properties = schema["properties"].as_object().unwrap();
    for name in ["in", "hexNumber", "ten", "small", "words", "mail", "a", "url", "present", "x", "y"] {
        assert!(properties.contains_key(name), "{name} is not in {schema}");
    }
    assert_eq!(properties.len(), 11);
    assert_eq!(properties["small"]["maximum"], 3);
    assert_eq!(schema["additionalProperties"], serde_json::json!({"type": "boolean"}));
}
