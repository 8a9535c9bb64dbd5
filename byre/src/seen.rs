//! What the model sees of a tool's result.
//!
//! Source: seen with CLI 2.1.332.

use serde_json::{Value, json};

/// Turns the `result` of `tools/call` into the content that the model sees, a text or a list of blocks;
/// or into the text of an error.
///
/// `name` is the tool's qualified name.
pub(crate) fn seen(server: &str, name: &str, result: &Value) -> Result<Value, String> {
    let content = match (&result["content"], result.get("isError")) {
        (_, Some(is_error)) if !is_error.is_boolean() => None,
        (Value::Null, _) => Some(&[][..]),
        (Value::Array(blocks), _) => Some(&blocks[..]),
        _ => None,
    };
    let blocks: Option<Vec<Value>> = content
        .and_then(|content| content.iter().map(|block| for_model(server, block)).collect())
        .map(|blocks: Vec<Vec<Value>>| blocks.concat());
    let Some(blocks) = blocks else {
        return Err(format!(
            "MCP server \"{server}\" returned a malformed result that failed schema validation: \
             {result}"
        ));
    };
    if result["isError"] == true {
        let texts: Vec<_> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
        return Err(if texts.is_empty() { "Unknown error".to_owned() } else { texts.join("\n") });
    }
    let structured = &result["structuredContent"];
    Ok(if structured.is_object() {
        structured.to_string().into()
    } else if blocks.iter().all(|block| block["text"] == "") {
        format!("({name} completed with no output)").into()
    } else {
        blocks.into()
    })
}

/// Turns one block of a result into blocks for the model, or gives `None` if it is malformed.
fn for_model(server: &str, block: &Value) -> Option<Vec<Value>> {
    let text = |text: String| Some(vec![json!({"type": "text", "text": text})]);
    let field = |key: &str| block[key].as_str();
    match field("type")? {
        "text" => text(field("text")?.to_owned()),
        "image" => {
            let (data, media_type) = (field("data")?, field("mimeType")?);
            let source = json!({"type": "base64", "media_type": media_type, "data": data});
            Some(vec![json!({"type": "image", "source": source})])
        }
        "audio" => {
            let (data, media_type) = (field("data")?, field("mimeType")?);
            let bytes = data.len() / 4 * 3;
            text(format!("[Audio from {server}] Binary content ({media_type}, {bytes} bytes)"))
        }
        "resource" => {
            let resource = &block["resource"];
            let uri = resource["uri"].as_str()?;
            let content = match (resource["text"].as_str(), resource["blob"].as_str()) {
                (Some(content), _) => content.to_owned(),
                (None, Some(blob)) => format!("Binary content ({} bytes)", blob.len() / 4 * 3),
                (None, None) => return None,
            };
            text(format!("[Resource from {server} at {uri}] {content}"))
        }
        "resource_link" => {
            let link = format!("[Resource link: {}] {}", field("name")?, field("uri")?);
            text(match field("description") {
                Some(description) => format!("{link} ({description})"),
                None => link,
            })
        }
        _ => None,
    }
}
