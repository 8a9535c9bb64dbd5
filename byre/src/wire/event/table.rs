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

/// Declares an enum of the words that a string on the wire can be. Any other word is kept.
///
/// ```text
/// words! {
///     /// What it is.
///     pub enum Name {
///         /// What it means.
///         Variant = "on_the_wire",
///     }
/// }
/// ```
macro_rules! words {
    (
        $(#[$attr:meta])*
        pub enum $name:ident {
            $(#[$first_attr:meta])* $first:ident = $first_wire:literal,
            $($(#[$variant_attr:meta])* $variant:ident = $wire:literal,)*
        }
    ) => {
        $(#[$attr])*
        #[doc = concat!(
            "\nThe set is open: what byre does not know is `Other`, and compares with text.\n",
            "\n# Example\n\n```\nuse byre::event::", stringify!($name), ";\n\n",
            "assert_eq!(", stringify!($name), "::from(\"", $first_wire, "\"), ",
            stringify!($name), "::", stringify!($first), ");\n",
            "assert_eq!(", stringify!($name), "::from(\"never heard of\"), \"never heard of\");\n```",
        )]
        #[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum $name {
            #[doc = concat!("`", $first_wire, "`.")]
            $(#[$first_attr])*
            $first,
            $(
                #[doc = concat!("`", $wire, "`.")]
                $(#[$variant_attr])*
                $variant,
            )*
            /// Any other word.
            Other(String),
        }

        impl $name {
            #[doc = concat!(
                "Returns the word on the wire.\n\n# Example\n\n```\n",
                "let word = byre::event::", stringify!($name), "::", stringify!($first), ";\n",
                "assert_eq!(word.as_str(), \"", $first_wire, "\");\n```",
            )]
            #[must_use]
            pub fn as_str(&self) -> &str {
                match self {
                    Self::$first => $first_wire,
                    $(Self::$variant => $wire,)*
                    Self::Other(word) => word,
                }
            }
        }

        impl Default for $name {
            /// Returns the empty word, which stands for one that was not there.
            fn default() -> Self {
                Self::Other(String::new())
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                match word {
                    $first_wire => Self::$first,
                    $($wire => Self::$variant,)*
                    other => Self::Other(other.to_owned()),
                }
            }
        }

        impl From<String> for $name {
            fn from(word: String) -> Self {
                Self::from(word.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = std::convert::Infallible;

            fn from_str(word: &str) -> Result<Self, Self::Err> {
                Ok(Self::from(word))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.as_str() == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.as_str() == *other
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
                String::deserialize(json).map(Self::from)
            }
        }

        impl $crate::wire::event::lenient::Lenient<'_> for $name {
            fn from_text(text: &str) -> Option<Self> {
                Some(Self::from(text))
            }
        }
    };
}

pub(crate) use {record, words};
