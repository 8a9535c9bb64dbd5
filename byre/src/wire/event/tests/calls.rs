//! Calls of tools and their results.

use super::*;

/// Feeds events and writes down what became of calls, one a line.
fn told(calls: &mut ToolCalls, events: &[Event]) -> Vec<String> {
    let updates = events.iter().flat_map(|event| calls.push(event));
    let line = |update: ToolCallUpdate| match update {
        ToolCallUpdate::Started(call) => format!("{} starts with {}", call.name, call.input),
        ToolCallUpdate::Finished(call) => {
            let result = call.result.unwrap();
            let agent = call.agent.parent_tool_use_id().unwrap_or("main");
            format!("{} of {agent} gives {:.20}", call.name, result.text())
        }
        ToolCallUpdate::Abandoned(call) => format!("{} is abandoned", call.name),
    };
    updates.map(line).collect()
}

fn check(events: &[Value], want: &[&str]) {
    let events: Vec<_> = events.iter().map(event).collect();
    let mut calls = ToolCalls::default();
    assert_eq!(told(&mut calls, &events), want);
    assert_eq!(calls.running().count(), 0, "all are over");
}

fn call(id: &str, name: &str, agent: Value) -> Value {
    let block = json!({"type": "tool_use", "id": id, "name": name, "input": {"n": 1}});
    json!({"type": "assistant", "message": {"content": [block]}, "parent_tool_use_id": agent})
}

fn answer(id: &str, text: &str) -> Value {
    let block = json!({"type": "tool_result", "tool_use_id": id, "content": text});
    json!({"type": "user", "message": {"content": [block]}})
}

fn end() -> Value {
    json!({"type": "result"})
}

#[test]
fn calls_that_run_together_find_their_results() {
    check(
        &[
            call("1", "a", Value::Null),
            call("2", "b", Value::Null),
            answer("2", "two"),
            answer("1", "one"),
            end(),
        ],
        &[
            "a starts with {\"n\":1}",
            "b starts with {\"n\":1}",
            "b of main gives two",
            "a of main gives one",
        ],
    );
}

#[test]
fn a_call_is_over_when_its_agent_is() {
    let task = json!({"type": "system", "subtype": "task_notification", "tool_use_id": "agent", "status": "stopped"});
    check(
        &[call("1", "a", Value::Null), call("2", "b", json!("agent")), end(), task],
        &["a starts with {\"n\":1}", "b starts with {\"n\":1}", "a is abandoned", "b is abandoned"],
    );
    let reset = json!({"type": "conversation_reset"});
    check(&[call("1", "a", json!("agent")), reset], &["a starts with {\"n\":1}", "a is abandoned"]);
}

#[test]
fn a_result_of_a_call_that_was_not_seen_is_told_without_its_name() {
    check(&[answer("1", "one")], &[" of main gives one"]);
}

#[test]
fn a_line_that_comes_again_starts_nothing() {
    check(
        &[call("1", "a", Value::Null), call("1", "a", Value::Null), answer("1", "one")],
        &["a starts with {\"n\":1}", "a of main gives one"],
    );
}

#[test]
fn recorded_calls_are_paired_with_agent_output_and_decision() {
    let events = transcript("09-background-subagent");
    let mut calls = ToolCalls::default();
    assert_eq!(
        told(&mut calls, &events),
        [
            "Agent starts with {\"description\":\"job\",\"prompt\":\"do the background job\",\"subagent_type\":\"general-purpose\"}",
            "Agent of main gives Async agent launched",
            "mcp__byre__add starts with {\"a\":4,\"b\":4}",
            "mcp__byre__add of toolu_0_0 gives 8",
        ]
    );
    let mut calls = ToolCalls::default();
    let events = transcript("01-basic-tool-call");
    let updates: Vec<_> = events.iter().flat_map(|event| calls.push(event)).collect();
    let ToolCallUpdate::Finished(call) = &updates[1] else { panic!("{updates:?}") };
    assert_eq!(call.meta.as_ref().unwrap().display_name, "Add");
    assert!(call.output.is_some());
    let decision = call.result_meta.as_ref().unwrap().permission_decision.as_ref().unwrap();
    assert_eq!(decision.decision, Decision::Accept);
}
