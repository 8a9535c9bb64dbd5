use serde_json::json;

use super::*;
use crate::wire::{event::Event, json::Raw};

/// Somebody.
#[derive(Debug, PartialEq, serde::Deserialize, JsonSchema)]
struct Person {
    name: String,
    age: u8,
}

fn outcome(result: &Value) -> TurnOutcome {
    match Event::parse("result", &Raw::new(result.to_string())) {
        Event::Result(result) => TurnOutcome::new((*result).clone(), None),
        other => panic!("{other:?}"),
    }
}

/// Reads the output of a turn that went well with this value.
fn read<T: DeserializeOwned + JsonSchema>(value: &Value) -> Result<T, OutputError> {
    outcome(&json!({"subtype": "success", "structured_output": value})).output()
}

#[test]
fn an_object_is_read_as_it_is_and_anything_else_from_its_wrapper() {
    let person = read::<Person>(&json!({"name": "Ada", "age": 36})).unwrap();
    assert_eq!(person, Person { name: "Ada".to_owned(), age: 36 });
    assert_eq!(read::<u32>(&json!({"result": 4})).unwrap(), 4);
    assert_eq!(read::<Vec<u32>>(&json!({"result": [2, 3]})).unwrap(), [2, 3]);
}

#[test]
fn a_value_that_does_not_fit_is_given_back() {
    let value = json!({"name": "Ada", "age": 1000});
    let OutputError::Mismatch { value: given, error } = read::<Person>(&value).unwrap_err() else {
        panic!("not a mismatch");
    };
    assert_eq!(given, value);
    assert!(error.to_string().contains("1000"), "{error}");
    assert!(matches!(read::<u32>(&json!({"n": 4})), Err(OutputError::Mismatch { .. })));
}

#[test]
fn what_went_wrong_is_told_apart() {
    let fails = |result: Value| outcome(&result).output::<u32>().unwrap_err();
    let missing = fails(json!({"subtype": "success", "result": "Four."}));
    assert!(matches!(missing, OutputError::Missing(text) if text == "Four."));
    let turn = fails(json!({"subtype": "success", "is_error": true, "result": "API Error"}));
    assert!(matches!(turn, OutputError::Turn(text) if text == "API Error"));
    let retries = fails(json!({
        "subtype": "error_max_structured_output_retries", "is_error": true, "errors": ["bad"],
    }));
    assert!(matches!(retries, OutputError::RetriesExhausted(text) if text == "bad"));
}

#[test]
fn the_schema_is_always_an_object() {
    for (schema, wrapped) in [schema::input::<u32>(), schema::input::<Person>()] {
        assert_eq!(schema["type"], "object", "{schema}");
        assert_eq!(wrapped, schema["properties"].get("result").is_some());
    }
    assert_eq!(schema::input::<Person>().0["description"], "Somebody.");
}
