//! Finds what is wrong with a schema itself.
//!
//! The CLI leaves out, in silence, a tool whose schema is not one of draft 2020-12, and all tools of a server if
//! one of them is off at its root.
//!
//! Source: seen with CLI 2.1.332.

use serde_json::Value;

/// Returns what is wrong with the schema of a tool's arguments; each goes on from "the tool `add` …".
pub(crate) fn faults(root: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for key in ["oneOf", "anyOf", "allOf"] {
        if root.get(key).is_some() {
            found.push(format!(
                "has `{key}` at the root of its input schema, which the API does not take; make it a \
                 property"
            ));
        }
    }
    schema(root, "", &mut |pointer, wanted| {
        found.push(format!(
            "has an input schema that is none of draft 2020-12, so that the CLI would leave it out: \
             `{pointer}` must be {wanted}"
        ));
    });
    found
}

/// What a fault is reported to: where, and what had to be there.
type Report<'a> = dyn FnMut(&str, &str) + 'a;

fn schema(value: &Value, pointer: &str, report: &mut Report<'_>) {
    match value {
        Value::Bool(_) => (),
        Value::Object(map) => {
            for (key, value) in map {
                keyword(key, value, &format!("{pointer}/{key}"), report);
            }
        }
        _ => report(pointer, "a schema"),
    }
}

fn keyword(key: &str, value: &Value, pointer: &str, report: &mut Report<'_>) {
    match key {
        "items"
        | "additionalProperties"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "not"
        | "if"
        | "then"
        | "else"
        | "contains"
        | "propertyNames"
        | "contentSchema" => {
            schema(value, pointer, report);
        }
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => match value.as_array() {
            Some(list) if !list.is_empty() => {
                for (at, value) in list.iter().enumerate() {
                    schema(value, &format!("{pointer}/{at}"), report);
                }
            }
            _ => report(pointer, "a list of schemas that is not empty"),
        },
        "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => {
            match value.as_object() {
                Some(map) => {
                    for (name, value) in map {
                        schema(value, &format!("{pointer}/{name}"), report);
                    }
                }
                None => report(pointer, "an object of schemas"),
            }
        }
        "dependentRequired" => match value.as_object() {
            Some(map) if map.values().all(is_list_of_names) => (),
            _ => report(pointer, "an object of lists of names"),
        },
        _ => {
            if let Some(wanted) = wanted(key, value) {
                report(pointer, wanted);
            }
        }
    }
}

/// Returns what a keyword without schemas in it must be, if it is not.
fn wanted(key: &str, value: &Value) -> Option<&'static str> {
    let (fits, wanted) = match key {
        "type" => (is_type(value), "a type of JSON, or a list of types"),
        "enum" | "examples" => (value.is_array(), "a list"),
        "required" => (is_list_of_names(value), "a list of names, each of them once"),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => {
            (value.is_number(), "a number")
        }
        "multipleOf" => (value.as_f64().is_some_and(|of| of > 0.0), "a number above 0"),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties"
        | "minContains" | "maxContains" => (
            value.as_f64().is_some_and(|count| count >= 0.0 && count.fract() == 0.0),
            "an integer that is not negative",
        ),
        "uniqueItems" | "deprecated" | "readOnly" | "writeOnly" => {
            (value.is_boolean(), "true or false")
        }
        "pattern" | "format" | "title" | "description" | "$ref" | "$id" | "$schema"
        | "$comment" | "$anchor" | "$dynamicRef" | "$dynamicAnchor" | "contentEncoding"
        | "contentMediaType" => (value.is_string(), "a string"),
        _ => (true, ""),
    };
    (!fits).then_some(wanted)
}

fn is_type(value: &Value) -> bool {
    const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];
    let is_one = |value: &Value| value.as_str().is_some_and(|name| TYPES.contains(&name));
    match value {
        Value::Array(list) => !list.is_empty() && list.iter().all(is_one) && are_different(list),
        one => is_one(one),
    }
}

fn is_list_of_names(value: &Value) -> bool {
    value.as_array().is_some_and(|list| list.iter().all(Value::is_string) && are_different(list))
}

fn are_different(list: &[Value]) -> bool {
    super::number::repeated(list).is_none()
}
