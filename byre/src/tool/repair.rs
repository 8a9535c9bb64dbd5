//! Mends the slips of models, where the schema leaves no doubt about what was meant.
//!
//! A list or an object that came as a string of JSON, a number or a boolean that came as a string, and `null`
//! for a property that may be absent but not `null`. Nothing is mended where the schema allows what came.

use serde_json::{Map, Value};

use super::{
    arguments::Problem,
    check::{self, Checker, Form, Id, Node, Path, ROOT, Types},
    reader,
};

/// What was done to a value.
#[derive(Debug, Default)]
pub(crate) struct Repairs {
    /// Where, and what: `items[0].price`, "a string to a number".
    pub(crate) done: Vec<(String, &'static str)>,
    /// Integers that may have been rounded before they came, about which nothing can be done.
    pub(crate) rounded: Vec<Problem>,
}

/// How many schemas are looked at in one go. What is left after that stays as it is, and is refused.
const FUEL: u32 = 100_000;

/// Mends a value, in place.
pub(crate) fn repair(checker: &Checker, value: &mut Value) -> Repairs {
    let mut mender = Mender {
        nodes: checker.nodes(),
        keeps_nulls_at_root: checker.is_of_parameters(),
        repairs: Repairs::default(),
        fuel: FUEL,
        nested: 0,
    };
    mender.node(ROOT, value, &Path::Root);
    mender.repairs
}

struct Mender<'a> {
    nodes: &'a [Node],
    /// Whoever takes the parameters apart knows which of them may be `null`.
    keeps_nulls_at_root: bool,
    repairs: Repairs,
    fuel: u32,
    /// How many schemas are applied to one value, each by the one before.
    nested: usize,
}

impl<'a> Mender<'a> {
    fn node(&mut self, id: Id, value: &mut Value, path: &Path<'_>) {
        if self.fuel == 0 || self.nested > self.nodes.len() {
            return;
        }
        self.fuel -= 1;
        self.nested += 1;
        let node = &self.nodes[id];
        self.whole(node, value, path);
        let nested = std::mem::take(&mut self.nested);
        self.parts(node, value, path);
        self.nested = nested;
        for id in &node.all {
            self.node(*id, value, path);
        }
        for branches in [&node.any, &node.one] {
            if let Some(branch) = self.meant(branches, value) {
                self.node(branch, value, path);
            }
        }
        self.nested -= 1;
    }

    /// The value itself.
    fn whole(&mut self, node: &Node, value: &mut Value, path: &Path<'_>) {
        match value {
            Value::String(text) if !node.allowed.has(Types::STRING) => {
                if let Some((meant, what)) = read(text, node.allowed) {
                    *value = meant;
                    self.repairs.done.push((path.to_string(), what));
                }
            }
            Value::Number(number)
                if check::is_rounded(number)
                    && node.allowed.has(Types::INTEGER)
                    && !node.allowed.has(Types::FRACTION) =>
            {
                let problem = Problem::at(
                    path.first().map(str::to_owned),
                    path.to_string(),
                    check::rounded(number),
                );
                if !self.repairs.rounded.contains(&problem) {
                    self.repairs.rounded.push(problem);
                }
            }
            _ => (),
        }
    }

    /// The values within.
    fn parts(&mut self, node: &'a Node, value: &mut Value, path: &Path<'_>) {
        match value {
            Value::Array(values) => {
                let Some(rules) = &node.array else { return };
                for (at, value) in values.iter_mut().enumerate() {
                    if let Some(id) = rules.prefix.get(at).or(rules.items.as_ref()) {
                        self.node(*id, value, &Path::Index(path, at));
                    }
                }
            }
            Value::Object(map) => {
                let Some(rules) = &node.object else { return };
                if !(self.keeps_nulls_at_root && matches!(path, Path::Root)) {
                    self.nulls(rules, map, path);
                }
                for (name, value) in map {
                    for id in rules.schemas_of(name) {
                        self.node(id, value, &Path::Key(path, name));
                    }
                }
            }
            _ => (),
        }
    }

    fn nulls(&mut self, rules: &check::ObjectRules, map: &mut Map<String, Value>, path: &Path<'_>) {
        map.retain(|name, value| {
            let is_mistaken = value.is_null()
                && rules.property(name).is_some_and(|id| !self.nodes[id].allowed.has(Types::NULL))
                && !rules.required.contains(name);
            if is_mistaken {
                let path = Path::Key(path, name).to_string();
                self.repairs.done.push((path, "null to nothing"));
            }
            !is_mistaken
        });
    }

    /// Finds the one branch that a value was meant for, if something about it has to be mended.
    fn meant(&mut self, branches: &[Id], value: &Value) -> Option<Id> {
        if branches.is_empty() {
            return None;
        }
        let nodes = self.nodes;
        let kind = Types::of(value);
        let possible: Vec<Id> = branches
            .iter()
            .copied()
            .filter(|id| nodes[*id].allowed.has(kind) || kind == Types::STRING)
            .filter(|id| nodes[*id].allowed != Types::NULL)
            .collect();
        if let [only] = possible[..] {
            return Some(only);
        }
        if possible.iter().any(|id| check::fits(nodes, *id, value, &mut self.fuel)) {
            return None;
        }
        if let Form::Branch(id) = check::form(nodes, &possible, value) {
            return Some(id);
        }
        let mut fitting = possible.into_iter().filter(|id| self.would_fit(*id, value.clone()));
        fitting.next().filter(|_| fitting.next().is_none())
    }

    fn would_fit(&mut self, id: Id, mut value: Value) -> bool {
        let before = std::mem::take(&mut self.repairs);
        self.node(id, &mut value, &Path::Root);
        self.repairs = before;
        check::fits(self.nodes, id, &value, &mut self.fuel)
    }
}

/// Reads what was meant by a string, if one of these types was.
fn read(text: &str, allowed: Types) -> Option<(Value, &'static str)> {
    let text = text.trim();
    let what = match text.as_bytes() {
        [b'[', ..] if allowed.has(Types::ARRAY) => "a string to a list",
        [b'{', ..] if allowed.has(Types::OBJECT) => "a string to an object",
        [b'-' | b'0'..=b'9', ..] if allowed.has(Types::INTEGER) && reader::is_integer(text) => {
            "a string to an integer"
        }
        [b'-' | b'0'..=b'9', ..] if allowed.has(Types::FRACTION) => "a string to a number",
        [b't' | b'f' | b'T' | b'F', ..] if allowed.has(Types::BOOLEAN) => {
            let flag = match text {
                "true" | "True" => true,
                "false" | "False" => false,
                _ => return None,
            };
            return Some((flag.into(), "a string to a boolean"));
        }
        _ => return None,
    };
    let value: Value = serde_json::from_str(text).ok()?;
    let value = super::arguments::with_integers(value);
    // An integer that is too long for its type was read as something else.
    let is_exact = match &value {
        Value::Number(number) => !number.is_f64() || allowed.has(Types::FRACTION),
        _ => true,
    };
    (is_exact && allowed.has(Types::of(&value))).then_some((value, what))
}
