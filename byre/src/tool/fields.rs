//! Parameters that are fields of a struct: those with attributes of serde or schemars, which a hidden struct
//! carries, and all those of [`Args`].

use std::{any::type_name, marker::PhantomData, ops::Deref};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{
    Deserializer,
    de::{DeserializeOwned, Visitor, value},
    forward_to_deserialize_any,
};
use serde_json::{Map, Value, json};

use super::{parameters::Parameters, schema};

/// A struct whose fields are the parameters of a tool, as a parameter of the tool.
///
/// For parameters that belong together, or that several tools have. It may stand beside other parameters, and
/// beside other `Args`, as long as no name is there twice, which
/// [`SessionBuilder::check`](crate::SessionBuilder::check) refuses. What the model is told of a field is what
/// serde and schemars know of it.
///
/// # Example
///
/// ```standalone_crate
/// use byre::Args;
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Query {
///     /// Words to look for.
///     words: String,
///     /// At most this many results.
///     #[serde(default)]
///     limit: usize,
/// }
///
/// /// Searches the notes.
/// #[byre::tool(read_only)]
/// async fn search(Args(query): Args<Query>) -> String {
///     format!("{} notes about {}", query.limit, query.words)
/// }
///
/// # fn main() {
/// let schema = byre::tools![search][0].input_schema();
/// assert_eq!(schema["properties"]["words"]["description"], "Words to look for.");
/// assert_eq!(schema["required"], serde_json::json!(["words"]));
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Args<T>(
    /// The value.
    pub T,
);

impl<T> Deref for Args<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// A type whose fields the model can fill in.
///
/// Not public API: a type is one by its `Deserialize` and `JsonSchema`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the parameters of a tool",
    label = "the model has to be able to fill this in from JSON",
    note = "derive both halves on it: `#[derive(serde::Deserialize, schemars::JsonSchema)]`",
    note = "if it has them, `cargo tree -i schemars` may show two versions: byre needs schemars 1"
)]
pub trait ToolArgs: DeserializeOwned + JsonSchema {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema> ToolArgs for T {}

/// The hidden struct of a parameter with attributes of serde or schemars.
///
/// Not public API: for generated code. Where the struct lacks a trait, because a derive did not understand an
/// attribute and said so, the compiler finds [`NoFieldOf`] in place of the method, and has nothing to add.
#[doc(hidden)]
#[derive(Debug)]
pub struct FieldOf<T>(PhantomData<T>);

impl<T> FieldOf<T> {
    pub const NEW: Self = Self(PhantomData);
}

impl<T: ToolArgs> FieldOf<T> {
    /// Describes the parameter, or reads it.
    pub fn pass(self, parameters: &mut Parameters, docs: &'static str) -> Option<T> {
        parameters.fields(docs)
    }
}

/// Not public API: for generated code that does not compile anyway.
#[doc(hidden)]
pub trait NoFieldOf<T> {
    fn pass(self, parameters: &mut Parameters, docs: &'static str) -> Option<T>;
}

impl<T> NoFieldOf<T> for FieldOf<T> {
    fn pass(self, _: &mut Parameters, _: &'static str) -> Option<T> {
        None
    }
}

/// What the schema of a struct says about its fields.
#[derive(Debug, Default)]
pub(super) struct Fields {
    pub(super) properties: Vec<Property>,
    /// `additionalProperties` and `patternProperties`, where the struct takes more than its fields.
    pub(super) rest: Map<String, Value>,
    /// Names that serde takes as well, and of which the model is not told, with the property that each is for.
    pub(super) aliases: Vec<(&'static str, String)>,
    /// Why it can't be the parameters of a tool.
    pub(super) fault: Option<String>,
}

#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) schema: Schema,
    pub(super) required: bool,
}

impl Fields {
    /// Asks schemars about `T`.
    pub(super) fn of<T: ToolArgs>(generator: &mut SchemaGenerator) -> Self {
        let schema = T::json_schema(generator);
        let mut fields = schema.as_object().map(Self::collect).unwrap_or_default();
        let is_object = schema.get("type").is_some_and(|name| name == "object");
        if !is_object && fields.properties.is_empty() && fields.rest.is_empty() {
            let name = type_name::<T>();
            fields.fault = Some(format!(
                "takes its arguments as `{name}`, which is no struct with named fields"
            ));
        }
        // A map has no order, and a struct has: that of its code.
        if let Some(names) = names::<T>() {
            let place = |name: &str| names.iter().position(|other| *other == name);
            fields.properties.sort_by_key(|property| place(&property.name));
            fields.aliases = fields.aliases_among(names);
        }
        fields
    }

    pub(super) fn is_required(&self, name: &str) -> bool {
        self.properties.iter().any(|property| property.name == name && property.required)
    }

    /// Finds the aliases among the names by which serde knows the fields. It lists them field by field, those of a
    /// field in the order of the alphabet; one that could be of the field before and of the one after is left out.
    fn aliases_among(&self, names: &[&'static str]) -> Vec<(&'static str, String)> {
        let is_property = |name: &str| self.properties.iter().any(|property| property.name == name);
        let aliases = names.iter().enumerate().filter(|(_, name)| !is_property(name));
        let of = aliases.filter_map(|(at, alias)| {
            let before =
                names[..at].iter().rfind(|name| is_property(name)).filter(|name| *name < alias);
            let after =
                names[at..].iter().find(|name| is_property(name)).filter(|name| *name > alias);
            match (before, after) {
                (Some(name), None) | (None, Some(name)) => Some((*alias, (*name).to_owned())),
                _ => None,
            }
        });
        of.collect()
    }

    /// Collects what stands at the root of a schema and in its branches, which the API does not take at the root
    /// of a tool's. The CLI would do the same, but say less.
    fn collect(schema: &Map<String, Value>) -> Self {
        let mut fields = Self::default();
        let required = schema.get("required").and_then(Value::as_array);
        let is_required =
            |name: &str| required.is_some_and(|names| names.iter().any(|it| it == name));
        for (name, schema) in
            schema.get("properties").and_then(Value::as_object).into_iter().flatten()
        {
            let Ok(schema) = Schema::try_from(schema.clone()) else { continue };
            fields.add(Property { name: name.clone(), schema, required: is_required(name) });
        }
        for key in ["additionalProperties", "patternProperties"] {
            if let Some(rest) = schema.get(key).filter(|rest| **rest != false) {
                fields.rest.insert(key.to_owned(), rest.clone());
            }
        }
        for branch in branches(schema, "allOf") {
            let Self { properties, rest, .. } = Self::collect(branch);
            for property in properties {
                fields.add(property);
            }
            fields.rest.extend(rest);
        }
        for key in ["oneOf", "anyOf"] {
            let branches: Vec<_> = branches(schema, key).map(Self::collect).collect();
            let mut either = Self::default();
            for property in branches.iter().flat_map(|branch| &branch.properties) {
                let required = branches.iter().all(|branch| branch.is_required(&property.name));
                let Property { name, schema, .. } = property;
                either.add(Property { name: name.clone(), schema: schema.clone(), required });
            }
            for property in either.properties {
                fields.add(property);
            }
            for branch in branches {
                fields.rest.extend(branch.rest);
            }
        }
        fields
    }

    /// Adds a property, or makes a choice of it with the one of its name.
    fn add(&mut self, property: Property) {
        let same = self.properties.iter_mut().find(|other| other.name == property.name);
        let Some(same) = same else { return self.properties.push(property) };
        same.required |= property.required;
        same.schema = either(&same.schema, &property.schema);
    }
}

/// The schemas that stand in a list at the root of a schema.
fn branches<'a>(
    schema: &'a Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = &'a Map<String, Value>> {
    let list = schema.get(key).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_object)
}

/// Writes that one of two schemas holds; of the tags of an enum, a list of words.
fn either(a: &Schema, b: &Schema) -> Schema {
    if a == b {
        return a.clone();
    }
    let words = |schema: &Schema| -> Option<Vec<Value>> {
        match (schema.get("const"), schema.get("enum")) {
            (Some(word), _) if word.is_string() => Some(vec![word.clone()]),
            (_, Some(Value::Array(words))) if words.iter().all(Value::is_string) => {
                Some(words.clone())
            }
            _ => None,
        }
    };
    let union = match (words(a), words(b)) {
        (Some(mut words), Some(more)) => {
            for word in more {
                if !words.contains(&word) {
                    words.push(word);
                }
            }
            json!({"type": "string", "enum": words})
        }
        _ => {
            let mut branches = match a.get("anyOf").and_then(Value::as_array) {
                Some(branches) if a.as_object().is_some_and(|a| a.len() == 1) => branches.clone(),
                _ => vec![a.clone().to_value()],
            };
            let b = b.clone().to_value();
            if !branches.contains(&b) {
                branches.push(b);
            }
            json!({"anyOf": branches})
        }
    };
    Schema::try_from(union).unwrap_or_default()
}

/// Describes the fields of `T` anew, for the rare call that must know them.
pub(super) fn describe<T: ToolArgs>() -> Fields {
    Fields::of::<T>(&mut schema::settings().into_generator())
}

/// Returns the names that serde knows a struct's fields by, aliases too, in the order of its code; `None` where
/// only its schema knows, because it has a field that is flattened, or is no struct.
pub(super) fn names<T: DeserializeOwned>() -> Option<&'static [&'static str]> {
    let mut names = None;
    // It fails, and has told the names by then.
    let _ = T::deserialize(Probe(&mut names));
    names
}

/// A deserializer that only learns what it is asked for.
struct Probe<'a>(&'a mut Option<&'static [&'static str]>);

impl Probe<'_> {
    fn fail<T>() -> Result<T, value::Error> {
        Err(serde::de::Error::custom("there is nothing"))
    }
}

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, value::Error> {
        Self::fail()
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, value::Error> {
        *self.0 = Some(fields);
        Self::fail()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, value::Error> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests;
