//! Where byre has each option of the official SDKs, and each control request that is documented.
//!
//! A gap is a failing test: every name stands in one of these tables, and every method that a table names
//! is looked up in the source.

use std::{collections::BTreeSet, fs, path::Path};

/// Where byre has something, or why it has not.
#[derive(Clone, Copy, Debug)]
enum At {
    /// A method of `SessionBuilder`.
    Builder(&'static str),
    /// A method of `SessionHandle`.
    Handle(&'static str),
    /// A method of `Session`.
    Session(&'static str),
    /// A method of `Prompt`.
    Prompt(&'static str),
    /// Done by something that is no method of these, or left out for a reason.
    Otherwise(&'static str),
}

use At::{Builder, Handle, Otherwise, Prompt, Session};

/// The options of the TypeScript SDK 0.3.332.
const TYPESCRIPT: [(&str, At); 70] = [
    ("abortController", Otherwise("dropping the turn or the session cancels")),
    ("additionalDirectories", Builder("add_dir")),
    ("agent", Builder("main_agent")),
    ("agentProgressSummaries", Builder("agent_progress_summaries")),
    ("agents", Builder("agent")),
    ("allowDangerouslySkipPermissions", Builder("bypass_permissions")),
    ("allowedTools", Builder("allowed_tools")),
    ("betas", Builder("betas")),
    ("canUseTool", Builder("can_use_tool")),
    ("continue", Builder("continue_conversation")),
    ("cwd", Builder("current_dir")),
    ("debug", Builder("debug")),
    ("debugFile", Builder("debug_file")),
    ("disallowedTools", Builder("disallowed_tools")),
    ("effort", Builder("effort")),
    ("enableFileCheckpointing", Builder("file_checkpointing")),
    ("env", Builder("env")),
    ("executable", Otherwise("for a CLI in JavaScript; it is a binary now")),
    ("executableArgs", Otherwise("for a CLI in JavaScript; it is a binary now")),
    ("extraArgs", Builder("extra_arg")),
    ("fallbackModel", Builder("fallback_model")),
    ("forkSession", Builder("fork_session")),
    ("forwardSubagentText", Builder("forward_subagent_text")),
    ("hooks", Builder("hooks")),
    ("includeHookEvents", Builder("include_hook_events")),
    ("includePartialMessages", Builder("include_partial_messages")),
    ("loadTimeoutMs", Otherwise("for stores of sessions outside of the machine")),
    ("managedSettings", Builder("managed_settings")),
    ("maxBudgetUsd", Builder("max_budget_usd")),
    ("maxThinkingTokens", Builder("thinking")),
    ("maxTurns", Builder("max_turns")),
    ("mcpServers", Builder("mcp_server")),
    (
        "mcpServersDelivery",
        Otherwise("always `initialize`, so that no secret is in a command line"),
    ),
    ("model", Builder("model")),
    ("onElicitation", Builder("elicitation")),
    ("onUserDialog", Builder("user_dialog")),
    ("outputFormat", Builder("json_schema")),
    ("pathToClaudeCodeExecutable", Builder("cli_path")),
    ("permissionMode", Builder("permission_mode")),
    ("permissionPromptToolName", Builder("extra_arg")),
    ("permissionPrompts", Builder("extra_arg")),
    ("perTaskStopAffordance", Builder("per_task_stop")),
    ("persistSession", Builder("persist_session")),
    ("planModeInstructions", Builder("plan_mode_instructions")),
    ("pluginDelivery", Otherwise("a path is no secret, and stands in the command line")),
    ("plugins", Builder("plugin")),
    ("projectConfigRoot", Builder("project_config_root")),
    ("promptSuggestions", Builder("prompt_suggestions")),
    ("resume", Builder("resume")),
    ("resumeDropsTurn", Builder("resume_drops_turn")),
    ("resumeSessionAt", Builder("resume_at")),
    ("sandbox", Builder("sandbox")),
    ("sessionId", Builder("session_id")),
    ("sessionStore", Otherwise("for stores of sessions outside of the machine")),
    ("sessionStoreFlush", Otherwise("for stores of sessions outside of the machine")),
    ("settingSources", Builder("setting_sources")),
    ("settings", Builder("settings")),
    ("skills", Builder("skills")),
    ("spawnClaudeCodeProcess", Builder("transport")),
    ("stderr", Builder("stderr")),
    ("strictMcpConfig", Builder("strict_mcp_config")),
    ("supportedDialogKinds", Builder("user_dialog")),
    ("systemPrompt", Builder("system_prompt")),
    ("taskBudget", Builder("task_budget")),
    ("thinking", Builder("thinking")),
    ("title", Builder("title")),
    ("toolAliases", Builder("tool_alias")),
    ("toolConfig", Builder("question_previews")),
    ("tools", Builder("builtin_tools")),
    ("verbatimPrompts", Builder("verbatim_prompts")),
];

/// The options of the Python SDK 0.2.189.
const PYTHON: [(&str, At); 50] = [
    ("tools", Builder("builtin_tools")),
    ("allowed_tools", Builder("allowed_tools")),
    ("disallowed_tools", Builder("disallowed_tools")),
    ("max_turns", Builder("max_turns")),
    ("max_budget_usd", Builder("max_budget_usd")),
    ("model", Builder("model")),
    ("fallback_model", Builder("fallback_model")),
    ("betas", Builder("betas")),
    ("permission_mode", Builder("permission_mode")),
    ("permission_prompt_tool_name", Builder("extra_arg")),
    ("continue_conversation", Builder("continue_conversation")),
    ("resume", Builder("resume")),
    ("session_id", Builder("session_id")),
    ("fork_session", Builder("fork_session")),
    ("resume_session_at", Builder("resume_at")),
    ("resume_drops_turn", Builder("resume_drops_turn")),
    ("settings", Builder("settings_file")),
    ("sandbox", Builder("sandbox")),
    ("setting_sources", Builder("setting_sources")),
    ("add_dirs", Builder("add_dir")),
    ("plugins", Builder("plugin_without_mcp")),
    ("mcp_servers", Builder("mcp_server")),
    ("strict_mcp_config", Builder("strict_mcp_config")),
    ("include_partial_messages", Builder("include_partial_messages")),
    ("include_hook_events", Builder("include_hook_events")),
    ("thinking", Builder("thinking_display")),
    ("max_thinking_tokens", Builder("thinking")),
    ("effort", Builder("effort")),
    ("output_format", Builder("json_schema")),
    ("task_budget", Builder("task_budget")),
    ("extra_args", Builder("extra_arg")),
    ("system_prompt", Builder("append_system_prompt")),
    ("agents", Builder("agent")),
    ("hooks", Builder("hooks")),
    ("forward_subagent_text", Builder("forward_subagent_text")),
    ("skills", Builder("all_skills")),
    ("can_use_tool", Builder("can_use_tool")),
    ("env", Builder("env_remove")),
    ("cwd", Builder("current_dir")),
    ("cli_path", Builder("cli_path")),
    ("user", Builder("run_as")),
    ("enable_file_checkpointing", Builder("file_checkpointing")),
    ("client_app", Builder("client_app")),
    ("session_store", Otherwise("for stores of sessions outside of the machine")),
    ("session_store_flush", Otherwise("for stores of sessions outside of the machine")),
    ("load_timeout_ms", Otherwise("for stores of sessions outside of the machine")),
    ("max_buffer_size", Otherwise("lines may have half a gigabyte")),
    ("stderr", Builder("stderr")),
    ("debug_stderr", Otherwise("ignored by the SDK itself")),
    ("verbatim_prompts", Prompt("verbatim")),
];

/// The control requests that a host can send, as the TypeScript SDK 0.3.332 documents them.
const REQUESTS: [(&str, At); 39] = [
    ("initialize", Builder("spawn")),
    ("interrupt", Handle("interrupt")),
    ("interrupt: cancel_queued", Handle("interrupt_and_cancel_queued")),
    ("cancel_async_message", Handle("cancel_async_message")),
    ("stop_task", Handle("stop_task")),
    ("background_tasks", Handle("background_tasks")),
    ("background_tasks: tool_use_id", Handle("background_task")),
    ("get_task_output", Handle("get_task_output")),
    ("end_session", Handle("end_session")),
    ("set_permission_mode", Handle("set_permission_mode")),
    ("set_model", Handle("set_model")),
    ("set_model: null", Handle("reset_model")),
    ("set_max_thinking_tokens", Handle("set_max_thinking_tokens")),
    ("apply_flag_settings", Handle("apply_flag_settings")),
    ("get_settings", Handle("get_settings")),
    ("update_settings", Handle("update_settings")),
    ("list_models", Handle("list_models")),
    ("list_permission_rules", Handle("list_permission_rules")),
    ("get_hooks_listing", Handle("get_hooks_listing")),
    ("rename_session", Handle("rename_session")),
    ("set_color", Otherwise("refused by every CLI that a host can drive")),
    ("set_has_subscribers", Handle("set_has_subscribers")),
    ("set_mcp_permission_mode_override", Handle("set_mcp_permission_mode_override")),
    ("get_context_usage", Handle("get_context_usage")),
    ("get_session_cost", Handle("get_session_cost")),
    ("get_usage", Handle("get_usage")),
    ("get_binary_version", Handle("get_binary_version")),
    ("file_suggestions", Handle("file_suggestions")),
    ("read_file", Handle("read_file")),
    ("rewind_files", Handle("rewind_files")),
    ("seed_read_state", Handle("seed_read_state")),
    ("register_repo_root", Handle("register_repo_root")),
    ("reload_plugins", Handle("reload_plugins")),
    ("reload_skills", Handle("reload_skills")),
    ("reload_output_styles", Handle("reload_output_styles")),
    ("mcp_status", Handle("mcp_status")),
    ("mcp_reconnect", Handle("mcp_reconnect")),
    ("mcp_toggle", Handle("mcp_toggle")),
    ("mcp_set_servers", Handle("mcp_set_servers")),
];

/// The rest of the control requests.
const MORE_REQUESTS: [(&str, At); 4] = [
    ("mcp_message", Handle("mcp_message")),
    ("mcp_call", Handle("mcp_call")),
    ("mcp_read_resource", Handle("mcp_read_resource")),
    // Whatever else there is, or will be.
    ("any", Handle("control")),
];

/// Methods of the Python client and the TypeScript query that are no control request.
const METHODS: [(&str, At); 8] = [
    ("query", Session("prompt")),
    ("streamInput", Handle("send")),
    ("receive_messages", Session("next_event")),
    ("get_server_info", Session("cli_info")),
    ("initializationResult", Handle("cli_info")),
    ("disconnect", Session("close")),
    ("accountInfo", Session("cli_info")),
    ("reinitialize", Handle("control")),
];

/// The public methods that the source of a type has.
fn methods(root: &str, also: &str) -> BTreeSet<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("byre/src");
    let mut files = vec![source.join(root)];
    if !also.is_empty() {
        let folder = fs::read_dir(source.join(also)).unwrap().map(|entry| entry.unwrap().path());
        files.extend(folder.filter(|path| path.extension().is_some_and(|kind| kind == "rs")));
    }
    let text: String = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    let names = text.lines().filter_map(|line| {
        let line = line.strip_prefix("    pub ")?;
        let line = line.strip_prefix("async ").unwrap_or(line);
        let line = line.strip_prefix("fn ")?;
        Some(line.split(['(', '<']).next()?.to_owned())
    });
    names.collect()
}

fn check(table: &[(&str, At)]) {
    let builder = methods("session/builder.rs", "session/builder");
    let handle = methods("session/handle.rs", "session/handle");
    let session = methods("session.rs", "");
    let prompt = methods("session/prompt.rs", "");
    let mut gaps = Vec::new();
    for (name, at) in table {
        let there = match at {
            Builder(method) => builder.contains(*method),
            Handle(method) => handle.contains(*method),
            Session(method) => session.contains(*method),
            Prompt(method) => prompt.contains(*method),
            Otherwise(why) => !why.is_empty(),
        };
        if !there {
            gaps.push(format!("{name} should be {at:?}"));
        }
    }
    assert!(gaps.is_empty(), "{}", gaps.join("\n"));
    let names: BTreeSet<_> = table.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), table.len(), "a name stands twice");
}

#[test]
fn every_option_of_typescript_has_its_place() {
    check(&TYPESCRIPT);
}

#[test]
fn every_option_of_python_has_its_place() {
    check(&PYTHON);
}

#[test]
fn every_control_request_has_its_place() {
    check(&REQUESTS);
    check(&MORE_REQUESTS);
    check(&METHODS);
}

#[test]
#[should_panic(expected = "no_such_option should be Builder(\"no_such_method\")")]
fn a_gap_fails() {
    check(&[("no_such_option", Builder("no_such_method"))]);
}

/// How many subtypes are documented: `subtype: variant` counts as its subtype.
#[test]
fn the_tables_hold_what_is_documented() {
    let undocumented = ["end_session", "set_mcp_permission_mode_override", "any"];
    let subtypes: BTreeSet<_> = REQUESTS
        .iter()
        .chain(&MORE_REQUESTS)
        .map(|(name, _)| name.split(':').next().unwrap())
        .filter(|name| !undocumented.contains(name))
        .collect();
    assert_eq!(subtypes.len(), 37, "{subtypes:?}");
}

#[test]
fn every_request_of_the_handle_has_a_test_of_its_json() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/control.rs");
    let tests = fs::read_to_string(tests).unwrap();
    let untested: Vec<_> = REQUESTS
        .iter()
        .chain(&MORE_REQUESTS)
        .filter(|(_, at)| match at {
            Handle(method) => !tests.contains(&format!("h.{method}(")),
            _ => false,
        })
        .collect();
    assert!(untested.is_empty(), "{untested:?}");
}
