//! Nothing that the CLI may say ever fails, and nothing odd hides the rest.

use super::*;

#[test]
fn an_odd_field_does_not_hide_the_result() {
    let Event::Result(result) = event(&json!({
        "type": "result", "errors": null, "num_turns": "two", "session_id": "s", "is_error": true,
        "usage": [1], "modelUsage": {"m": 7, "n": {"costUSD": 1}}, "duration_ms": 12.75,
    })) else {
        panic!("not a result");
    };
    assert_eq!((result.num_turns, result.session_id.as_str(), result.is_error), (0, "s", true));
    assert_eq!(result.usage, Usage::default());
    assert_eq!(result.model_usage.keys().collect::<Vec<_>>(), ["n"]);
    assert_eq!(result.duration_ms, 12);
}

#[test]
fn an_event_of_unexpected_shape_keeps_what_fits_and_its_json() {
    let json = json!({"type": "assistant", "message": 7, "error": "rate_limit"});
    let Event::Assistant(assistant) = event(&json) else {
        panic!("not an assistant event");
    };
    assert_eq!(assistant.error, Some(AssistantError::RateLimit));
    assert_eq!(assistant.message, Message::default());
    assert_eq!(assistant.raw.to_value(), json);
    let Event::System(SystemEvent::Other(other)) =
        event(&json!({"type": "system", "subtype": "post_turn_summary"}))
    else {
        panic!("parsed");
    };
    assert_eq!(other.kind, "post_turn_summary");
}

#[test]
fn a_value_that_is_nested_too_deep_hides_nothing_else() {
    let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
    let json = format!(
        r#"{{"type":"assistant","message":{{"id":"m","content":[{{"type":"tool_use","id":"t","name":"n","input":{deep}}}]}},"uuid":"u"}}"#
    );
    let event = Event::parse("assistant", &Raw::new(json.clone()));
    let Event::Assistant(assistant) = &event else { panic!("not an assistant event") };
    let call = assistant.tool_uses().next().unwrap();
    assert_eq!((call.name.as_str(), &call.input), ("n", &Value::Null));
    assert!(call.raw.as_str().ends_with(&format!("{deep}}}")));
    assert_eq!(serde_json::to_string(&event).unwrap(), json);
}

/// Numbers that look random and are always the same.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(sides).unwrap()).unwrap()
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.throw(if depth > 3 { 8 } else { 10 }) {
            0 => Value::Null,
            1 => self.throw(2).eq(&0).into(),
            2 => self.throw(1000).into(),
            3 => json!(-7),
            4 => json!(1.5e300),
            5 => json!(u64::MAX),
            6 => json!("text \u{2028} \"quoted\" \\ \u{1f600}"),
            7 => json!(""),
            8 => (0..self.throw(4)).map(|_| self.value(depth + 1)).collect(),
            _ => (0..self.throw(4)).map(|n| (format!("k{n}"), self.value(depth + 1))).collect(),
        }
    }

    /// Changes a value somewhere: puts another in its place, adds to it, or takes away.
    fn spoil(&mut self, value: &mut Value) {
        match value {
            Value::Object(map) if !map.is_empty() && self.throw(5) != 0 => {
                let key = map.keys().nth(self.throw(map.len())).unwrap().clone();
                match self.throw(8) {
                    0 => drop(map.remove(&key)),
                    1 => drop(map.insert(format!("new_{key}"), self.value(0))),
                    _ if key == "type" => {}
                    _ => self.spoil(&mut map[&key]),
                }
            }
            Value::Array(items) if !items.is_empty() && self.throw(5) != 0 => {
                let at = self.throw(items.len());
                self.spoil(&mut items[at]);
            }
            other => *other = self.value(0),
        }
    }
}

#[test]
fn nothing_that_is_changed_at_random_fails() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    for line in golden::lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        for _ in 0..200 {
            let mut spoiled = line.clone();
            for _ in 0..=dice.throw(4) {
                dice.spoil(&mut spoiled);
            }
            if !spoiled.is_object() {
                continue;
            }
            let text = spoiled.to_string();
            let event: Event = serde_json::from_str(&text).unwrap();
            assert_eq!(serde_json::to_string(&event).unwrap(), text);
            if spoiled["type"] == line["type"] {
                let is_other = matches!(event, Event::Other(_));
                assert!(!is_other, "the type is known, and so is the event: {text}");
            }
            // Trackers take whatever comes.
            let _ = Assembler::default().push(&event);
            let _ = ToolCalls::default().push(&event);
            let _ = CostTracker::default().push(&event);
            let _ = Failures::default().push(&event);
        }
    }
}
