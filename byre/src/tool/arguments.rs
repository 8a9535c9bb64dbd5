//! Reads the arguments of a call, and says in plain words all that does not fit.

use std::{fmt, fmt::Write as _};

use serde::{
    Deserializer,
    de::{self, DeserializeOwned, Expected, Visitor},
    forward_to_deserialize_any,
};
use serde_json::{Map, Number, Value, value::RawValue};
use serde_path_to_error::Segment;

use super::{nearest::nearest, wording};

/// The arguments of one call, taken one by one.
#[derive(Debug)]
pub(crate) struct Arguments {
    /// What was not taken yet.
    rest: Map<String, Value>,
    /// The names that were asked for.
    names: Vec<&'static str>,
    /// Those of them that were not there.
    absent: Vec<&'static str>,
    problems: Vec<Problem>,
}

/// One thing that does not fit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Where, from the parameter on: `[2].price`.
    path: String,
    text: String,
}

impl Arguments {
    /// Reads an object; absent and `null` mean an empty one. The error goes on from "the arguments
    /// of `add` …".
    ///
    /// Of duplicate keys the last one wins, as in JavaScript.
    pub(crate) fn parse(json: Option<&RawValue>) -> Result<Self, String> {
        let value = match json {
            None => Value::Null,
            // The text is JSON, so the only reason to fail is that it is nested too deeply.
            Some(json) => serde_json::from_str(json.get())
                .map_err(|_| "are nested too deeply; at most 128 levels fit".to_owned())?,
        };
        let rest = match value {
            Value::Null => Map::new(),
            Value::Object(map) => map,
            other => return Err(format!("must be an object, not {}", wording::value(&other))),
        };
        Ok(Self { rest, names: Vec::new(), absent: Vec::new(), problems: Vec::new() })
    }

    /// Takes the argument called `name`.
    pub(crate) fn take(&mut self, name: &'static str) -> Option<Value> {
        self.names.push(name);
        self.rest.remove(name)
    }

    /// Takes all of them.
    pub(crate) fn take_all(&mut self) -> Map<String, Value> {
        std::mem::take(&mut self.rest)
    }

    /// Notes that an argument has to be there and is not.
    pub(crate) fn missing<T: DeserializeOwned>(&mut self, name: &'static str) -> Problem {
        self.absent.push(name);
        let text = match absent::<T>() {
            Ok(_) => "missing".to_owned(),
            Err(Absent(expected)) => format!("missing ({expected})"),
        };
        Problem { path: String::new(), text }
    }

    /// Keeps a problem for [`problems`](Self::problems).
    pub(crate) fn note<T>(&mut self, name: &'static str, read: Result<T, Problem>) -> Option<T> {
        match read {
            Ok(value) => Some(value),
            Err(problem) => {
                let path = format!("{name}{}", problem.path);
                self.problems.push(Problem { path, ..problem });
                None
            }
        }
    }

    /// Returns what does not fit, one line each, after all arguments were taken.
    pub(crate) fn problems(mut self) -> Option<String> {
        for name in self.rest.keys() {
            // A name that is free is the likelier one, but the model may have given both.
            let meant = nearest(name, self.absent.iter().copied())
                .or_else(|| nearest(name, self.names.iter().copied()));
            let text = match meant {
                Some(meant) => format!("unknown; did you mean `{meant}`?"),
                None if self.names.is_empty() => "unknown; there are no parameters".to_owned(),
                None => format!("unknown; the parameters are `{}`", self.names.join("`, `")),
            };
            self.problems.push(Problem { path: wording::shortened(name, 60), text });
        }
        if self.problems.is_empty() {
            return None;
        }
        let mut lines = String::new();
        for Problem { path, text } in &self.problems {
            let _ = write!(lines, "\n- `{path}`: {text}");
        }
        Some(lines)
    }
}

/// Reads one argument.
pub(crate) fn read<T: DeserializeOwned>(value: Value) -> Result<T, Problem> {
    serde_path_to_error::deserialize(with_integers(value)).map_err(|error| {
        let segments: Vec<_> = error.path().iter().map(segment).collect();
        problem(segments.concat(), &error.inner().to_string())
    })
}

fn segment(segment: &Segment) -> String {
    match segment {
        Segment::Seq { index } => format!("[{index}]"),
        Segment::Map { key } => format!(".{key}"),
        Segment::Enum { variant } => format!(".{variant}"),
        Segment::Unknown => String::new(),
    }
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
    Problem { path, text }
}

/// Makes integers of the floats that are whole: to the model, and to JavaScript, `2.0` is `2`.
fn with_integers(mut value: Value) -> Value {
    match &mut value {
        Value::Number(number) => {
            // Beyond 2⁵³ a float stands for more than one integer.
            const MAX: f64 = 9_007_199_254_740_992.0;
            if let Some(float) = number.as_f64()
                && number.is_f64()
                && float.fract() == 0.0
                && float.abs() <= MAX
            {
                #[expect(clippy::cast_possible_truncation, reason = "it is whole and small enough")]
                let integer = Number::from(float as i64);
                *number = integer;
            }
        }
        Value::Array(values) => {
            for value in values {
                *value = with_integers(value.take());
            }
        }
        Value::Object(map) => {
            for value in map.values_mut() {
                *value = with_integers(value.take());
            }
        }
        Value::Null | Value::Bool(_) | Value::String(_) => (),
    }
    value
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
