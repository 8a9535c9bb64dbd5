//! Gives the JSON of one argument to serde.
//!
//! `serde_json` can do that too, but loses where in the value something did not fit, and knows of no integer
//! in a string, which is how those of 128 bits come.
//!
//! serde itself reads some types by way of a copy: enums without a tag or with the tag inside, and what is
//! flattened. That copy knows no integers of 128 bits, so those can't be part of such a type, in any format.

use std::fmt;

use serde::{
    Deserializer,
    de::{
        self, DeserializeSeed, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
        Unexpected, VariantAccess, Visitor, value::StringDeserializer,
    },
    forward_to_deserialize_any,
};
use serde_json::{Map, Number, Value};

/// A value that was not read yet.
#[derive(Debug)]
pub(crate) struct Reader(pub(crate) Value);

/// What did not fit, and where.
#[derive(Debug)]
pub(crate) struct ReadError {
    message: String,
    /// From the inside out.
    path: Vec<Segment>,
}

#[derive(Debug)]
enum Segment {
    Key(String),
    Index(usize),
}

impl ReadError {
    fn within(mut self, segment: Segment) -> Self {
        self.path.push(segment);
        self
    }

    /// Returns the path from the argument on, `[2].price`, and what serde says.
    pub(crate) fn into_parts(self) -> (String, String) {
        let segments = self.path.iter().rev().map(|segment| match segment {
            Segment::Key(key) => format!(".{}", super::wording::shortened(key, 60)),
            Segment::Index(index) => format!("[{index}]"),
        });
        (segments.collect(), self.message)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}

impl de::Error for ReadError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), path: Vec::new() }
    }
}

impl From<serde_json::Error> for ReadError {
    fn from(error: serde_json::Error) -> Self {
        Self::custom(error)
    }
}

/// Refuses a value.
fn unfit<T>(value: &Value, visitor: &dyn de::Expected) -> Result<T, ReadError> {
    let unexpected = match value {
        Value::Null => Unexpected::Unit,
        Value::Bool(flag) => Unexpected::Bool(*flag),
        Value::Number(number) => unexpected_number(number),
        Value::String(text) => Unexpected::Str(text),
        Value::Array(_) => Unexpected::Seq,
        Value::Object(_) => Unexpected::Map,
    };
    Err(ReadError::invalid_type(unexpected, visitor))
}

fn unexpected_number(number: &Number) -> Unexpected<'static> {
    if let Some(number) = number.as_u64() {
        Unexpected::Unsigned(number)
    } else if let Some(number) = number.as_i64() {
        Unexpected::Signed(number)
    } else {
        Unexpected::Float(number.as_f64().unwrap_or(f64::NAN))
    }
}

fn visit_list<'de, V: Visitor<'de>>(list: Vec<Value>, visitor: V) -> Result<V::Value, ReadError> {
    let length = list.len();
    let mut access = List { rest: list.into_iter(), next: 0 };
    let value = visitor.visit_seq(&mut access)?;
    if access.rest.len() == 0 {
        return Ok(value);
    }
    Err(ReadError::invalid_length(length, &"fewer elements in array"))
}

fn visit_object<'de, V: Visitor<'de>>(
    map: Map<String, Value>,
    visitor: V,
) -> Result<V::Value, ReadError> {
    let length = map.len();
    let mut access = Entries { rest: map.into_iter(), value: None };
    let value = visitor.visit_map(&mut access)?;
    if access.rest.len() == 0 {
        return Ok(value);
    }
    Err(ReadError::invalid_length(length, &"fewer elements in map"))
}

macro_rules! numbers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
            match self.0 {
                Value::Number(number) => Ok(number.deserialize_any(visitor)?),
                other => unfit(&other, &visitor),
            }
        }
    )*};
}

/// An integer of 128 bits, which may be a string of digits.
macro_rules! big_integers {
    ($($method:ident: $ty:ty => $visit:ident,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
            match self.0 {
                Value::Number(number) => Ok(number.deserialize_any(visitor)?),
                Value::String(text) if is_integer(&text) => match text.parse::<$ty>() {
                    Ok(integer) => visitor.$visit(integer),
                    Err(_) => Err(ReadError::custom(format_args!(
                        "expected an integer from {} to {}, got the string {:?}",
                        <$ty>::MIN, <$ty>::MAX, super::wording::shortened(&text, 60),
                    ))),
                },
                other => unfit(&other, &visitor),
            }
        }
    )*};
}

/// Whether a text is an integer as JSON writes one.
pub(super) fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'))
}

impl<'de> Deserializer<'de> for Reader {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(flag) => visitor.visit_bool(flag),
            Value::Number(number) => Ok(number.deserialize_any(visitor)?),
            Value::String(text) => visitor.visit_string(text),
            Value::Array(list) => visit_list(list, visitor),
            Value::Object(map) => visit_object(map, visitor),
        }
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_f32 deserialize_f64
    }

    big_integers! {
        deserialize_i128: i128 => visit_i128,
        deserialize_u128: u128 => visit_u128,
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0 {
            Value::Bool(flag) => visitor.visit_bool(flag),
            other => unfit(&other, &visitor),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_string(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0 {
            Value::String(text) => visitor.visit_string(text),
            other => unfit(&other, &visitor),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_byte_buf(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0 {
            Value::String(text) => visitor.visit_string(text),
            Value::Array(list) => visit_list(list, visitor),
            other => unfit(&other, &visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0 {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            other => unfit(&other, &visitor),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        // serde_json has types that only it can make, and asks for them by such names.
        if name.starts_with("$serde_json::private::") {
            return Ok(self.0.deserialize_newtype_struct(name, visitor)?);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0 {
            Value::Array(list) => visit_list(list, visitor),
            other => unfit(&other, &visitor),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0 {
            Value::Object(map) => visit_object(map, visitor),
            other => unfit(&other, &visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        match self.0 {
            Value::Array(list) => visit_list(list, visitor),
            Value::Object(map) => visit_object(map, visitor),
            other => unfit(&other, &visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        match self.0 {
            Value::String(variant) => visitor.visit_enum(Variant { variant, value: None }),
            Value::Object(map) => {
                let mut entries = map.into_iter();
                match (entries.next(), entries.next()) {
                    (Some((variant, value)), None) => {
                        visitor.visit_enum(Variant { variant, value: Some(value) })
                    }
                    _ => Err(ReadError::invalid_value(Unexpected::Map, &"an object with one key")),
                }
            }
            other => unfit(&other, &"string or map"),
        }
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_string(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_unit()
    }
}

struct List {
    rest: std::vec::IntoIter<Value>,
    next: usize,
}

impl<'de> SeqAccess<'de> for &mut List {
    type Error = ReadError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, ReadError> {
        let Some(value) = self.rest.next() else { return Ok(None) };
        let index = self.next;
        self.next += 1;
        seed.deserialize(Reader(value))
            .map(Some)
            .map_err(|error| error.within(Segment::Index(index)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

struct Entries {
    rest: serde_json::map::IntoIter,
    /// Of the key that was given.
    value: Option<(String, Value)>,
}

impl<'de> MapAccess<'de> for &mut Entries {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, ReadError> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        let read = seed.deserialize(Key(&key));
        let read = read.map_err(|error| error.within(Segment::Key(key.clone())))?;
        self.value = Some((key, value));
        Ok(Some(read))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ReadError> {
        let Some((key, value)) = self.value.take() else {
            return Err(ReadError::custom("a value was asked for before its key"));
        };
        seed.deserialize(Reader(value)).map_err(|error| error.within(Segment::Key(key)))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

/// A key of an object, which may be that of a map with keys of another type.
struct Key<'a>(&'a str);

macro_rules! number_keys {
    ($($method:ident: $ty:ty => $visit:ident,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
            match self.0.parse::<$ty>() {
                Ok(number) if !self.0.starts_with('+') => visitor.$visit(number),
                _ => Err(ReadError::invalid_value(Unexpected::Str(self.0), &visitor)),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Key<'_> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_str(self.0)
    }

    number_keys! {
        deserialize_i8: i8 => visit_i8,
        deserialize_i16: i16 => visit_i16,
        deserialize_i32: i32 => visit_i32,
        deserialize_i64: i64 => visit_i64,
        deserialize_i128: i128 => visit_i128,
        deserialize_u8: u8 => visit_u8,
        deserialize_u16: u16 => visit_u16,
        deserialize_u32: u32 => visit_u32,
        deserialize_u64: u64 => visit_u64,
        deserialize_u128: u128 => visit_u128,
        deserialize_f32: f32 => visit_f32,
        deserialize_f64: f64 => visit_f64,
        deserialize_bool: bool => visit_bool,
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.0.into_deserializer().deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}

struct Variant {
    variant: String,
    value: Option<Value>,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = ReadError;
    type Variant = Payload;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Payload), ReadError> {
        let name: StringDeserializer<ReadError> = self.variant.clone().into_deserializer();
        let variant = seed.deserialize(name)?;
        Ok((variant, Payload { variant: self.variant, value: self.value }))
    }
}

/// What a variant holds.
struct Payload {
    variant: String,
    value: Option<Value>,
}

impl Payload {
    fn read<T>(self, read: impl FnOnce(Reader) -> Result<T, ReadError>) -> Result<T, ReadError> {
        read(Reader(self.value.unwrap_or(Value::Null)))
            .map_err(|error| error.within(Segment::Key(self.variant)))
    }
}

impl<'de> VariantAccess<'de> for Payload {
    type Error = ReadError;

    fn unit_variant(self) -> Result<(), ReadError> {
        match self.value {
            None | Some(Value::Null) => Ok(()),
            Some(_) => self.read(|reader| unfit(&reader.0, &"unit")),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, ReadError> {
        self.has_value("newtype variant")?.read(|reader| seed.deserialize(reader))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, ReadError> {
        self.has_value("tuple variant")?.read(|reader| reader.deserialize_seq(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        name: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.has_value("struct variant")?
            .read(|reader| reader.deserialize_struct("", name, visitor))
    }
}

impl Payload {
    fn has_value(self, kind: &'static str) -> Result<Self, ReadError> {
        if self.value.is_some() {
            return Ok(self);
        }
        Err(ReadError::invalid_type(Unexpected::UnitVariant, &kind))
    }
}
