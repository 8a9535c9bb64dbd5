//! The types of events, and what is put together from them.

use super::glance;
use crate::{
    Event,
    event::{Assembler, CostTracker, Failures, Tasks, ToolCalls},
};

/// Reads `data` as the lines of a session, and hands them to everything that makes something of events.
pub fn events(data: &[u8]) {
    let mut assembler = Assembler::default();
    let (mut calls, mut tasks) = (ToolCalls::default(), Tasks::default());
    let (mut cost, mut failures) = (CostTracker::default(), Failures::default());
    for (kind, raw) in glance(data) {
        let read = Event::read(raw.clone());
        if !raw.is_json() {
            assert!(matches!(read, Event::Warning(_)), "half an event: {read:?}");
            continue;
        }
        let event = Event::parse(&kind, &raw);
        assert_eq!(read, event);
        assert_eq!(event.raw(), &raw);
        let json = serde_json::to_string(&event).expect("an event has its JSON");
        assert_eq!(json, raw.as_str());
        // What names its `type` twice is no event to serde; a session reads the line as text.
        if let Ok(again) = serde_json::from_str::<Event>(&json) {
            assert_eq!(again, event);
        }
        // What prints an event walks through all of it.
        assert!(!format!("{event:?}").is_empty());
        assert!(event.text_delta().is_none_or(|text| json.len() >= text.len()));
        drop(assembler.push(&event));
        drop(calls.push(&event));
        drop(tasks.push(&event));
        assert!(!format!("{:?}", cost.push(&event)).is_empty());
        drop(failures.push(&event));
    }
    assert!(calls.running().all(|call| !format!("{call:?}").is_empty()));
    assert!(tasks.running().all(|task| !task.is_over()));
    assert!(!format!("{:?}", cost.session()).is_empty());
}
