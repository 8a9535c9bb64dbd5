use std::collections::{BTreeMap, HashMap};

use serde::Deserialize;

use super::*;

fn properties(fields: &Fields) -> Vec<(&str, bool)> {
    fields.properties.iter().map(|property| (property.name.as_str(), property.required)).collect()
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its names matter")]
struct Zoo {
    #[serde(alias = "zebras")]
    zebra_count: u8,
    #[serde(rename = "ape", alias = "chimp", alias = "aardvark")]
    monkey: Option<u8>,
    #[serde(skip)]
    hidden: u8,
    #[serde(default)]
    lion: u8,
}

#[test]
fn the_fields_of_a_struct_come_in_the_order_of_its_code() {
    let fields = describe::<Zoo>();
    assert_eq!(properties(&fields), [("zebraCount", true), ("ape", false), ("lion", false)]);
    assert!(fields.rest.is_empty() && fields.fault.is_none());
}

#[test]
fn aliases_are_known_with_their_fields_where_there_is_no_doubt() {
    assert_eq!(
        names::<Zoo>().unwrap(),
        ["zebraCount", "zebras", "aardvark", "ape", "chimp", "lion"]
    );
    let aliases = describe::<Zoo>().aliases;
    let of =
        |alias: &str| aliases.iter().find(|(name, _)| *name == alias).map(|(_, of)| of.as_str());
    assert_eq!(of("zebras"), Some("zebraCount"));
    assert_eq!(of("aardvark"), Some("ape"));
    assert_eq!(of("chimp"), None, "it could be of `lion` as well");
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its names matter")]
enum Either {
    One { a: u8, b: String },
    Other { a: String, b: String, c: Option<u8> },
}

#[test]
fn the_branches_of_an_enum_are_put_together() {
    assert_eq!(names::<Either>(), None);
    let fields = describe::<Either>();
    assert_eq!(properties(&fields), [("a", true), ("b", true), ("c", false)]);
    let any = fields.properties[0].schema.get("anyOf").and_then(Value::as_array).unwrap();
    assert_eq!(any.len(), 2, "{any:?}");
    assert_eq!(fields.properties[1].schema.get("type"), Some(&json!("string")));
}

#[test]
fn a_map_takes_whatever_is_left() {
    let fields = describe::<HashMap<String, bool>>();
    assert_eq!(Value::Object(fields.rest), json!({"additionalProperties": {"type": "boolean"}}));
    assert!(fields.properties.is_empty() && fields.fault.is_none());
    let fields = describe::<BTreeMap<u8, bool>>();
    assert!(fields.rest.contains_key("patternProperties"), "{:?}", fields.rest);
}

#[test]
fn what_has_no_fields_is_a_fault() {
    for fields in [describe::<u8>(), describe::<Vec<Zoo>>(), describe::<(u8, u8)>()] {
        let fault = fields.fault.unwrap();
        assert!(fault.ends_with("which is no struct with named fields"), "{fault}");
    }
}

#[test]
fn the_tags_of_an_enum_are_one_list_of_words() {
    let schema = |json: Value| Schema::try_from(json).unwrap();
    let a = schema(json!({"type": "string", "const": "a"}));
    let b = schema(json!({"type": "string", "const": "b"}));
    let ab = either(&a, &b);
    assert_eq!(ab.clone().to_value(), json!({"type": "string", "enum": ["a", "b"]}));
    assert_eq!(either(&ab, &b), ab);
    let number = schema(json!({"type": "integer"}));
    let three = either(&either(&a, &number), &schema(json!({"type": "null"})));
    assert_eq!(three.get("anyOf").and_then(Value::as_array).map(Vec::len), Some(3));
    assert_eq!(either(&number, &number), number);
}
