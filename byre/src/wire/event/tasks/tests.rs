use serde_json::{Value, json};

use super::*;
use crate::wire::json::Raw;

/// Feeds a `system` event, and gives the status and the summary of the task that it is about.
fn push(tasks: &mut Tasks, subtype: &str, mut fields: Value) -> Option<(String, Option<String>)> {
    fields["type"] = "system".into();
    fields["subtype"] = subtype.into();
    let task = tasks.push(&Event::parse("system", &Raw::new(fields.to_string())))?;
    Some((task.status.to_string(), task.summary))
}

#[test]
fn a_task_is_known_from_its_start_to_its_end() {
    let mut tasks = Tasks::default();
    let started = json!({"task_id": "a", "description": "check", "task_type": "local_agent"});
    assert_eq!(push(&mut tasks, "task_started", started), Some(("running".to_owned(), None)));
    let usage = json!({"task_id": "a", "usage": {"total_tokens": 14}});
    push(&mut tasks, "task_progress", usage).unwrap();
    let running: Vec<_> = tasks.running().collect();
    assert_eq!(running[0].usage.as_ref().unwrap().total_tokens, 14);
    let ended = json!({"task_id": "a", "status": "completed", "summary": "All pass."});
    assert_eq!(
        push(&mut tasks, "task_notification", ended),
        Some(("completed".to_owned(), Some("All pass.".to_owned())))
    );
    assert_eq!(tasks.running().count(), 0);
}

#[test]
fn the_end_is_told_once_whichever_event_tells_it() {
    let mut tasks = Tasks::default();
    push(&mut tasks, "task_started", json!({"task_id": "a"})).unwrap();
    let killed = json!({"task_id": "a", "patch": {"status": "killed", "error": "by hand"}});
    assert_eq!(
        push(&mut tasks, "task_updated", killed),
        Some(("killed".to_owned(), Some("by hand".to_owned())))
    );
    let stopped = json!({"task_id": "a", "status": "stopped"});
    assert_eq!(push(&mut tasks, "task_notification", stopped), None);
}

#[test]
fn what_is_unknown_or_no_task_is_nothing() {
    let mut tasks = Tasks::default();
    assert_eq!(push(&mut tasks, "task_updated", json!({"task_id": "x", "patch": {}})), None);
    assert_eq!(push(&mut tasks, "init", json!({})), None);
    assert!(tasks.push(&Event::parse("result", &Raw::new("{}".to_owned()))).is_none());
}
