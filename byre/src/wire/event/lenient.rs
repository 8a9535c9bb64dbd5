//! Reads JSON in one pass, whatever shape it has.
//!
//! Only text that is not JSON fails. A value of another shape than byre expects is passed over, and
//! leaves the default: one odd field must not hide the rest, least of all in a `result`, which somebody
//! waits for. Serde's derived code can't do this without reading each field twice.

use std::{borrow::Cow, collections::BTreeMap, fmt, marker::PhantomData};

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess,
    Visitor,
};
use serde_json::{Value, value::RawValue};

use crate::wire::json::Raw;

/// How deep values may be in others of their own kind, blocks of content in results of tools for example. Each is read
/// from its text, so `serde_json` does not count them, and the stack has an end.
const DEPTH: usize = 32;

/// What a value is in.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Within<'a> {
    /// The line that it is read from, if it is a line; its parts then share its text.
    line: Option<&'a Raw>,
    /// How many values of its own kind are around it.
    depth: usize,
}

impl<'a> Within<'a> {
    pub(crate) fn line(line: &'a Raw) -> Self {
        Self { line: Some(line), depth: 0 }
    }

    /// The same for what is in a value of its own kind; `None` where that is too deep.
    pub(crate) fn deeper(self) -> Option<Self> {
        let depth = self.depth + 1;
        (depth <= DEPTH).then_some(Self { depth, ..self })
    }

    /// Keeps the text of a value.
    pub(crate) fn keep(self, text: &str) -> Raw {
        self.line.map_or_else(|| Raw::new(text.to_owned()), |line| line.part(text))
    }
}

/// A value that is read from JSON of any shape.
///
/// An implementation says what it makes of the shapes that it knows. `None` stands for all others.
pub(crate) trait Lenient<'de>: Sized {
    /// Reads it. The error is that of the text: what comes is not JSON.
    fn read<D: Deserializer<'de>>(json: D, within: Within<'_>) -> Result<Option<Self>, D::Error> {
        json.deserialize_any(AnyShape { within, value: PhantomData })
    }

    fn from_bool(_: bool) -> Option<Self> {
        None
    }

    fn from_u64(_: u64) -> Option<Self> {
        None
    }

    fn from_f64(_: f64) -> Option<Self> {
        None
    }

    fn from_text(_: &str) -> Option<Self> {
        None
    }

    /// The same for text that need not be copied.
    fn from_borrowed(text: &'de str) -> Option<Self> {
        Self::from_text(text)
    }

    /// The one item of a list that came as plain text.
    fn only_item(_: &str) -> Option<Self> {
        None
    }

    fn from_seq<A: SeqAccess<'de>>(mut seq: A, _: Within<'_>) -> Result<Option<Self>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn from_map<A: MapAccess<'de>>(mut map: A, _: Within<'_>) -> Result<Option<Self>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn is_null(&self) -> bool {
        false
    }
}

/// Reads a whole text.
pub(crate) fn read_text<'de, T: Lenient<'de>>(
    text: &'de str,
    within: Within<'_>,
) -> serde_json::Result<Option<T>> {
    let mut json = serde_json::Deserializer::from_str(text);
    let value = T::read(&mut json, within)?;
    json.end()?;
    Ok(value)
}

/// Reads a value for serde. Goes through text, since only that can be read leniently.
pub(crate) fn deserialize<'de, D, T>(json: D) -> Result<(T, Raw), D::Error>
where
    D: Deserializer<'de>,
    T: for<'a> Lenient<'a>,
{
    let text: String = Box::<RawValue>::deserialize(json)?.get().to_owned();
    let raw = Raw::new(text);
    let value = read_text(raw.as_str(), Within::line(&raw)).map_err(D::Error::custom)?;
    value.map(|value| (value, raw)).ok_or_else(|| D::Error::custom("the JSON has another shape"))
}

/// What a field of a record is read with: its value, or `None` where it has another shape.
pub(crate) struct Field<'a, T> {
    pub(crate) within: Within<'a>,
    pub(crate) value: PhantomData<T>,
}

impl<'de, T: Lenient<'de>> DeserializeSeed<'de> for Field<'_, T> {
    type Value = Option<T>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        T::read(json, self.within)
    }
}

/// Reads the value of the key that `map` is at.
pub(crate) fn next_value<'de, A, T>(map: &mut A, within: Within<'_>) -> Result<Option<T>, A::Error>
where
    A: MapAccess<'de>,
    T: Lenient<'de>,
{
    map.next_value_seed(Field { within, value: PhantomData })
}

/// Reads the next key, without a copy where it has no escapes.
pub(crate) fn next_key<'de, A: MapAccess<'de>>(
    map: &mut A,
) -> Result<Option<Cow<'de, str>>, A::Error> {
    let seed = Field::<Cow<'de, str>> { within: Within::default(), value: PhantomData };
    Ok(map.next_key_seed(seed)?.map(Option::unwrap_or_default))
}

struct AnyShape<'a, T> {
    within: Within<'a>,
    value: PhantomData<T>,
}

impl<'de, T: Lenient<'de>> Visitor<'de> for AnyShape<'_, T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(T::from_bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(T::from_u64(value))
    }

    #[expect(clippy::cast_precision_loss, reason = "JavaScript has no other numbers")]
    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(T::from_f64(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(T::from_f64(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(T::from_text(text))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(T::from_borrowed(text))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
        T::from_seq(seq, self.within)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::from_map(map, self.within)
    }
}

impl Lenient<'_> for bool {
    fn from_bool(value: bool) -> Option<Self> {
        Some(value)
    }
}

impl Lenient<'_> for u64 {
    fn from_u64(value: u64) -> Option<Self> {
        Some(value)
    }

    /// Rounds towards zero: milliseconds may come with a fraction.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "that is the rounding, and negative numbers are ruled out"
    )]
    fn from_f64(value: f64) -> Option<Self> {
        (value >= 0.0).then_some(value as Self)
    }
}

impl Lenient<'_> for i64 {
    fn from_u64(value: u64) -> Option<Self> {
        Self::try_from(value).ok()
    }

    #[expect(clippy::cast_possible_truncation, reason = "that is the rounding")]
    fn from_f64(value: f64) -> Option<Self> {
        Some(value as Self)
    }
}

impl Lenient<'_> for u16 {
    fn from_u64(value: u64) -> Option<Self> {
        Self::try_from(value).ok()
    }
}

impl Lenient<'_> for f64 {
    #[expect(clippy::cast_precision_loss, reason = "JavaScript has no other numbers")]
    fn from_u64(value: u64) -> Option<Self> {
        Some(value as Self)
    }

    fn from_f64(value: f64) -> Option<Self> {
        Some(value)
    }
}

impl Lenient<'_> for String {
    fn from_text(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }

    fn only_item(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

impl<'de> Lenient<'de> for Cow<'de, str> {
    fn from_text(text: &str) -> Option<Self> {
        Some(Self::Owned(text.to_owned()))
    }

    fn from_borrowed(text: &'de str) -> Option<Self> {
        Some(Self::Borrowed(text))
    }
}

/// Only text without escapes.
impl<'de> Lenient<'de> for &'de str {
    fn from_borrowed(text: &'de str) -> Option<Self> {
        Some(text)
    }
}

impl<'de> Lenient<'de> for &'de RawValue {
    fn read<D: Deserializer<'de>>(json: D, _: Within<'_>) -> Result<Option<Self>, D::Error> {
        Deserialize::deserialize(json).map(Some)
    }

    fn is_null(&self) -> bool {
        self.get() == "null"
    }
}

impl<'de> Lenient<'de> for Value {
    /// Goes through text: so a value that is nested deeper than `serde_json` follows is `null`, and does
    /// not take its line with it.
    fn read<D: Deserializer<'de>>(json: D, _: Within<'_>) -> Result<Option<Self>, D::Error> {
        let raw = <&RawValue>::deserialize(json)?;
        Ok(serde_json::from_str(raw.get()).ok())
    }

    fn is_null(&self) -> bool {
        Self::is_null(self)
    }
}

impl<'de, T: Lenient<'de>> Lenient<'de> for Option<T> {
    fn read<D: Deserializer<'de>>(json: D, within: Within<'_>) -> Result<Option<Self>, D::Error> {
        Ok(T::read(json, within)?.filter(|value| !value.is_null()).map(Some))
    }
}

impl<'de, T: Lenient<'de>> Lenient<'de> for Box<T> {
    fn read<D: Deserializer<'de>>(json: D, within: Within<'_>) -> Result<Option<Self>, D::Error> {
        Ok(T::read(json, within)?.map(Self::new))
    }

    fn is_null(&self) -> bool {
        T::is_null(self)
    }
}

/// Items of another shape are left out.
impl<'de, T: Lenient<'de>> Lenient<'de> for Vec<T> {
    fn from_text(text: &str) -> Option<Self> {
        T::only_item(text).map(|item| vec![item])
    }

    fn from_seq<A: SeqAccess<'de>>(
        mut seq: A,
        within: Within<'_>,
    ) -> Result<Option<Self>, A::Error> {
        let mut items = Self::new();
        while let Some(item) = seq.next_element_seed(Field { within, value: PhantomData })? {
            items.extend(item);
        }
        Ok(Some(items))
    }
}

/// Values of another shape are left out.
impl<'de, T: Lenient<'de>> Lenient<'de> for BTreeMap<String, T> {
    fn from_map<A: MapAccess<'de>>(
        mut map: A,
        within: Within<'_>,
    ) -> Result<Option<Self>, A::Error> {
        let mut entries = Self::new();
        while let Some(key) = next_key(&mut map)? {
            if let Some(value) = next_value(&mut map, within)? {
                entries.insert(key.into_owned(), value);
            }
        }
        Ok(Some(entries))
    }
}
