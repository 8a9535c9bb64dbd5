//! What each option of the builder becomes: an argument of the CLI, or a field of `initialize`.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use byre::{
    ErrorKind, PermissionMode, Result, Session, SessionBuilder, Transport,
    options::{
        AgentDefinition, AgentMemory, Effort, McpServerConfig, PreviewFormat, Sandbox,
        SettingSource, SystemPrompt, Thinking, ThinkingDisplay,
    },
};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

const ALWAYS: [&str; 3] =
    ["--output-format=stream-json", "--input-format=stream-json", "--verbose"];

const SESSION: &str = "8f3a8990-6fca-4756-b667-0911376e0d4c";
const MESSAGE: &str = "6a4bb1ab-0c1a-4d52-8a85-1d0a4a9f9d3c";

fn plain() -> SessionBuilder {
    Session::builder().tools([]).hooks([])
}

/// Starts a session over a peer that answers `initialize` with `answer`, and gives the arguments, the
/// body of `initialize`, and what came of it.
async fn launch(builder: SessionBuilder, answer: Value) -> (Vec<String>, Value, Result<Session>) {
    let args = Arc::new(Mutex::new(Vec::new()));
    let (stdout, mut cli_writes) = tokio::io::duplex(1024);
    let (stdin, cli_reads) = tokio::io::duplex(1024);
    let seen = Arc::clone(&args);
    let transport = Transport::on_launch(move |args| {
        let text = args.iter().map(|arg| arg.to_string_lossy().into_owned());
        seen.lock().unwrap().extend(text);
        Transport::new(stdout, stdin)
    });
    let peer = async {
        let mut lines = BufReader::new(cli_reads).lines();
        let line = lines.next_line().await.unwrap().expect("`initialize` comes first");
        let line: Value = serde_json::from_str(&line).unwrap();
        let response =
            json!({"subtype": "success", "request_id": line["request_id"], "response": answer});
        let response = json!({"type": "control_response", "response": response});
        cli_writes.write_all(format!("{response}\n").as_bytes()).await.unwrap();
        line["request"].clone()
    };
    let (session, mut body) = tokio::join!(builder.transport(transport).spawn(), peer);
    assert_eq!(body["subtype"], "initialize");
    body.as_object_mut()
        .unwrap()
        .retain(|name, value| name != "subtype" && (name != "hooks" || !value.is_null()));
    let args = args.lock().unwrap().clone();
    (args, body, session)
}

/// Compares what a builder adds to the command line and to `initialize`.
async fn check(builder: SessionBuilder, args: &[&str], body: Value) {
    let (got_args, got_body, session) = launch(builder, json!({"mcp_servers_applied": true})).await;
    let args: Vec<_> = ALWAYS.iter().chain(args).collect();
    assert_eq!(got_args.iter().collect::<Vec<_>>(), args);
    assert_eq!(got_body, body);
    drop(session);
}

/// Compares what each builder adds to the command line, and that it adds nothing to `initialize`.
async fn check_flags(cases: Vec<(SessionBuilder, &[&str])>) {
    for (builder, args) in cases {
        check(builder, args, json!({})).await;
    }
}

#[tokio::test]
async fn flags_of_the_model_and_of_tools() {
    check_flags(vec![
        (plain(), &[]),
        (plain().model("opus"), &["--model=opus"]),
        (
            plain().fallback_model("sonnet").fallback_model("haiku"),
            &["--fallback-model=sonnet,haiku"],
        ),
        (plain().effort(Effort::XHigh), &["--effort=xhigh"]),
        (plain().thinking(Thinking::Adaptive), &["--thinking=adaptive"]),
        (plain().thinking(Thinking::Disabled), &["--thinking=disabled"]),
        (plain().thinking(Thinking::Budget(0)), &["--thinking=disabled"]),
        (plain().thinking(Thinking::Budget(4096)), &["--max-thinking-tokens=4096"]),
        (plain().thinking_display(ThinkingDisplay::Omitted), &["--thinking-display=omitted"]),
        (plain().betas(["context-1m-2025-08-07"]), &["--betas=context-1m-2025-08-07"]),
        (plain().max_turns(3), &["--max-turns=3"]),
        (plain().max_budget_usd(0.25), &["--max-budget-usd=0.25"]),
        (plain().task_budget(200_000), &["--task-budget=200000"]),
        (plain().builtin_tools(["Read", "Grep"]), &["--tools=Read,Grep"]),
        (plain().builtin_tools([""; 0]), &["--tools="]),
        (plain().all_builtin_tools(), &["--tools=default"]),
        (
            plain().allowed_tools(["Read", "Bash(git log:*)"]),
            &["--allowedTools=Read,Bash(git log:*)"],
        ),
        (plain().allowed_tools([""; 0]), &[]),
        (plain().disallowed_tools(["WebFetch"]), &["--disallowedTools=WebFetch"]),
        (plain().all_skills(), &["--allowedTools=Skill"]),
        (plain().main_agent("reviewer"), &["--agent=reviewer"]),
        (plain().plugin("/p/one"), &["--plugin-dir=/p/one"]),
        (plain().plugin_without_mcp("/p/two"), &["--plugin-dir-no-mcp=/p/two"]),
    ])
    .await;
}

#[tokio::test]
async fn flags_of_settings_and_permissions() {
    check_flags(vec![
        (plain().permission_mode(PermissionMode::Plan), &["--permission-mode=plan"]),
        (
            plain().bypass_permissions(),
            &["--permission-mode=bypassPermissions", "--allow-dangerously-skip-permissions"],
        ),
        (plain().settings(json!({"model": "opus"})), &[r#"--settings={"model":"opus"}"#]),
        (plain().settings_file("/s.json"), &["--settings=/s.json"]),
        (
            plain().setting_sources([
                SettingSource::User,
                SettingSource::Project,
                SettingSource::Local,
            ]),
            &["--setting-sources=user,project,local"],
        ),
        (plain().setting_sources([]), &["--setting-sources="]),
        (plain().isolated(), &["--setting-sources=", "--strict-mcp-config"]),
        (plain().strict_mcp_config(true), &["--strict-mcp-config"]),
        (plain().managed_settings(json!({})), &["--managed-settings={}"]),
        (plain().project_config_root("/srv/app"), &["--project-config-root=/srv/app"]),
        (
            plain().add_dir("/one").add_dir("/two words"),
            &["--add-dir=/one", "--add-dir=/two words"],
        ),
    ])
    .await;
}

#[tokio::test]
async fn flags_of_the_conversation_and_of_reports() {
    check_flags(vec![
        (plain().resume("my title"), &["--resume=my title"]),
        (plain().resume("-rf"), &["--resume=-rf"]),
        (
            plain().resume(SESSION).fork_session(true),
            &["--resume=8f3a8990-6fca-4756-b667-0911376e0d4c", "--fork-session"],
        ),
        (
            plain().resume(SESSION).fork_session(true).session_id(MESSAGE),
            &[
                "--resume=8f3a8990-6fca-4756-b667-0911376e0d4c",
                "--session-id=6a4bb1ab-0c1a-4d52-8a85-1d0a4a9f9d3c",
                "--fork-session",
            ],
        ),
        (plain().continue_conversation(true).fork_session(true), &["--continue", "--fork-session"]),
        (
            plain().resume(SESSION).resume_at(MESSAGE).resume_drops_turn(""),
            &[
                "--resume=8f3a8990-6fca-4756-b667-0911376e0d4c",
                "--resume-session-at=6a4bb1ab-0c1a-4d52-8a85-1d0a4a9f9d3c",
                "--resume-drops-turn=",
            ],
        ),
        (plain().persist_session(false), &["--no-session-persistence"]),
        (plain().persist_session(true), &[]),
        (plain().name("nightly"), &["--name=nightly"]),
        (plain().worktree("nightly"), &["--worktree=nightly"]),
        (plain().worktree(""), &["--worktree"]),
        (plain().include_partial_messages(true), &["--include-partial-messages"]),
        (plain().include_hook_events(true), &["--include-hook-events"]),
        (plain().debug(true), &["--debug"]),
        (plain().debug_file("/tmp/x"), &["--debug-file=/tmp/x"]),
        (plain().system_prompt(SystemPrompt::file("/p.md")), &["--system-prompt-file=/p.md"]),
        (
            plain().extra_arg("bare", None::<&str>).extra_arg("--channels", Some("-x y")),
            &["--bare", "--channels=-x y"],
        ),
        // Options of the environment, of prompts and of byre alone.
        (
            plain()
                .client_app("robot/1")
                .file_checkpointing(true)
                .include_session_state(true)
                .question_previews(PreviewFormat::Html)
                .verbatim_prompts(true)
                .control_timeout(Duration::from_secs(1)),
            &[],
        ),
    ])
    .await;
}

/// The options that are a field of `initialize` and no more.
#[tokio::test]
async fn every_field_of_initialize() {
    let boundary = "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__";
    let cases = vec![
        (plain().system_prompt("You build."), json!({"systemPrompt": ["You build."]})),
        (plain().system_prompt(""), json!({"systemPrompt": [""]})),
        (
            plain().system_prompt(SystemPrompt::blocks(["a", "b"], ["c"])),
            json!({"systemPrompt": ["a", "b", boundary, "c"]}),
        ),
        (
            plain().system_prompt(SystemPrompt::blocks(["a"], [""; 0])),
            json!({"systemPrompt": ["a"]}),
        ),
        (plain().system_prompt(SystemPrompt::claude_code()), json!({})),
        (
            plain().append_system_prompt("One.").append_system_prompt("Two."),
            json!({"appendSystemPrompt": "One.\n\nTwo."}),
        ),
        (
            plain().system_prompt(
                SystemPrompt::claude_code().without_dynamic_sections().snapshot(false),
            ),
            json!({"excludeDynamicSections": true, "systemPromptSnapshot": false}),
        ),
        (plain().plan_mode_instructions("Plan."), json!({"planModeInstructions": "Plan."})),
        (plain().title("Nightly"), json!({"title": "Nightly"})),
        (
            plain().tool_alias("Bash", "mcp__byre__shell"),
            json!({"toolAliases": {"Bash": "mcp__byre__shell"}}),
        ),
        (plain().skills([""; 0]), json!({"skills": []})),
        (plain().forward_subagent_text(true), json!({"forwardSubagentText": true})),
        (plain().prompt_suggestions(true), json!({"promptSuggestions": true})),
        (plain().agent_progress_summaries(true), json!({"agentProgressSummaries": true})),
        (plain().per_task_stop(true), json!({"perTaskStopAffordance": true})),
        (
            plain().agent(
                "reviewer",
                AgentDefinition::new("Reviews", "You review.")
                    .tools(["Read"])
                    .disallowed_tools(["Bash"])
                    .model("haiku")
                    .effort(Effort::Low)
                    .skills(["charts"])
                    .mcp_server("docs")
                    .own_mcp_server("mine", McpServerConfig::stdio("mine"))
                    .initial_prompt("Begin.")
                    .max_turns(3)
                    .background(true)
                    .memory(AgentMemory::Project)
                    .permission_mode(PermissionMode::DontAsk)
                    .field("omitClaudeMd", true.into()),
            ),
            json!({"agents": {"reviewer": {
                "description": "Reviews", "prompt": "You review.", "tools": ["Read"],
                "disallowedTools": ["Bash"], "model": "haiku", "effort": "low",
                "skills": ["charts"],
                "mcpServers": ["docs", {"mine": {"type": "stdio", "command": "mine"}}],
                "initialPrompt": "Begin.", "maxTurns": 3, "background": true,
                "memory": "project", "permissionMode": "dontAsk", "omitClaudeMd": true,
            }}}),
        ),
    ];
    for (builder, body) in cases {
        check(builder, &[], body).await;
    }
}

#[tokio::test]
async fn skills_are_offered_and_allowed() {
    check(
        plain().allowed_tools(["Read"]).skills(["charts", "tools:release"]),
        &["--allowedTools=Read,Skill(charts),Skill(tools:release)"],
        json!({"skills": ["charts", "tools:release"]}),
    )
    .await;
}

#[tokio::test]
async fn options_that_are_settings_become_one() {
    check(
        plain()
            .settings(json!({"model": "opus", "sandbox": {"filesystem": {"denyRead": ["a"]}}}))
            .sandbox(Sandbox::new().deny_read(["b"]))
            .without_attribution(),
        &[concat!(
            r#"--settings={"attribution":{"commit":"","pr":""},"model":"opus","sandbox":"#,
            r#"{"enabled":true,"failIfUnavailable":true,"filesystem":{"denyRead":["a","b"]}}}"#
        )],
        json!({}),
    )
    .await;
}

#[tokio::test]
async fn servers_with_secrets_travel_in_initialize() {
    let docs = McpServerConfig::stdio("docs-server")
        .args(["--fast"])
        .env("TOKEN", "hay1")
        .timeout(Duration::from_secs(30))
        .always_load(true);
    let old = McpServerConfig::sse("https://x/sse").header("Authorization", "hay2");
    let web = McpServerConfig::http("https://x").field("tools", json!([]));
    check(
        plain().mcp_server("docs", docs).mcp_server("old", old).mcp_server("web", web),
        &["--await-initialize"],
        json!({"mcpServers": {
            "docs": {"type": "stdio", "command": "docs-server", "args": ["--fast"],
                "env": {"TOKEN": "hay1"}, "timeout": 30_000, "alwaysLoad": true},
            "old": {"type": "sse", "url": "https://x/sse", "headers": {"Authorization": "hay2"}},
            "web": {"type": "http", "url": "https://x", "tools": []},
        }}),
    )
    .await;
}

#[tokio::test]
async fn a_cli_that_leaves_the_servers_out_is_not_worked_with() {
    for answer in [json!({}), json!({"mcp_servers_applied": false})] {
        let builder = plain().mcp_server("docs", McpServerConfig::stdio("docs-server"));
        let (_, _, session) = launch(builder, answer).await;
        let error = session.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Refused);
        assert!(error.to_string().contains("MCP servers"), "{error}");
    }
}

#[tokio::test]
async fn settings_with_secrets_travel_in_initialize() {
    let settings = json!({"env": {"TOKEN": "hay-in-the-stack"}, "language": "english"});
    check(
        plain().settings(settings.clone()),
        &["--initialize-fields=settings", "--await-initialize"],
        json!({"settings": settings}),
    )
    .await;
    let managed = json!({"env": {"TOKEN": "hay-in-the-stack"}});
    check(
        plain().managed_settings(managed.clone()),
        &["--managed-settings-in-initialize", "--await-initialize"],
        json!({"managedSettings": managed}),
    )
    .await;
    for (builder, field) in [
        (plain().settings(settings), "`settings`"),
        (plain().managed_settings(managed), "`managedSettings`"),
    ] {
        let (_, _, session) = launch(builder, json!({})).await;
        let error = session.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Refused);
        assert!(error.to_string().contains(field), "{error}");
    }
}

/// Adds two integers.
#[byre::tool(register = false)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[tokio::test]
async fn byres_own_tools_stay_allowed_beside_others() {
    let builder = Session::builder().tools(byre::tools![add]).hooks([]);
    check(
        builder.allowed_tools(["Read"]).skills(["charts"]).strict_mcp_config(true),
        &[
            r#"--mcp-config={"mcpServers":{"byre":{"type":"sdk","name":"byre","alwaysLoad":true}}}"#,
            "--strict-mcp-config",
            "--allowedTools=mcp__byre,Read,Skill(charts)",
        ],
        json!({"skills": ["charts"]}),
    )
    .await;
}

#[tokio::test]
async fn calls_of_byres_own_tools_can_be_limited_in_time() {
    let builder = Session::builder().tools(byre::tools![add]).hooks([]);
    check(
        builder.call_timeout(Duration::from_secs(60)),
        &[
            r#"--mcp-config={"mcpServers":{"byre":{"type":"sdk","name":"byre","alwaysLoad":true,"timeout":60000}}}"#,
            "--allowedTools=mcp__byre",
        ],
        json!({}),
    )
    .await;
    let short = Session::builder().call_timeout(Duration::from_millis(999));
    assert!(refusal(&short).contains("`call_timeout` must be a second or more"));
}

/// Says why a builder is refused.
fn refusal(builder: &SessionBuilder) -> String {
    let error = builder.check().expect_err("it is not refused");
    assert_eq!(error.kind(), ErrorKind::Configuration);
    error.to_string()
}

#[test]
fn what_the_cli_would_refuse_or_misread_is_refused_first() {
    let cases = vec![
        (plain().fork_session(true), "needs a session to fork"),
        (plain().resume(SESSION).continue_conversation(true), "say one of them"),
        (plain().session_id("mine"), "must be a UUID"),
        (plain().session_id("8f3a89906fca4756b6670911376e0d4c"), "must be a UUID"),
        (plain().resume(SESSION).session_id(MESSAGE), "also needs `fork_session`"),
        (plain().continue_conversation(true).session_id(MESSAGE), "also needs `fork_session`"),
        (plain().resume_at(MESSAGE), "needs a session to cut"),
        (plain().continue_conversation(true).resume_at(MESSAGE), "needs a session to cut"),
        (plain().resume(SESSION).resume_drops_turn(MESSAGE), "`resume_at`"),
        (plain().model("opus").fallback_model("opus"), "is the model itself"),
        (plain().fallback_model("a,b"), "can't be the name of a fallback model"),
        (plain().betas([" "]), "can't be the name of a beta"),
        (plain().max_turns(0), "at least 1"),
        (plain().max_budget_usd(0.0), "above 0"),
        (plain().max_budget_usd(f64::NAN), "above 0"),
        (plain().task_budget(0), "at least 1"),
        (
            plain().thinking(Thinking::Disabled).thinking_display(ThinkingDisplay::Omitted),
            "no thinking to display",
        ),
        (plain().system_prompt(SystemPrompt::custom("x").without_dynamic_sections()), "dynamic"),
        (plain().system_prompt(SystemPrompt::blocks([""; 0], [""; 0])), "no blocks"),
        (plain().allowed_tools(["Read Write"]), "outside of parentheses"),
        (plain().disallowed_tools(["Read,Write"]), "outside of parentheses"),
        (plain().allowed_tools(["Bash(git"]), "does not close"),
        (plain().allowed_tools(["Bash)"]), "not open"),
        (plain().allowed_tools([""]), "is empty"),
        (plain().builtin_tools(["Bash(ls)"]), "can't be the name of a tool"),
        (plain().settings(json!([])), "JSON object"),
        (plain().settings_file("/s").sandbox(Sandbox::new()), "leaves no room"),
        (plain().settings_file("/s").without_attribution(), "leaves no room"),
        (plain().managed_settings(json!(1)), "JSON object"),
        (plain().mcp_server("byre", McpServerConfig::stdio("x")), "a server of this program"),
        (plain().mcp_server("docs", McpServerConfig::stdio("")), "empty command"),
        (plain().mcp_server("", McpServerConfig::stdio("x")), "empty name"),
        (plain().client_app("two\nlines"), "visible ASCII"),
        (plain().client_app(""), "visible ASCII"),
        (plain().extra_arg("--verbose", None::<&str>), "`--verbose` is set by byre"),
        (plain().max_turns(1).extra_arg("max-turns", Some("2")), "`--max-turns` is set by byre"),
        (plain().extra_arg("a=b", None::<&str>), "can't be the name of a flag"),
    ];
    for (builder, want) in cases {
        let got = refusal(&builder);
        assert!(got.contains(want), "{got}\nbut should say {want:?}");
    }
    // What may stand more than once may stand as an extra argument too.
    plain().add_dir("/one").extra_arg("add-dir", Some("/two")).check().unwrap();
}

#[test]
fn a_skill_is_one_rule() {
    for name in [
        "",
        " ",
        " x",
        "x ",
        "a(b",
        "a)b",
        "a,b",
        "a\nb",
        "\u{feff}x",
        "*",
        "x:*",
        "x *",
        "x__*",
        "/x",
        "a\\\\b",
        "x\\",
    ] {
        let got = refusal(&plain().skills([name]));
        assert!(got.contains("the skill name"), "{name:?}: {got}");
    }
    plain().skills(["charts", "tools:release", "größe 2", "a\\b"]).check().unwrap();
}

#[test]
fn all_faults_are_told_at_once() {
    let got = refusal(&plain().max_turns(0).task_budget(0).session_id("x"));
    assert!(
        got.contains("max_turns") && got.contains("task_budget") && got.contains("UUID"),
        "{got}"
    );
}

#[test]
fn debug_shows_no_secret() {
    let docs = McpServerConfig::http("https://x").header("Authorization", "hay");
    let builder = plain().settings(json!({"env": {"KEY": "hay"}})).mcp_server("docs", docs);
    let text = format!("{builder:?}");
    assert!(!text.contains("hay"), "{text}");
}
