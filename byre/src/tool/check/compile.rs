//! Makes nodes of a schema.

use std::collections::HashMap;

use serde_json::{Map, Number, Value};

use super::{
    Bound, Checker, Condition, Contains, Id, Node, ROOT, Types, formats::Format, pattern::Pattern,
};

pub(super) fn whole(schema: &Value) -> Checker {
    let mut compiler = Compiler { root: schema, nodes: Vec::new(), known: HashMap::new() };
    compiler.add(schema, "");
    settle(&mut compiler.nodes);
    Checker { nodes: compiler.nodes, is_plain: false, of_parameters: false }
}

pub(super) fn parameters(root: &Value) -> Checker {
    let mut open = root.clone();
    if let Some(map) = open.as_object_mut() {
        map.remove("required");
        map.remove("additionalProperties");
    }
    let mut checker = whole(&open);
    let required = names(root.get("required"));
    if let Some(rules) = &mut checker.nodes[ROOT].object {
        let optional = rules.properties.iter().map(|(name, _)| name);
        rules.nullable = optional.filter(|name| !required.contains(name)).cloned().collect();
    }
    checker.is_plain = is_plain(&open);
    checker.of_parameters = true;
    checker
}

/// Whether Rust types see to all that the schema of some parameters says.
///
/// Only what has no second meaning: `"minimum": 0` may come from `u64` as well as from an attribute on
/// `i64`, and `required` of a struct may be an `Option` that its author wants to be there.
fn is_plain(root: &Value) -> bool {
    fn is_plain_value(schema: &Value) -> bool {
        let Value::Object(map) = schema else { return schema == true };
        map.iter().all(|(key, value)| match key.as_str() {
            "type" => true,
            "items" | "additionalProperties" => is_plain_value(value),
            other => is_annotation(other),
        })
    }

    let Value::Object(map) = root else { return root == true };
    map.iter().all(|(key, value)| match key.as_str() {
        "type" => true,
        "properties" => value.as_object().is_some_and(|map| map.values().all(is_plain_value)),
        other => is_annotation(other),
    })
}

/// Keywords that say nothing about what fits.
fn is_annotation(key: &str) -> bool {
    matches!(
        key,
        "title"
            | "description"
            | "default"
            | "examples"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "contentEncoding"
            | "contentMediaType"
            | "contentSchema"
            | "$schema"
            | "$comment"
            | "$defs"
            | "definitions"
    )
}

struct Compiler<'a> {
    root: &'a Value,
    nodes: Vec<Node>,
    /// By JSON pointer, so that a schema that refers to itself is one node.
    known: HashMap<String, Id>,
}

impl<'a> Compiler<'a> {
    /// Adds the schema that stands at `pointer`, once.
    fn add(&mut self, schema: &'a Value, pointer: &str) -> Id {
        if let Some(id) = self.known.get(pointer) {
            return *id;
        }
        let id = self.nodes.len();
        self.known.insert(pointer.to_owned(), id);
        self.nodes.push(Node::any());
        let node = match schema {
            Value::Object(map) => self.node(map, pointer),
            Value::Bool(false) => Node { types: Types::NONE, ..Node::any() },
            _ => Node::any(),
        };
        self.nodes[id] = node;
        id
    }

    fn node(&mut self, map: &'a Map<String, Value>, pointer: &str) -> Node {
        let mut node = Node::any();
        for (key, value) in map {
            let at = format!("{pointer}/{}", escaped(key));
            match key.as_str() {
                "type" => node.types = types(value),
                "enum" => node.restrict(value.as_array().cloned()),
                "const" => node.restrict(Some(vec![value.clone()])),
                "$ref" => {
                    let target = value.as_str().and_then(|reference| self.target(reference));
                    if target.is_none() {
                        tracing::debug!(at, "a reference of a schema leads nowhere: not checked");
                    }
                    node.all.extend(target);
                }
                "allOf" => node.all.extend(self.list(value, &at)),
                "anyOf" => node.any = self.list(value, &at),
                "oneOf" => node.one = self.list(value, &at),
                "not" => node.not = Some(self.add(value, &at)),
                "if" => node.condition = Some(self.condition(map, value, pointer)),
                _ => {
                    let known = self.number(&mut node, key, value)
                        || self.string(&mut node, key, value, &at)
                        || self.array(&mut node, map, key, value, &at)
                        || self.object(&mut node, key, value, &at);
                    if !known && !is_annotation(key) && !matches!(&**key, "then" | "else") {
                        tracing::debug!(at, "a keyword of a schema is not known: not checked");
                    }
                }
            }
        }
        node
    }

    fn list(&mut self, value: &'a Value, pointer: &str) -> Vec<Id> {
        let schemas = value.as_array().into_iter().flatten().enumerate();
        schemas.map(|(at, schema)| self.add(schema, &format!("{pointer}/{at}"))).collect()
    }

    fn map(&mut self, value: &'a Value, pointer: &str) -> Vec<(String, Id)> {
        let schemas = value.as_object().into_iter().flatten();
        let mut list: Vec<_> = schemas
            .map(|(name, schema)| {
                (name.clone(), self.add(schema, &format!("{pointer}/{}", escaped(name))))
            })
            .collect();
        list.sort_unstable();
        list
    }

    /// Follows a reference within the document.
    fn target(&mut self, reference: &str) -> Option<Id> {
        let pointer = percent_decoded(reference.strip_prefix('#')?)?;
        let root = self.root;
        Some(self.add(root.pointer(&pointer)?, &pointer))
    }

    fn condition(
        &mut self,
        map: &'a Map<String, Value>,
        when: &'a Value,
        pointer: &str,
    ) -> Condition {
        let mut branch =
            |key: &str| map.get(key).map(|schema| self.add(schema, &format!("{pointer}/{key}")));
        let (then, otherwise) = (branch("then"), branch("else"));
        Condition { when: self.add(when, &format!("{pointer}/if")), then, otherwise }
    }

    #[expect(clippy::unused_self, reason = "one of four that are asked in turn")]
    fn number(&self, node: &mut Node, key: &str, value: &Value) -> bool {
        if !matches!(
            key,
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf"
        ) {
            return false;
        }
        let Value::Number(number) = value else { return true };
        let rules = node.number.get_or_insert_default();
        let bound = |exclusive| Bound { value: number.clone(), exclusive };
        match key {
            "minimum" => tighten(&mut rules.min, bound(false), std::cmp::Ordering::Greater),
            "exclusiveMinimum" => tighten(&mut rules.min, bound(true), std::cmp::Ordering::Greater),
            "maximum" => tighten(&mut rules.max, bound(false), std::cmp::Ordering::Less),
            "exclusiveMaximum" => tighten(&mut rules.max, bound(true), std::cmp::Ordering::Less),
            _ => rules.multiple_of = Some(number.clone()),
        }
        true
    }

    #[expect(clippy::unused_self, reason = "one of four that are asked in turn")]
    fn string(&self, node: &mut Node, key: &str, value: &Value, at: &str) -> bool {
        match key {
            "minLength" => node.string.get_or_insert_default().min = count(value),
            "maxLength" => node.string.get_or_insert_default().max = count(value),
            "pattern" => node.string.get_or_insert_default().pattern = pattern(value, at),
            "format" => {
                let format = value.as_str().and_then(Format::named);
                if format.is_none() {
                    tracing::debug!(at, "a format of a schema is not known: not checked");
                }
                node.string.get_or_insert_default().format = format;
            }
            _ => return false,
        }
        true
    }

    fn array(
        &mut self,
        node: &mut Node,
        map: &'a Map<String, Value>,
        key: &str,
        value: &'a Value,
        at: &str,
    ) -> bool {
        if !matches!(
            key,
            "items"
                | "prefixItems"
                | "minItems"
                | "maxItems"
                | "uniqueItems"
                | "contains"
                | "minContains"
                | "maxContains"
        ) {
            return false;
        }
        let rules = node.array.get_or_insert_default();
        match key {
            "items" => rules.items = Some(self.add(value, at)),
            "prefixItems" => rules.prefix = self.list(value, at),
            "minItems" => rules.min = count(value),
            "maxItems" => rules.max = count(value),
            "uniqueItems" => rules.unique = value == true,
            "contains" => {
                rules.contains = Some(Contains {
                    schema: self.add(value, at),
                    min: map.get("minContains").and_then(count).unwrap_or(1),
                    max: map.get("maxContains").and_then(count),
                });
            }
            // They belong to `contains`.
            _ => (),
        }
        true
    }

    fn object(&mut self, node: &mut Node, key: &str, value: &'a Value, at: &str) -> bool {
        if !matches!(
            key,
            "properties"
                | "required"
                | "patternProperties"
                | "additionalProperties"
                | "unevaluatedProperties"
                | "propertyNames"
                | "minProperties"
                | "maxProperties"
                | "dependentRequired"
                | "dependentSchemas"
        ) {
            return false;
        }
        let rules = node.object.get_or_insert_default();
        match key {
            "properties" => rules.properties = self.map(value, at),
            "required" => rules.required = names(Some(value)),
            "patternProperties" => {
                let schemas = self.map(value, at).into_iter();
                let compiled = schemas.filter_map(|(name, schema)| {
                    Some((pattern(&Value::String(name), at)?, schema))
                });
                rules.patterns = compiled.collect();
            }
            "additionalProperties" => rules.additional = Some(self.add(value, at)),
            "unevaluatedProperties" => rules.unevaluated = Some(self.add(value, at)),
            "propertyNames" => rules.names = Some(self.add(value, at)),
            "minProperties" => rules.min = count(value),
            "maxProperties" => rules.max = count(value),
            "dependentRequired" => {
                let lists = value.as_object().into_iter().flatten();
                rules.dependent_required =
                    lists.map(|(name, list)| (name.clone(), names(Some(list)))).collect();
            }
            _ => rules.dependent_schemas = self.map(value, at),
        }
        true
    }
}

impl Node {
    /// `true`
    fn any() -> Self {
        Self {
            types: Types::ALL,
            allowed: Types::ALL,
            values: None,
            number: None,
            string: None,
            array: None,
            object: None,
            all: Vec::new(),
            any: Vec::new(),
            one: Vec::new(),
            not: None,
            condition: None,
        }
    }

    /// Allows these values and no others.
    fn restrict(&mut self, values: Option<Vec<Value>>) {
        let Some(mut values) = values else { return };
        if let Some(before) = &self.values {
            values.retain(|value| before.iter().any(|other| super::number::equal(value, other)));
        }
        self.values = Some(values);
    }
}

/// Keeps the bound that leaves less.
fn tighten(bound: &mut Option<Bound>, new: Bound, is_tighter: std::cmp::Ordering) {
    let keep = bound.as_ref().is_some_and(|old| {
        let order = super::number::compare(&new.value, &old.value);
        order != is_tighter && !(order.is_eq() && new.exclusive)
    });
    if !keep {
        *bound = Some(new);
    }
}

fn types(value: &Value) -> Types {
    let named = |value: &Value| value.as_str().and_then(Types::named);
    match value {
        Value::Array(list) => list.iter().filter_map(named).fold(Types::NONE, Types::with),
        other => named(other).unwrap_or(Types::ALL),
    }
}

fn pattern(value: &Value, at: &str) -> Option<Pattern> {
    let text = value.as_str()?;
    match Pattern::new(text) {
        Ok(pattern) => Some(pattern),
        Err(reason) => {
            tracing::debug!(at, pattern = text, "a pattern of a schema is not checked: {reason}");
            None
        }
    }
}

/// `2.0` is a count too.
fn count(value: &Value) -> Option<u64> {
    let Value::Number(number) = value else { return None };
    number.as_u64().or_else(|| rounded_off(number))
}

fn rounded_off(number: &Number) -> Option<u64> {
    let float = number.as_f64()?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is whole, and `as` takes the nearest of what is out of range"
    )]
    (float >= 0.0 && float.fract() == 0.0).then_some(float as u64)
}

fn names(value: Option<&Value>) -> Vec<String> {
    let list = value.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// A reference is a URI, so a name in it may be written with `%20`.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first == b'%' {
            let (digits, after) = rest.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?);
            rest = after;
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}

/// Works out which types each schema leaves. References may be circular, so it is done until nothing
/// changes any more; types are only ever taken away, so that comes soon.
fn settle(nodes: &mut [Node]) {
    loop {
        let mut changed = false;
        for id in 0..nodes.len() {
            let allowed = left(&nodes[id], nodes);
            if allowed != nodes[id].allowed {
                nodes[id].allowed = allowed;
                changed = true;
            }
        }
        if !changed {
            return;
        }
    }
}

fn left(node: &Node, nodes: &[Node]) -> Types {
    let union =
        |ids: &[Id]| ids.iter().fold(Types::NONE, |types, id| types.with(nodes[*id].allowed));
    let mut types = node.types;
    if let Some(values) = &node.values {
        types = types.both(values.iter().map(Types::of).fold(Types::NONE, Types::with));
    }
    for id in &node.all {
        types = types.both(nodes[*id].allowed);
    }
    for branches in [&node.any, &node.one] {
        if !branches.is_empty() {
            types = types.both(union(branches));
        }
    }
    types
}
