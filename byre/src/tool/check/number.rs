//! Compares numbers and values as JSON Schema does: by what they are worth, not by how they are written.

use std::{cmp::Ordering, fmt::Write as _};

use serde_json::{Number, Value};

/// The largest integer up to which JavaScript has all.
const MAX_SAFE: i128 = 9_007_199_254_740_991;

pub(super) fn is_integer(number: &Number) -> bool {
    !number.is_f64() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
}

/// Whether JavaScript, through which all numbers come, may have changed an integer.
pub(in crate::tool) fn is_rounded(number: &Number) -> bool {
    match number.as_i128() {
        Some(integer) => !(-MAX_SAFE..=MAX_SAFE).contains(&integer),
        // It has no place in an `i128`, or a fraction.
        None => number.as_f64().is_some_and(|float| float.abs() >= 9_007_199_254_740_992.0),
    }
}

pub(super) fn compare(a: &Number, b: &Number) -> Ordering {
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(a), None) => against_float(a, float(b)),
        (None, Some(b)) => against_float(b, float(a)).reverse(),
        (None, None) => float(a).partial_cmp(&float(b)).unwrap_or(Ordering::Equal),
    }
}

fn float(number: &Number) -> f64 {
    number.as_f64().unwrap_or(f64::NAN)
}

/// Exact, where a conversion of the integer would round it.
fn against_float(integer: i128, float: f64) -> Ordering {
    let floor = float.floor();
    #[expect(
        clippy::cast_possible_truncation,
        reason = "out of range means larger or smaller than every number of JSON here"
    )]
    match integer.cmp(&(floor as i128)) {
        Ordering::Equal if float > floor => Ordering::Less,
        order => order,
    }
}

pub(super) fn is_multiple(number: &Number, of: &Number) -> bool {
    if let (Some(number), Some(of)) = (whole(number), whole(of)) {
        return of == 0 || number % of == 0;
    }
    let quotient = float(number) / float(of);
    // 0.3 is three times 0.1 to everybody but a computer.
    let slack = (quotient.abs() * 4.0 * f64::EPSILON).min(0.1);
    !quotient.is_finite() || (quotient - quotient.round()).abs() <= slack
}

/// Whether two values are the same to JSON Schema, to which 1 is 1.0.
pub(super) fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => compare(a, b).is_eq(),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        (a, b) => a == b,
    }
}

/// Returns the indices of two equal values.
pub(super) fn repeated(values: &[Value]) -> Option<(usize, usize)> {
    // Comparing each with each takes long for long lists, and writing each down takes long for short ones.
    if values.len() <= 16 {
        return values.iter().enumerate().find_map(|(at, value)| {
            let before = values[..at].iter().position(|other| equal(other, value));
            before.map(|before| (before, at))
        });
    }
    let mut seen = std::collections::HashMap::new();
    values.iter().enumerate().find_map(|(at, value)| {
        let mut text = String::new();
        write_canonical(value, &mut text);
        seen.insert(text, at).map(|before| (before, at))
    })
}

/// Writes equal values as equal texts.
fn write_canonical(value: &Value, text: &mut String) {
    match value {
        Value::Number(number) => {
            let _ = match whole(number) {
                Some(integer) => write!(text, "{integer}"),
                None => write!(text, "{}", float(number)),
            };
        }
        Value::Array(values) => {
            text.push('[');
            for value in values {
                write_canonical(value, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            text.push('{');
            for (key, value) in entries {
                let _ = write!(text, "{}:", Value::String(key.clone()));
                write_canonical(value, text);
                text.push(',');
            }
            text.push('}');
        }
        other => {
            let _ = write!(text, "{other}");
        }
    }
}

/// The integer that a number is, also if it is written as a float.
fn whole(number: &Number) -> Option<i128> {
    if let Some(integer) = number.as_i128() {
        return Some(integer);
    }
    let float = float(number);
    #[expect(clippy::cast_possible_truncation, reason = "it is whole and not that large")]
    (float.fract() == 0.0 && float.abs() < 1e30).then_some(float as i128)
}
