//! Reads the arguments of a call, and says in plain words all that does not fit.

use std::{borrow::Cow, fmt, fmt::Write as _};

use serde::{
    Deserializer,
    de::{self, DeserializeOwned, Expected, Visitor},
    forward_to_deserialize_any,
};
use serde_json::{Map, Number, Value, value::RawValue};

use super::{
    check::{self, Checker},
    nearest::nearest,
    reader::{ReadError, Reader},
    repair::{Repairs, repair},
    wording,
};

/// The arguments of one call, as they came: an object.
#[derive(Debug)]
pub(crate) struct Given {
    object: Value,
    /// Whether there is a number that JavaScript, through which it came, may have rounded.
    has_rounded: bool,
}

impl Given {
    /// Reads an object; absent and `null` mean an empty one. The error goes on from "the arguments
    /// of `add` …".
    ///
    /// Of duplicate keys the last one wins, as in JavaScript.
    pub(crate) fn parse(json: Option<&RawValue>) -> Result<Self, String> {
        let mut object = match json {
            None => Value::Null,
            // The text is JSON, so the only reason to fail is that it is nested too deeply.
            Some(json) => serde_json::from_str(json.get())
                .map_err(|_| "are nested too deeply; at most 128 levels fit".to_owned())?,
        };
        match &object {
            Value::Null => object = Value::Object(Map::new()),
            Value::Object(_) => (),
            other => return Err(format!("must be an object, not {}", wording::value(other))),
        }
        let has_rounded = settle(&mut object);
        Ok(Self { object, has_rounded })
    }

    /// Puts the names of the schema in place of others that serde knows as well, so that what the schema says
    /// holds for these too.
    pub(crate) fn without(mut self, aliases: &[(&'static str, String)]) -> Self {
        if let Value::Object(object) = &mut self.object {
            for (alias, name) in aliases {
                // Given under both names, it is told by serde.
                if !object.contains_key(name)
                    && let Some(value) = object.remove(*alias)
                {
                    object.insert(name.clone(), value);
                }
            }
        }
        self
    }

    /// Says whether they fit at first sight, so that they can be read as they are.
    pub(crate) fn fits(&self, checker: &Checker) -> bool {
        !self.has_rounded && (checker.is_plain() || checker.accepts(&self.object))
    }

    /// Goes on to read them, one by one.
    pub(crate) fn into_arguments(self) -> Arguments {
        Arguments::new(self.object, Vec::new())
    }

    /// Mends what can be mended and finds all that does not fit, then goes on to read them.
    pub(crate) fn mended(mut self, checker: &Checker, tool: &str) -> Arguments {
        let Repairs { done, rounded } = repair(checker, &mut self.object);
        for (path, what) in done {
            tracing::info!(tool, path, "an argument was mended: {what}");
        }
        let mut found = checker.problems(&self.object);
        found.retain(|problem| !rounded.iter().any(|other| other.path == problem.path));
        found.extend(rounded);
        let names_are_serdes = checker.is_of_parameters();
        Arguments { names_are_serdes, ..Arguments::new(self.object, found) }
    }
}

/// The arguments of one call, taken one by one.
#[derive(Debug)]
pub(crate) struct Arguments {
    /// What was not taken yet.
    rest: Map<String, Value>,
    /// The names that were asked for.
    names: Vec<Cow<'static, str>>,
    /// Those of them that were not there.
    absent: Vec<Cow<'static, str>>,
    /// What was found beforehand, with paths from the parameter on or from the arguments on.
    found: Vec<Problem>,
    /// Whether names do not matter that are missing or unknown by the schema, but not by serde: it knows
    /// other names for a field, of which no schema speaks.
    names_are_serdes: bool,
    problems: Vec<Problem>,
}

/// One thing that does not fit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The parameter that it is about, if it is known.
    parameter: Option<String>,
    /// Where: `[2].price` from the parameter on, where none is known, and `orders[2].price` where one is.
    path: String,
    text: String,
    /// Whether it is about which names there are in an object, and not about a value.
    is_name: bool,
}

impl Problem {
    pub(crate) fn at(parameter: Option<String>, path: String, text: String) -> Self {
        Self { parameter, path, text, is_name: false }
    }

    /// Says that it is about which names there are.
    pub(crate) fn of_name(self) -> Self {
        Self { is_name: true, ..self }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A field that is flattened does not know where it is.
        match self.path.as_str() {
            "" => f.write_str(&self.text),
            path => write!(f, "`{path}`: {}", self.text),
        }
    }
}

impl Arguments {
    fn new(object: Value, found: Vec<Problem>) -> Self {
        let rest = match object {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        Self {
            rest,
            names: Vec::new(),
            absent: Vec::new(),
            found,
            names_are_serdes: false,
            problems: Vec::new(),
        }
    }

    /// Takes the argument called `name`.
    pub(crate) fn take(&mut self, name: &'static str) -> Option<Value> {
        self.names.push(name.into());
        self.rest.remove(name)
    }

    /// Takes all that are left.
    pub(crate) fn take_all(&mut self) -> Map<String, Value> {
        std::mem::take(&mut self.rest)
    }

    /// Takes those of some arguments that are there.
    pub(crate) fn take_fields(
        &mut self,
        names: impl IntoIterator<Item = Cow<'static, str>>,
    ) -> Map<String, Value> {
        let mut fields = Map::new();
        for name in names {
            if let Some((name, value)) = self.rest.remove_entry(name.as_ref()) {
                fields.insert(name, value);
            }
            self.names.push(name);
        }
        fields
    }

    /// Notes that an argument has to be there and is not, where something else says so to the model.
    pub(crate) fn note_absent(&mut self, name: Cow<'static, str>) {
        self.absent.push(name);
    }

    /// Notes that an argument has to be there and is not.
    pub(crate) fn missing<T: DeserializeOwned>(&mut self, name: &'static str) -> Problem {
        self.absent.push(name.into());
        let text = match absent::<T>() {
            Ok(_) => "missing".to_owned(),
            Err(Absent(expected)) => format!("missing ({expected})"),
        };
        Problem::at(None, String::new(), text)
    }

    /// Keeps a problem for [`problems`](Self::problems).
    pub(crate) fn note<T>(&mut self, name: &'static str, read: Result<T, Problem>) -> Option<T> {
        let read =
            read.map_err(|problem| Problem { path: format!("{name}{}", problem.path), ..problem });
        self.settle(|parameter| parameter == name, read)
    }

    /// Keeps what is wrong with a struct of which the arguments called `names` are the fields.
    pub(crate) fn note_fields<T>(
        &mut self,
        names: &[Cow<'static, str>],
        read: Result<T, Problem>,
    ) -> Option<T> {
        let read = read.map_err(|problem| {
            let path = problem.path.trim_start_matches('.').to_owned();
            Problem { path, ..problem }
        });
        self.settle(|parameter| names.iter().any(|name| name == parameter), read)
    }

    /// Takes what was found beforehand about some parameters, which is all of it, or else what serde says, which
    /// is the first of it.
    fn settle<T>(&mut self, is_one: impl Fn(&str) -> bool, read: Result<T, Problem>) -> Option<T> {
        let is_about = |problem: &Problem| problem.parameter.as_deref().is_some_and(&is_one);
        if self.names_are_serdes && read.is_ok() {
            self.found.retain(|problem| !(problem.is_name && is_about(problem)));
        }
        let before = self.problems.len();
        self.problems.extend(self.found.extract_if(.., |problem| is_about(problem)));
        if self.problems.len() > before {
            return None;
        }
        match read {
            Ok(value) => Some(value),
            Err(problem) => {
                self.problems.push(problem);
                None
            }
        }
    }

    /// Returns what does not fit, one line each, after all arguments were taken.
    pub(crate) fn problems(mut self) -> Option<String> {
        if self.names_are_serdes && self.problems.is_empty() {
            self.found.retain(|problem| !problem.is_name);
        }
        self.problems.append(&mut self.found);
        for name in self.rest.keys() {
            // A name that is free is the likelier one, but the model may have given both.
            let meant = nearest(name, self.absent.iter().map(AsRef::as_ref))
                .or_else(|| nearest(name, self.names.iter().map(AsRef::as_ref)));
            let text = match meant {
                Some(meant) => format!("unknown; did you mean `{meant}`?"),
                None if self.names.is_empty() => "unknown; there are no parameters".to_owned(),
                None => format!("unknown; the parameters are `{}`", self.names.join("`, `")),
            };
            self.problems.push(Problem::at(None, wording::shortened(name, 60), text));
        }
        if self.problems.is_empty() {
            return None;
        }
        let mut lines = String::new();
        for problem in &self.problems {
            let _ = write!(lines, "\n- {problem}");
        }
        Some(lines)
    }
}

/// Reads one argument.
pub(crate) fn read<T: DeserializeOwned>(value: Value) -> Result<T, Problem> {
    T::deserialize(Reader(value)).map_err(problem_of)
}

/// Puts what serde says into plain words.
pub(crate) fn problem_of(error: ReadError) -> Problem {
    let (path, message) = error.into_parts();
    problem(path, &message)
}

/// Puts what serde says about the value at `path` into plain words.
fn problem(mut path: String, message: &str) -> Problem {
    let (field, text) = wording::plain(message);
    if let Some(field) = field {
        // serde names an unknown field by its path, and a missing one only in words.
        let suffix = format!(".{field}");
        if !path.ends_with(&suffix) {
            path.push_str(&suffix);
        }
    }
    Problem::at(None, path, text)
}

/// Makes integers of the floats that are whole: to the model, and to JavaScript, `2.0` is `2`.
pub(crate) fn with_integers(mut value: Value) -> Value {
    settle(&mut value);
    value
}

/// Does that in place, and says whether there is a number so large that it may have been rounded.
fn settle(value: &mut Value) -> bool {
    match value {
        Value::Number(number) => {
            // Beyond 2⁵³ a float stands for more than one integer.
            const MAX: f64 = 9_007_199_254_740_992.0;
            if number.is_f64()
                && let Some(float) = number.as_f64()
                && float.fract() == 0.0
                && float.abs() <= MAX
            {
                #[expect(clippy::cast_possible_truncation, reason = "it is whole and small enough")]
                let integer = Number::from(float as i64);
                *number = integer;
            }
            check::is_rounded(number)
        }
        // All of them are to be gone through.
        Value::Array(values) => {
            values.iter_mut().fold(false, |rounded, value| settle(value) | rounded)
        }
        Value::Object(map) => {
            map.values_mut().fold(false, |rounded, value| settle(value) | rounded)
        }
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

/// Returns the value of what is not there, or else what would have to be there.
///
/// This is how serde itself decides that a missing field is `None`: by what the type asks for, so
/// that it holds for aliases of `Option` too.
pub(crate) fn absent<T: DeserializeOwned>() -> Result<T, Absent> {
    T::deserialize(Nothing)
}

/// What a type expects, in plain words: "an integer".
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Absent(pub(crate) String);

impl fmt::Display for Absent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Absent {}

impl de::Error for Absent {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// A deserializer of nothing.
struct Nothing;

impl Nothing {
    fn refuse<T>(expected: &dyn Expected) -> Result<T, Absent> {
        Err(Absent(wording::expected(&expected.to_string())))
    }
}

impl<'de> Deserializer<'de> for Nothing {
    type Error = Absent;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Absent> {
        Self::refuse(&visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Absent> {
        visitor.visit_none()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Absent> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Absent> {
        if variants.is_empty() {
            return Self::refuse(&visitor);
        }
        Err(Absent(wording::one_of(variants)))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
