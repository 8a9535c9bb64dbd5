//! Says what does not fit, in words for a model: about JSON, and with what would fit.

use serde_json::{Number, Value};

use super::{Id, Node, NumberRules, ObjectRules, Types};
use crate::tool::{nearest::nearest, wording};

/// More values than these are not listed.
const MAX_LISTED: usize = 40;

pub(super) fn wrong_type(nodes: &[Node], id: Id, value: &Value) -> String {
    if nodes[id].types == Types::NONE {
        return format!("nothing may be here, got {}", wording::value(value));
    }
    format!("expected {}, got {}", expectation(nodes, id), wording::value(value))
}

pub(super) fn wrong_value(allowed: &[Value], value: &Value) -> String {
    format!("expected {}, got {}", one_of(allowed), wording::value(value))
}

pub(super) fn got_string(text: &str) -> String {
    format!("the string {:?}", wording::shortened(text, 60))
}

/// Lists values: texts as they are, and everything else as JSON.
fn one_of(values: &[Value]) -> String {
    // That `null` is allowed too helps nobody.
    let said = |value: &&Value| !value.is_null() || values.len() == 1;
    let values: Vec<&Value> = values.iter().filter(said).collect();
    let texts: Vec<String> = values
        .iter()
        .take(MAX_LISTED)
        .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        .collect();
    let listed: Vec<&str> = texts.iter().map(String::as_str).collect();
    match values.len().checked_sub(MAX_LISTED) {
        None | Some(0) => wording::one_of(&listed),
        Some(more) => format!("{} and {more} more", wording::one_of(&listed)),
    }
}

/// Says what would fit: "an integer", "one of `a`, `b`".
pub(super) fn expectation(nodes: &[Node], id: Id) -> String {
    let node = &nodes[id];
    if let Some(values) = &node.values {
        return one_of(values);
    }
    if let ([single], []) | ([], [single]) = (&node.all[..], &node.any[..])
        && node.one.is_empty()
        && nodes[*single].values.is_some()
    {
        return expectation(nodes, *single);
    }
    let words = type_words(node.allowed);
    if words.is_empty() { "nothing".to_owned() } else { words }
}

/// "a string or a list"; that `null` is allowed is only said when nothing else is.
fn type_words(types: Types) -> String {
    if types == Types::ALL {
        return "any JSON value".to_owned();
    }
    let types = if types == Types::NULL { types } else { types.without(Types::NULL) };
    let mut words = Vec::new();
    for (one, word) in [
        (Types::STRING, "a string"),
        (Types::FRACTION, "a number"),
        (Types::INTEGER, "an integer"),
        (Types::BOOLEAN, "true or false"),
        (Types::ARRAY, "a list"),
        (Types::OBJECT, "an object"),
        (Types::NULL, "null"),
    ] {
        let is_said = one == Types::INTEGER && types.has(Types::FRACTION);
        if types.has(one) && !is_said {
            words.push(word);
        }
    }
    match words.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        Some((last, _)) => (*last).to_owned(),
        None => String::new(),
    }
}

pub(super) fn out_of_range(node: &Node, rules: &NumberRules, value: &Number) -> String {
    let noun = if node.types.has(Types::FRACTION) { "a number" } else { "an integer" };
    let text = match (&rules.min, &rules.max) {
        (Some(min), Some(max)) if !min.exclusive && !max.exclusive => {
            format!("{noun} from {} to {}", min.value, max.value)
        }
        (Some(min), None) if !min.exclusive && min.value.as_f64() == Some(0.0) => {
            format!("{noun} that is not negative")
        }
        (min, max) => {
            let min = min.as_ref().map(|min| {
                let words = if min.exclusive { "more than" } else { "at least" };
                format!("{words} {}", min.value)
            });
            let max = max.as_ref().map(|max| {
                let words = if max.exclusive { "less than" } else { "at most" };
                format!("{words} {}", max.value)
            });
            let bounds: Vec<_> = min.into_iter().chain(max).collect();
            format!("{noun} that is {}", bounds.join(" and "))
        }
    };
    format!("expected {text}, got the number {value}")
}

/// "expected a list of 2 values, got 3"
pub(super) fn wrong_count(
    of: &str,
    noun: &str,
    min: Option<u64>,
    max: Option<u64>,
    got: u64,
) -> String {
    let counted = |count: u64| {
        let plural = match noun.strip_suffix('y') {
            Some(stem) => format!("{stem}ies"),
            None => format!("{noun}s"),
        };
        if count == 1 { format!("1 {noun}") } else { format!("{count} {plural}") }
    };
    let wanted = match (min, max) {
        (Some(min), Some(max)) if min == max => counted(min),
        (Some(min), Some(max)) => format!("{min} to {}", counted(max)),
        (Some(min), None) => format!("at least {}", counted(min)),
        (_, Some(max)) => format!("at most {}", counted(max)),
        (None, None) => counted(got),
    };
    format!("expected {of}{wanted}, got {got}")
}

pub(super) fn contains(nodes: &[Node], id: Id, min: u64, max: Option<u64>, found: u64) -> String {
    let wanted = match max {
        Some(max) => format!("{min} to {max}"),
        None => format!("at least {min}"),
    };
    let what = expectation(nodes, id);
    format!(
        "expected {wanted} of the values to be {what} of the form that is asked for, got {found}"
    )
}

/// Says what `not` keeps out.
pub(super) fn forbidden(nodes: &[Node], node: &Node, not: Id, value: &Value) -> String {
    let got = wording::value(value);
    match &nodes[not].values {
        Some(values) => {
            let what = type_words(node.allowed);
            let texts: Vec<_> = values.iter().map(Value::to_string).collect();
            format!("expected {what} other than {}, got {got}", texts.join(", "))
        }
        None => format!("{got} has a form that is not allowed"),
    }
}

pub(super) fn missing(nodes: &[Node], rules: &ObjectRules, name: &str) -> String {
    match rules.property(name) {
        Some(id) if nodes[id].allowed != Types::ALL => {
            format!("missing ({})", expectation(nodes, id))
        }
        _ => "missing".to_owned(),
    }
}

pub(super) fn unknown(rules: &ObjectRules, name: &str) -> String {
    let names: Vec<&str> = rules.properties.iter().map(|(name, _)| name.as_str()).collect();
    match nearest(name, names.iter().copied()) {
        Some(meant) => format!("unknown; did you mean `{meant}`?"),
        None if names.is_empty() => "unknown".to_owned(),
        None => format!("unknown; expected {}", wording::one_of(&names)),
    }
}

pub(super) fn wrong_name(nodes: &[Node], id: Id, name: &Value, fuel: &mut u32) -> String {
    match super::walk::problems(nodes, id, name, fuel).pop() {
        Some(problem) => format!("the name does not fit: {}", problem.text()),
        None => "the name does not fit".to_owned(),
    }
}

/// How to say that no branch of several fits.
pub(in crate::tool) enum Form {
    /// This is the branch that was meant.
    Branch(Id),
    /// This key decides which branch is meant.
    Key(String, String),
    /// The value as a whole is wrong.
    Value(String),
}

pub(in crate::tool) fn form(nodes: &[Node], branches: &[Id], value: &Value) -> Form {
    let branches = &flat(nodes, branches)[..];
    let kind = Types::of(value);
    let fitting: Vec<Id> =
        branches.iter().copied().filter(|id| nodes[*id].allowed.has(kind)).collect();
    // All the values that are listed in branches, for enums of words, some with a comment of their own.
    let values: Vec<Value> =
        branches.iter().filter_map(|id| nodes[*id].values.as_ref()).flatten().cloned().collect();
    let only_values = fitting.iter().all(|id| nodes[*id].values.is_some());
    if let Value::Object(map) = value {
        if let Some(form) = by_tag(nodes, &fitting, map).or_else(|| by_key(nodes, &fitting, map)) {
            return form;
        }
    } else if only_values && !values.is_empty() && (kind == Types::STRING || !fitting.is_empty()) {
        let mut allowed = values;
        allowed.extend(keys(nodes, branches).into_iter().map(Value::String));
        return Form::Value(wrong_value(&allowed, value));
    }
    match fitting[..] {
        [id] => Form::Branch(id),
        [] => {
            let types =
                branches.iter().fold(Types::NONE, |types, id| types.with(nodes[*id].allowed));
            Form::Value(format!("expected {}, got {}", type_words(types), wording::value(value)))
        }
        _ => Form::Value("fits none of the forms that it can have".to_owned()),
    }
}

/// Branches within branches are branches.
fn flat(nodes: &[Node], branches: &[Id]) -> Vec<Id> {
    let mut flat = Vec::new();
    let mut todo: Vec<Id> = branches.iter().rev().copied().collect();
    // Circles end here, since there are no more branches than nodes.
    for _ in 0..nodes.len() * 2 {
        let Some(id) = todo.pop() else { break };
        let node = &nodes[id];
        let inner: Vec<Id> =
            [&node.all, &node.any, &node.one].into_iter().flatten().copied().collect();
        let is_list = [&node.all, &node.any, &node.one].iter().filter(|l| !l.is_empty()).count()
            == 1
            && (node.all.len() < 2);
        if is_list && is_bare(node) {
            todo.extend(inner.iter().rev());
        } else if !flat.contains(&id) {
            flat.push(id);
        }
    }
    flat
}

/// Whether a schema says nothing but what those say that it refers to.
fn is_bare(node: &Node) -> bool {
    node.types == Types::ALL
        && node.values.is_none()
        && node.number.is_none()
        && node.string.is_none()
        && node.array.is_none()
        && node.object.is_none()
        && node.not.is_none()
        && node.condition.is_none()
}

/// The one text that a property must have in a branch.
fn tag<'a>(nodes: &'a [Node], id: Id, key: &str) -> Option<&'a str> {
    let property = nodes[id].object.as_ref()?.property(key)?;
    match nodes[property].values.as_deref()? {
        [Value::String(text)] => Some(text),
        _ => None,
    }
}

/// Finds the branch by a property that has one certain value in each: `"kind": "circle"`.
fn by_tag(nodes: &[Node], branches: &[Id], map: &serde_json::Map<String, Value>) -> Option<Form> {
    let [first, ..] = branches else { return None };
    let rules = nodes[*first].object.as_ref()?;
    let key = rules.properties.iter().map(|(name, _)| name).find(|name| {
        rules.required.contains(name) && branches.iter().all(|id| tag(nodes, *id, name).is_some())
    })?;
    let tags: Vec<&str> = branches.iter().filter_map(|id| tag(nodes, *id, key)).collect();
    let Some(given) = map.get(key) else {
        return Some(Form::Key(key.clone(), format!("missing ({})", wording::one_of(&tags))));
    };
    let matching: Vec<_> = branches
        .iter()
        .copied()
        .filter(|id| given.as_str().is_some_and(|given| tag(nodes, *id, key) == Some(given)))
        .collect();
    match matching[..] {
        [id] => Some(Form::Branch(id)),
        [] => {
            let got = wording::value(given);
            let text = format!("expected {}, got {got}", wording::one_of(&tags));
            Some(Form::Key(key.clone(), text))
        }
        _ => None,
    }
}

/// The one key that a branch requires, if it takes no other.
fn only_key(nodes: &[Node], id: Id) -> Option<&str> {
    let rules = nodes[id].object.as_ref()?;
    match (&rules.required[..], &rules.properties[..]) {
        ([key], [(name, _)]) if key == name => Some(key),
        _ => None,
    }
}

fn keys(nodes: &[Node], branches: &[Id]) -> Vec<String> {
    branches.iter().filter_map(|id| only_key(nodes, *id).map(str::to_owned)).collect()
}

/// Finds the branch by its only key: `{"Circle": …}`.
fn by_key(nodes: &[Node], branches: &[Id], map: &serde_json::Map<String, Value>) -> Option<Form> {
    if branches.len() < 2 || !branches.iter().all(|id| only_key(nodes, *id).is_some()) {
        return None;
    }
    let meant = |id: &&Id| only_key(nodes, **id).is_some_and(|key| map.contains_key(key));
    if let Some(id) = branches.iter().find(meant) {
        return Some(Form::Branch(*id));
    }
    let names = keys(nodes, branches);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let one = wording::one_of(&names);
    Some(match map.keys().next() {
        Some(key) => {
            let text = match nearest(key, names.iter().copied()) {
                Some(meant) => format!("unknown; did you mean `{meant}`?"),
                None => format!("unknown; expected {one}"),
            };
            Form::Key(key.clone(), text)
        }
        None => Form::Value(format!("expected an object with {one}, got an empty one")),
    })
}

/// What a number says that may have been rounded.
pub(in crate::tool) fn rounded(value: &Number) -> String {
    format!(
        "the number {value} is too large to come through exactly (beyond ±9007199254740991); send it as \
         a string of digits"
    )
}
