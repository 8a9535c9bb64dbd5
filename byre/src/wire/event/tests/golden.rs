//! Every type, subtype and word that is documented, or was seen, is known.

use std::{
    collections::BTreeSet,
    fmt::{Debug, Display},
};

use serde::de::IgnoredAny;

use super::*;

/// One line, or more, of each type and subtype, with all fields.
const LINES: &str = include_str!("../../../../../tests/golden/events.jsonl");

pub(super) fn lines() -> impl Iterator<Item = &'static str> {
    LINES.lines().filter(|line| !line.is_empty())
}

/// All that byre delivers; `control_*` is not for the application.
const TYPES: [&str; 16] = [
    "system",
    "assistant",
    "user",
    "result",
    "stream_event",
    "tool_progress",
    "tool_use_summary",
    "auth_status",
    "rate_limit_event",
    "prompt_suggestion",
    "conversation_reset",
    "active_goal",
    "keep_alive",
    "transcript_mirror",
    "command_lifecycle",
    "autocompact_state",
];

const SUBTYPES: [&str; 30] = [
    "init",
    "status",
    "compact_boundary",
    "api_retry",
    "control_request_progress",
    "model_refusal_fallback",
    "model_refusal_no_fallback",
    "local_command_output",
    "informational",
    "notification",
    "hook_started",
    "hook_progress",
    "hook_response",
    "plugin_install",
    "task_started",
    "task_progress",
    "task_updated",
    "task_notification",
    "background_tasks_changed",
    "thinking_tokens",
    "session_state_changed",
    "session_title_changed",
    "worker_shutting_down",
    "commands_changed",
    "files_persisted",
    "memory_recall",
    "elicitation_complete",
    "permission_denied",
    "mirror_error",
    "session_writes_lost",
];

const BLOCKS: [&str; 14] = [
    "text",
    "thinking",
    "redacted_thinking",
    "tool_use",
    "tool_result",
    "server_tool_use",
    "advisor_tool_result",
    "web_search_tool_result",
    "code_execution_tool_result",
    "image",
    "document",
    "search_result",
    "tool_reference",
    "container_upload",
];

const STREAM_EVENTS: [&str; 7] = [
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "ping",
];

const DELTAS: [&str; 5] =
    ["text_delta", "thinking_delta", "input_json_delta", "signature_delta", "citations_delta"];

/// The strings under `key`, at any depth.
fn strings(value: &Value, key: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            found.extend(map.get(key).and_then(Value::as_str).map(str::to_owned));
            map.values().for_each(|value| strings(value, key, found));
        }
        Value::Array(items) => items.iter().for_each(|value| strings(value, key, found)),
        _ => {}
    }
}

#[test]
fn every_documented_type_has_a_line() {
    let (mut types, mut subtypes) = (BTreeSet::new(), BTreeSet::new());
    for line in lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        strings(&line, "type", &mut types);
        if line["type"] == "system" {
            subtypes.insert(line["subtype"].as_str().unwrap().to_owned());
        }
    }
    for list in [&TYPES[..], &BLOCKS, &STREAM_EVENTS, &DELTAS] {
        for kind in list {
            assert!(types.contains(*kind), "no line has {kind}");
        }
    }
    assert_eq!(subtypes, SUBTYPES.map(str::to_owned).into());
}

#[test]
fn every_line_is_read_and_written_back_word_for_word() {
    for line in lines() {
        let event: Event = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&event).unwrap(), line);
        let value: Value = serde_json::from_str(line).unwrap();
        assert_eq!(event.kind(), value["type"]);
        match &event {
            Event::System(event) => assert_eq!(event.subtype(), value["subtype"]),
            Event::Other(_) => panic!("{line}"),
            _ => {}
        }
        // Neither the event nor anything in it, be it a block or a word.
        assert!(!said(&event).contains("Other("), "{}", said(&event));
    }
}

/// What an event says about itself, without the JSON that it and its blocks keep.
fn said(event: &Event) -> String {
    let debug = format!("{event:?}");
    let (mut said, mut rest) = (String::new(), debug.as_str());
    while let Some((before, json)) = rest.split_once("raw: ") {
        said.push_str(before);
        let mut values = serde_json::Deserializer::from_str(json).into_iter::<IgnoredAny>();
        values.next().unwrap().unwrap();
        rest = &json[values.byte_offset()..];
    }
    said + rest
}

/// Letters and digits alone: so `seven_day_opus` is found in `SevenDayOpus`.
fn bare(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
}

#[test]
fn every_field_of_every_line_is_read() {
    fn check(value: &Value, path: &str, said: &str, line: &str) {
        match value {
            Value::Object(map) => {
                for (key, value) in map {
                    // Read into the name of the variant.
                    if !matches!(key.as_str(), "type" | "subtype" | "role") {
                        check(value, &format!("{path}.{key}"), said, line);
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| check(item, path, said, line)),
            Value::Null => {}
            Value::String(text) => {
                assert!(said.contains(&bare(text)), "{path} is not read from {line}: {said}");
            }
            other => {
                let other = bare(&other.to_string());
                assert!(said.contains(&other), "{path} is not read from {line}: {said}");
            }
        }
    }
    for line in lines() {
        let event: Event = serde_json::from_str(line).unwrap();
        // The stream is where most lines come from, and their ids are read when somebody asks.
        let ids = format!("{:?} {:?}", event.session_id(), event.uuid());
        let said = bare(&format!("{} {ids}", said(&event)));
        let mut value: Value = serde_json::from_str(line).unwrap();
        value.as_object_mut().unwrap().remove("api_message_id");
        check(&value, "", &said, line);
    }
}

/// All words are known, and go back to the wire as they came.
fn check<T: for<'a> From<&'a str> + Display + Debug>(words: &str) {
    for word in words.split_whitespace() {
        let read = T::from(word);
        assert_eq!(read.to_string(), word);
        assert!(!format!("{read:?}").starts_with("Other("), "{word} is not known");
    }
    assert!(format!("{:?}", T::from("never heard of")).starts_with("Other("));
}

#[test]
fn every_documented_word_is_known() {
    check::<AssistantError>(
        "authentication_failed oauth_org_not_allowed account_on_hold verification_required
         billing_error rate_limit overloaded invalid_request model_not_found server_error unknown
         max_output_tokens cloud_credential_error",
    );
    check::<ResultSubtype>(
        "success error_during_execution error_max_turns error_max_budget_usd
         error_max_structured_output_retries",
    );
    check::<TerminalReason>(
        "completed max_turns aborted_streaming aborted_tools stop_hook_prevented hook_stopped
         tool_deferred tool_deferred_unavailable budget_exhausted structured_output_retry_exhausted
         api_error model_error image_error prompt_too_long blocking_limit rapid_refill_breaker
         malformed_tool_use_exhausted background_requested turn_setup_failed",
    );
    check::<StopReason>(
        "end_turn max_tokens stop_sequence tool_use pause_turn refusal
         model_context_window_exceeded tool_deferred",
    );
    check::<FastModeState>("off cooldown on");
    check::<FastModeDisabledReason>(
        "free preference extra_usage_disabled network_error unknown not_first_party disabled_by_env
         model_not_allowed sdk_opt_in_required pending",
    );
    check::<CostBasis>("list managed unknown");
    check::<OriginKind>(
        "human channel peer task-notification coordinator unclassified observer auto-continuation
         observer-activity",
    );
    check::<Role>("user assistant system");
    check::<Priority>("now next later");
    check::<NonExecutionKind>("permission-rule user-rejected");
    check::<Decision>("accept reject");
    check::<RateLimitStatus>("allowed allowed_warning rejected");
    check::<RateLimitType>(
        "five_hour seven_day seven_day_opus seven_day_sonnet seven_day_overage_included overage",
    );
    check::<OverageDisabledReason>(
        "overage_not_provisioned org_level_disabled org_level_disabled_until out_of_credits
         seat_tier_level_disabled member_level_disabled seat_tier_zero_credit_limit
         group_zero_credit_limit member_zero_credit_limit org_service_level_disabled
         no_limits_configured fetch_error unknown",
    );
    check::<LimitScope>("service channel group_pool");
    check::<ApiKeySource>("ANTHROPIC_API_KEY apiKeyHelper none user project org temporary oauth");
    assert_eq!(ApiKeySource::from("/login managed key"), ApiKeySource::ManagedKey);
    check::<ViewMode>("focus default");
    check::<Activity>("compacting requesting");
    check::<CompactResult>("success failed");
    check::<CompactTrigger>("manual auto");
    check::<RequestStatus>("started api_retry");
    check::<FallbackDirection>("retry revert sticky");
    check::<FallbackScope>("session local");
    check::<Level>("info notice suggestion warning");
    check::<PromptSubmitKind>("blocked_by_hook stopped_by_hook no_verdict");
    check::<NotificationPriority>("low medium high immediate");
    check::<HookOutcome>("success error cancelled");
    check::<PluginInstallStatus>("started installed failed completed");
    check::<TaskStatus>("pending running completed failed killed stopped paused");
    check::<SessionState>("idle running requires_action");
    check::<RecallMode>("select synthesize");
    check::<MemoryScope>("personal team organization");
    check::<LostWrite>("transcript global_config");
    check::<ResetTrigger>("clear plan_mode_exit fresh_session onboarding");
    check::<CommandState>("queued started completed cancelled");
    check::<ContextLimit>("hard_limit compaction_window");
    check::<ContextKind>("used free buffer deferred");
}
