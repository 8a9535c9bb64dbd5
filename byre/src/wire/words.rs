//! Words: strings on the wire that are one of a set, which may grow.

/// Declares enums of the words that a string on the wire can be. Any other word is kept.
///
/// ```text
/// words! {
///     in "event"
///
///     /// What it is.
///     pub enum Name {
///         /// What it means.
///         Variant = "on_the_wire",
///     }
/// }
/// ```
///
/// `in` says in which public module of byre they are, for the examples in their docs.
macro_rules! words {
    (
        in $module:literal
        $(
            $(#[$attr:meta])*
            pub enum $name:ident {
                $(#[$first_attr:meta])* $first:ident = $first_wire:literal,
                $($(#[$variant_attr:meta])* $variant:ident = $wire:literal,)*
            }
        )*
    ) => {$(
        $(#[$attr])*
        #[doc = concat!(
            "\nThe set is open: what byre does not know is `Other`, and compares with text.\n",
            "\n# Example\n\n```\nuse byre::", $module, "::", stringify!($name), ";\n\n",
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
                "let word = byre::", $module, "::", stringify!($name), "::", stringify!($first), ";\n",
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
                <String as serde::Deserialize>::deserialize(json).map(Self::from)
            }
        }
    )*};
}

pub(crate) use words;
