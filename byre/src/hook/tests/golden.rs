//! Every event, as it stands on the wire: what comes in is read without a loss, and what goes out is
//! exactly what the CLI takes.

use std::{collections::BTreeSet, time::Duration};

use serde_json::{Value, json};

use crate::{hook::*, wire::permission::PermissionUpdate};

/// Reads `own` beside the fields of all events, and compares what was read with what was there.
macro_rules! inputs {
    ($($input:ident $own:tt,)*) => {
        /// The event of each entry, what was read, and what was there.
        fn inputs() -> Vec<(HookEvent, Value, Value)> {
            vec![$({
                let event = $input::EVENT;
                let json = input_json(event, json!($own));
                let input: $input = serde_json::from_str(&json.to_string()).unwrap();
                assert_eq!(input.raw().to_value(), json);
                (event, input.typed(), json)
            }),*]
        }
    };
}

fn input_json(event: HookEvent, own: Value) -> Value {
    let mut json = json!({
        "session_id": "s",
        "transcript_path": "/t.jsonl",
        "cwd": "/c",
        "prompt_id": "p",
        "permission_mode": "default",
        "effort": {"level": "medium"},
        "agent_id": "a",
        "agent_type": "general-purpose",
        "hook_event_name": event.as_str(),
    });
    let Value::Object(own) = own else { unreachable!() };
    json.as_object_mut().unwrap().extend(own);
    json
}

inputs! {
    PreToolUseInput {
        "tool_name": "mcp__byre__add", "tool_input": {"a": 2}, "tool_use_id": "toolu_1",
        "mcp_server": {"name": "byre", "source": "sdk"},
    },
    PostToolUseInput {
        "tool_name": "mcp__byre__add", "tool_input": {"a": 2}, "tool_use_id": "toolu_1",
        "tool_response": [{"type": "text", "text": "5"}], "duration_ms": 3,
        "mcp_server": {"name": "byre", "source": "sdk"},
    },
    PostToolUseFailureInput {
        "tool_name": "Bash", "tool_input": {"command": "false"}, "tool_use_id": "toolu_1",
        "error": "Exit code 1", "is_interrupt": true, "duration_ms": 3,
        "mcp_server": {"name": "byre", "source": "sdk"},
    },
    PostToolBatchInput {
        "tool_calls": [
            {"tool_name": "Bash", "tool_input": {}, "tool_use_id": "1", "tool_response": "a"},
            {"tool_name": "Bash", "tool_input": {}, "tool_use_id": "2"},
        ],
    },
    PreSkillShellCommandInput {
        "tool_name": "Bash", "tool_input": {"command": "git log"}, "tool_use_id": "x",
        "command_name": "review", "command_source": "project", "invoked_by": "claude",
    },
    PermissionRequestInput {
        "tool_name": "Bash", "tool_input": {"command": "make"},
        "permission_suggestions": [{"type": "setMode", "mode": "acceptEdits"}],
        "mcp_server": {"name": "byre", "source": "sdk"},
    },
    PermissionDeniedInput {
        "tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "toolu_1",
        "reason": "network", "mcp_server": {"name": "byre", "source": "sdk"},
    },
    NotificationInput { "message": "m", "title": "t", "notification_type": "permission_prompt" },
    UserPromptSubmitInput { "prompt": "go", "source": "loop_wakeup", "session_title": "t" },
    UserPromptExpansionInput {
        "expansion_type": "mcp_prompt", "command_name": "c", "command_args": "a",
        "command_source": "project", "prompt": "/c a",
    },
    MessageDisplayInput {
        "turn_id": "t", "message_id": "m", "index": 2, "final": true, "delta": "d",
    },
    StopInput {
        "stop_hook_active": true, "last_assistant_message": "Done.",
        "background_tasks": [{"id": "1"}], "session_crons": [{"id": "2"}],
    },
    StopFailureInput {
        "error": "rate_limit", "error_details": "429", "last_assistant_message": "API Error",
    },
    SubagentStartInput {},
    SubagentStopInput {
        "stop_hook_active": true, "agent_transcript_path": "/a.jsonl",
        "last_assistant_message": "Seven.", "background_tasks": [{"id": "1"}],
        "session_crons": [{"id": "2"}],
    },
    SessionStartInput {
        "source": "compact", "model": "m", "session_title": "t", "seconds_since_last_response": 1.5,
        "context_tokens": 12, "prompt_cache_likely_expired": true, "estimated_cache_write_usd": 0.5,
    },
    SessionEndInput { "reason": "clear" },
    SetupInput { "trigger": "maintenance" },
    PreCompactInput { "trigger": "manual", "custom_instructions": "keep" },
    PostCompactInput { "trigger": "auto", "compact_summary": "s" },
    PreModelSwitchInput {
        "from_model": "a", "to_model": "b", "requested_model": "c", "source": "sdk",
        "context_tokens": 5, "prompt_cache_warm": true, "cache_ttl": "5m",
        "estimated_cache_write_usd": 0.5, "pricing": "catalog",
    },
    PostModelSwitchInput {
        "from_model": "a", "to_model": "b", "requested_model": "c", "source": "auto",
        "context_tokens": 5, "prompt_cache_warm": true, "cache_ttl": "1h",
        "estimated_cache_write_usd": 0.5, "pricing": "default",
    },
    TeammateIdleInput { "teammate_name": "ada", "team_name": "core" },
    TaskCreatedInput {
        "task_id": "7", "task_subject": "s", "task_description": "d", "teammate_name": "ada",
        "team_name": "core",
    },
    TaskCompletedInput {
        "task_id": "7", "task_subject": "s", "task_description": "d", "teammate_name": "ada",
        "team_name": "core",
    },
    ElicitationInput {
        "mcp_server_name": "forge", "message": "m", "mode": "url", "url": "https://a",
        "elicitation_id": "e", "requested_schema": {"type": "object"},
    },
    ElicitationResultInput {
        "mcp_server_name": "forge", "elicitation_id": "e", "mode": "form", "action": "cancel",
        "content": {"a": 1},
    },
    ConfigChangeInput { "source": "policy_settings", "file_path": "/s.json" },
    WorktreeCreateInput { "name": "fix" },
    WorktreeRemoveInput { "worktree_path": "/w" },
    InstructionsLoadedInput {
        "file_path": "/CLAUDE.md", "memory_type": "Managed", "load_reason": "path_glob_match",
        "globs": ["*"], "trigger_file_path": "/x", "parent_file_path": "/y",
    },
    CwdChangedInput { "old_cwd": "/a", "new_cwd": "/b" },
    FileChangedInput { "file_path": "/a", "event": "unlink" },
    DirectoryAddedInput { "directory": "/a", "source": "register_repo_root" },
}

/// Every event but those in `told`.
fn missing(told: impl Iterator<Item = HookEvent>) -> Vec<HookEvent> {
    let told: BTreeSet<_> = told.collect();
    HookEvent::ALL.into_iter().filter(|event| !told.contains(event)).collect()
}

#[test]
fn every_field_of_every_input_is_read() {
    let inputs = inputs();
    assert_eq!(missing(inputs.iter().map(|(event, ..)| *event)), []);
    for (event, mut typed, json) in inputs {
        typed["hook_event_name"] = event.as_str().into();
        assert_eq!(typed, json, "{event}");
    }
}

#[test]
fn an_input_of_nothing_has_the_default_of_every_field() {
    // The words that have no default are empty, and nothing is an error.
    let input: SessionStartInput = serde_json::from_str("{}").unwrap();
    assert_eq!(input.source, SessionStartSource::Other(String::new()));
    let input: SessionStartInput = serde_json::from_str(r#"{"source":"of tomorrow"}"#).unwrap();
    assert_eq!(input.source.as_str(), "of tomorrow");
    let input: PreToolUseInput = serde_json::from_str(r#"{"tool_input":5}"#).unwrap();
    assert_eq!(input.tool_input, ToolInput::new());
    assert!(input.mcp_server.is_none());
}

/// What `output` is on the wire, for the event of `I`.
fn wire<I: HookInput>(output: impl HookOutput<I>) -> (HookEvent, Value) {
    (I::EVENT, output.into_answer().unwrap().json)
}

fn suggestion() -> PermissionUpdate {
    serde_json::from_str(r#"{"type":"setMode"}"#).unwrap()
}

fn input() -> ToolInput {
    ToolInput::from_iter([("a", 2)])
}

/// Every output with each of its own methods, and what stands in `hookSpecificOutput`.
fn specific_outputs() -> Vec<((HookEvent, Value), Value)> {
    let decision = |word: &str| json!({"permissionDecision": word});
    let reason = |word: &str| json!({"permissionDecision": word, "permissionDecisionReason": "r"});
    let context = || json!({"additionalContext": "c"});
    vec![
        (wire(PreToolUseOutput::allow()), decision("allow")),
        (wire(PreToolUseOutput::deny("r")), reason("deny")),
        (wire(PreToolUseOutput::ask("r")), reason("ask")),
        (wire(PreToolUseOutput::defer()), decision("defer")),
        (wire(PreToolUseOutput::new().updated_input(input())), json!({"updatedInput": {"a": 2}})),
        (wire(PreToolUseOutput::new().additional_context("c")), context()),
        (wire(PostToolUseOutput::new().updated_output("x")), json!({"updatedToolOutput": "x"})),
        (wire(PostToolUseOutput::new().additional_context("c")), context()),
        (wire(PostToolUseOutput::new().classifier_context("c")), json!({"classifierContext": "c"})),
        (wire(PostToolUseFailureOutput::new().additional_context("c")), context()),
        (wire(PostToolBatchOutput::new().additional_context("c")), context()),
        (wire(PreSkillShellCommandOutput::deny("r")), reason("deny")),
        (wire(PermissionRequestOutput::allow()), json!({"decision": {"behavior": "allow"}})),
        (
            wire(PermissionRequestOutput::allow().updated_input(input()).remember([suggestion()])),
            json!({"decision": {
                "behavior": "allow", "updatedInput": {"a": 2},
                "updatedPermissions": [{"type": "setMode"}],
            }}),
        ),
        (
            wire(
                PermissionRequestOutput::deny("m").updated_input(input()).remember([suggestion()]),
            ),
            json!({"decision": {"behavior": "deny", "message": "m"}}),
        ),
        (
            wire(PermissionRequestOutput::deny_and_interrupt("m")),
            json!({"decision": {"behavior": "deny", "message": "m", "interrupt": true}}),
        ),
        (wire(PermissionDeniedOutput::retry()), json!({"retry": true})),
        (wire(NotificationOutput::new().additional_context("c")), context()),
        (wire(UserPromptSubmitOutput::new().additional_context("c")), context()),
        (wire(UserPromptSubmitOutput::new().session_title("t")), json!({"sessionTitle": "t"})),
        (
            wire(UserPromptSubmitOutput::new().suppress_original_prompt()),
            json!({"suppressOriginalPrompt": true}),
        ),
        (wire(UserPromptExpansionOutput::new().additional_context("c")), context()),
        (
            wire(UserPromptExpansionOutput::new().suppress_original_prompt()),
            json!({"suppressOriginalPrompt": true}),
        ),
        (wire(MessageDisplayOutput::new().display_content("x")), json!({"displayContent": "x"})),
        (wire(StopOutput::allow().additional_context("c")), context()),
        (wire(SubagentStartOutput::new().additional_context("c")), context()),
        (wire(SubagentStopOutput::allow().additional_context("c")), context()),
        (
            wire(
                SessionStartOutput::new()
                    .additional_context("c")
                    .initial_user_message("m")
                    .session_title("t")
                    .watch_paths(["/w"])
                    .reload_skills(),
            ),
            json!({
                "additionalContext": "c", "initialUserMessage": "m", "sessionTitle": "t",
                "watchPaths": ["/w"], "reloadSkills": true,
            }),
        ),
        (wire(SetupOutput::new().additional_context("c")), context()),
        (wire(PreModelSwitchOutput::allow()), decision("allow")),
        (wire(PreModelSwitchOutput::deny("r")), reason("deny")),
        (wire(PreModelSwitchOutput::ask("r")), reason("ask")),
        (wire(PostModelSwitchOutput::new().additional_context("c")), context()),
        (
            wire(ElicitationOutput::accept([("a", 1)])),
            json!({"action": "accept", "content": {"a": 1}}),
        ),
        (wire(ElicitationOutput::decline()), json!({"action": "decline"})),
        (wire(ElicitationOutput::cancel()), json!({"action": "cancel"})),
        (
            wire(ElicitationResultOutput::accept([("a", 1)])),
            json!({"action": "accept", "content": {"a": 1}}),
        ),
        (wire(ElicitationResultOutput::decline()), json!({"action": "decline"})),
        (wire(ElicitationResultOutput::cancel()), json!({"action": "cancel"})),
        (wire(WorktreeCreateOutput::created("/w")), json!({"worktreePath": "/w"})),
        (wire(CwdChangedOutput::new().watch_paths(["/w"])), json!({"watchPaths": ["/w"]})),
        (wire(FileChangedOutput::new().watch_paths(["/w"])), json!({"watchPaths": ["/w"]})),
    ]
}

#[test]
fn what_is_special_to_an_event_stands_under_its_name() {
    for ((event, json), mut specific) in specific_outputs() {
        specific["hookEventName"] = event.as_str().into();
        assert_eq!(json, json!({"hookSpecificOutput": specific}));
    }
}

#[test]
fn outputs_that_block_say_so_and_why() {
    let block = json!({"decision": "block", "reason": "r"});
    for (event, json) in [
        wire(PostToolUseOutput::block("r")),
        wire(PostToolBatchOutput::block("r")),
        wire(UserPromptSubmitOutput::block("r")),
        wire(UserPromptExpansionOutput::block("r")),
        wire(StopOutput::block("r")),
        wire(SubagentStopOutput::block("r")),
        wire(PreCompactOutput::block("r")),
        wire(TeammateIdleOutput::block("r")),
        wire(TaskCreatedOutput::block("r")),
        wire(TaskCompletedOutput::block("r")),
        wire(ConfigChangeOutput::block("r")),
    ] {
        assert_eq!(json, block, "{event}");
    }
}

#[test]
fn every_output_may_say_what_all_may_say() {
    macro_rules! common {
        ($($output:ident),*) => {
            vec![$(
                wire($output::default().stop_turn("r").suppress_output().system_message("m")),
                wire($output::default()),
            )*]
        };
    }
    let outputs = common![
        PreToolUseOutput,
        PostToolUseOutput,
        PostToolUseFailureOutput,
        PostToolBatchOutput,
        PreSkillShellCommandOutput,
        PermissionRequestOutput,
        PermissionDeniedOutput,
        NotificationOutput,
        UserPromptSubmitOutput,
        UserPromptExpansionOutput,
        MessageDisplayOutput,
        StopOutput,
        StopFailureOutput,
        SubagentStartOutput,
        SubagentStopOutput,
        SessionStartOutput,
        SessionEndOutput,
        SetupOutput,
        PreCompactOutput,
        PostCompactOutput,
        PreModelSwitchOutput,
        PostModelSwitchOutput,
        TeammateIdleOutput,
        TaskCreatedOutput,
        TaskCompletedOutput,
        ElicitationOutput,
        ElicitationResultOutput,
        ConfigChangeOutput,
        WorktreeRemoveOutput,
        InstructionsLoadedOutput,
        CwdChangedOutput,
        FileChangedOutput,
        DirectoryAddedOutput
    ];
    // Its output is the path, without which the rest means nothing.
    let told = outputs.iter().map(|(event, _)| *event).chain([HookEvent::WorktreeCreate]);
    assert_eq!(missing(told), []);
    for pair in outputs.chunks(2) {
        let all = json!({
            "continue": false, "stopReason": "r", "suppressOutput": true, "systemMessage": "m",
        });
        assert_eq!(pair[0].1, all, "{}", pair[0].0);
        assert_eq!(pair[1].1, json!({}), "{}", pair[1].0);
    }
}

#[test]
fn nothing_and_later_are_answers_too() {
    let json = |output: (HookEvent, Value)| output.1;
    assert_eq!(json(wire::<PreToolUseInput>(())), json!({}));
    assert_eq!(json(wire::<PreToolUseInput>(None::<PreToolUseOutput>)), json!({}));
    assert_eq!(json(wire::<PreToolUseInput>(AsyncOutput::new())), json!({"async": true}));
    let later = AsyncOutput::new().timeout(Duration::from_secs(5));
    assert_eq!(json(wire::<StopInput>(later)), json!({"async": true, "asyncTimeout": 5000}));
}

#[test]
fn only_a_block_is_counted() {
    let at_most = |output: StopOutput| output.into_answer().unwrap().at_most;
    assert_eq!(at_most(StopOutput::block("r").at_most(2)), Some(2));
    assert_eq!(at_most(StopOutput::allow().at_most(2)), None);
}

#[test]
fn a_worktree_has_an_absolute_path() {
    let (_, json) = wire(WorktreeCreateOutput::created("w"));
    let path = json["hookSpecificOutput"]["worktreePath"].as_str().unwrap();
    assert!(std::path::Path::new(path).is_absolute(), "{path}");
}
