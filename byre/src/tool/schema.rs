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

/// Takes the definitions of recursive types, cleaned.
pub(crate) fn definitions(generator: &mut SchemaGenerator) -> Map<String, Value> {
    let mut definitions = generator.take_definitions(false);
    for schema in definitions.values_mut().flat_map(<&mut Schema>::try_from) {
        clean(schema);
    }
    definitions
}

/// Removes formats that are not in the standard, here and in all that is nested.
pub(crate) fn clean(schema: &mut Schema) {
    RecursiveTransform(|schema: &mut Schema| {
        let format = schema.get("format").and_then(Value::as_str);
        if format.is_some_and(|format| RUST_FORMATS.contains(&format)) {
            schema.remove("format");
        }
    })
    .transform(schema);
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
    clean(&mut schema);
    let definitions = definitions(&mut generator);
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
