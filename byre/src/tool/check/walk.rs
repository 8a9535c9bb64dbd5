//! Goes through a value along a schema.
//!
//! One walk serves both questions, whether a value fits and what about it does not: they differ in what is
//! done with a problem, so they can't disagree.

use std::{collections::BTreeSet, ops::ControlFlow};

use serde_json::{Map, Value};

use super::{
    ArrayRules, Contains, Id, Node, NumberRules, ObjectRules, Path, StringRules, Types, number,
    words, words::Form,
};
use crate::tool::arguments::Problem;

type Flow = ControlFlow<()>;
const ON: Flow = ControlFlow::Continue(());

/// What becomes of a problem.
trait Report {
    /// Returns how many problems there are, if they are kept.
    fn count(&self) -> Option<usize>;

    fn problem(&mut self, path: &Path<'_>, text: impl FnOnce() -> String) -> Flow;

    /// A name is missing, or unknown.
    fn name_problem(&mut self, path: &Path<'_>, text: impl FnOnce() -> String) -> Flow;
}

/// One is enough.
struct Stop;

impl Report for Stop {
    fn count(&self) -> Option<usize> {
        None
    }

    fn problem(&mut self, _: &Path<'_>, _: impl FnOnce() -> String) -> Flow {
        ControlFlow::Break(())
    }

    fn name_problem(&mut self, _: &Path<'_>, _: impl FnOnce() -> String) -> Flow {
        ControlFlow::Break(())
    }
}

/// At most this many problems are listed: nobody reads more, and the value may be long.
const MAX_PROBLEMS: usize = 50;

impl Report for Vec<Problem> {
    fn count(&self) -> Option<usize> {
        Some(self.len())
    }

    fn problem(&mut self, path: &Path<'_>, text: impl FnOnce() -> String) -> Flow {
        let first = path.first().map(str::to_owned);
        self.push(Problem::at(first, path.to_string(), text()));
        if self.len() < MAX_PROBLEMS { ON } else { ControlFlow::Break(()) }
    }

    fn name_problem(&mut self, path: &Path<'_>, text: impl FnOnce() -> String) -> Flow {
        let flow = self.problem(path, text);
        let last = self.pop().map(Problem::of_name);
        self.extend(last);
        flow
    }
}

pub(in crate::tool) fn fits(nodes: &[Node], id: Id, value: &Value, fuel: &mut u32) -> bool {
    Walk { nodes, fuel, report: Stop, nested: 0 }.node(id, value, &Path::Root).is_continue()
}

pub(super) fn problems(nodes: &[Node], id: Id, value: &Value, fuel: &mut u32) -> Vec<Problem> {
    let mut walk = Walk { nodes, fuel, report: Vec::new(), nested: 0 };
    let _ = walk.node(id, value, &Path::Root);
    walk.report
}

struct Walk<'a, R> {
    nodes: &'a [Node],
    fuel: &'a mut u32,
    report: R,
    /// How many schemas are applied to one value, each by the one before.
    nested: usize,
}

impl<'a, R: Report> Walk<'a, R> {
    fn node(&mut self, id: Id, value: &Value, path: &Path<'_>) -> Flow {
        // Schemas that refer to each other in a circle, with no value in between, say nothing.
        if *self.fuel == 0 || self.nested > self.nodes.len() {
            return ON;
        }
        *self.fuel -= 1;
        self.nested += 1;
        let flow = self.keywords(id, value, path);
        self.nested -= 1;
        flow
    }

    /// Goes to a value within the value.
    fn child(&mut self, id: Id, value: &Value, path: &Path<'_>) -> Flow {
        let nested = std::mem::take(&mut self.nested);
        let flow = self.node(id, value, path);
        self.nested = nested;
        flow
    }

    /// Asks only whether a value fits.
    fn fits(&mut self, id: Id, value: &Value) -> bool {
        let mut walk =
            Walk { nodes: self.nodes, fuel: &mut *self.fuel, report: Stop, nested: self.nested };
        walk.node(id, value, &Path::Root).is_continue()
    }

    fn keywords(&mut self, id: Id, value: &Value, path: &Path<'_>) -> Flow {
        let nodes = self.nodes;
        let node = &nodes[id];
        // All that is said beside a wrong type would be said of something else.
        if !node.types.has(Types::of(value)) {
            return self.report.problem(path, || words::wrong_type(nodes, id, value));
        }
        if let Some(values) = &node.values
            && !values.iter().any(|allowed| number::equal(allowed, value))
        {
            return self.report.problem(path, || words::wrong_value(values, value));
        }
        match value {
            Value::Number(number) => {
                if let Some(rules) = &node.number {
                    self.number(node, rules, number, path)?;
                }
            }
            Value::String(text) => {
                if let Some(rules) = &node.string {
                    self.string(rules, text, path)?;
                }
            }
            Value::Array(values) => {
                if let Some(rules) = &node.array {
                    self.array(rules, values, path)?;
                }
            }
            Value::Object(map) => {
                if let Some(rules) = &node.object {
                    self.object(id, rules, map, value, path)?;
                }
            }
            Value::Null | Value::Bool(_) => (),
        }
        self.in_place(node, value, path)
    }

    /// What applies other schemas to the same value.
    fn in_place(&mut self, node: &'a Node, value: &Value, path: &Path<'_>) -> Flow {
        for id in &node.all {
            self.node(*id, value, path)?;
        }
        if !node.any.is_empty() && !node.any.iter().any(|id| self.fits(*id, value)) {
            self.no_branch(&node.any, value, path)?;
        }
        if !node.one.is_empty() {
            let fitting = node.one.iter().filter(|id| self.fits(**id, value)).take(2).count();
            if fitting == 0 {
                self.no_branch(&node.one, value, path)?;
            } else if fitting == 2 {
                self.report.problem(path, || {
                    "fits more than one of the forms that it can have".to_owned()
                })?;
            }
        }
        if let Some(not) = node.not
            && self.fits(not, value)
        {
            let nodes = self.nodes;
            self.report.problem(path, || words::forbidden(nodes, node, not, value))?;
        }
        if let Some(condition) = &node.condition {
            let branch =
                if self.fits(condition.when, value) { condition.then } else { condition.otherwise };
            if let Some(branch) = branch {
                self.node(branch, value, path)?;
            }
        }
        ON
    }

    /// Says why no branch fits: by the one that was meant, if that can be seen.
    fn no_branch(&mut self, branches: &[Id], value: &Value, path: &Path<'_>) -> Flow {
        // Whoever only asks whether it fits needs no words.
        let Some(before) = self.report.count() else {
            return self.report.problem(path, String::new);
        };
        match words::form(self.nodes, branches, value) {
            Form::Branch(id) => self.node(id, value, path)?,
            Form::Key(key, text) => self.report.problem(&Path::Key(path, &key), || text)?,
            Form::Value(text) => self.report.problem(path, || text)?,
        }
        if self.report.count() > Some(before) {
            return ON;
        }
        self.report.problem(path, || "fits none of the forms that it can have".to_owned())
    }

    fn number(
        &mut self,
        node: &Node,
        rules: &NumberRules,
        value: &serde_json::Number,
        path: &Path<'_>,
    ) -> Flow {
        let below = rules.min.as_ref().is_some_and(|min| {
            let order = number::compare(value, &min.value);
            order.is_lt() || min.exclusive && order.is_eq()
        });
        let above = rules.max.as_ref().is_some_and(|max| {
            let order = number::compare(value, &max.value);
            order.is_gt() || max.exclusive && order.is_eq()
        });
        if below || above {
            self.report.problem(path, || words::out_of_range(node, rules, value))?;
        }
        if let Some(of) = &rules.multiple_of
            && !number::is_multiple(value, of)
        {
            self.report.problem(path, || format!("expected a multiple of {of}, got {value}"))?;
        }
        ON
    }

    fn string(&mut self, rules: &StringRules, text: &str, path: &Path<'_>) -> Flow {
        if rules.min.is_some() || rules.max.is_some() {
            let length = text.chars().count() as u64;
            if is_outside(length, rules.min, rules.max) {
                self.report.problem(path, || {
                    words::wrong_count("a string of ", "character", rules.min, rules.max, length)
                })?;
            }
        }
        if let Some(pattern) = &rules.pattern
            && !pattern.matches(text)
        {
            self.report.problem(path, || {
                let got = words::got_string(text);
                format!("expected a string that matches `{pattern}`, got {got}")
            })?;
        }
        if let Some(format) = rules.format
            && !format.fits(text)
        {
            self.report.problem(path, || {
                format!("expected {}, got {}", format.words(), words::got_string(text))
            })?;
        }
        ON
    }

    fn array(&mut self, rules: &ArrayRules, values: &[Value], path: &Path<'_>) -> Flow {
        let length = values.len() as u64;
        if is_outside(length, rules.min, rules.max) {
            self.report.problem(path, || {
                words::wrong_count("a list of ", "value", rules.min, rules.max, length)
            })?;
        }
        for (at, value) in values.iter().enumerate() {
            if let Some(id) = rules.prefix.get(at).or(rules.items.as_ref()) {
                self.child(*id, value, &Path::Index(path, at))?;
            }
        }
        if rules.unique
            && let Some((first, second)) = number::repeated(values)
        {
            self.report.problem(&Path::Index(path, second), || {
                format!("the same as `[{first}]`; every value may be there once")
            })?;
        }
        if let Some(Contains { schema, min, max }) = rules.contains {
            let found = values.iter().filter(|value| self.fits(schema, value)).count() as u64;
            if is_outside(found, Some(min), max) {
                let nodes = self.nodes;
                self.report.problem(path, || words::contains(nodes, schema, min, max, found))?;
            }
        }
        ON
    }

    fn object(
        &mut self,
        id: Id,
        rules: &'a ObjectRules,
        map: &Map<String, Value>,
        value: &Value,
        path: &Path<'_>,
    ) -> Flow {
        self.names(rules, map, path)?;
        let mut known = 0;
        for (name, schema) in &rules.properties {
            let Some(value) = map.get(name) else { continue };
            known += 1;
            if !(value.is_null() && rules.nullable.binary_search(name).is_ok()) {
                self.child(*schema, value, &Path::Key(path, name))?;
            }
        }
        if !rules.patterns.is_empty() || known < map.len() && rules.additional.is_some() {
            for (name, value) in map {
                self.further(rules, name, value, path)?;
            }
        }
        for (name, schema) in &rules.dependent_schemas {
            if map.contains_key(name) {
                self.node(*schema, value, path)?;
            }
        }
        if let Some(unevaluated) = rules.unevaluated {
            let mut seen = BTreeSet::new();
            self.evaluated(id, value, true, &mut seen);
            for (name, value) in map.iter().filter(|(name, _)| !seen.contains(name.as_str())) {
                self.surplus(unevaluated, rules, name, value, path)?;
            }
        }
        ON
    }

    /// Which names are there, and how many.
    fn names(&mut self, rules: &ObjectRules, map: &Map<String, Value>, path: &Path<'_>) -> Flow {
        let nodes = self.nodes;
        for name in rules.required.iter().filter(|name| !map.contains_key(*name)) {
            self.report
                .name_problem(&Path::Key(path, name), || words::missing(nodes, rules, name))?;
        }
        for (name, needed) in &rules.dependent_required {
            if map.contains_key(name) {
                for needed in needed.iter().filter(|needed| !map.contains_key(*needed)) {
                    self.report.problem(&Path::Key(path, needed), || {
                        format!("missing; it has to be there because `{name}` is")
                    })?;
                }
            }
        }
        let count = map.len() as u64;
        if is_outside(count, rules.min, rules.max) {
            self.report.problem(path, || {
                words::wrong_count("an object of ", "entry", rules.min, rules.max, count)
            })?;
        }
        if let Some(schema) = rules.names {
            for name in map.keys() {
                let name = Value::String(name.clone());
                if !self.fits(schema, &name) {
                    let mut fuel = 1000;
                    let key = name.as_str().unwrap_or_default();
                    self.report.problem(&Path::Key(path, key), || {
                        words::wrong_name(nodes, schema, &name, &mut fuel)
                    })?;
                }
            }
        }
        ON
    }

    /// The value of a property, as far as it is judged by more than its whole name.
    fn further(&mut self, rules: &ObjectRules, name: &str, value: &Value, path: &Path<'_>) -> Flow {
        let mut matched = false;
        for (pattern, schema) in &rules.patterns {
            if pattern.matches(name) {
                matched = true;
                self.child(*schema, value, &Path::Key(path, name))?;
            }
        }
        match rules.additional {
            Some(schema) if !matched && rules.property(name).is_none() => {
                self.surplus(schema, rules, name, value, path)
            }
            _ => ON,
        }
    }

    /// A property that no other keyword speaks of.
    fn surplus(
        &mut self,
        schema: Id,
        rules: &ObjectRules,
        name: &str,
        value: &Value,
        path: &Path<'_>,
    ) -> Flow {
        if self.nodes[schema].types == Types::NONE {
            return self
                .report
                .name_problem(&Path::Key(path, name), || words::unknown(rules, name));
        }
        self.child(schema, value, &Path::Key(path, name))
    }

    /// Collects the names that `unevaluatedProperties` does not speak of.
    fn evaluated<'v>(
        &mut self,
        id: Id,
        value: &'v Value,
        is_outermost: bool,
        seen: &mut BTreeSet<&'v str>,
    ) {
        let Value::Object(map) = value else { return };
        if *self.fuel == 0 || self.nested > self.nodes.len() {
            return;
        }
        *self.fuel -= 1;
        self.nested += 1;
        let node = &self.nodes[id];
        if let Some(rules) = &node.object {
            let is_named = |name: &&String| {
                rules.property(name).is_some()
                    || rules.additional.is_some()
                    || rules.patterns.iter().any(|(pattern, _)| pattern.matches(name))
            };
            seen.extend(map.keys().filter(is_named).map(String::as_str));
            for (name, schema) in &rules.dependent_schemas {
                if map.contains_key(name) {
                    self.evaluated(*schema, value, false, seen);
                }
            }
        }
        for id in &node.all {
            self.evaluated(*id, value, false, seen);
        }
        for id in node.any.iter().chain(&node.one) {
            if self.fits(*id, value) {
                self.evaluated(*id, value, false, seen);
            }
        }
        if let Some(condition) = &node.condition {
            let branch = if self.fits(condition.when, value) {
                self.evaluated(condition.when, value, false, seen);
                condition.then
            } else {
                condition.otherwise
            };
            if let Some(branch) = branch {
                self.evaluated(branch, value, false, seen);
            }
        }
        // What a nested `unevaluatedProperties` has judged is judged.
        if !is_outermost && node.object.as_ref().is_some_and(|rules| rules.unevaluated.is_some()) {
            seen.extend(map.keys().map(String::as_str));
        }
        self.nested -= 1;
    }
}

fn is_outside(count: u64, min: Option<u64>, max: Option<u64>) -> bool {
    min.is_some_and(|min| count < min) || max.is_some_and(|max| count > max)
}
