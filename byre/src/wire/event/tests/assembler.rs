//! Messages while the model writes them.

use super::*;

/// Feeds events and writes down what changes, one a line.
fn told(assembler: &mut Assembler, events: &[Event]) -> Vec<String> {
    let mut lines = Vec::new();
    for event in events {
        for update in assembler.push(event) {
            let agent =
                update.agent.parent_tool_use_id().map_or_else(String::new, |a| format!("[{a}] "));
            lines.push(format!("{agent}{}", line(&update)));
        }
    }
    lines
}

fn line(update: &Update<'_>) -> String {
    let id = update.message_id;
    let cut = |is_complete: bool| if is_complete { "" } else { ", cut off" };
    match &update.change {
        Change::MessageStarted { .. } => format!("{id} starts"),
        Change::BlockStarted { index, block } => format!("{index} starts: {}", brief(block)),
        Change::Text { index, delta, snapshot } => format!("{index} +{delta:?} ={snapshot:?}"),
        Change::Thinking { index, delta, snapshot } => {
            format!("{index} thinks +{delta:?} ={snapshot:?}")
        }
        Change::ToolInput { index, delta, snapshot } => {
            format!("{index} input +{delta:?} ={snapshot:?}")
        }
        Change::BlockFinished { index, block, is_complete } => {
            format!("{index} ends: {}{}", brief(block), cut(*is_complete))
        }
        Change::MessageFinished { stop_reason, usage, is_complete } => {
            let reason = stop_reason.map_or("nothing", StopReason::as_str);
            format!("{id} ends: {reason}, {} tokens{}", usage.output_tokens, cut(*is_complete))
        }
    }
}

fn brief(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(block) => format!("text {:?}", block.text),
        ContentBlock::Thinking(block) => {
            format!("thought {:?} {:?}", block.thinking, block.signature)
        }
        ContentBlock::ToolUse(block) => format!("{} {}", block.name, block.input),
        other => other.raw().to_string(),
    }
}

fn check(lines: &[Value], want: &[&str]) {
    let events: Vec<_> = lines.iter().map(event).collect();
    let mut assembler = Assembler::default();
    assert_eq!(told(&mut assembler, &events), want);
    let end = event(&json!({"type": "never_heard_of"}));
    assert_eq!(assembler.push(&end), []);
    assert_eq!(format!("{assembler:?}"), "Assembler { open: [] }", "nothing is held");
}

fn piece(piece: Value) -> Value {
    json!({"type": "stream_event", "event": piece, "parent_tool_use_id": null})
}

fn start(id: &str) -> Value {
    let usage = json!({"input_tokens": 10, "output_tokens": 1});
    piece(json!({"type": "message_start", "message": {"id": id, "content": [], "usage": usage}}))
}

fn block_start(index: u64, block: Value) -> Value {
    piece(json!({"type": "content_block_start", "index": index, "content_block": block}))
}

fn delta(index: u64, delta: Value) -> Value {
    piece(json!({"type": "content_block_delta", "index": index, "delta": delta}))
}

fn text(index: u64, text: &str) -> Value {
    delta(index, json!({"type": "text_delta", "text": text}))
}

fn block_stop(index: u64) -> Value {
    piece(json!({"type": "content_block_stop", "index": index}))
}

fn message_end(reason: &str, tokens: u64) -> [Value; 2] {
    let usage = json!({"output_tokens": tokens});
    let end = json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage});
    [piece(end), piece(json!({"type": "message_stop"}))]
}

fn whole(id: &str, agent: Value, blocks: Value) -> Value {
    let usage = json!({"input_tokens": 10, "output_tokens": 1});
    let message = json!({"id": id, "content": blocks, "usage": usage});
    json!({"type": "assistant", "message": message, "parent_tool_use_id": agent})
}

fn of(agent: &str, mut line: Value) -> Value {
    line["parent_tool_use_id"] = agent.into();
    line
}

#[test]
fn a_recorded_turn_is_told_without_repetition() {
    let mut assembler = Assembler::default();
    assert_eq!(
        told(&mut assembler, &transcript("10-partial-messages")),
        [
            "msg_0 starts",
            "0 starts: text \"\"",
            "0 +\"Adding\" =\"Adding\"",
            "0 +\" now.\" =\"Adding now.\"",
            "0 ends: text \"Adding now.\"",
            "1 starts: mcp__byre__add {}",
            "1 input +\"{\\\"a\\\": 2, \\\"b\\\": 2}\" =\"{\\\"a\\\": 2, \\\"b\\\": 2}\"",
            "1 ends: mcp__byre__add {\"a\":2,\"b\":2}",
            "msg_0 ends: tool_use, 5 tokens",
            "msg_1 starts",
            "0 starts: text \"\"",
            "0 +\"It is\" =\"It is\"",
            "0 +\" 4.\" =\"It is 4.\"",
            "0 ends: text \"It is 4.\"",
            "msg_1 ends: end_turn, 5 tokens",
        ]
    );
}

#[test]
fn without_partial_messages_the_blocks_come_whole() {
    check(
        &[
            whole("m", Value::Null, json!([{"type": "text", "text": "one"}])),
            whole("m", Value::Null, json!([{"type": "text", "text": "two"}])),
            whole("n", Value::Null, json!([{"type": "text", "text": "three"}])),
            json!({"type": "result"}),
        ],
        &[
            "m starts",
            "0 starts: text \"one\"",
            "0 ends: text \"one\"",
            "1 starts: text \"two\"",
            "1 ends: text \"two\"",
            "m ends: nothing, 1 tokens",
            "n starts",
            "0 starts: text \"three\"",
            "0 ends: text \"three\"",
            "n ends: nothing, 1 tokens",
        ],
    );
}

#[test]
fn thoughts_grow_and_end_with_their_signature() {
    let thought = json!({"type": "thinking", "thinking": "", "signature": ""});
    let mut lines = vec![
        start("m"),
        block_start(0, thought),
        delta(0, json!({"type": "thinking_delta", "thinking": "hm"})),
        delta(0, json!({"type": "signature_delta", "signature": "Eq"})),
        block_stop(0),
    ];
    lines.extend(message_end("end_turn", 3));
    check(
        &lines,
        &[
            "m starts",
            "0 starts: thought \"\" \"\"",
            "0 thinks +\"hm\" =\"hm\"",
            "0 ends: thought \"hm\" \"Eq\"",
            "m ends: end_turn, 3 tokens",
        ],
    );
}

#[test]
fn a_block_ends_once_also_where_its_event_comes_late() {
    let mut lines = vec![
        start("m"),
        block_start(0, json!({"type": "text", "text": ""})),
        text(0, "hi"),
        block_stop(0),
        whole("m", Value::Null, json!([{"type": "text", "text": "hi"}])),
    ];
    lines.extend(message_end("end_turn", 3));
    check(
        &lines,
        &[
            "m starts",
            "0 starts: text \"\"",
            "0 +\"hi\" =\"hi\"",
            "0 ends: text \"hi\"",
            "m ends: end_turn, 3 tokens",
        ],
    );
}

#[test]
fn an_interrupt_ends_what_was_being_written() {
    check(
        &[
            start("m"),
            block_start(0, json!({"type": "text", "text": ""})),
            text(0, "once upon"),
            json!({"type": "result", "terminal_reason": "aborted_streaming"}),
            start("n"),
            block_start(0, json!({"type": "tool_use", "id": "t", "name": "add", "input": {}})),
            delta(0, json!({"type": "input_json_delta", "partial_json": "{\"a\":"})),
            json!({"type": "conversation_reset"}),
        ],
        &[
            "m starts",
            "0 starts: text \"\"",
            "0 +\"once upon\" =\"once upon\"",
            "0 ends: text \"once upon\", cut off",
            "m ends: nothing, 1 tokens, cut off",
            "n starts",
            "0 starts: add {}",
            "0 input +\"{\\\"a\\\":\" =\"{\\\"a\\\":\"",
            "0 ends: add {}, cut off",
            "n ends: nothing, 1 tokens, cut off",
        ],
    );
}

#[test]
fn a_message_that_is_begun_anew_cuts_the_first_one_off() {
    let mut lines = vec![
        start("m"),
        block_start(0, json!({"type": "text", "text": ""})),
        text(0, "on"),
        whole("n", Value::Null, json!([{"type": "text", "text": "once"}])),
        start("o"),
    ];
    lines.extend(message_end("end_turn", 2));
    check(
        &lines,
        &[
            "m starts",
            "0 starts: text \"\"",
            "0 +\"on\" =\"on\"",
            "0 ends: text \"on\", cut off",
            "m ends: nothing, 1 tokens, cut off",
            "n starts",
            "0 starts: text \"once\"",
            "0 ends: text \"once\"",
            "n ends: nothing, 1 tokens",
            "o starts",
            "o ends: end_turn, 2 tokens",
        ],
    );
}

#[test]
fn agents_write_at_the_same_time() {
    let empty = || json!({"type": "text", "text": ""});
    let task = json!({"type": "system", "subtype": "task_notification", "tool_use_id": "a", "status": "completed"});
    check(
        &[
            start("m"),
            of("a", start("n")),
            block_start(0, empty()),
            of("a", block_start(0, empty())),
            text(0, "main"),
            of("a", text(0, "sub")),
            whole("m", Value::Null, json!([{"type": "text", "text": "main"}])),
            json!({"type": "result"}),
            of("a", text(0, "agent")),
            task,
        ],
        &[
            "m starts",
            "[a] n starts",
            "0 starts: text \"\"",
            "[a] 0 starts: text \"\"",
            "0 +\"main\" =\"main\"",
            "[a] 0 +\"sub\" =\"sub\"",
            "0 ends: text \"main\"",
            "m ends: nothing, 1 tokens, cut off",
            "[a] 0 +\"agent\" =\"subagent\"",
            "[a] 0 ends: text \"subagent\", cut off",
            "[a] n ends: nothing, 1 tokens, cut off",
        ],
    );
}

#[test]
fn the_rest_of_a_message_that_was_not_seen_from_the_start_is_left_out() {
    check(&[text(0, "half"), block_stop(0), piece(json!({"type": "message_stop"}))], &[]);
}

#[test]
fn more_agents_than_can_be_are_not_held() {
    let mut assembler = Assembler::default();
    for n in 0..1000 {
        let event = event(&of(&format!("agent {n}"), start("m")));
        let _ = assembler.push(&event);
    }
    let ends = assembler.push(&event(&json!({"type": "conversation_reset"}))).len();
    assert_eq!(ends, 256);
}

#[test]
fn an_update_serialises_for_a_screen() {
    let mut assembler = Assembler::default();
    for line in [start("m"), block_start(0, json!({"type": "text", "text": ""}))] {
        let _ = assembler.push(&event(&line));
    }
    let event = event(&text(0, "hi"));
    assert_eq!(
        serde_json::to_value(assembler.push(&event)).unwrap(),
        json!([{"agent": null, "message_id": "m", "type": "text", "index": 0, "delta": "hi", "snapshot": "hi"}])
    );
}
