//! JSON Schemas as the API takes them: draft 2020-12, everything in its place, and nothing that only
//! Rust has a use for.

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{PoisonError, RwLock},
};

use schemars::{
    Schema, SchemaGenerator,
    generate::SchemaSettings,
    transform::{RecursiveTransform, Transform},
};
use serde_json::{Map, Value, json};

/// The formats that schemars adds and JSON Schema does not know. Some clients refuse them.
const RUST_FORMATS: [&str; 15] = [
    "int8", "int16", "int32", "int64", "int128", "int", "uint8", "uint16", "uint32", "uint64",
    "uint128", "uint", "float", "double", "ip",
];

/// How schemars is to write schemas: in place, because references are a trouble to some clients. Only
/// recursive types need a definition.
pub(crate) fn settings() -> SchemaSettings {
    SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true)
}

/// Takes the definitions of recursive types that parameters refer to, cleaned.
pub(crate) fn definitions(generator: &mut SchemaGenerator) -> Map<String, Value> {
    definitions_cleaned_by(generator, clean)
}

fn definitions_cleaned_by(
    generator: &mut SchemaGenerator,
    clean: fn(&mut Schema),
) -> Map<String, Value> {
    let mut definitions = generator.take_definitions(false);
    for schema in definitions.values_mut().flat_map(<&mut Schema>::try_from) {
        clean(schema);
    }
    definitions
}

/// Removes what only Rust has a use for from the schema of a parameter, and lets integers of 128 bits be
/// strings, here and in all that is nested.
pub(crate) fn clean(schema: &mut Schema) {
    RecursiveTransform(|schema: &mut Schema| {
        match schema.get("format").and_then(Value::as_str) {
            Some("int128") => allow_digits(schema, SIGNED_DIGITS),
            Some("uint128") => allow_digits(schema, DIGITS),
            _ => (),
        }
        remove_rust_format(schema);
    })
    .transform(schema);
}

/// The same for what a tool returns, and for answers, which are numbers as serde writes and reads them.
fn clean_plain(schema: &mut Schema) {
    RecursiveTransform(remove_rust_format).transform(schema);
}

fn remove_rust_format(schema: &mut Schema) {
    let Some(format) = schema.get("format").and_then(Value::as_str) else { return };
    let example = match format {
        "partial-date-time" => Some("2026-11-30T08:15:00"),
        "partial-time" => Some("08:15:00"),
        _ => None,
    };
    if example.is_some() || RUST_FORMATS.contains(&format) {
        schema.remove("format");
    }
    if let Some(example) = example
        && schema.get("description").is_none()
    {
        let text = format!("Without a time zone, like {example}.");
        schema.insert("description".to_owned(), text.into());
    }
}

/// How an integer of 128 bits is written as a string.
const SIGNED_DIGITS: &str = "^-?[0-9]+$";
const DIGITS: &str = "^[0-9]+$";

/// Lets an integer be a string of digits: JavaScript, through which arguments come, rounds larger numbers.
fn allow_digits(schema: &mut Schema, pattern: &str) {
    let Some(object) = schema.as_object_mut() else { return };
    match object.get_mut("type") {
        Some(Value::Array(types)) => {
            let at = types.iter().position(|name| name == "integer").map_or(0, |at| at + 1);
            types.insert(at, "string".into());
        }
        _ => drop(object.insert("type".to_owned(), json!(["integer", "string"]))),
    }
    object.entry("pattern").or_insert_with(|| pattern.into());
    object.entry("description").or_insert_with(|| {
        "An integer; one beyond 9007199254740991 has to be a string of digits.".into()
    });
}

/// Removes `null` from what the schema allows, if anything is left then.
///
/// That a parameter may be left out is said by its absence from `required`; saying it a second time
/// invites the model to write `null`, and some clients do not understand lists of types.
pub(crate) fn remove_null(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = &types[..] {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum")
        && values.len() > 1
    {
        values.retain(|value| !value.is_null());
    }
    for key in ["anyOf", "oneOf"] {
        let Some(Value::Array(branches)) = object.get_mut(key) else { continue };
        if branches.len() > 1 {
            branches.retain(|branch| branch != &json!({"type": "null"}));
        }
        if let [Value::Object(only)] = &branches[..] {
            let only = only.clone();
            object.remove(key);
            // What stands beside `anyOf`, a description for example, is about the whole.
            for (key, value) in only {
                object.entry(key).or_insert(value);
            }
        }
    }
}

/// Describes the result of a tool. Says besides whether the value stands alone, or is wrapped as
/// `{"result": …}` because MCP wants an object.
pub(crate) fn output<T: schemars::JsonSchema>() -> (Value, bool) {
    object_of::<T>(settings().for_serialize())
}

/// Describes a value that somebody else is to write, in the same way.
pub(crate) fn input<T: schemars::JsonSchema>() -> (Value, bool) {
    object_of::<T>(settings())
}

fn object_of<T: schemars::JsonSchema>(settings: SchemaSettings) -> (Value, bool) {
    let mut generator = settings.into_generator();
    let mut schema = generator.subschema_for::<T>();
    clean_plain(&mut schema);
    let definitions = definitions_cleaned_by(&mut generator, clean_plain);
    let wrapped = schema.get("type").and_then(Value::as_str) != Some("object");
    let mut root = if wrapped {
        json!({"type": "object", "properties": {"result": schema}, "required": ["result"]})
    } else {
        schema.to_value()
    };
    if !definitions.is_empty() {
        root["$defs"] = Value::Object(definitions);
    }
    (root, wrapped)
}

/// Says whether a value of `T` is wrapped, as [`output`] does.
///
/// Remembered by type, because every result asks, and a schema takes longer to make than most results.
pub(crate) fn is_wrapped<T: schemars::JsonSchema>() -> bool {
    static KNOWN: RwLock<Option<HashMap<Cow<'static, str>, bool>>> = RwLock::new(None);

    let id = T::schema_id();
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(wrapped) = known.as_ref().and_then(|known| known.get(&id)) {
        return *wrapped;
    }
    drop(known);
    // Code of the user may run here, so not under the lock.
    let wrapped = output::<T>().1;
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    known.get_or_insert_default().insert(id, wrapped);
    wrapped
}
