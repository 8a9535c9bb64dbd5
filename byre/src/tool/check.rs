//! Checks values against a JSON Schema that was compiled once.
//!
//! The schema is the whole promise that the model sees, so all of it holds before a tool runs, also what
//! serde knows nothing of: ranges, lengths, patterns, formats. What does not fit is listed at once, each
//! with its path, in words for the model.
//!
//! # Why byre has its own
//!
//! The crate `jsonschema` judges every schema that exists, and brings 71 crates for that; byre's whole tree has
//! 43, and this adds one small one, for patterns. Instructions, counted by callgrind in builds without
//! optimisation, for the call in `tests::a_call`: six parameters with a pattern, a format, ranges and a list of
//! objects.
//!
//! | | one check | compiling the schema | once in a process | crates |
//! |---|---|---|---|---|
//! | this | 46,000 | 410,000 | - | 1 |
//! | `jsonschema` 0.48 | 21,000 | 3,350,000 | 57,000,000 | 71 |
//!
//! So a check costs twice as much, and the first one of a tool an eighth; the two meet after more than a hundred
//! calls of one tool, the start of the process left aside. Tools whose schema says nothing that serde does not see
//! to, which are most, are not checked at all.
//!
//! `jsonschema` stays the judge in the tests: `tests::agreement` has both of them decide about thousands of
//! values.
//!
//! # What it knows
//!
//! Draft 2020-12, without what needs more than one document or names given at run time: `$id`, `$anchor`,
//! `$dynamicRef`, `unevaluatedItems`. What it does not know it passes over, and says so once at debug level,
//! when the schema is compiled.

mod compile;
mod formats;
mod number;
mod pattern;
mod valid;
mod walk;
mod words;

use std::fmt;

use serde_json::Value;

pub(crate) use self::valid::faults;
pub(super) use self::{
    number::is_rounded,
    walk::fits,
    words::{Form, form, rounded},
};
use super::arguments::Problem;

/// A schema, ready to check values.
#[derive(Debug)]
pub(crate) struct Checker {
    /// All schemas that are nested in it, the root first. They name each other by their index, because a
    /// schema may refer to itself.
    nodes: Vec<Node>,
    /// Whether serde sees to all that it says, when the values are those of Rust types.
    is_plain: bool,
    /// Whether the root's properties are the parameters of a function.
    of_parameters: bool,
}

/// How many schemas are applied to values in one check. Branches within branches multiply, and the values
/// are the model's; a check that needs more lets the rest pass, which serde still reads.
const FUEL: u32 = 1_000_000;

impl Checker {
    /// Compiles the schema of the arguments of a function, whose parameters are its root's properties.
    ///
    /// Which of them are missing and which names are unknown is not checked: whoever takes them apart knows
    /// that, and knows aliases. `null` for one that may be left out is as good as nothing.
    pub(crate) fn of_parameters(schema: &Value) -> Self {
        compile::parameters(schema)
    }

    /// Compiles a schema of which everything is checked.
    pub(crate) fn of_schema(schema: &Value) -> Self {
        compile::whole(schema)
    }

    /// Says whether serde sees to all that the schema says, so that there is nothing to check.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Says whether the value fits.
    pub(crate) fn accepts(&self, value: &Value) -> bool {
        fits(&self.nodes, ROOT, value, &mut { FUEL })
    }

    /// Returns all that does not fit, in the order of the schema.
    pub(crate) fn problems(&self, value: &Value) -> Vec<Problem> {
        walk::problems(&self.nodes, ROOT, value, &mut { FUEL })
    }

    /// Says whether the root's properties are the parameters of a function.
    pub(super) fn is_of_parameters(&self) -> bool {
        self.of_parameters
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }
}

/// Index of a [`Node`].
pub(super) type Id = usize;

pub(super) const ROOT: Id = 0;

/// One schema.
#[derive(Debug)]
pub(super) struct Node {
    /// What `type` says.
    types: Types,
    /// The types that are left when references and branches are counted in.
    pub(super) allowed: Types,
    /// `enum` and `const`.
    values: Option<Vec<Value>>,
    number: Option<Box<NumberRules>>,
    string: Option<Box<StringRules>>,
    pub(super) array: Option<Box<ArrayRules>>,
    pub(super) object: Option<Box<ObjectRules>>,
    /// `$ref` and `allOf`.
    pub(super) all: Vec<Id>,
    /// `anyOf`.
    pub(super) any: Vec<Id>,
    /// `oneOf`.
    pub(super) one: Vec<Id>,
    not: Option<Id>,
    condition: Option<Condition>,
}

#[derive(Debug)]
struct Condition {
    when: Id,
    then: Option<Id>,
    otherwise: Option<Id>,
}

#[derive(Debug, Default)]
struct NumberRules {
    min: Option<Bound>,
    max: Option<Bound>,
    multiple_of: Option<serde_json::Number>,
}

#[derive(Clone, Debug)]
struct Bound {
    value: serde_json::Number,
    exclusive: bool,
}

#[derive(Debug, Default)]
struct StringRules {
    min: Option<u64>,
    max: Option<u64>,
    pattern: Option<pattern::Pattern>,
    format: Option<formats::Format>,
}

#[derive(Debug, Default)]
pub(super) struct ArrayRules {
    pub(super) prefix: Vec<Id>,
    pub(super) items: Option<Id>,
    min: Option<u64>,
    max: Option<u64>,
    unique: bool,
    contains: Option<Contains>,
}

#[derive(Debug)]
struct Contains {
    schema: Id,
    min: u64,
    max: Option<u64>,
}

#[derive(Debug, Default)]
pub(super) struct ObjectRules {
    /// Sorted by name.
    pub(super) properties: Vec<(String, Id)>,
    pub(super) required: Vec<String>,
    pub(super) patterns: Vec<(pattern::Pattern, Id)>,
    pub(super) additional: Option<Id>,
    /// Names of which `null` says no more than absence. Sorted.
    nullable: Vec<String>,
    unevaluated: Option<Id>,
    names: Option<Id>,
    min: Option<u64>,
    max: Option<u64>,
    dependent_required: Vec<(String, Vec<String>)>,
    dependent_schemas: Vec<(String, Id)>,
}

impl ObjectRules {
    pub(super) fn property(&self, name: &str) -> Option<Id> {
        let at = self.properties.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()?;
        Some(self.properties[at].1)
    }

    /// Returns the schemas that hold for the value of a property.
    pub(super) fn schemas_of(&self, name: &str) -> impl Iterator<Item = Id> {
        let property = self.property(name);
        let matching = self.patterns.iter().filter(|(pattern, _)| pattern.matches(name));
        let patterns: Vec<_> = matching.map(|(_, schema)| *schema).collect();
        let is_known = property.is_some() || !patterns.is_empty();
        let additional = self.additional.filter(|_| !is_known);
        property.into_iter().chain(patterns).chain(additional)
    }
}

/// A set of JSON types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Types(u8);

impl Types {
    pub(super) const NONE: Self = Self(0);
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(2);
    pub(super) const INTEGER: Self = Self(4);
    /// What is a number and no integer. `"type": "number"` is both.
    pub(super) const FRACTION: Self = Self(8);
    pub(super) const STRING: Self = Self(16);
    pub(super) const ARRAY: Self = Self(32);
    pub(super) const OBJECT: Self = Self(64);
    pub(super) const ALL: Self = Self(127);

    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::NULL,
            Value::Bool(_) => Self::BOOLEAN,
            Value::Number(number) if number::is_integer(number) => Self::INTEGER,
            Value::Number(_) => Self::FRACTION,
            Value::String(_) => Self::STRING,
            Value::Array(_) => Self::ARRAY,
            Value::Object(_) => Self::OBJECT,
        }
    }

    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::INTEGER.with(Self::FRACTION),
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => return None,
        })
    }

    pub(super) fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    const fn both(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// Where a value stands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Path<'a> {
    Root,
    Key(&'a Path<'a>, &'a str),
    Index(&'a Path<'a>, usize),
}

impl Path<'_> {
    /// Returns the key at the root that leads here, if any.
    pub(super) fn first(&self) -> Option<&str> {
        match self {
            Self::Root => None,
            Self::Key(parent, key) => parent.first().or(Some(key)),
            Self::Index(parent, _) => parent.first(),
        }
    }
}

/// `orders[2].price`
impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Key(Self::Root, key) => f.write_str(&super::wording::shortened(key, 60)),
            Self::Key(parent, key) => {
                write!(f, "{parent}.{}", super::wording::shortened(key, 60))
            }
            Self::Index(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

#[cfg(test)]
mod tests;
