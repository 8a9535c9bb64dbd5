use serde_json::json;

use super::*;

fn event(value: &Value) -> Event {
    let kind = value["type"].as_str().unwrap_or_default();
    Event::parse(kind, &Raw::new(value.to_string()))
}

#[test]
fn an_event_serialises_to_what_was_sent() {
    for value in [
        json!({"type": "system", "subtype": "init", "model": "m", "new_field": [1]}),
        json!({"type": "assistant", "message": {"content": []}, "new_field": 1}),
        json!({"type": "never_heard_of", "x": {"y": null}}),
    ] {
        assert_eq!(serde_json::to_value(event(&value)).unwrap(), value);
    }
}

#[test]
fn content_may_be_text_or_blocks() {
    let Event::User(user) = event(&json!({"type": "user", "message": {"content": "hi"}})) else {
        panic!("not a user event");
    };
    assert_eq!(user.message.text(), "hi");
    let Event::Assistant(assistant) = event(&json!({"type": "assistant", "message": {"content": [
        {"type": "text", "text": "a"},
        {"type": "thinking", "thinking": "hm", "signature": ""},
        {"type": "tool_use", "id": "t", "name": "add", "input": {"a": 1}},
        {"type": "server_tool_use", "id": "s"},
        {"type": "text", "text": "b"},
        7,
    ]}})) else {
        panic!("not an assistant event");
    };
    assert_eq!(assistant.text(), "ab");
    assert_eq!(
        assistant.tool_uses().map(|call| call.input.clone()).collect::<Vec<_>>(),
        [json!({
            "a": 1
        })]
    );
    let kinds = assistant.message.content.iter().map(|block| match block {
        ContentBlock::Text(_) => "text",
        ContentBlock::Thinking(_) => "thinking",
        ContentBlock::ToolUse(_) => "tool_use",
        ContentBlock::ToolResult(_) => "tool_result",
        ContentBlock::Other(other) => other.kind.as_str(),
    });
    assert_eq!(
        kinds.collect::<Vec<_>>(),
        ["text", "thinking", "tool_use", "server_tool_use", "text", ""]
    );
}

#[test]
fn tool_results_come_as_text_or_blocks() {
    let Event::User(user) = event(&json!({"type": "user", "message": {"content": [
        {"type": "tool_result", "tool_use_id": "1", "content": "plain", "is_error": true},
        {"type": "tool_result", "tool_use_id": "2", "content": [{"type": "text", "text": "block"}]},
        {"type": "tool_result", "tool_use_id": "3", "is_error": null},
    ]}})) else {
        panic!("not a user event");
    };
    let results = user.tool_results().map(|r| (r.tool_use_id.as_str(), r.text(), r.is_error));
    assert_eq!(
        results.collect::<Vec<_>>(),
        [
            ("1", "plain".to_owned(), true),
            ("2", "block".to_owned(), false),
            ("3", String::new(), false)
        ]
    );
}

#[test]
fn an_event_of_unexpected_shape_keeps_its_json() {
    let Event::Other(other) = event(&json!({"type": "assistant", "message": 7})) else {
        panic!("parsed");
    };
    assert_eq!(other.kind, "assistant");
    let Event::System(SystemEvent::Other(other)) =
        event(&json!({"type": "system", "subtype": "api_retry", "attempt": 1}))
    else {
        panic!("parsed");
    };
    assert_eq!(other.kind, "api_retry");
}

#[test]
fn only_deltas_of_text_add_text() {
    let delta = |delta: Value| {
        event(&json!({
            "type": "stream_event",
            "event": {"type": "content_block_delta", "index": 0, "delta": delta},
        }))
    };
    assert_eq!(delta(json!({"type": "text_delta", "text": "Hel"})).text_delta(), Some("Hel"));
    assert_eq!(delta(json!({"type": "thinking_delta", "thinking": "hm"})).text_delta(), None);
    let Event::Stream(input) = delta(json!({"type": "input_json_delta", "partial_json": "{"}))
    else {
        panic!("not a stream event");
    };
    assert_eq!(input.delta, Some(Delta::ToolInput("{".to_owned())));
    // `message_delta` has a `delta` of another kind.
    let end = event(&json!({
        "type": "stream_event",
        "event": {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
    }));
    assert!(matches!(end, Event::Stream(StreamEvent { delta: None, .. })));
}

#[test]
fn a_result_without_text_says_its_errors() {
    let Event::Result(result) = event(&json!({
        "type": "result", "subtype": "error_max_turns", "is_error": true,
        "errors": ["Reached maximum number of turns (2)"], "duration_ms": 1500,
    })) else {
        panic!("not a result");
    };
    assert_eq!(result.text(), "Reached maximum number of turns (2)");
    assert_eq!(result.duration(), Duration::from_millis(1500));
}

#[test]
fn an_odd_field_does_not_hide_the_result() {
    let Event::Result(result) = event(&json!({
        "type": "result", "errors": null, "num_turns": "two", "session_id": "s", "is_error": true,
    })) else {
        panic!("not a result");
    };
    assert_eq!((result.num_turns, result.session_id.as_str(), result.is_error), (0, "s", true));
}
