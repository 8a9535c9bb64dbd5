use serde_json::{Value, json};

use super::{super::entry::Entry, conversation, subagent};

fn entries(lines: &[Value]) -> Vec<Entry> {
    lines.iter().map(|line| Entry::parse(line.to_string().into_bytes()).unwrap().unwrap()).collect()
}

/// Reads the conversation of a file of these entries, and compares the ids of its messages.
fn check(lines: &[Value], want: &[&str]) {
    let entries = entries(lines);
    let got: Vec<_> = conversation(&entries).into_iter().map(Entry::uuid).collect();
    assert_eq!(got, want);
}

/// An entry: its kind, its id and that of its parent, `""` for none.
fn entry(kind: &str, uuid: &str, parent: &str) -> Value {
    let parent = Some(parent).filter(|parent| !parent.is_empty());
    json!({"type": kind, "uuid": uuid, "parentUuid": parent, "message": {"content": uuid}})
}

fn with(mut entry: Value, field: &str, value: impl Into<Value>) -> Value {
    entry[field] = value.into();
    entry
}

fn call(uuid: &str, parent: &str, message: &str, call: &str) -> Value {
    let content = json!([{"type": "tool_use", "id": call, "name": "add", "input": {}}]);
    with(entry("assistant", uuid, parent), "message", json!({"id": message, "content": content}))
}

fn result(uuid: &str, parent: &str, call: &str) -> Value {
    let content = json!([{"type": "tool_result", "tool_use_id": call, "content": "5"}]);
    with(entry("user", uuid, parent), "message", json!({"content": content}))
}

#[test]
fn a_chain_is_read_from_its_root() {
    check(&[], &[]);
    check(&[entry("user", "a", "")], &["a"]);
    check(
        &[entry("user", "a", ""), entry("assistant", "b", "a"), entry("user", "c", "b")],
        &["a", "b", "c"],
    );
}

#[test]
fn what_is_no_message_is_passed_through_and_left_out() {
    check(
        &[
            json!({"type": "queue-operation", "operation": "enqueue"}),
            entry("user", "a", ""),
            entry("attachment", "b", "a"),
            entry("progress", "c", "b"),
            entry("assistant", "d", "c"),
            entry("system", "e", "d"),
            json!({"type": "api-request-blob", "message": {"role": "user", "content": "x"}}),
            entry("summary", "f", "d"),
        ],
        &["a", "d"],
    );
    check(&[entry("progress", "a", ""), entry("attachment", "b", "a")], &[]);
}

#[test]
fn what_the_cli_made_up_is_left_out_and_a_summary_stays() {
    check(
        &[
            with(with(entry("user", "a", ""), "isMeta", true), "isCompactSummary", true),
            with(entry("user", "b", "a"), "isMeta", true),
            entry("user", "c", "b"),
        ],
        &["a", "c"],
    );
}

#[test]
fn of_several_branches_the_one_that_was_taken_last_counts() {
    let lines = [
        entry("user", "a", ""),
        entry("assistant", "b", "a"),
        entry("user", "c", "b"),
        entry("assistant", "d", "c"),
        entry("user", "e", "b"),
    ];
    check(&lines, &["a", "b", "e"]);
    // The end that stands last in the file, also where its branch began earlier.
    check(&[&lines[..2], &lines[4..], &lines[2..4]].concat(), &["a", "b", "c", "d"]);
}

#[test]
fn a_subagent_in_the_file_does_not_count() {
    let lines = [
        entry("user", "a", ""),
        entry("assistant", "b", "a"),
        with(entry("user", "s", ""), "isSidechain", true),
        with(entry("assistant", "t", "s"), "isSidechain", true),
        with(entry("assistant", "u", "b"), "teamName", "red"),
    ];
    check(&lines, &["a", "b"]);
    check(&lines[..4], &["a", "b"]);
    check(&lines[2..4], &[]);
}

#[test]
fn damage_ends_in_no_circle() {
    check(&[entry("user", "a", "b"), entry("assistant", "b", "a")], &[]);
    check(&[entry("user", "a", "a")], &[]);
    check(
        &[entry("user", "a", "b"), entry("assistant", "b", "a"), entry("user", "c", "b")],
        &["a", "b", "c"],
    );
    check(&[entry("user", "a", "gone"), entry("assistant", "b", "a")], &["a", "b"]);
}

#[test]
fn an_entry_that_was_written_twice_counts_once() {
    check(
        &[
            entry("user", "a", ""),
            entry("assistant", "b", "a"),
            entry("user", "a", ""),
            entry("assistant", "b", "a"),
            entry("user", "c", "b"),
        ],
        &["a", "b", "c"],
    );
}

#[test]
fn all_results_of_parallel_calls_are_found() {
    // As CLI 2.1.332 writes them: the calls one below the other, and each result below its call.
    let lines = [
        entry("user", "a", ""),
        call("b", "a", "msg_1", "toolu_1"),
        call("c", "b", "msg_1", "toolu_2"),
        call("d", "c", "msg_1", "toolu_3"),
        result("r1", "b", "toolu_1"),
        result("r2", "c", "toolu_2"),
        result("r3", "d", "toolu_3"),
        entry("assistant", "e", "r3"),
    ];
    check(&lines, &["a", "b", "c", "d", "r1", "r2", "r3", "e"]);
}

#[test]
fn calls_that_the_way_up_misses_are_found() {
    let lines = [
        entry("user", "a", ""),
        with(call("b", "a", "msg_1", "toolu_1"), "timestamp", "2026-12-01T00:00:02Z"),
        with(call("c", "a", "msg_1", "toolu_2"), "timestamp", "2026-12-01T00:00:01Z"),
        call("d", "a", "msg_1", "toolu_3"),
        with(result("r1", "b", "toolu_1"), "timestamp", "2026-12-01T00:00:04Z"),
        with(result("r2", "c", "toolu_2"), "timestamp", "2026-12-01T00:00:03Z"),
        result("r3", "d", "toolu_3"),
        entry("assistant", "e", "r3"),
    ];
    check(&lines, &["a", "d", "c", "b", "r2", "r1", "r3", "e"]);
}

#[test]
fn a_result_is_known_by_the_call_too() {
    let source =
        |uuid: &str, call: &str| with(result(uuid, "", call), "sourceToolAssistantUUID", "b");
    let lines = [
        entry("user", "a", ""),
        call("b", "a", "msg_1", "toolu_1"),
        call("c", "b", "msg_1", "toolu_2"),
        source("r1", "toolu_1"),
        result("elsewhere", "", "toolu_9"),
        with(result("other", "", "toolu_1"), "agentId", "a1"),
        result("r2", "c", "toolu_2"),
        entry("assistant", "e", "r2"),
    ];
    check(&lines, &["a", "b", "c", "r1", "r2", "e"]);
    // One result for a call is enough.
    let twice = [&lines[..4], &[source("r1b", "toolu_1")], &lines[6..]].concat();
    check(&twice, &["a", "b", "c", "r1", "r2", "e"]);
}

#[test]
fn what_came_before_a_compaction_is_left_out() {
    let boundary = with(entry("system", "s", ""), "subtype", "compact_boundary");
    let lines = [
        entry("user", "a", ""),
        entry("assistant", "b", "a"),
        with(boundary, "logicalParentUuid", "b"),
        with(entry("user", "summary", "s"), "isCompactSummary", true),
        entry("user", "c", "summary"),
    ];
    check(&lines, &["summary", "c"]);
}

#[test]
fn messages_that_a_compaction_has_preserved_come_after_its_summary() {
    let preserved = |metadata: Value| {
        let boundary = with(entry("system", "s", ""), "compactMetadata", metadata);
        [
            entry("user", "a", ""),
            entry("assistant", "b", "a"),
            entry("user", "c", "b"),
            entry("assistant", "d", "c"),
            boundary,
            with(entry("user", "summary", "s"), "isCompactSummary", true),
            with(entry("user", "caveat", "summary"), "isMeta", true),
            entry("user", "e", "caveat"),
        ]
    };
    let messages = json!({"preservedMessages": {"anchorUuid": "summary", "uuids": ["b", "d"]}});
    check(&preserved(messages), &["summary", "b", "d", "e"]);
    let segment = json!({"anchorUuid": "summary", "headUuid": "b", "tailUuid": "d"});
    check(&preserved(json!({"preservedSegment": segment})), &["summary", "b", "c", "d", "e"]);
    let gone = json!({"preservedMessages": {"anchorUuid": "summary", "uuids": ["b", "gone"]}});
    check(&preserved(gone), &["summary", "e"]);
    check(
        &preserved(json!({"preservedMessages": {"anchorUuid": "summary", "uuids": []}})),
        &["summary", "e"],
    );
}

#[test]
fn a_subagent_is_read_from_its_own_file() {
    let lines = [
        entry("user", "a", ""),
        entry("attachment", "b", "a"),
        call("c", "b", "msg_1", "toolu_1"),
        call("d", "c", "msg_1", "toolu_2"),
        result("r1", "c", "toolu_1"),
        result("r2", "d", "toolu_2"),
        with(entry("user", "m", "r2"), "isMeta", true),
        entry("assistant", "e", "m"),
        entry("attachment", "f", "e"),
    ];
    let of_agent = lines.map(|line| with(with(line, "isSidechain", true), "agentId", "a1"));
    let entries = entries(&of_agent);
    let got: Vec<_> = subagent(&entries).into_iter().map(Entry::uuid).collect();
    assert_eq!(got, ["a", "c", "d", "r1", "r2", "e"]);
    assert!(subagent(&entries[1..2]).is_empty());
}
