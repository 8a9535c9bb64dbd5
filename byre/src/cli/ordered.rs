//! JSON text whose objects keep the order of their members: parameters are shown as they stand in the source.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// The members of an object, in their order.
#[derive(Debug, Default)]
pub(super) struct Members<'a>(pub(super) Vec<(String, &'a RawValue)>);

impl<'a> Members<'a> {
    /// Reads the members of the object that `json` is; none if it is something else.
    pub(super) fn of(json: &'a str) -> Self {
        serde_json::from_str(json).unwrap_or_default()
    }

    /// The JSON of a member.
    pub(super) fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.get())
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

/// Writes JSON for people: two blanks for each level.
pub(super) fn pretty(json: &str) -> String {
    let mut text = String::new();
    write(json, 0, &mut text);
    text
}

fn write(json: &str, level: usize, text: &mut String) {
    let json = json.trim();
    let items: Vec<(Option<String>, &RawValue)> = if json.starts_with('{') {
        Members::of(json).0.into_iter().map(|(key, value)| (Some(key), value)).collect()
    } else if json.starts_with('[') {
        let list: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
        list.into_iter().map(|value| (None, value)).collect()
    } else {
        Vec::new()
    };
    // A text, a number, a word, or nothing inside of the brackets.
    if items.is_empty() {
        text.push_str(json);
        return;
    }
    let (open, close) = json.split_at(1);
    text.push_str(open);
    for (n, (key, value)) in items.iter().enumerate() {
        text.push_str(if n == 0 { "\n" } else { ",\n" });
        text.push_str(&"  ".repeat(level + 1));
        if let Some(key) = key {
            text.push_str(&serde_json::Value::from(key.as_str()).to_string());
            text.push_str(": ");
        }
        write(value.get(), level + 1, text);
    }
    text.push('\n');
    text.push_str(&"  ".repeat(level));
    text.push_str(&close[close.len() - 1..]);
}

#[cfg(test)]
mod tests;
