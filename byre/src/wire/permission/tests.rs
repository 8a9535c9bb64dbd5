use serde_json::{Value, json};

use super::*;

/// A request with every documented field.
fn full() -> Value {
    json!({
        "tool_name": "mcp__github__push",
        "input": {"branch": "main", "big": 18_446_744_073_709_551_615_u64},
        "tool_use_id": "toolu_9",
        "mcp_server": {"name": "github", "source": "project"},
        "permission_suggestions": [
            {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
            {"type": "lendKeys", "keys": 3},
        ],
        "blocked_path": "/etc/passwd",
        "decision_reason": "\u{1b}[1mrisky\u{1b}[0m",
        "decision_reason_type": "safetyCheck",
        "classifier_approvable": false,
        "suppress_always_allow_rule": true,
        "default_to_no": true,
        "matched_ask_rule": {"source": "projectSettings", "tool_name": "push", "rule_content": "main"},
        "title": "Push?",
        "display_name": "Push",
        "description": "Pushes a branch",
        "agent_id": "a-1",
        "requires_user_interaction": true,
    })
}

/// Writes the fields that byre knows. A field more, and this does not compile.
fn known(request: PermissionRequest) -> Value {
    let PermissionRequest {
        tool_name,
        input,
        tool_use_id,
        mcp_server,
        permission_suggestions,
        blocked_path,
        decision_reason,
        decision_reason_type,
        classifier_approvable,
        suppress_always_allow_rule,
        default_to_no,
        matched_ask_rule,
        title,
        display_name,
        description,
        agent_id,
        requires_user_interaction,
        raw: _,
    } = request;
    let mut fields = json!({
        "tool_name": tool_name,
        "input": input,
        "tool_use_id": tool_use_id,
        "mcp_server": mcp_server,
        "permission_suggestions": permission_suggestions,
        "blocked_path": blocked_path,
        "decision_reason": decision_reason,
        "decision_reason_type": decision_reason_type,
    });
    let rest = json!({
        "classifier_approvable": classifier_approvable,
        "suppress_always_allow_rule": suppress_always_allow_rule,
        "default_to_no": default_to_no,
        "matched_ask_rule": matched_ask_rule,
        "title": title,
        "display_name": display_name,
        "description": description,
        "agent_id": agent_id,
        "requires_user_interaction": requires_user_interaction,
    });
    fields.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
    fields
}

fn read(json: &Value) -> PermissionRequest {
    serde_json::from_str(&json.to_string()).unwrap()
}

#[test]
fn every_field_of_a_request_is_read() {
    let request = read(&full());
    assert_eq!(serde_json::to_value(&request).unwrap(), full());
    assert_eq!(known(request), full());
}

#[test]
fn a_request_with_odd_or_missing_fields_has_defaults_there() {
    for odd in [json!(null), json!({"a": []})] {
        let mut json = full();
        for (key, value) in json.as_object_mut().unwrap() {
            if key != "tool_name" && key != "input" {
                *value = odd.clone();
            }
        }
        let request = read(&json);
        assert_eq!(request.tool_name, "mcp__github__push");
        assert_eq!(request.raw().to_value(), json);
        let mut fields = known(request);
        for (key, value) in fields.as_object_mut().unwrap() {
            if key != "tool_name" && key != "input" {
                let is_default =
                    value.is_null() || *value == false || *value == "" || *value == json!([]);
                assert!(is_default, "{key} is {value}");
            }
        }
    }
    read(&json!({"tool_name": "Bash", "input": {}}));
}

#[test]
fn a_request_without_its_tool_or_its_input_is_none() {
    for missing in ["tool_name", "input"] {
        let mut json = full();
        json.as_object_mut().unwrap().remove(missing);
        assert!(serde_json::from_value::<PermissionRequest>(json).is_err(), "{missing}");
    }
}

#[test]
fn the_input_goes_back_as_it_came() {
    let text = r#"{"tool_name":"x","input":{"z":1,"a":1.50,"n":123456789012345678901234567890}}"#;
    let request: PermissionRequest = serde_json::from_str(text).unwrap();
    assert_eq!(
        request.input_text().get(),
        r#"{"z":1,"a":1.50,"n":123456789012345678901234567890}"#
    );
}

#[test]
fn reasons_are_an_open_set() {
    use DecisionReasonType::*;

    for (reason, name) in [
        (Rule, "rule"),
        (Mode, "mode"),
        (SubcommandResults, "subcommandResults"),
        (PermissionPromptTool, "permissionPromptTool"),
        (Hook, "hook"),
        (AsyncAgent, "asyncAgent"),
        (SandboxOverride, "sandboxOverride"),
        (WorkingDir, "workingDir"),
        (SafetyCheck, "safetyCheck"),
        (Classifier, "classifier"),
        (Other("other".to_owned()), "other"),
        (Other("moonPhase".to_owned()), "moonPhase"),
    ] {
        assert_eq!(serde_json::to_value(&reason).unwrap(), name);
        assert_eq!(serde_json::from_value::<DecisionReasonType>(name.into()).unwrap(), reason);
    }
}

/// One change of each kind, as the CLI writes it.
fn updates() -> Vec<Value> {
    let rules = json!([{"toolName": "Bash", "ruleContent": "ls *"}, {"toolName": "Read"}]);
    vec![
        json!({"type": "addRules", "rules": rules, "behavior": "allow", "destination": "userSettings"}),
        json!({"type": "replaceRules", "rules": rules, "behavior": "deny", "destination": "projectSettings"}),
        json!({"type": "removeRules", "rules": rules, "behavior": "ask", "destination": "localSettings"}),
        json!({"type": "setMode", "mode": "acceptEdits", "destination": "session"}),
        json!({"type": "addDirectories", "directories": ["/srv"], "destination": "cliArg"}),
        json!({"type": "removeDirectories", "directories": ["/srv", "/mnt"], "destination": "session"}),
        json!({"type": "lendKeys", "keys": 3, "destination": "session"}),
    ]
}

/// The kind of a change. A kind more, and this does not compile.
fn kind(update: &PermissionUpdate) -> &'static str {
    match update {
        PermissionUpdate::AddRules { .. } => "addRules",
        PermissionUpdate::ReplaceRules { .. } => "replaceRules",
        PermissionUpdate::RemoveRules { .. } => "removeRules",
        PermissionUpdate::SetMode { .. } => "setMode",
        PermissionUpdate::AddDirectories { .. } => "addDirectories",
        PermissionUpdate::RemoveDirectories { .. } => "removeDirectories",
        PermissionUpdate::Other(_) => "lendKeys",
    }
}

#[test]
fn every_change_is_read_and_written_word_for_word() {
    for json in updates() {
        let update: PermissionUpdate = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(kind(&update), json["type"], "{json}");
        assert_eq!(serde_json::to_value(&update).unwrap(), json);
        let elsewhere = serde_json::to_value(update.to(Destination::LocalSettings)).unwrap();
        let mut want = json;
        want["destination"] = "localSettings".into();
        assert_eq!(elsewhere, want);
    }
}

#[test]
fn a_change_with_more_to_it_goes_back_as_it_came() {
    for mut json in updates() {
        json["more"] = true.into();
        let update: PermissionUpdate = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(update, PermissionUpdate::Other(json.clone()));
        assert_eq!(serde_json::to_value(&update).unwrap(), json);
    }
    for json in [
        json!({"type": "setMode", "mode": "moonlight", "destination": "session"}),
        json!({"type": "addRules", "rules": [{"toolName": "X", "when": 1}], "behavior": "allow", "destination": "session"}),
        json!({"type": "addRules", "rules": [], "behavior": "allow"}),
        json!("all"),
    ] {
        let update: PermissionUpdate = serde_json::from_value(json.clone()).unwrap();
        assert_eq!(serde_json::to_value(&update).unwrap(), json);
    }
}

#[test]
fn changes_are_for_the_session_and_say_nothing_that_is_absent() {
    use PermissionUpdate as Update;

    let rules = || [PermissionRule::new("Bash").content("ls *"), PermissionRule::new("Read")];
    let made = [
        Update::add_rules(RuleBehavior::Allow, rules()),
        Update::replace_rules(RuleBehavior::Deny, rules()),
        Update::remove_rules(RuleBehavior::Ask, rules()),
        Update::set_mode(PermissionMode::AcceptEdits),
        Update::add_directories(["/srv"]),
        Update::remove_directories(["/srv", "/mnt"]),
    ];
    for (update, mut want) in made.into_iter().zip(updates()) {
        want["destination"] = "session".into();
        assert_eq!(update.destination(), Some(Destination::Session));
        assert_eq!(serde_json::to_value(&update).unwrap(), want);
    }
}

#[test]
fn names_on_the_wire_are_those_that_serde_writes() {
    use PermissionMode::*;

    for mode in [Default, AcceptEdits, Plan, BypassPermissions, DontAsk, Auto] {
        assert_eq!(serde_json::to_value(mode).unwrap(), mode.as_str());
    }
    for destination in [
        Destination::UserSettings,
        Destination::ProjectSettings,
        Destination::LocalSettings,
        Destination::Session,
        Destination::CliArg,
    ] {
        assert_eq!(serde_json::to_value(destination).unwrap(), destination.as_str());
    }
}

#[test]
fn every_field_of_a_question_is_read() {
    let json = json!({
        "question": "Which database?",
        "header": "Database",
        "options": [
            {"label": "SQLite", "description": "One file", "preview": "a.db"},
            {"label": "Postgres", "description": "A server"},
        ],
        "multiSelect": true,
    });
    let question: Question = serde_json::from_value(json.clone()).unwrap();
    let Question { question: text, header, options, multi_select } = &question;
    assert_eq!((text.as_str(), header.as_str()), ("Which database?", "Database"));
    assert!(multi_select);
    let QuestionOption { label, description, preview } = &options[0];
    assert_eq!((label.as_str(), description.as_str()), ("SQLite", "One file"));
    assert_eq!(preview.as_deref(), Some("a.db"));
    assert_eq!(serde_json::to_value(&question).unwrap(), json);
    serde_json::from_value::<Question>(json!({"question": "Why?"})).unwrap();
}

#[test]
fn every_field_of_an_elicitation_and_of_a_dialog_is_read() {
    let json = json!({
        "mcp_server_name": "github",
        "message": "Which account?",
        "mode": "url",
        "url": "https://example.com/login",
        "elicitation_id": "e-1",
        "requested_schema": {"type": "object"},
        "property_order": ["account"],
        "title": "Log in",
        "display_name": "GitHub",
        "description": "Opens a page",
    });
    let request: ElicitationRequest = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(serde_json::to_value(&request).unwrap(), json);
    let ElicitationRequest {
        mcp_server_name,
        message,
        mode,
        url,
        elicitation_id,
        requested_schema,
        property_order,
        title,
        display_name,
        description,
        raw: _,
    } = request;
    assert_eq!(mode, Some(ElicitationMode::Url));
    let known = json!({
        "mcp_server_name": mcp_server_name,
        "message": message,
        "mode": mode,
        "url": url,
        "elicitation_id": elicitation_id,
        "requested_schema": requested_schema,
        "property_order": property_order,
        "title": title,
        "display_name": display_name,
        "description": description,
    });
    assert_eq!(known, json);

    let json = json!({"dialog_kind": "x", "payload": {"n": 1}, "tool_use_id": "toolu_9"});
    let dialog: UserDialog = serde_json::from_value(json.clone()).unwrap();
    let UserDialog { dialog_kind, payload, tool_use_id, raw: _ } = dialog;
    let known = json!({"dialog_kind": dialog_kind, "payload": payload, "tool_use_id": tool_use_id});
    assert_eq!(known, json);
}
