use serde_json::json;

use super::*;

#[test]
fn answers_the_version_it_is_asked_for_or_the_newest() {
    for version in PROTOCOL_VERSIONS {
        assert_eq!(negotiate_version(version), version);
    }
    assert_eq!(negotiate_version("2099-01-01"), "2025-11-25");
    assert_eq!(negotiate_version(""), "2025-11-25");
}

/// Compares what `content` serialises to with `want`, and reads it back.
fn check(content: &Content, want: Value) {
    assert_eq!(serde_json::to_value(content).unwrap(), want);
    assert_eq!(serde_json::from_value::<Content>(want).unwrap(), *content);
}

#[test]
fn content_has_the_shape_that_mcp_gives_it() {
    check(&Content::text("5"), json!({"type": "text", "text": "5"}));
    check(
        &Content::image([1, 2, 3], "image/png"),
        json!({"type": "image", "data": "AQID", "mimeType": "image/png"}),
    );
    check(
        &Content::audio([1, 2, 3], "audio/wav"),
        json!({"type": "audio", "data": "AQID", "mimeType": "audio/wav"}),
    );
    check(
        &Content::resource_text("file:///a", "text/plain", "hello"),
        json!({
            "type": "resource",
            "resource": {"uri": "file:///a", "mimeType": "text/plain", "text": "hello"},
        }),
    );
    check(
        &Content::resource_bytes("file:///a", "application/zip", [1, 2, 3]),
        json!({
            "type": "resource",
            "resource": {"uri": "file:///a", "mimeType": "application/zip", "blob": "AQID"},
        }),
    );
    check(
        &Content::resource_link("https://example.com/a", "a"),
        json!({"type": "resource_link", "uri": "https://example.com/a", "name": "a"}),
    );
}

#[test]
fn a_result_has_no_null_and_no_false() {
    let plain = CallToolResult::new([]);
    assert_eq!(serde_json::to_value(plain).unwrap(), json!({"content": []}));
    let failed = CallToolResult::error("why");
    assert_eq!(
        serde_json::to_value(failed).unwrap(),
        json!({"content": [{"type": "text", "text": "why"}], "isError": true})
    );
}

#[test]
fn annotations_that_are_not_set_are_absent() {
    assert!(ToolAnnotations::default().is_empty());
    let annotations = ToolAnnotations {
        title: Some("T".to_owned()),
        read_only_hint: Some(true),
        destructive_hint: Some(false),
        idempotent_hint: Some(true),
        open_world_hint: Some(false),
    };
    assert_eq!(
        serde_json::to_value(annotations).unwrap(),
        json!({
            "title": "T",
            "readOnlyHint": true,
            "destructiveHint": false,
            "idempotentHint": true,
            "openWorldHint": false,
        })
    );
}
