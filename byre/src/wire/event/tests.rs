#![expect(clippy::needless_pass_by_value, reason = "lines are written where they are used")]

use std::time::Duration;

use serde_json::{Value, json};

use super::*;

mod assembler;
mod calls;
mod cost;
mod failure;
mod golden;
mod odd;

fn event(value: &Value) -> Event {
    serde_json::from_value(value.clone()).unwrap()
}

/// What the CLI said in a recorded session that is not control traffic.
fn transcript(name: &str) -> Vec<Event> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/golden/transcripts");
    let text = std::fs::read_to_string(format!("{folder}/{name}.jsonl")).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let from_cli = lines.filter(|line| line["dir"] == "recv").map(|line| line["msg"].clone());
    let is_control = |message: &Value| message["type"].as_str().unwrap().starts_with("control_");
    from_cli.filter(|message| !is_control(message)).map(|message| event(&message)).collect()
}

/// The first who reads a message in full is who makes an event of it.
#[test]
fn a_line_that_only_looks_like_a_message_is_a_warning() {
    let read = |json: String| Event::read(Raw::new(json));
    for kind in ["stream_event", "assistant", "user"] {
        for rest in [
            "\"message\":{\"content\":[}}",
            "\"message\":{\"content\":\"a\nb\"}}",
            "\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"\\x\"}]}}",
            "\"message\":{}}{\"type\":\"user\"}",
            "\"event\":{\"delta\":{\"type\":\"text_delta\",\"text\":5.}}}",
            "\"message\":{},}",
            "\"odd\":tru}",
        ] {
            let event = read(format!("{{\"type\":\"{kind}\",{rest}"));
            let Event::Warning(warning) = &event else { panic!("{kind} {rest}: {event:?}") };
            assert!(warning.message.contains(&format!("{{\"type\":\"{kind}\",")), "{warning}");
        }
        // JSON, if odd.
        for rest in [
            &format!("\"odd\":{}{}}}", "[".repeat(500), "]".repeat(500)),
            "\"ttft_ms\":1e999,\"message\":-1e999}",
            "\"message\":null,\"event\":[]}",
            "\"type\":5}",
        ] {
            let event = read(format!("{{\"type\":\"{kind}\",{rest}"));
            assert!(!matches!(event, Event::Warning(_)), "{kind} {rest}: {event:?}");
        }
    }
}

#[test]
fn content_may_be_text_or_blocks() {
    let Event::User(user) = event(&json!({"type": "user", "message": {"content": "hi"}})) else {
        panic!("not a user event");
    };
    assert_eq!(user.message.text(), "hi");
    let block = &user.message.content[0];
    assert_eq!(block.raw().to_value(), json!({"type": "text", "text": "hi"}));
    let Event::Assistant(assistant) = event(&json!({"type": "assistant", "message": {"content": [
        {"type": "text", "text": "a"},
        {"type": "thinking", "thinking": "hm", "signature": ""},
        {"type": "tool_use", "id": "t", "name": "add", "input": {"a": 1}},
        {"type": "never_heard_of", "id": "s"},
        {"text": "b", "type": "text"},
        7,
    ]}})) else {
        panic!("not an assistant event");
    };
    assert_eq!(assistant.text(), "ab");
    assert_eq!(assistant.message.thinking(), "hm");
    let inputs: Vec<_> = assistant.tool_uses().map(|call| call.input.clone()).collect();
    assert_eq!(inputs, [json!({"a": 1})]);
    let others = assistant.message.content.iter().filter_map(|block| match block {
        ContentBlock::Other(other) => Some(other.kind.as_str()),
        _ => None,
    });
    assert_eq!(others.collect::<Vec<_>>(), ["never_heard_of", ""]);
    assert_eq!(assistant.message.content.len(), 6);
}

#[test]
fn a_block_is_a_part_of_its_line_and_serialises_to_it() {
    let json = r#"{"type":"assistant","message":{"content":[{"type":"text","text":"a","new":1}]}}"#;
    let Event::Assistant(assistant) = serde_json::from_str(json).unwrap() else {
        panic!("not an assistant event");
    };
    let block = &assistant.message.content[0];
    assert_eq!(block.raw().as_str(), r#"{"type":"text","text":"a","new":1}"#);
    assert_eq!(serde_json::to_string(block).unwrap(), block.raw().as_str());
    assert_eq!(serde_json::from_str::<ContentBlock>(block.raw().as_str()).unwrap(), *block);
    let start = assistant.raw.as_str().as_ptr().addr();
    let part = block.raw().as_str().as_ptr().addr();
    assert!((start..start + json.len()).contains(&part), "it was copied");
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
    assert_eq!(input.delta(), Some(&Delta::ToolInput("{".to_owned())));
    let Event::Stream(new) = delta(json!({"type": "sound_delta", "data": "la"})) else {
        panic!("not a stream event");
    };
    assert!(matches!(new.delta(), Some(Delta::Other(other)) if other.kind == "sound_delta"));
    // `message_delta` has a `delta` of another kind.
    let Event::Stream(end) = event(&json!({
        "type": "stream_event",
        "event": {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
    })) else {
        panic!("not a stream event");
    };
    assert_eq!(end.delta(), None);
    assert!(
        matches!(end.event, MessageStreamEvent::MessageDelta(d) if d.delta.stop_reason == Some(StopReason::EndTurn))
    );
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
fn every_event_tells_its_agent_and_its_ids() {
    let check = |value: Value, agent: Agent| {
        let event = event(&value);
        assert_eq!(event.agent(), agent, "{event:?}");
        assert_eq!((event.session_id(), event.uuid()), (Some("s"), Some("u")), "{event:?}");
    };
    let sub = || Agent::Subagent("toolu_1".to_owned());
    for kind in ["assistant", "user", "stream_event", "tool_progress"] {
        let line =
            json!({"type": kind, "parent_tool_use_id": "toolu_1", "session_id": "s", "uuid": "u"});
        check(line, sub());
    }
    for kind in ["result", "system", "never_heard_of"] {
        check(json!({"type": kind, "session_id": "s", "uuid": "u"}), Agent::Main);
    }
    // A heartbeat has the call in the place of the agent.
    let beat = json!({
        "type": "tool_progress", "tool_use_id": "toolu_1-heartbeat-0", "heartbeat": true,
        "parent_tool_use_id": "toolu_1", "session_id": "s", "uuid": "u",
    });
    check(beat, Agent::Main);
    assert_eq!(event(&json!({"type": "result", "session_id": 7})).session_id(), None);
}

#[test]
fn a_warning_of_byre_reads_back() {
    let warning = Event::Warning(Warning::new("the disk is full"));
    let json = serde_json::to_string(&warning).unwrap();
    assert_eq!(json, r#"{"message":"the disk is full","type":"byre_warning"}"#);
    assert_eq!(serde_json::from_str::<Event>(&json).unwrap(), warning);
}

#[test]
fn words_compare_with_text_and_are_read_and_written_as_text() {
    let reason = TerminalReason::from("aborted_tools");
    assert_eq!(reason, TerminalReason::AbortedTools);
    assert_eq!(reason, "aborted_tools");
    assert_eq!(reason.to_string(), "aborted_tools");
    assert_eq!(serde_json::to_value(&reason).unwrap(), json!("aborted_tools"));
    let new: TerminalReason = serde_json::from_value(json!("tired")).unwrap();
    assert_eq!(new, TerminalReason::Other("tired".to_owned()));
    assert_eq!(serde_json::to_value(&new).unwrap(), json!("tired"));
}

/// The stack has an end, and a line may be as long as it likes.
#[test]
fn blocks_within_blocks_have_an_end() {
    for (start, end) in [
        ("{\"type\":\"tool_result\",\"content\":[", "]}"),
        ("{\"type\":\"search_result\",\"content\":[", "]}"),
        ("{\"type\":\"document\",\"source\":{\"content\":[", "]}}"),
    ] {
        let content = format!("{}{}", start.repeat(20_000), end.repeat(20_000));
        let line = format!("{{\"type\":\"user\",\"message\":{{\"content\":[{content}]}}}}");
        let Event::User(user) = Event::read(Raw::new(line)) else { panic!("not a user event") };
        let (mut block, mut depth) = (user.message.content.first(), 0);
        while let Some(inner) = block {
            depth += 1;
            block = match inner {
                ContentBlock::ToolResult(result) => result.content.first(),
                ContentBlock::SearchResult(result) => result.content.first(),
                ContentBlock::Document(document) => document.source.content.first(),
                ContentBlock::Other(other) => {
                    assert!(other.raw.as_str().starts_with(start), "nothing is lost");
                    None
                }
                other => panic!("{other:?}"),
            };
        }
        assert_eq!(depth, 32 + 1, "and the one that is too deep");
    }
}
