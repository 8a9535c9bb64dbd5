//! The two macros that the tables of events are written with: one for records, one for words.

/// Declares a record: a JSON object whose fields byre knows.
///
/// ```text
/// record! {
///     /// What it is.
///     r#"{"its":"JSON","as":"on the wire"}"#
///     pub struct Name {
///         /// What it says.
///         pub its: String,
///         /// A field whose name on the wire is not its own.
///         pub type_of: String = "as",
///     }
/// }
/// ```
///
/// The JSON stands in the docs, and an example reads it. All fields have a default, are read leniently,
/// and are written under their names on the wire. Two suffixes: `with raw` adds the JSON as a field, and `line` adds `session_id`, `uuid`
/// and the JSON, which every line of the CLI has.
macro_rules! record {
    (
        $(#[$attr:meta])*
        $json:literal
        pub struct $name:ident {
            $($(#[$field_attr:meta])* pub $field:ident: $ty:ty $(= $wire:literal)?,)*
        }
        line
    ) => {
        record! {
            $(#[$attr])*
            $json
            pub struct $name {
                $($(#[$field_attr])* pub $field: $ty $(= $wire)?,)*
                /// The session's id; the CLI mints it.
                pub session_id: String,
                /// The id of this line; the CLI mints it.
                pub uuid: String,
            }
            with raw
        }
    };
    (
        $(#[$attr:meta])*
        $json:literal
        pub struct $name:ident {
            $(#[$first_attr:meta])* pub $first:ident: $first_ty:ty $(= $first_wire:literal)?,
            $($(#[$field_attr:meta])* pub $field:ident: $ty:ty $(= $wire:literal)?,)*
        }
        $(with $raw:ident)?
    ) => {
        $(#[$attr])*
        #[doc = concat!(
            "\n```json\n", $json, "\n```\n\n# Example\n\n```\n",
            "use byre::event::", stringify!($name), ";\n\n",
            "let json = r#\"", $json, "\"#;\n",
            "let read: ", stringify!($name), " = serde_json::from_str(json)?;\n",
            "println!(\"{:?}\", read.", stringify!($first), ");\n",
            "# Ok::<(), serde_json::Error>(())\n```",
        )]
        #[derive(Clone, Debug, Default, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            $(#[$first_attr])* pub $first: $first_ty,
            $($(#[$field_attr])* pub $field: $ty,)*
            $(
                /// The JSON that the CLI sent, with the fields that byre does not know.
                pub $raw: $crate::wire::json::Raw,
            )?
        }

        impl<'de> $crate::wire::event::lenient::Lenient<'de> for $name {
            fn from_map<A: serde::de::MapAccess<'de>>(
                mut map: A,
                within: $crate::wire::event::lenient::Within<'_>,
            ) -> Result<Option<Self>, A::Error> {
                use $crate::wire::event::lenient::{next_key, next_value};

                let mut record = Self::default();
                while let Some(key) = next_key(&mut map)? {
                    match &*key {
                        record!(@name $first $($first_wire)?) => {
                            record.$first = next_value(&mut map, within)?.unwrap_or_default();
                        }
                        $(record!(@name $field $($wire)?) => {
                            record.$field = next_value(&mut map, within)?.unwrap_or_default();
                        })*
                        _ => {
                            map.next_value::<serde::de::IgnoredAny>()?;
                        }
                    }
                }
                Ok(Some(record))
            }
        }

        record!(
            @serde $name [($first $($first_wire)?) $(($field $($wire)?))*] $($raw)?
        );
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $wire:literal) => { $wire };
    (@serde $name:ident [$(($field:ident $($wire:literal)?))*]) => {
        impl serde::Serialize for $name {
            /// Serialises the fields that byre knows, under their names on the wire.
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap;

                let mut map = serializer.serialize_map(None)?;
                $(map.serialize_entry(record!(@name $field $($wire)?), &self.$field)?;)*
                map.end()
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            /// Reads it from an object. Fields of another shape are left at their default.
            fn deserialize<D: serde::Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
                $crate::wire::event::lenient::deserialize(json).map(|(record, _)| record)
            }
        }
    };
    (@serde $name:ident [$($field:tt)*] $raw:ident) => {
        impl $name {
            /// Reads it from `text`, which stands in the line that `within` names.
            pub(crate) fn read(
                text: &str,
                within: $crate::wire::event::lenient::Within<'_>,
            ) -> Option<Self> {
                let record = $crate::wire::event::lenient::read_text::<Self>(text, within).ok()??;
                Some(Self { $raw: within.keep(text), ..record })
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            /// Reads it from an object. Fields of another shape are left at their default.
            fn deserialize<D: serde::Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
                let (record, $raw) = $crate::wire::event::lenient::deserialize::<_, Self>(json)?;
                Ok(Self { $raw, ..record })
            }
        }

        impl serde::Serialize for $name {
            /// Serialises to what the CLI sent.
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.$raw.serialize(serializer)
            }
        }
    };
}

/// Declares an enum of the words that a string of an event can be: see
/// [`words!`](crate::wire::words::words).
macro_rules! words {
    ($(#[$attr:meta])* pub enum $name:ident { $($variants:tt)* }) => {
        $crate::wire::words::words! {
            in "event"
            $(#[$attr])*
            pub enum $name { $($variants)* }
        }

        impl $crate::wire::event::lenient::Lenient<'_> for $name {
            fn from_text(text: &str) -> Option<Self> {
                Some(Self::from(text))
            }
        }
    };
}

pub(crate) use {record, words};
