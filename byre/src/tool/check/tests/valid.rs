//! Schemas that are none.

use serde_json::{Value, json};

use super::super::valid::faults;

#[expect(clippy::needless_pass_by_value, reason = "`json!` makes values")]
#[track_caller]
fn check(schema: Value, want: &[&str]) {
    let found = faults(&schema);
    assert_eq!(found.len(), want.len(), "{found:?} of {schema}");
    for (fault, part) in found.iter().zip(want) {
        assert!(fault.contains(part), "{fault}");
    }
}

#[test]
fn what_the_cli_would_leave_out_is_named_with_its_place() {
    check(
        json!({"type": "object", "properties": {"a": {"type": "int"}}}),
        &["`/properties/a/type` must be"],
    );
    check(
        json!({"type": "object", "required": ["a", "a"]}),
        &["`/required` must be a list of names"],
    );
    check(
        json!({"properties": {"a": {"minimum": "5"}, "b": {"items": [true]}}}),
        &["`/properties/a/minimum` must be a number", "`/properties/b/items` must be a schema"],
    );
    check(json!({"$defs": {"x": {"anyOf": []}}}), &["`/$defs/x/anyOf` must be a list of schemas"]);
    check(json!({"oneOf": [{"required": 1}]}), &["`oneOf` at the root", "`/oneOf/0/required`"]);
    check(json!({"properties": []}), &["`/properties` must be an object of schemas"]);
}

/// Puts odd values in the place of each keyword, and asks another judge.
#[test]
fn another_judge_finds_the_same_schemas_wrong() {
    let odd = [
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(2.0),
        json!("string"),
        json!("x"),
        json!([]),
        json!(["a"]),
        json!(["a", "a"]),
        json!(["string", "null"]),
        json!([true]),
        json!([{}]),
        json!({}),
        json!({"a": true}),
        json!({"a": 1}),
        json!({"a": ["b"]}),
        json!({"a": ["b", "b"]}),
    ];
    let keywords = [
        "type",
        "enum",
        "const",
        "multipleOf",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "items",
        "prefixItems",
        "minItems",
        "maxItems",
        "uniqueItems",
        "contains",
        "minContains",
        "maxContains",
        "properties",
        "patternProperties",
        "additionalProperties",
        "unevaluatedProperties",
        "propertyNames",
        "minProperties",
        "maxProperties",
        "required",
        "dependentRequired",
        "dependentSchemas",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "then",
        "else",
        "$defs",
        "$comment",
        "title",
        "description",
        "default",
        "examples",
        "deprecated",
        "readOnly",
        "unheard",
    ];
    let (mut good, mut bad) = (0, 0);
    for keyword in keywords {
        for value in &odd {
            let schema = json!({"type": "object", "properties": {"p": {keyword: value}}});
            let want = jsonschema::draft202012::meta::is_valid(&schema);
            assert_eq!(faults(&schema).is_empty(), want, "{schema}");
            *(if want { &mut good } else { &mut bad }) += 1;
        }
    }
    assert!(good > 150 && bad > 150, "{good} good, {bad} bad");
}
