//! Why turns fail.

use std::time::{Duration, SystemTime};

use super::*;

/// Feeds lines, of which the last is a result, and compares what they say with `want`.
fn check(lines: &[Value], want: Option<Failure>) {
    let mut failures = Failures::default();
    let (result, before) = lines.split_last().unwrap();
    for line in before {
        assert_eq!(failures.push(&event(line)), None, "{line}");
    }
    assert_eq!(failures.push(&event(result)), want, "{lines:?}");
    // What one turn said is not held against the next.
    let good = json!({"type": "result", "subtype": "success", "terminal_reason": "completed"});
    assert_eq!(failures.push(&event(&good)), None);
}

fn result(fields: Value) -> Value {
    let mut line = json!({"type": "result", "subtype": "success", "is_error": true});
    line.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    line
}

fn assistant_error(error: &str) -> Value {
    json!({"type": "assistant", "error": error, "message": {"content": []}, "parent_tool_use_id": null})
}

#[test]
fn a_result_alone_tells_what_it_can() {
    let alone = |fields: Value, want: Failure| check(&[result(fields)], Some(want));
    let reset = None;
    alone(json!({"api_error_status": 401}), Failure::Authentication);
    alone(json!({"api_error_status": 403}), Failure::Authentication);
    alone(json!({"api_error_status": 402}), Failure::Billing);
    alone(json!({"api_error_status": 404}), Failure::ModelNotFound);
    alone(json!({"api_error_status": 429}), Failure::RateLimit { resets_at: reset });
    alone(json!({"api_error_status": 400}), Failure::InvalidRequest);
    alone(json!({"api_error_status": 500}), Failure::ServerError);
    alone(json!({"api_error_status": 529}), Failure::Overloaded);
    alone(
        json!({"api_error_status": 500, "api_error_type": "overloaded_error"}),
        Failure::Overloaded,
    );
    alone(
        json!({"terminal_reason": "prompt_too_long", "api_error_status": 400}),
        Failure::PromptTooLong,
    );
    alone(json!({"terminal_reason": "blocking_limit"}), Failure::PromptTooLong);
    alone(
        json!({"terminal_reason": "image_error", "api_error_status": 413}),
        Failure::InvalidRequest,
    );
    alone(json!({"terminal_reason": "model_error"}), Failure::ModelError);
    alone(json!({"terminal_reason": "turn_setup_failed"}), Failure::StartFailed);
    alone(json!({"subtype": "error_max_turns"}), Failure::MaxTurns);
    alone(json!({"subtype": "error_max_budget_usd"}), Failure::MaxBudget);
    alone(
        json!({"subtype": "error_max_structured_output_retries"}),
        Failure::MaxStructuredOutputRetries,
    );
    alone(
        json!({"subtype": "error_during_execution", "terminal_reason": "aborted_streaming"}),
        Failure::Interrupted,
    );
    alone(
        json!({"subtype": "error_during_execution", "errors": ["No conversation found with session ID: 1"]}),
        Failure::SessionNotFound,
    );
    alone(json!({"terminal_reason": "tired"}), Failure::Other("tired".to_owned()));
    alone(json!({}), Failure::Other("success".to_owned()));
}

#[test]
fn some_failures_come_without_is_error() {
    let mild = |fields: Value, want: Option<Failure>| {
        let mut line = result(fields);
        line["is_error"] = false.into();
        check(&[line], want);
    };
    mild(json!({"terminal_reason": "aborted_tools"}), Some(Failure::Interrupted));
    mild(json!({"terminal_reason": "hook_stopped"}), Some(Failure::HookStopped));
    mild(json!({"terminal_reason": "stop_hook_prevented"}), Some(Failure::HookStopped));
    mild(json!({"stop_reason": "refusal", "terminal_reason": "completed"}), Some(Failure::Refused));
    mild(json!({"terminal_reason": "completed"}), None);
    mild(json!({"terminal_reason": "tool_deferred"}), None);
    mild(json!({"local_command": "context"}), None);
}

#[test]
fn earlier_events_tell_more_than_the_result() {
    let failed = || result(json!({"terminal_reason": "api_error", "api_error_status": 400}));
    check(&[assistant_error("billing_error"), failed()], Some(Failure::Billing));
    check(&[assistant_error("unknown"), failed()], Some(Failure::InvalidRequest));
    let refused = json!({"type": "system", "subtype": "model_refusal_no_fallback"});
    check(&[refused, failed()], Some(Failure::Refused));
    let no_status = || result(json!({"terminal_reason": "api_error"}));
    check(&[assistant_error("authentication_failed"), no_status()], Some(Failure::Authentication));
    check(&[assistant_error("server_error"), no_status()], Some(Failure::ServerError));
    // The session has got over the first one.
    let good = json!({"type": "assistant", "message": {"content": []}});
    let want = Failure::Other("api_error".to_owned());
    check(&[assistant_error("billing_error"), good, no_status()], Some(want));
    // A subagent's failure is the main agent's to deal with.
    let mut of_subagent = assistant_error("billing_error");
    of_subagent["parent_tool_use_id"] = "toolu_1".into();
    check(&[of_subagent, failed()], Some(Failure::InvalidRequest));
}

#[test]
fn a_rate_limit_tells_when_it_ends() {
    let limit = |status: &str| json!({"type": "rate_limit_event", "rate_limit_info": {"status": status, "resetsAt": 1_796_078_003_u64}});
    let failed = || result(json!({"api_error_status": 429}));
    let end = SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_078_003);
    let resets_at = Some(end);
    check(&[limit("rejected"), failed()], Some(Failure::RateLimit { resets_at }));
    check(&[limit("allowed"), failed()], Some(Failure::RateLimit { resets_at: None }));
}

#[test]
fn only_what_may_pass_by_itself_is_retryable() {
    for failure in
        [Failure::RateLimit { resets_at: None }, Failure::Overloaded, Failure::ServerError]
    {
        assert!(failure.is_retryable(), "{failure}");
    }
    for failure in
        [Failure::Billing, Failure::MaxTurns, Failure::Interrupted, Failure::PromptTooLong]
    {
        assert!(!failure.is_retryable(), "{failure}");
    }
}

#[test]
fn recorded_failures_are_told() {
    let failures = |name: &str| {
        let mut failures = Failures::default();
        let events = transcript(name);
        events.iter().filter_map(|event| failures.push(event)).collect::<Vec<_>>()
    };
    assert_eq!(failures("11-api-errors"), [Failure::Authentication]);
    assert_eq!(failures("05-interrupt-during-tool"), [Failure::Interrupted]);
    assert_eq!(failures("01-basic-tool-call"), []);
}
