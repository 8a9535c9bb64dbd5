//! What the CLI is told of a tool.

use serde::Serialize;
use serde_json::{
    Map, Value,
    value::{RawValue, to_raw_value},
};

use super::{Body, Tool, ToolAnnotations, def::Limits};
use crate::wire::json::object;

impl Tool {
    /// Writes the entry of `tools/list`: one line, the same bytes in every run, and the properties in
    /// the order of the parameters.
    ///
    /// ```json
    /// {"name":"add","description":"Adds.","inputSchema":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false}}
    /// ```
    pub(crate) fn definition(&self) -> String {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Entry<'a> {
            name: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            title: Option<&'a str>,
            description: &'a str,
            input_schema: Box<RawValue>,
            #[serde(skip_serializing_if = "Option::is_none")]
            output_schema: Option<Value>,
            #[serde(skip_serializing_if = "ToolAnnotations::is_empty")]
            annotations: ToolAnnotations,
            #[serde(rename = "_meta", skip_serializing_if = "Map::is_empty")]
            meta: Map<String, Value>,
        }

        let input_schema = match &self.0.body {
            Body::Function { .. } => to_raw_value(&self.schema()),
            Body::Dynamic { input_schema, .. } => to_raw_value(&**input_schema),
        };
        let entry = input_schema.and_then(|input_schema| {
            to_raw_value(&Entry {
                name: self.name(),
                title: self.title(),
                description: self.description(),
                input_schema,
                output_schema: self.output_schema(),
                annotations: self.annotations(),
                meta: self.wire_meta(),
            })
        });
        // Nothing in it can fail: the keys are strings, and the schemas are JSON already.
        entry.map(|json| json.get().to_owned()).unwrap_or_default()
    }

    /// The `_meta` of the entry: what the tool says, and what the CLI knows its limits by.
    ///
    /// Source: seen with CLI 2.1.332, which takes the number as a number only.
    fn wire_meta(&self) -> Map<String, Value> {
        let entries = self.0.meta.iter();
        let mut meta =
            object(entries.map(|(key, value)| (key.clone().into_owned(), value.clone())));
        let Limits { max_result_chars, always_load, .. } = self.0.limits;
        if let Some(characters) = max_result_chars {
            meta.insert("anthropic/maxResultSizeChars".to_owned(), characters.into());
        }
        if let Some(always) = always_load {
            meta.insert("anthropic/alwaysLoad".to_owned(), always.into());
        }
        meta
    }
}
