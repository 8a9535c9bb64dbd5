//! `params` of the messages of an MCP client.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

use super::json::Borrowed;

/// All that byre reads of the `params` of any message, as JSON text: so one pass over the line of a call is enough.
///
/// Of any shape: what is no object has nothing in it. The only error, in JSON, is a number that is out of any range.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Params<'a> {
    /// `tools/call`: see [`tool_name`](Self::tool_name).
    name: Option<&'a RawValue>,
    /// `tools/call`: an object; absent and `null` mean an empty one.
    pub(crate) arguments: Option<&'a RawValue>,
    /// What the client says beside it.
    pub(crate) meta: Option<&'a RawValue>,
    /// `notifications/cancelled`: see [`request_id`](Self::request_id).
    request_id: Option<&'a RawValue>,
    /// `initialize`: see [`protocol_version`](Self::protocol_version).
    protocol_version: Option<&'a RawValue>,
    /// A field is there twice, and which of the two counts, the one who wrote it may see otherwise.
    is_ambiguous: bool,
}

impl<'a> Params<'a> {
    /// The tool that is called, or what is wrong with its name.
    pub(crate) fn tool_name(&self) -> Result<Cow<'a, str>, String> {
        if self.is_ambiguous {
            return Err("a field is there twice".to_owned());
        }
        let name = self.name.ok_or("there is no `name`")?;
        text(name).ok_or_else(|| format!("`name` is no text, but {name}"))
    }

    /// The request that is withdrawn.
    pub(crate) fn request_id(&self) -> Option<&'a RawValue> {
        self.request_id.filter(|_| !self.is_ambiguous)
    }

    /// The version of the protocol that the client asks for; empty if it does not.
    pub(crate) fn protocol_version(&self) -> Cow<'a, str> {
        self.protocol_version.and_then(text).unwrap_or_default()
    }
}

/// What a string says, without a copy where it has no escapes; `None` for anything else.
fn text(json: &RawValue) -> Option<Cow<'_, str>> {
    serde_json::from_str::<Borrowed<'_>>(json.get()).ok().map(|Borrowed(text)| text)
}

impl<'de: 'a, 'a> Deserialize<'de> for Params<'a> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_any(AnyShape)
    }
}

struct AnyShape;

impl<'de> Visitor<'de> for AnyShape {
    type Value = Params<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("parameters")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Params<'de>, A::Error> {
        let mut params = Params::default();
        while let Some(Borrowed(key)) = map.next_key()? {
            let value = match &*key {
                "name" => &mut params.name,
                "arguments" => &mut params.arguments,
                "_meta" => &mut params.meta,
                "requestId" => &mut params.request_id,
                "protocolVersion" => &mut params.protocol_version,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            params.is_ambiguous |= value.replace(map.next_value()?).is_some();
        }
        Ok(params)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Params<'de>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Params::default())
    }

    fn visit_str<E>(self, _: &str) -> Result<Params<'de>, E> {
        Ok(Params::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<Params<'de>, E> {
        Ok(Params::default())
    }

    fn visit_i64<E>(self, _: i64) -> Result<Params<'de>, E> {
        Ok(Params::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<Params<'de>, E> {
        Ok(Params::default())
    }

    fn visit_bool<E>(self, _: bool) -> Result<Params<'de>, E> {
        Ok(Params::default())
    }

    fn visit_unit<E>(self) -> Result<Params<'de>, E> {
        Ok(Params::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Params<'_> {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn a_call_has_a_name_and_what_comes_with_it() {
        let params = read(r#"{"x":[{}],"name":"\u0061dd","arguments":{"a":1},"_meta":{"b":2}}"#);
        assert_eq!(params.tool_name().unwrap(), "add");
        assert_eq!(params.arguments.unwrap().get(), "{\"a\":1}");
        assert_eq!(params.meta.unwrap().get(), "{\"b\":2}");
        assert!(matches!(read("{\"name\":\"add\"}").tool_name(), Ok(Cow::Borrowed("add"))));
    }

    #[test]
    fn a_name_that_is_none_is_told() {
        assert_eq!(read("{}").tool_name().unwrap_err(), "there is no `name`");
        let twice = read("{\"name\":\"read\",\"requestId\":1,\"requestId\":2}");
        assert_eq!(twice.tool_name().unwrap_err(), "a field is there twice");
        assert!(twice.request_id().is_none());
        assert_eq!(read("{\"name\":[5]}").tool_name().unwrap_err(), "`name` is no text, but [5]");
    }

    #[test]
    fn any_other_shape_is_empty() {
        for json in ["null", "true", "5", "-5", "0.5", "\"x\"", "[1,{\"name\":\"add\"}]", "{}"] {
            let params = read(json);
            assert!(params.tool_name().is_err() && params.arguments.is_none(), "{json}");
        }
        assert_eq!(read("{\"protocolVersion\":\"1\"}").protocol_version(), "1");
        assert_eq!(read("{\"protocolVersion\":1}").protocol_version(), "");
    }
}
