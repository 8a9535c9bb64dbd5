use serde_json::json;

use super::*;

mod agreement;
mod patterns;
mod valid;

#[test]
#[ignore = "a measurement: `BYRE_CHECKS=ours:1000` under callgrind, and the same with 2000 and `theirs`"]
fn a_call() {
    let wanted = std::env::var("BYRE_CHECKS").expect("BYRE_CHECKS says what to measure");
    let (judge, times) = wanted.split_once(':').unwrap();
    let (schema, value) = call();
    let judge: Box<dyn Fn() -> bool> = match judge {
        "ours" => {
            let checker = Checker::of_schema(&schema);
            Box::new(move || checker.accepts(&value))
        }
        "ours-compiled" => Box::new(move || Checker::of_schema(&schema).accepts(&value)),
        "theirs" => {
            let validator = jsonschema::draft202012::new(&schema).unwrap();
            Box::new(move || validator.is_valid(&value))
        }
        _ => Box::new(move || jsonschema::draft202012::new(&schema).unwrap().is_valid(&value)),
    };
    for _ in 0..times.parse().unwrap() {
        assert!(std::hint::black_box(judge()));
    }
}

/// What a tool with a bit of everything asks for, and what a model gives.
fn call() -> (Value, Value) {
    let schema = json!({
        "type": "object",
        "properties": {
            "customer": {"type": "integer", "minimum": 1},
            "email": {"type": "string", "maxLength": 100},
            "since": {"type": "string", "format": "date"},
            "code": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$"},
            "limit": {"type": "integer", "minimum": 0, "maximum": 255},
            "items": {
                "type": "array",
                "maxItems": 10,
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string", "minLength": 1},
                        "price": {"type": "number", "exclusiveMinimum": 0},
                        "size": {"type": "string", "enum": ["small", "large"]},
                    },
                    "required": ["name", "price"],
                },
            },
        },
        "required": ["customer", "code"],
        "additionalProperties": false,
    });
    let value = json!({
        "customer": 12, "email": "a@example.com", "since": "2026-11-30", "code": "AB-1234", "limit": 20,
        "items": [{"name": "a", "price": 1.5, "size": "small"}, {"name": "b", "price": 2, "size": "large"}],
    });
    (schema, value)
}

/// Compares all that is said about a value with `want`, one line each.
#[expect(clippy::needless_pass_by_value, reason = "`json!` makes values")]
#[track_caller]
fn check(schema: Value, value: Value, want: &[&str]) {
    let checker = Checker::of_schema(&schema);
    let lines: Vec<_> = checker.problems(&value).iter().map(Problem::to_string).collect();
    assert_eq!(lines, want, "for {value} by {schema}");
    assert_eq!(checker.accepts(&value), want.is_empty(), "for {value} by {schema}");
}

#[test]
fn numbers_are_told_their_range() {
    check(
        json!({"type": "integer", "minimum": 1, "maximum": 5}),
        json!(6),
        &["expected an integer from 1 to 5, got the number 6"],
    );
    check(
        json!({"type": "number", "exclusiveMinimum": 0}),
        json!(0),
        &["expected a number that is more than 0, got the number 0"],
    );
    check(
        json!({"type": "number", "minimum": 2, "exclusiveMaximum": 3.5}),
        json!(3.5),
        &["expected a number that is at least 2 and less than 3.5, got the number 3.5"],
    );
    check(
        json!({"type": "integer", "minimum": 0}),
        json!(-1),
        &["expected an integer that is not negative, got the number -1"],
    );
    check(
        json!({"type": "integer", "multipleOf": 5}),
        json!(7),
        &["expected a multiple of 5, got 7"],
    );
    check(
        json!({"type": "integer", "not": {"const": 0}}),
        json!(0),
        &["expected an integer other than 0, got the number 0"],
    );
}

#[test]
fn the_narrower_of_two_bounds_holds() {
    let schema = json!({"minimum": 1, "exclusiveMinimum": 1, "maximum": 9, "exclusiveMaximum": 12});
    check(
        schema.clone(),
        json!(1),
        &["expected a number that is more than 1 and at most 9, got the number 1"],
    );
    check(schema, json!(9), &[]);
}

#[test]
fn strings_are_told_their_length_pattern_and_format() {
    check(
        json!({"minLength": 3, "maxLength": 5}),
        json!("äö"),
        &["expected a string of 3 to 5 characters, got 2"],
    );
    check(
        json!({"minLength": 1}),
        json!(""),
        &["expected a string of at least 1 character, got 0"],
    );
    check(
        json!({"pattern": "^[a-z]+$", "format": "date"}),
        json!("X"),
        &[
            "expected a string that matches `^[a-z]+$`, got the string \"X\"",
            "expected a date like `2026-11-30`, got the string \"X\"",
        ],
    );
}

#[test]
fn lists_are_told_their_length_and_what_is_twice_in_them() {
    check(
        json!({"minItems": 2, "maxItems": 2}),
        json!([1]),
        &["expected a list of 2 values, got 1"],
    );
    check(
        json!({"uniqueItems": true}),
        json!([1, 2, 1.0]),
        &["`[2]`: the same as `[0]`; every value may be there once"],
    );
    let many: Value = (0..100).map(|n| n % 90).collect();
    check(
        json!({"uniqueItems": true}),
        many,
        &["`[90]`: the same as `[0]`; every value may be there once"],
    );
    check(
        json!({"contains": {"type": "integer"}}),
        json!(["a"]),
        &[
            "expected at least 1 of the values to be an integer of the form that is asked for, got 0",
        ],
    );
}

#[test]
fn objects_are_told_what_is_missing_and_what_is_unknown() {
    let schema = json!({
        "properties": {"name": {"type": "string"}, "size": {"enum": ["small", "large"]}, "any": true},
        "required": ["name", "size", "any"],
        "additionalProperties": false,
    });
    check(
        schema,
        json!({"nmae": 1, "colour": 2}),
        &[
            "`name`: missing (a string)",
            "`size`: missing (one of `small`, `large`)",
            "`any`: missing",
            "`colour`: unknown; expected one of `any`, `name`, `size`",
            "`nmae`: unknown; did you mean `name`?",
        ],
    );
    check(
        json!({"maxProperties": 1}),
        json!({"a": 1, "b": 2}),
        &["expected an object of at most 1 entry, got 2"],
    );
    check(
        json!({"minProperties": 2}),
        json!({}),
        &["expected an object of at least 2 entries, got 0"],
    );
    check(
        json!({"propertyNames": {"maxLength": 2}}),
        json!({"abc": 1}),
        &["`abc`: the name does not fit: expected a string of at most 2 characters, got 3"],
    );
    check(
        json!({"dependentRequired": {"card": ["name"]}}),
        json!({"card": 1}),
        &["`name`: missing; it has to be there because `card` is"],
    );
}

#[test]
fn everything_is_listed_with_its_path() {
    let item = json!({"type": "object", "properties": {"price": {"type": "number", "minimum": 0}}});
    check(
        json!({"properties": {"orders": {"items": item}, "n": {"type": "integer"}}}),
        json!({"orders": [{}, {"price": -1}, {"price": "x"}, 3], "n": null}),
        &[
            "`n`: expected an integer, got null",
            "`orders[1].price`: expected a number that is not negative, got the number -1",
            "`orders[2].price`: expected a number, got the string \"x\"",
            "`orders[3]`: expected an object, got the number 3",
        ],
    );
}

#[test]
fn a_list_of_problems_has_an_end() {
    let checker = Checker::of_schema(&json!({"items": {"type": "string"}}));
    let many: Value = (0..1000).collect();
    assert_eq!(checker.problems(&many).len(), 50);
}

#[test]
fn of_several_forms_the_one_that_was_meant_is_explained() {
    let tagged = json!({"oneOf": [
        {"type": "object", "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}},
            "required": ["kind", "radius"]},
        {"type": "object", "properties": {"kind": {"const": "square"}, "side": {"type": "number"}},
            "required": ["kind", "side"]},
    ]});
    check(
        tagged.clone(),
        json!({"kind": "square", "side": "x"}),
        &["`side`: expected a number, got the string \"x\""],
    );
    check(
        tagged.clone(),
        json!({"kind": "ring"}),
        &["`kind`: expected one of `circle`, `square`, got the string \"ring\""],
    );
    check(tagged.clone(), json!({}), &["`kind`: missing (one of `circle`, `square`)"]);
    check(tagged, json!(3), &["expected an object, got the number 3"]);

    let keyed = json!({"oneOf": [
        {"const": "clear"},
        {"type": "object", "properties": {"grey": {"type": "integer", "maximum": 255}},
            "required": ["grey"], "additionalProperties": false},
        {"type": "object", "properties": {"rgb": {"type": "string"}},
            "required": ["rgb"], "additionalProperties": false},
    ]});
    check(
        keyed.clone(),
        json!({"grey": 300}),
        &["`grey`: expected an integer that is at most 255, got the number 300"],
    );
    check(keyed.clone(), json!({"gray": 3}), &["`gray`: unknown; did you mean `grey`?"]);
    check(
        keyed.clone(),
        json!({}),
        &["expected an object with one of `grey`, `rgb`, got an empty one"],
    );
    check(
        keyed,
        json!("black"),
        &["expected one of `clear`, `grey`, `rgb`, got the string \"black\""],
    );

    let nullable = json!({"anyOf": [{"type": "string", "minLength": 2}, {"type": "null"}]});
    check(nullable.clone(), json!("a"), &["expected a string of at least 2 characters, got 1"]);
    check(nullable, json!(1), &["expected a string, got the number 1"]);
    let words = json!({"anyOf": [{"const": "a", "description": "A."}, {"enum": ["b", "c"]}]});
    check(words, json!("d"), &["expected one of `a`, `b`, `c`, got the string \"d\""]);
    let mixed = json!({"oneOf": [{"minimum": 1}, {"minimum": 2}]});
    check(mixed, json!(5), &["fits more than one of the forms that it can have"]);
}

#[test]
fn schemas_that_refer_to_each_other_have_an_end() {
    let circle = json!({
        "$ref": "#/$defs/a",
        "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}},
    });
    check(circle, json!(1), &[]);
    // Each level asks both branches, so a deep value would take as long as the universe is old.
    let twice = json!({"anyOf": [{"items": {"$ref": "#"}, "minItems": 1},
        {"items": {"$ref": "#"}, "minItems": 1}]});
    let deep: Value =
        serde_json::from_str(&format!("{}{}", "[".repeat(100), "]".repeat(100))).unwrap();
    assert!(Checker::of_schema(&twice).accepts(&deep), "what takes too long passes");
}

#[test]
fn a_reference_goes_anywhere_in_the_document() {
    let schema = json!({
        "properties": {
            "a": {"type": "integer"},
            "b": {"$ref": "#/properties/a"},
            "c": {"$ref": "#/$defs/with%20blank~1slash"},
            "d": {"$ref": "#/nowhere"},
            "e": {"$ref": "https://example.com/elsewhere"},
        },
        "$defs": {"with blank/slash": {"type": "string"}},
    });
    check(
        schema,
        json!({"b": "x", "c": 1, "d": 1, "e": 1}),
        &[
            "`b`: expected an integer, got the string \"x\"",
            "`c`: expected a string, got the number 1",
        ],
    );
}

#[test]
fn only_a_schema_that_serde_sees_to_is_plain() {
    let is_plain = |property: Value| {
        let schema = json!({"type": "object", "properties": {"p": property}, "required": ["p"],
            "additionalProperties": false});
        Checker::of_parameters(&schema).is_plain()
    };
    for schema in [
        json!(true),
        json!({"type": "integer", "description": "A number."}),
        json!({"type": "array", "items": {"type": ["string", "null"]}}),
        json!({"type": "object", "additionalProperties": {"type": "number"}}),
    ] {
        assert!(is_plain(schema.clone()), "{schema}");
    }
    for schema in [
        json!(false),
        json!({"type": "integer", "minimum": 0}),
        json!({"type": "array", "items": {"type": "string", "format": "date"}}),
        json!({"type": "object", "additionalProperties": false}),
        json!({"type": "string", "enum": ["a"]}),
        json!({"unheard": 1}),
    ] {
        assert!(!is_plain(schema.clone()), "{schema}");
    }
}

#[test]
fn parameters_that_may_be_left_out_may_be_null() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "integer", "minimum": 1}, "b": {"type": "integer", "minimum": 1}},
        "required": ["a"],
        "additionalProperties": false,
    });
    let checker = Checker::of_parameters(&schema);
    assert!(checker.accepts(&json!({"a": 1, "b": null, "c": 1})));
    assert!(!checker.accepts(&json!({"a": null})));
    assert!(!checker.accepts(&json!({"b": 0})));
}
