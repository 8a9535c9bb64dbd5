//! What the CLI answers to requests of the host.
//!
//! Reading never fails: what is missing, or has another shape than byre knows, is left at its default,
//! and the JSON stays reachable.

pub(crate) mod files;
pub(crate) mod info;
pub(crate) mod mcp;
pub(crate) mod settings;
pub(crate) mod turn;
pub(crate) mod usage;

use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads a field, or gives the default where it is missing or has another shape.
pub(crate) fn field<T: DeserializeOwned + Default>(value: &Value, name: &str) -> T {
    value.get(name).and_then(|field| T::deserialize(field).ok()).unwrap_or_default()
}

/// Declares a part of an answer: its fields, each with its name on the wire.
///
/// Whatever JSON there is can be read as such a part. `Debug` shows the fields alone, because the JSON
/// may hold what should not be printed.
macro_rules! answers {
    ($(
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($(#[$field_meta:meta])* pub $field:ident: $type:ty = $wire:literal,)*
        }
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, Default, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $type,)*
            raw: serde_json::Value,
        }

        impl $name {
            /// Returns the JSON that the CLI sent, with the fields that byre does not know.
            #[must_use]
            pub fn raw(&self) -> &serde_json::Value {
                &self.raw
            }
        }

        impl From<serde_json::Value> for $name {
            /// Reads what is known of any JSON.
            fn from(raw: serde_json::Value) -> Self {
                Self { $($field: $crate::wire::answer::field(&raw, $wire),)* raw }
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <serde_json::Value as serde::Deserialize>::deserialize(deserializer).map(Self::from)
            }
        }

        impl serde::Serialize for $name {
            /// Serialises to what the CLI sent.
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.raw.serialize(serializer)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($name))
                    $(.field(stringify!($field), &self.$field))*
                    .finish_non_exhaustive()
            }
        }
    )*};
}
pub(crate) use answers;

#[cfg(test)]
mod tests;
