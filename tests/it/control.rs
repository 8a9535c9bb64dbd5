//! Every control request of the host: what goes out, and what becomes of the answer.

use std::{
    future::Future,
    sync::OnceLock,
    time::{Duration, UNIX_EPOCH},
};

use byre::{
    Error, ErrorKind, PermissionMode, Session, SessionHandle, Transport,
    cli::McpCall,
    options::{McpServerConfig, SettingSource, ThinkingDisplay},
    testing::{Script, ScriptedCli},
};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines};

/// Adds two integers.
#[byre::tool(register = false)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// The CLI's end of the pipe, played by hand.
struct Peer {
    stdin: Lines<BufReader<DuplexStream>>,
    stdout: DuplexStream,
}

impl Peer {
    async fn hear(&mut self) -> Value {
        let line = self.stdin.next_line().await.unwrap().expect("the host has more to say");
        serde_json::from_str(&line).unwrap()
    }

    async fn answer(&mut self, request: &Value, mut response: Value) {
        response["request_id"] = request["request_id"].clone();
        let line = json!({"type": "control_response", "response": response});
        self.stdout.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }
}

async fn session(info: Value) -> (Session, Peer) {
    let (stdout, cli_writes) = tokio::io::duplex(64 * 1024);
    let (stdin, cli_reads) = tokio::io::duplex(64 * 1024);
    let mut peer = Peer { stdin: BufReader::new(cli_reads).lines(), stdout: cli_writes };
    let builder = Session::builder()
        .tools(byre::tools![add])
        .hooks([])
        .control_timeout(Duration::from_secs(7))
        .transport(Transport::new(stdout, stdin));
    let start = async {
        let request = peer.hear().await;
        peer.answer(&request, json!({"subtype": "success", "response": info})).await;
    };
    let (session, ()) = tokio::join!(builder.spawn(), start);
    (session.unwrap(), peer)
}

/// Sends one request, compares it with `want`, answers it, and gives what became of the answer.
async fn ask<T, F: Future<Output = T>>(
    send: impl FnOnce(SessionHandle) -> F,
    want: Value,
    response: Value,
) -> T {
    let (session, mut peer) = session(json!({})).await;
    let play = async {
        let request = peer.hear().await;
        assert_eq!(request["type"], "control_request");
        assert_eq!(request["request"], want);
        peer.answer(&request, response).await;
    };
    tokio::join!(send(session.handle()), play).0
}

/// Sends one request, and compares it and what becomes of a success with what they should be.
macro_rules! check {
    ($handle:ident => $send:expr, $request:tt, $answer:tt, $got:ident => $value:expr, $want:expr) => {
        let $got = ask(
            |$handle| async move { $send.await },
            json!($request),
            json!({"subtype": "success", "response": $answer}),
        )
        .await
        .unwrap();
        assert_eq!($value, $want, "{}", json!($request));
    };
    // Requests that are only acknowledged: with an empty object, and with nothing at all.
    ($handle:ident => $send:expr, $request:tt) => {
        for response in [
            json!({"subtype": "success"}),
            json!({"subtype": "success", "response": null}),
            json!({"subtype": "success", "response": {}}),
        ] {
            ask(|$handle| async move { $send.await }, json!($request), response).await.unwrap();
        }
    };
}

#[tokio::test]
async fn requests_about_what_runs() {
    check!(h => h.interrupt(), {"subtype": "interrupt"}, {"still_queued": ["a"]},
        r => (r.still_queued, r.cancelled), (vec!["a".to_owned()], vec![]));
    // An old CLI.
    check!(h => h.interrupt(), {"subtype": "interrupt"}, null,
        r => r.still_queued, Vec::<String>::new());
    check!(h => h.interrupt_and_cancel_queued(),
        {"subtype": "interrupt", "cancel_queued": true},
        {"still_queued": [], "cancelled": ["a"]},
        r => (r.still_queued, r.cancelled), (vec![], vec!["a".to_owned()]));
    check!(h => h.cancel_async_message("u"),
        {"subtype": "cancel_async_message", "message_uuid": "u"},
        {"cancelled": true, "message_uuid": "u"}, r => r, true);
    check!(h => h.cancel_async_message("u"),
        {"subtype": "cancel_async_message", "message_uuid": "u"}, {"cancelled": false}, r => r, false);
    check!(h => h.stop_task("t"), {"subtype": "stop_task", "task_id": "t"});
    check!(h => h.background_tasks(), {"subtype": "background_tasks"}, {}, r => r, true);
    check!(h => h.background_task("toolu_1"),
        {"subtype": "background_tasks", "tool_use_id": "toolu_1"},
        {"backgrounded": false}, r => r, false);
    check!(h => h.get_task_output("t"), {"subtype": "get_task_output", "task_id": "t"},
        {"output": "x", "total_bytes": 9000, "truncated": true},
        r => (r.output.as_str(), r.total_bytes, r.truncated), ("x", 9000, true));
    check!(h => h.end_session(), {"subtype": "end_session"});
    check!(h => h.set_has_subscribers(false),
        {"subtype": "set_has_subscribers", "has_subscribers": false});
}

#[tokio::test]
async fn requests_about_the_model_and_the_mode() {
    check!(h => h.set_model("sonnet"), {"subtype": "set_model", "model": "sonnet"},
        {"model": "claude-sonnet-5-5"}, r => r.as_deref(), Some("claude-sonnet-5-5"));
    check!(h => h.set_model("x"), {"subtype": "set_model", "model": "x"}, {}, r => r, None);
    check!(h => h.reset_model(), {"subtype": "set_model", "model": null},
        {"model": "claude-opus-5-5"}, r => r.as_deref(), Some("claude-opus-5-5"));
    check!(h => h.list_models(), {"subtype": "list_models"},
        {"models": [{"value": "default"}, {"value": "haiku"}]},
        r => r.iter().map(|model| model.value.as_str()).collect::<Vec<_>>(), ["default", "haiku"]);
    check!(h => h.set_max_thinking_tokens(Some(0)),
        {"subtype": "set_max_thinking_tokens", "max_thinking_tokens": 0});
    check!(h => h.set_max_thinking_tokens(None),
        {"subtype": "set_max_thinking_tokens", "max_thinking_tokens": null});
    check!(h => h.set_thinking_display(Some(ThinkingDisplay::Summarized)),
        {"subtype": "set_max_thinking_tokens", "thinking_display": "summarized"});
    check!(h => h.set_permission_mode(PermissionMode::Auto),
        {"subtype": "set_permission_mode", "mode": "auto"}, {"mode": "default"},
        r => r, Some(PermissionMode::Default));
    check!(h => h.set_permission_mode(PermissionMode::Plan),
        {"subtype": "set_permission_mode", "mode": "plan"}, {"mode": "of-tomorrow"}, r => r, None);
}

#[tokio::test]
async fn requests_about_settings() {
    check!(h => h.get_settings(), {"subtype": "get_settings"},
        {"effective": {"model": "opus"}, "sources": [{"source": "userSettings"}],
            "applied": {"model": "claude-opus-5-5", "effort": "high"}},
        r => (r.applied.effort.as_deref(), &r.effective()["model"], r.sources().len()),
        (Some("high"), &json!("opus"), 1));
    check!(h => h.apply_flag_settings(json!({"effortLevel": null})),
        {"subtype": "apply_flag_settings", "settings": {"effortLevel": null}});
    check!(h => h.update_settings(SettingSource::User, json!({"effortLevel": "low"})),
        {"subtype": "update_settings", "source": "userSettings", "settings": {"effortLevel": "low"}});
    check!(h => h.update_settings(SettingSource::Local, json!({"outputStyle": "x"})),
        {"subtype": "update_settings", "source": "localSettings", "settings": {"outputStyle": "x"}});
    check!(h => h.list_permission_rules(), {"subtype": "list_permission_rules"},
        {"state": {"rules": [{"behavior": "allow", "source": "cliArg", "rule": "mcp__byre__add",
            "editability": "readonly"}], "workspaceDirectories": [{"path": "/w", "source": "session"}],
            "originalCwd": "/w", "managedOnly": false}},
        r => (r.rules[0].rule.as_str(), r.rules[0].behavior.as_str(),
            r.workspace_directories[0].path.as_str(), r.original_cwd.as_str()),
        ("mcp__byre__add", "allow", "/w", "/w"));
    check!(h => h.get_hooks_listing(), {"subtype": "get_hooks_listing"},
        {"events": [], "hooks": [{"event": "Stop", "type": "command", "commandText": "date"}],
            "eventCatalog": [{"name": "Stop", "summary": "s", "supportsMatcher": false}],
            "policy": {"allDisabled": false}},
        r => (r.hooks[0].command_text.as_str(), r.event_catalog[0].name.as_str(), r.policy),
        ("date", "Stop", json!({"allDisabled": false})));
    check!(h => h.rename_session("Nightly"), {"subtype": "rename_session", "title": "Nightly"});
}

#[tokio::test]
async fn requests_about_use() {
    check!(h => h.get_context_usage(), {"subtype": "get_context_usage", "detail": "full"},
        {"categories": [{"id": "messages", "name": "Messages", "tokens": 7, "kind": "used"}],
            "totalTokens": 7, "maxTokens": 100, "rawMaxTokens": 120, "percentage": 7,
            "model": "m", "isAutoCompactEnabled": true,
            "mcpTools": [{"name": "mcp__byre__add", "serverName": "byre", "tokens": 3, "isLoaded": true}],
            "memoryFiles": [{"path": "/CLAUDE.md", "type": "Project", "tokens": 1}], "gridRows": []},
        r => (r.categories[0].id.as_deref(), r.total_tokens, r.mcp_tools[0].is_loaded,
            r.memory_files[0].kind.as_str(), r.raw()["gridRows"].is_array()),
        (Some("messages"), 7, Some(true), "Project", true));
    check!(h => h.get_context_usage_summary(),
        {"subtype": "get_context_usage", "detail": "summary"}, {}, r => r.total_tokens, 0);
    check!(h => h.get_session_cost(), {"subtype": "get_session_cost"}, {"text": "$1"}, r => r, "$1");
    check!(h => h.get_usage(), {"subtype": "get_usage", "skip_behaviors": true},
        {"session": {"total_cost_usd": 0.5, "total_lines_added": 2}, "subscription_type": null},
        r => (r.session.total_cost_usd, r.session.total_lines_added, r.subscription_type),
        (0.5, 2, None));
    check!(h => h.get_binary_version(), {"subtype": "get_binary_version"},
        {"version": "2.1.332", "buildTime": "t"},
        r => (r.version.as_str(), r.build_time.as_deref()), ("2.1.332", Some("t")));
}

#[tokio::test]
async fn requests_about_files() {
    check!(h => h.rewind_files("u", true),
        {"subtype": "rewind_files", "user_message_id": "u", "dry_run": true},
        {"canRewind": true, "filesChanged": ["/a"], "insertions": 0, "deletions": 1},
        r => (r.can_rewind, r.files_changed.len(), r.deletions, r.skipped_links),
        (true, 1, Some(1), None));
    check!(h => h.read_file("a"), {"subtype": "read_file", "path": "a"},
        {"contents": "x", "absPath": "/a"},
        r => (r.contents.as_str(), r.abs_path.as_str(), r.truncated), ("x", "/a", false));
    check!(h => h.read_file_base64("a", 9),
        {"subtype": "read_file", "path": "a", "max_bytes": 9, "encoding": "base64"},
        {"contents": "eA==", "encoding": "base64"}, r => r.encoding.as_deref(), Some("base64"));
    check!(h => h.file_suggestions("m"), {"subtype": "file_suggestions", "query": "m"},
        {"suggestions": ["main.rs"], "cwd": "/w"}, r => (r.suggestions, r.cwd.as_deref()),
        (vec![json!("main.rs")], Some("/w")));
    let modified = UNIX_EPOCH + Duration::from_millis(1500);
    check!(h => h.seed_read_state("a", modified),
        {"subtype": "seed_read_state", "path": "a", "mtime": 1500});
    check!(h => h.register_repo_root("/w/x"),
        {"subtype": "register_repo_root", "directory": "/w/x", "reload_claude_md": true,
            "reload_plugins": true, "reload_skills": true});
    check!(h => h.reload_plugins(), {"subtype": "reload_plugins"},
        {"commands": [{"name": "c"}], "agents": [], "plugins": [{"name": "p", "path": "/p"}],
            "mcpServers": [], "error_count": 1},
        r => (r.commands[0].name.as_str(), r.plugins[0].path.as_str(), r.error_count), ("c", "/p", 1));
    check!(h => h.reload_skills(), {"subtype": "reload_skills"},
        {"skills": [{"name": "s", "argumentHint": "[x]"}]},
        r => r[0].argument_hint.clone(), "[x]");
    check!(h => h.reload_output_styles(), {"subtype": "reload_output_styles"},
        {"available_output_styles": ["default"]}, r => r, ["default"]);
}

#[tokio::test]
async fn requests_about_servers() {
    check!(h => h.mcp_status(), {"subtype": "mcp_status"},
        {"mcpServers": [{"name": "byre", "status": "connected",
            "serverInfo": {"name": "byre", "version": "0.1.0"}, "source": "sdk",
            "tools": [{"name": "add", "annotations": {"readOnly": true}}]}]},
        r => (r[0].status.as_str(), r[0].server_info.as_ref().unwrap().version.as_str(),
            r[0].tools[0].annotations["readOnly"], r[0].error.clone()),
        ("connected", "0.1.0", true, None));
    check!(h => h.mcp_reconnect("docs"), {"subtype": "mcp_reconnect", "serverName": "docs"});
    check!(h => h.mcp_toggle("docs", false),
        {"subtype": "mcp_toggle", "serverName": "docs", "enabled": false});
    check!(h => h.mcp_set_servers([("docs", McpServerConfig::stdio("d"))]),
        {"subtype": "mcp_set_servers", "servers": {
            "byre": {"type": "sdk", "name": "byre", "alwaysLoad": true},
            "docs": {"type": "stdio", "command": "d"},
        }},
        {"added": ["docs"], "removed": [], "errors": {"docs": "no"}},
        r => (r.added.len(), r.errors["docs"].clone()), (1, "no".to_owned()));
    check!(h => h.mcp_call(McpCall::new("docs", "search").arguments(json!({"q": 1})).soft_error_result(true)
            .check_permissions(true).result_not_for_model(true).timeout(Duration::from_secs(2))),
        {"subtype": "mcp_call", "tool": "mcp__docs__search", "arguments": {"q": 1},
            "soft_error_result": true, "check_permissions": true, "result_not_for_model": true,
            "timeout_ms": 2000},
        {"content": [{"type": "text", "text": "x"}], "isError": true},
        r => (r.content[0]["text"].clone(), r.is_error, r.structured_content), (json!("x"), true, None));
    check!(h => h.mcp_read_resource("docs", "ui://x"),
        {"subtype": "mcp_read_resource", "serverName": "docs", "uri": "ui://x"},
        {"contents": [{"uri": "ui://x", "mimeType": "text/html", "text": "<p>"}]},
        r => r[0].text.clone(), Some("<p>".to_owned()));
    check!(h => h.mcp_message("byre", json!({"jsonrpc": "2.0", "method": "x"})),
        {"subtype": "mcp_message", "server_name": "byre", "message": {"jsonrpc": "2.0", "method": "x"}});
    check!(h => h.set_mcp_permission_mode_override("docs", Some("default")),
        {"subtype": "set_mcp_permission_mode_override", "serverName": "docs", "mode": "default"},
        {"warning": "unknown"}, r => r.as_deref(), Some("unknown"));
    check!(h => h.set_mcp_permission_mode_override("docs", None),
        {"subtype": "set_mcp_permission_mode_override", "serverName": "docs", "mode": null},
        {}, r => r, None);
    check!(h => h.control("of_tomorrow", json!({"x": 1})), {"subtype": "of_tomorrow", "x": 1},
        {"y": 2}, r => r, json!({"y": 2}));
}

#[tokio::test]
async fn a_refusal_carries_the_clis_code() {
    let refuse = |code: Value| {
        ask(
            |handle| async move { handle.set_permission_mode(PermissionMode::Auto).await },
            json!({"subtype": "set_permission_mode", "mode": "auto"}),
            json!({"subtype": "error", "error": "no such mode", "error_code": code}),
        )
    };
    let error = refuse(json!("invalid_mode")).await.unwrap_err();
    assert_eq!((error.kind(), error.error_code()), (ErrorKind::Refused, Some("invalid_mode")));
    assert!(error.to_string().contains("no such mode"), "{error}");
    assert_eq!(refuse(json!(null)).await.unwrap_err().error_code(), None);
}

#[tokio::test]
async fn what_can_not_be_is_not_asked_for() {
    let (session, _peer) = session(json!({})).await;
    let handle = session.handle();
    let own = handle.mcp_set_servers([("byre", McpServerConfig::stdio("x"))]).await.unwrap_err();
    assert!(own.to_string().contains("a server of this program"), "{own}");
    let empty = handle.mcp_set_servers([("docs", McpServerConfig::stdio(""))]).await.unwrap_err();
    assert!(empty.to_string().contains("empty command"), "{empty}");
    let project = handle.update_settings(SettingSource::Project, json!({})).await.unwrap_err();
    let body = handle.control("x", json!([])).await.unwrap_err();
    for error in [own, empty, project, body] {
        assert_eq!(error.kind(), ErrorKind::Configuration);
    }
}

#[tokio::test]
async fn what_the_cli_says_of_itself_is_there_from_the_start() {
    let (session, _peer) = session(json!({
        "commands": [{"name": "compact", "argumentHint": "", "aliases": ["c"], "builtin": true}],
        "agents": [{"name": "Explore", "description": "Searches"}],
        "output_style": "default", "available_output_styles": ["default"],
        "models": [{"value": "default"}], "account": {"email": "ada@example.com"}, "pid": 7,
        "claude_code_version": "2.1.332", "current_permission_mode": "plan",
        "session_state": "idle", "capabilities": ["ui_surface_v1"], "hooks_applied": true,
    }))
    .await;
    let info = session.cli_info();
    assert_eq!(info.commands[0].aliases, ["c"]);
    assert_eq!(info.agents[0].name, "Explore");
    assert_eq!(info.permission_mode.as_deref(), Some("plan"));
    assert_eq!(info.account.email(), Some("ada@example.com"));
    assert!(info.has_capability("ui_surface_v1") && !info.has_capability("ui"));
    assert_eq!(session.handle().cli_info(), info);
    assert_eq!(session.handle().cli_version(), Some("2.1.332"));
    assert!(!format!("{info:?} {session:?} {:?}", session.handle()).contains("ada@"));
}

#[tokio::test(start_paused = true)]
async fn the_limit_is_the_builders_and_a_call_has_its_own() {
    let (session, mut peer) = session(json!({})).await;
    let started = tokio::time::Instant::now();
    let error = session.handle().mcp_status().await.unwrap_err();
    assert_eq!((error.kind(), started.elapsed().as_secs()), (ErrorKind::Timeout, 7));
    let request = peer.hear().await;
    let cancel = peer.hear().await;
    assert_eq!(cancel["type"], "control_cancel_request");
    assert_eq!(cancel["request_id"], request["request_id"]);
    let started = tokio::time::Instant::now();
    let call = McpCall::new("docs", "search");
    session.handle().mcp_call(call).await.unwrap_err();
    assert_eq!(started.elapsed().as_secs(), 130);
}

#[tokio::test]
async fn a_dropped_request_is_withdrawn() {
    let (session, mut peer) = session(json!({})).await;
    let handle = session.handle();
    let asking = tokio::spawn(async move { handle.get_usage().await });
    let request = peer.hear().await;
    asking.abort();
    let cancel = peer.hear().await;
    assert_eq!(cancel["type"], "control_cancel_request");
    assert_eq!(cancel["request_id"], request["request_id"]);
}

#[tokio::test]
async fn the_end_of_the_cli_fails_every_request_at_once() {
    let (session, mut peer) = session(json!({})).await;
    let handle = session.handle();
    let asking = tokio::spawn(async move { handle.get_context_usage().await });
    peer.hear().await;
    drop(peer);
    assert_eq!(asking.await.unwrap().unwrap_err().kind(), ErrorKind::Exited);
}

static HANDLE: OnceLock<SessionHandle> = OnceLock::new();

/// Looks up how its own server fares.
#[byre::tool(register = false)]
async fn look() -> Result<String, Error> {
    let servers = HANDLE.get().unwrap().mcp_status().await?;
    Ok(format!("{} is {}", servers[0].name, servers[0].status))
}

#[tokio::test]
async fn a_tool_can_ask_the_cli_that_calls_it() {
    let script = Script::new().call("look", json!({})).say("{result}");
    let builder = Session::builder().tools(byre::tools![look]).hooks([]);
    let mut session = builder.transport(ScriptedCli::new(script)).spawn().await.unwrap();
    HANDLE.set(session.handle()).unwrap();
    assert_eq!(session.prompt("look").await.unwrap().text(), "byre is connected");
    session.close().await.unwrap();
}

/// Sends two prompts, and gives what the CLI hears of `client_composed`.
async fn client_composed(verbatim: bool) -> Vec<Value> {
    let cli = ScriptedCli::new(Script::new().say("One.").say("Two."));
    let recorder = cli.recorder();
    let builder = Session::builder().tools([]).hooks([]).verbatim_prompts(verbatim);
    let mut session = builder.transport(cli).spawn().await.unwrap();
    session.prompt("/one").await.unwrap();
    session.prompt(byre::Prompt::new("/two").verbatim(true)).await.unwrap();
    session.close().await.unwrap();
    let lines = recorder.received().into_iter().filter(|line| line["type"] == "user");
    lines.map(|line| line["client_composed"].clone()).collect()
}

#[tokio::test]
async fn prompts_are_sent_as_they_are_where_that_is_wanted() {
    assert_eq!(client_composed(false).await, [json!(null), json!(true)]);
    assert_eq!(client_composed(true).await, [json!(true), json!(true)]);
}

#[tokio::test]
async fn what_the_cli_says_to_hosts_alone_stays_with_byre() {
    let (mut session, mut peer) = session(json!({})).await;
    for line in [
        json!({"type": "system", "subtype": "session_state_changed", "state": "idle", "sdk_host_only": true}),
        json!({"type": "system", "subtype": "session_state_changed", "state": "running"}),
    ] {
        peer.stdout.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }
    let event = session.next_event().await.unwrap().unwrap();
    assert_eq!(event.raw().to_value()["state"], "running");
}
