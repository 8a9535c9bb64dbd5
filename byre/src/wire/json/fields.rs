//! The fields of an object, each of which is read when its type is known.

use std::{borrow::Cow, cell::Cell, fmt};

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::Borrowed;

/// The fields of a JSON object, as they stand in its text.
///
/// For types that are read now and then: serde's derived code for a struct is as long as the rest of such a type,
/// and the compiler goes through all of it. This is compiled once for all of them. For the same reason, what is wrong
/// with a field is told at the end, by [`finish`](Self::finish).
pub(crate) struct Fields<'a> {
    fields: Vec<(Cow<'a, str>, &'a RawValue)>,
    /// A field that was asked for, and is there twice.
    twice: Cell<Option<&'static str>>,
}

impl<'a> Fields<'a> {
    /// Tells the fields of an object apart.
    ///
    /// # Errors
    ///
    /// If `text` is not a JSON object.
    pub(crate) fn of(text: &'a str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }

    /// Reads a field, or gives its default where it is missing, is `null`, or has another shape than byre knows: one
    /// odd field must not hide the others.
    pub(crate) fn lenient<T: DeserializeOwned + Default>(&self, name: &'static str) -> T {
        let Some(text) = self.json(name) else {
            return T::default();
        };
        serde_json::from_str(text).unwrap_or_default()
    }

    /// Reads a field that has to be there.
    ///
    /// # Errors
    ///
    /// If it is missing, or of another shape.
    pub(crate) fn required<T: DeserializeOwned>(
        &self,
        name: &'static str,
    ) -> serde_json::Result<T> {
        let text = self.json(name).ok_or_else(|| serde_json::Error::missing_field(name))?;
        serde_json::from_str(text)
    }

    /// Returns the JSON of a field.
    pub(crate) fn json(&self, name: &'static str) -> Option<&'a str> {
        let mut found = None;
        for (key, value) in &self.fields {
            if key == name && found.replace(value.get()).is_some() {
                self.twice.set(Some(name));
            }
        }
        found
    }

    /// Gives `whole`, which was made of the fields.
    ///
    /// # Errors
    ///
    /// If one of them is there twice: which of the two counts, the one who wrote it may see otherwise.
    pub(crate) fn finish<T>(&self, whole: T) -> serde_json::Result<T> {
        match self.twice.get() {
            Some(name) => Err(serde_json::Error::duplicate_field(name)),
            None => Ok(whole),
        }
    }
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some(Borrowed(name)) = map.next_key()? {
            fields.push((name, map.next_value()?));
        }
        Ok(Fields { fields, twice: Cell::default() })
    }
}
