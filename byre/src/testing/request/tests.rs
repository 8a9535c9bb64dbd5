use serde_json::json;

use super::*;

fn request() -> ModelRequest {
    ModelRequest::from_body(json!({
        "model": "m",
        "stream": true,
        "system": [{"type": "text", "text": "You are an agent."}],
        "messages": [
            {"role": "user", "content": [
                {"type": "text", "text": "<system-reminder>\nx\n</system-reminder>"},
                {"type": "text", "text": "first"},
            ]},
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "t0", "name": "mcp__byre__add", "input": {}},
                {"type": "tool_use", "id": "t1", "name": "Bash", "input": {}},
            ]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": "no", "is_error": true},
                {"type": "tool_result", "tool_use_id": "t0", "content": [
                    {"type": "text", "text": "5"}, {"type": "text", "text": "6"},
                ]},
            ]},
            {"role": "system", "content": "The tools mcp__byre__later, mcp__a__b__deep exist."},
        ],
        "tools": [
            {"name": "mcp__byre__add", "description": "Adds.", "input_schema": {"type": "object"}},
            {"name": "Bash", "input_schema": {}, "defer_loading": true},
        ],
    }))
}

#[test]
fn texts_of_the_user_and_of_the_system_are_told_apart() {
    let request = request();
    assert_eq!(request.prompt, "first");
    assert_eq!(request.first_prompt, "first");
    assert_eq!(request.system.len(), 2);
}

#[test]
fn results_come_in_their_order_with_the_names_of_their_tools() {
    let request = request();
    let results: Vec<_> = request
        .tool_results
        .iter()
        .map(|result| (result.name.as_str(), result.text.as_str(), result.is_error))
        .collect();
    assert_eq!(results, [("Bash", "no", true), ("mcp__byre__add", "5\n6", false)]);
    assert_eq!(request.result("add").unwrap().tool_use_id, "t0");
    assert!(request.result("d").is_none(), "a bare name is a whole name");
}

#[test]
fn tools_are_found_by_bare_and_by_full_name() {
    let request = request();
    assert_eq!(request.tool("add"), request.tool("mcp__byre__add"));
    assert!(request.tool("Bash").unwrap().defer_loading);
    assert!(request.tool("dd").is_none());
}

#[test]
fn names_are_resolved_against_what_is_offered() {
    let request = request();
    for (name, resolved) in [
        ("add", "mcp__byre__add"),
        ("Bash", "Bash"),
        ("mcp__x__y", "mcp__x__y"),
        ("later", "mcp__byre__later"),
        ("deep", "mcp__a__b__deep"),
        ("nosuch", "nosuch"),
    ] {
        assert_eq!(request.resolve(name), resolved);
    }
}

#[test]
fn a_body_without_anything_is_an_empty_request() {
    for body in [json!(null), json!({}), json!({"messages": "x", "tools": 5})] {
        let request = ModelRequest::from_body(body);
        assert_eq!(request.prompt, "");
        assert!(request.tools.is_empty());
    }
}
