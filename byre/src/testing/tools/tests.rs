use serde_json::json;

use super::*;
use crate::{Json, tool::Content};

/// Gives back what it is told to.
#[byre::tool(register = false)]
async fn give(kind: String) -> Result<CallToolResult, String> {
    match kind.as_str() {
        "texts" => Ok(CallToolResult::new([Content::text("a"), Content::text("b")])),
        "image" => Ok(CallToolResult::new([Content::image([1, 2, 3], "image/png")])),
        "resource" => {
            Ok(CallToolResult::new([Content::resource_text("file:///a", "text/plain", "hello")]))
        }
        "link" => Ok(CallToolResult::new([Content::resource_link("https://example.com", "x")])),
        "nothing" => Ok(CallToolResult::new([])),
        other => Err(format!("no {other}")),
    }
}

/// Gives a structure.
#[byre::tool(register = false)]
async fn structure() -> Json<Vec<u8>> {
    Json(vec![1, 2])
}

/// Calls `give`, and compares what the model sees with `want`.
async fn check(kind: &str, want: Value, is_error: bool) {
    let reply = Tools::from(crate::tools![give]).call("give", json!({"kind": kind})).await;
    assert_eq!(reply.content(), &want, "{kind}");
    assert_eq!(reply.is_error(), is_error, "{kind}");
}

#[tokio::test]
async fn shows_what_the_model_would_see() {
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    check("texts", json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]), false)
        .await;
    let source = json!({"type": "base64", "media_type": "image/png", "data": "AQID"});
    check("image", json!([{"type": "image", "source": source}]), false).await;
    check("resource", text("[Resource from byre at file:///a] hello"), false).await;
    check("link", text("[Resource link: x] https://example.com"), false).await;
    check("nothing", json!("(mcp__byre__give completed with no output)"), false).await;
    check("cow", json!("no cow"), true).await;
}

#[tokio::test]
async fn structured_content_is_what_the_model_sees_and_the_text_says_the_same() {
    let reply = Tools::from(crate::tools![structure]).call("mcp__byre__structure", json!({})).await;
    assert_eq!(reply.text(), "{\"result\":[1,2]}");
    assert_eq!(reply.result().text(), reply.text());
}

#[tokio::test]
async fn a_tool_that_is_not_there_is_an_error() {
    let reply = Tools::from(Vec::new()).call("add", json!({})).await;
    assert!(reply.is_error());
    assert_eq!(reply.text(), "no tool is called \"add\"");
}
