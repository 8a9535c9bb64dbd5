//! byre's options and control requests, and what the real CLI makes of them.

use std::{collections::BTreeSet, fs, path::PathBuf, time::Duration};

use byre::{
    ErrorKind, Event, PermissionMode, SessionBuilder,
    cli::McpCall,
    options::{AgentDefinition, McpServerConfig, SystemPrompt},
    testing::{MessagesApi, RealCli, Script},
};
use serde_json::{Value, json};

use crate::harness::{cli_path, session};

const SESSION: &str = "8f3a8990-6fca-4756-b667-0911376e0d4c";

/// Adds two integers.
#[byre::tool(register = false)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// A CLI of its own, and the API that it talks to.
struct Live {
    api: MessagesApi,
    cli: RealCli,
}

impl Live {
    async fn new(script: Script) -> Self {
        let api = MessagesApi::start(script).await.unwrap();
        let cli = RealCli::new(cli_path(), &api).unwrap();
        Self { api, cli }
    }

    /// A session that serves `add`, and is cut off from the machine's settings.
    fn builder(&self) -> SessionBuilder {
        session(&self.cli).tools(byre::tools![add])
    }

    fn config_dir(&self) -> PathBuf {
        let envs = self.cli.envs();
        let (_, path) = envs.iter().find(|(name, _)| name == "CLAUDE_CONFIG_DIR").unwrap();
        path.into()
    }

    /// The names of the tools that the model was offered with its first request.
    fn offered(&self) -> BTreeSet<String> {
        let tools = &self.api.requests()[0].tools;
        // The placeholder is no tool.
        let tools = tools.iter().filter(|tool| tool.name != "DeferredToolPlaceholder");
        tools.map(|tool| tool.name.clone()).collect()
    }

    /// The system prompt of the first request. What the CLI says in the conversation is left out.
    fn system(&self) -> String {
        let blocks = self.api.requests()[0].body["system"].clone();
        let blocks = blocks.as_array().unwrap().iter();
        blocks.map(|block| block["text"].as_str().unwrap()).collect::<Vec<_>>().join("\n")
    }
}

/// Prompts once with what `configure` makes of the builder, and gives the CLI for a look at what it asked
/// the model.
async fn prompt_once(configure: impl FnOnce(SessionBuilder) -> SessionBuilder) -> Live {
    let live = Live::new(Script::new().say("Done.")).await;
    let mut session = configure(live.builder()).spawn().await.unwrap();
    let outcome = session.prompt("go").await.unwrap();
    assert_eq!(outcome.text(), "Done.");
    session.close().await.unwrap();
    live
}

#[tokio::test]
async fn requests_are_answered_as_byre_reads_them() {
    let live = Live::new(Script::new().say("Done.")).await;
    let mut session = live.builder().spawn().await.unwrap();
    let handle = session.handle();

    let info = session.cli_info();
    assert_eq!(info.version.as_deref(), handle.cli_version());
    assert_eq!(info.permission_mode.as_deref(), Some("default"));
    assert_eq!(info.pid, handle.pid());
    assert!(!info.models.is_empty() && !info.commands.is_empty() && !info.agents.is_empty());
    assert_eq!(info.account.api_provider.as_deref(), Some("firstParty"));
    assert!(info.has_capability("ui_surface_v1"));

    session.prompt("go").await.unwrap();
    let mode = handle.set_permission_mode(PermissionMode::Plan).await.unwrap();
    assert_eq!(mode, Some(PermissionMode::Plan));
    let error = handle.set_permission_mode(PermissionMode::BypassPermissions).await.unwrap_err();
    assert_eq!(
        (error.kind(), error.error_code()),
        (ErrorKind::Refused, Some("bypass_not_launched"))
    );
    let error = handle.control("no_such_request", json!({})).await.unwrap_err();
    assert_eq!(error.error_code(), Some("unsupported_request"));

    assert_eq!(handle.set_model("sonnet").await.unwrap().as_deref(), Some("claude-sonnet-5-5"));
    assert_eq!(handle.reset_model().await.unwrap().as_deref(), Some("claude-opus-5-5"));
    assert!(!handle.list_models().await.unwrap().is_empty());
    handle.set_max_thinking_tokens(None).await.unwrap();

    let usage = handle.get_context_usage().await.unwrap();
    assert!(usage.total_tokens > 0 && usage.max_tokens > usage.total_tokens, "{usage:?}");
    assert!(usage.mcp_tools.iter().any(|tool| tool.name == "mcp__byre__add"), "{usage:?}");
    assert!(usage.categories.iter().any(|category| category.id.as_deref() == Some("messages")));
    assert!(handle.get_context_usage_summary().await.unwrap().total_tokens > 0);
    assert!(handle.get_usage().await.unwrap().session.total_cost_usd > 0.0);
    assert!(handle.get_session_cost().await.unwrap().contains('$'));
    assert_eq!(handle.get_binary_version().await.unwrap().version, handle.cli_version().unwrap());

    handle.apply_flag_settings(json!({"effortLevel": "low"})).await.unwrap();
    let settings = handle.get_settings().await.unwrap();
    assert_eq!(settings.applied.effort.as_deref(), Some("low"));
    assert_eq!(settings.effective()["effortLevel"], "low");
    let rules = handle.list_permission_rules().await.unwrap();
    assert!(rules.rules.iter().any(|rule| rule.rule == "mcp__byre"), "{rules:?}");
    let hooks = handle.get_hooks_listing().await.unwrap();
    assert!(hooks.event_catalog.iter().any(|event| event.name == "Stop"), "{hooks:?}");
    handle.rename_session("Nightly").await.unwrap();
    handle.set_has_subscribers(true).await.unwrap();

    fs::write(live.cli.work_dir().join("notes.txt"), "hay\n").unwrap();
    let file = handle.read_file("notes.txt").await.unwrap();
    assert_eq!((file.contents.as_str(), file.truncated), ("hay\n", false));
    let file = handle.read_file_base64("notes.txt", 100).await.unwrap();
    assert_eq!((file.contents.as_str(), file.encoding.as_deref()), ("aGF5Cg==", Some("base64")));
    assert_eq!(handle.read_file("/etc/shadow").await.unwrap_err().kind(), ErrorKind::Refused);
    let modified = fs::metadata(live.cli.work_dir().join("notes.txt")).unwrap().modified().unwrap();
    handle.seed_read_state(live.cli.work_dir().join("notes.txt"), modified).await.unwrap();
    assert!(handle.file_suggestions("notes").await.unwrap().cwd.is_some());
    assert!(!handle.reload_skills().await.unwrap().is_empty());
    assert!(handle.reload_output_styles().await.unwrap().contains(&"default".to_owned()));
    assert_eq!(handle.reload_plugins().await.unwrap().error_count, 0);
    let rewound = handle.rewind_files(SESSION, true).await.unwrap();
    assert!(
        !rewound.can_rewind && rewound.error.is_some(),
        "there are no checkpoints: {rewound:?}"
    );
    let error = handle.rewind_files(SESSION, false).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused, "there are no checkpoints: {error}");

    assert_eq!(handle.interrupt().await.unwrap().still_queued, [""; 0]);
    assert_eq!(handle.interrupt_and_cancel_queued().await.unwrap().cancelled, [""; 0]);
    assert!(!handle.cancel_async_message(SESSION).await.unwrap());
    handle.stop_task("no-such-task").await.unwrap();
    handle.background_tasks().await.unwrap();
    let error = handle.get_task_output("no-such-task").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused);
    let warning = handle.set_mcp_permission_mode_override("x", Some("default")).await.unwrap();
    assert!(warning.is_some());
    handle.end_session().await.unwrap();
    session.close().await.unwrap();
}

/// An MCP server that is a shell script: its tool `token` tells the value of the variable `TOKEN`.
fn docs_server(live: &Live) -> McpServerConfig {
    let script = r#"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *'"method":"initialize"'*)
      result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"docs","version":"1"}}' ;;
    *'"method":"tools/list"'*)
      result='{"tools":[{"name":"token","description":"Tells.","inputSchema":{"type":"object"}}]}' ;;
    *'"method":"tools/call"'*)
      result='{"content":[{"type":"text","text":"'$TOKEN'"}]}' ;;
    *) result='{}' ;;
  esac
  [ -n "$id" ] && printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
"#;
    let path = live.cli.work_dir().join("docs.sh");
    fs::write(&path, script).unwrap();
    McpServerConfig::stdio("sh").args([path.to_string_lossy()]).always_load(true)
}

/// The command line of a process.
fn command_line(pid: u32) -> String {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).unwrap();
    String::from_utf8_lossy(&bytes).replace('\0', " ")
}

#[tokio::test]
async fn the_secrets_of_settings_reach_the_cli_and_neither_command_line_nor_transcript() {
    let live = Live::new(Script::new().call("mcp__docs__token", json!({})).say("{result}")).await;
    let transcript = live.cli.work_dir().join("session.jsonl");
    let settings = json!({"env": {"TOKEN": "hay-in-the-stack"}});
    let managed = json!({"env": {"OTHER": "needle-in-the-hay"}});
    let builder = live.builder().settings(settings).managed_settings(managed);
    let builder = builder.mcp_server("docs", docs_server(&live)).allowed_tools(["mcp__docs"]);
    let mut session = builder.transcript(&transcript).spawn().await.unwrap();

    let command_line = command_line(session.handle().pid().unwrap());
    for secret in ["hay-in-the-stack", "needle-in-the-hay"] {
        assert!(!command_line.contains(secret), "{command_line}");
    }
    let effective = session.handle().get_settings().await.unwrap();
    assert_eq!(effective.effective()["env"]["TOKEN"], "hay-in-the-stack");
    // Of managed settings, the CLI keeps what restricts; a variable does not.
    assert_eq!(effective.effective()["env"]["OTHER"], Value::Null);
    // What the CLI starts has it in its environment.
    assert_eq!(session.prompt("tell").await.unwrap().text(), "hay-in-the-stack");
    session.close().await.unwrap();
    let written = fs::read_to_string(transcript).unwrap();
    assert!(written.contains("[redacted]"));
    assert!(!written.contains("hay-in-the-stack") && !written.contains("needle-in"), "{written}");
}

#[tokio::test]
async fn the_secrets_of_a_server_reach_it_and_no_command_line() {
    let live = Live::new(
        Script::new()
            .call("mcp__docs__token", json!({}))
            .call("add", json!({"a": 1, "b": 2}))
            .say("{result}"),
    )
    .await;
    let docs = docs_server(&live).env("TOKEN", "hay-in-the-stack");
    let builder = live.builder().isolated().mcp_server("docs", docs);
    let mut session = builder.allowed_tools(["mcp__docs"]).spawn().await.unwrap();

    let command_line = command_line(session.handle().pid().unwrap());
    assert!(command_line.contains("--await-initialize"), "{command_line}");
    assert!(!command_line.contains("hay-in-the-stack"), "{command_line}");
    assert_eq!(session.cli_info().mcp_servers_applied, Some(true));

    assert_eq!(session.prompt("tell, and add").await.unwrap().text(), "3");
    let requests = live.api.requests();
    assert_eq!(requests[1].result("mcp__docs__token").unwrap().text, "hay-in-the-stack");
    assert!(!requests[0].tool("mcp__docs__token").unwrap().defer_loading);

    let handle = session.handle();
    let result = handle.mcp_call(McpCall::new("docs", "token")).await.unwrap();
    assert!(result.content.to_string().contains("hay-in-the-stack"), "{result:?}");
    let error = handle.mcp_call(McpCall::new("byre", "add")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused, "byre's own tools are functions: {error}");
    handle.mcp_reconnect("docs").await.unwrap();
    session.close().await.unwrap();
}

#[tokio::test]
async fn another_set_of_servers_keeps_byres_tools() {
    let live = Live::new(
        Script::new()
            .call("add", json!({"a": 1, "b": 2}))
            .say("{result}")
            .call("add", json!({"a": 3, "b": 4}))
            .say("{result}")
            .call("add", json!({"a": 5, "b": 6}))
            .say("{result}"),
    )
    .await;
    let mut session = live.builder().spawn().await.unwrap();
    assert_eq!(session.prompt("one").await.unwrap().text(), "3");

    let handle = session.handle();
    let set = handle.mcp_set_servers([("docs", docs_server(&live))]).await.unwrap();
    assert_eq!((set.added, set.removed.len(), set.errors.len()), (vec!["docs".to_owned()], 0, 0));
    assert_eq!(session.prompt("two").await.unwrap().text(), "7");
    let request = live.api.requests().pop().unwrap();
    assert!(!request.tool("add").unwrap().defer_loading);
    assert!(request.tool("mcp__docs__token").is_some());

    let none: [(&str, McpServerConfig); 0] = [];
    assert_eq!(handle.mcp_set_servers(none).await.unwrap().removed, ["docs"]);
    assert_eq!(session.prompt("three").await.unwrap().text(), "11");

    let servers = handle.mcp_status().await.unwrap();
    assert_eq!(servers.iter().map(|server| server.name.as_str()).collect::<Vec<_>>(), ["byre"]);
    assert_eq!(
        (servers[0].status.as_str(), servers[0].source.as_deref()),
        ("connected", Some("sdk"))
    );
    assert_eq!(servers[0].tools[0].name, "add");
    handle.mcp_toggle("byre", false).await.unwrap();
    assert_eq!(handle.mcp_status().await.unwrap()[0].status, "disabled");
    handle.mcp_toggle("byre", true).await.unwrap();
    session.close().await.unwrap();
}

#[tokio::test]
async fn max_turns_ends_a_prompt() {
    let script = Script::new()
        .call("add", json!({"a": 1, "b": 2}))
        .call("add", json!({"a": 3, "b": 4}))
        .say("never");
    let live = Live::new(script).await;
    let mut session = live.builder().max_turns(1).spawn().await.unwrap();
    let outcome = session.prompt("go").await.unwrap();
    assert!(outcome.is_error());
    assert_eq!(outcome.raw().to_value()["subtype"], "error_max_turns");
    assert_eq!(live.api.requests().len(), 1);
    session.close().await.unwrap();
}

#[tokio::test]
async fn max_budget_usd_ends_a_prompt() {
    let script = Script::new().call("add", json!({"a": 1, "b": 2})).say("never");
    let live = Live::new(script).await;
    let mut session = live.builder().max_budget_usd(0.000_001).spawn().await.unwrap();
    let outcome = session.prompt("go").await.unwrap();
    assert!(outcome.is_error());
    assert_eq!(outcome.raw().to_value()["subtype"], "error_max_budget_usd");
    session.close().await.unwrap();
}

#[tokio::test]
async fn the_system_prompt_in_all_its_forms() {
    // Claude Code's own says more than a page.
    let own = prompt_once(|builder| builder).await.system();
    assert!(own.len() > 2000, "{own}");

    let custom = prompt_once(|builder| builder.system_prompt("Only hay.")).await.system();
    assert!(custom.contains("Only hay.") && custom.len() < own.len() / 2, "{custom}");

    let empty = prompt_once(|builder| builder.system_prompt("")).await.system();
    assert!(empty.len() < own.len() / 2, "{empty}");

    let blocks = SystemPrompt::blocks(["Hay one."], ["Hay two."]);
    let blocks = prompt_once(|builder| builder.system_prompt(blocks)).await.system();
    assert!(blocks.contains("Hay one.") && blocks.contains("Hay two."), "{blocks}");
    assert!(!blocks.contains("BOUNDARY"), "{blocks}");

    let appended = prompt_once(|builder| builder.append_system_prompt("And hay.")).await.system();
    assert!(appended.contains("And hay.") && appended.len() > 2000, "{appended}");

    let prompt = SystemPrompt::custom("Only hay.").append("And straw.");
    let both = prompt_once(|builder| builder.system_prompt(prompt)).await.system();
    assert!(both.contains("Only hay.") && both.contains("And straw."), "{both}");

    let live = Live::new(Script::new().say("Done.")).await;
    let file = live.cli.work_dir().join("prompt.md");
    fs::write(&file, "Hay from a file.").unwrap();
    let mut session = live.builder().system_prompt(SystemPrompt::file(file)).spawn().await.unwrap();
    session.prompt("go").await.unwrap();
    assert!(live.system().contains("Hay from a file."), "{}", live.system());
    session.close().await.unwrap();

    // Where Claude keeps its notes.
    let folder = |live: &Live| live.config_dir().display().to_string();
    let with = prompt_once(|builder| builder).await;
    assert!(with.system().contains(&folder(&with)), "{}", with.system());
    let without = SystemPrompt::claude_code().without_dynamic_sections();
    let without = prompt_once(|builder| builder.system_prompt(without)).await;
    assert!(!without.system().contains(&folder(&without)), "{}", without.system());
}

#[tokio::test]
async fn built_in_tools_are_all_some_or_none() {
    let all = prompt_once(|builder| builder).await.offered();
    assert!(all.contains("Bash") && all.contains("mcp__byre__add"), "{all:?}");
    let none = prompt_once(|builder| builder.builtin_tools([""; 0])).await.offered();
    assert_eq!(none, BTreeSet::from(["mcp__byre__add".to_owned()]));
    let some = prompt_once(|builder| builder.builtin_tools(["Read"])).await.offered();
    assert!(some.contains("Read") && some.contains("mcp__byre__add"), "{some:?}");
    assert!(!some.contains("Bash"), "{some:?}");
    let denied = prompt_once(|builder| builder.disallowed_tools(["Bash"])).await.offered();
    assert!(!denied.contains("Bash") && denied.contains("Read"), "{denied:?}");
}

/// Writes what a machine and a project may bring along, each with a mark, and a hook that leaves a file.
fn write_machine(live: &Live) {
    let write = |folder: PathBuf, name: &str, text: String| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let settings = |name: &str| {
        let file = live.cli.work_dir().join(format!("ran-{name}"));
        let hook = json!({"type": "command", "command": format!("touch {}", file.display())});
        json!({"hooks": {"UserPromptSubmit": [{"hooks": [hook]}]}}).to_string()
    };
    let (user, project) = (live.config_dir(), live.cli.work_dir());
    write(user.clone(), "settings.json", settings("user"));
    write(project.clone(), ".claude/settings.json", settings("project"));
    write(project.clone(), ".claude/settings.local.json", settings("local"));
    for (owner, folder) in [("USER", user), ("PROJECT", project.join(".claude"))] {
        let front = |kind: &str| {
            format!("---\nname: {kind}-{owner}\ndescription: MARK-{owner}-{kind}\n---\nx\n")
        };
        write(folder.clone(), "rules/r.md", format!("MARK-{owner}-RULE"));
        write(folder.clone(), &format!("skills/s{owner}/SKILL.md"), front("SKILL"));
        write(folder.clone(), &format!("agents/a{owner}.md"), front("AGENT"));
        write(folder.clone(), &format!("commands/c{owner}.md"), format!("MARK-{owner}-COMMAND"));
        write(folder, "CLAUDE.md", format!("MARK-{owner}-MEMORY"));
    }
    write(project.clone(), "CLAUDE.local.md", "MARK-LOCAL-MEMORY".to_owned());
    let server = json!({"mcpServers": {"foreign": {"command": "/bin/false"}}}).to_string();
    write(project.clone(), ".mcp.json", server);
    // What Claude has noted stands in a folder that is named after the project.
    let project = fs::canonicalize(&project).unwrap();
    let slug: String = project
        .to_string_lossy()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    write(live.config_dir(), &format!("projects/{slug}/memory/MEMORY.md"), "MARK-NOTES".to_owned());
}

/// What reaches a session from the machine: marks in requests, files of hooks, and servers.
async fn reaches(isolated: bool) -> BTreeSet<String> {
    let live = Live::new(Script::new().say("Done.")).await;
    write_machine(&live);
    let builder = live.builder();
    let builder = if isolated { builder.isolated() } else { builder };
    let mut session = builder.spawn().await.unwrap();
    assert_eq!(session.prompt("go").await.unwrap().text(), "Done.");
    let mut found = BTreeSet::new();
    for request in live.api.requests() {
        let text = request.body.to_string();
        for (at, _) in text.match_indices("MARK-") {
            let end = text[at..].find(|c: char| c != '-' && !c.is_ascii_uppercase());
            found.insert(text[at..at + end.unwrap_or(0)].to_owned());
        }
        assert!(request.tool("add").is_some(), "byre's own tools are there in any case");
    }
    for name in ["user", "project", "local"] {
        if live.cli.work_dir().join(format!("ran-{name}")).exists() {
            found.insert(format!("hook of {name}"));
        }
    }
    let servers = session.handle().mcp_status().await.unwrap();
    found.extend(
        servers.iter().filter(|server| server.name != "byre").map(|server| server.name.clone()),
    );
    session.close().await.unwrap();
    found
}

#[tokio::test]
async fn an_isolated_session_takes_nothing_from_the_machine() {
    let without = reaches(false).await;
    for mark in [
        "hook of user",
        "hook of project",
        "hook of local",
        "MARK-USER-MEMORY",
        "MARK-PROJECT-MEMORY",
        "MARK-LOCAL-MEMORY",
        "MARK-USER-RULE",
        "MARK-PROJECT-RULE",
        "MARK-USER-SKILL",
        "MARK-PROJECT-SKILL",
        "MARK-USER-AGENT",
        "MARK-PROJECT-AGENT",
        "MARK-USER-COMMAND",
        "MARK-PROJECT-COMMAND",
        "MARK-NOTES",
    ] {
        assert!(without.contains(mark), "{mark} is not there without isolation: {without:?}");
    }
    assert_eq!(reaches(true).await, BTreeSet::new());
}

#[tokio::test]
async fn long_agents_and_prompts_start_and_work() {
    let task =
        json!({"description": "count", "prompt": "Count the hay.", "run_in_background": false});
    let call = {
        let mut task = task.clone();
        task["subagent_type"] = "counter".into();
        task
    };
    let script = Script::new()
        .call("Agent", call)
        .say("{result}")
        .for_prompt("Count the hay", Script::new().say("Seven bales."));
    let live = Live::new(script).await;
    let long = "Hay. ".repeat(60_000); // 300 kB
    let counter =
        AgentDefinition::new("Counts things", format!("You count.\n{long}")).tools([""; 0]);
    let mut session = live
        .builder()
        .agent("counter", counter)
        .system_prompt(format!("You farm. {}", "Straw. ".repeat(30_000))) // 210 kB
        .allowed_tools(["Agent"])
        .spawn()
        .await
        .unwrap();
    assert!(session.cli_info().agents.iter().any(|agent| agent.name == "counter"));
    let outcome = session.prompt("go").await.unwrap();
    assert!(outcome.text().contains("Seven bales."), "{}", outcome.text());
    let requests = live.api.requests();
    assert!(requests[0].system.join("").contains("You farm. Straw. Straw."));
    let sub = requests.iter().find(|request| request.first_prompt.contains("Count the hay"));
    assert!(sub.unwrap().system.join("").contains("You count.\nHay. Hay."));
    session.close().await.unwrap();
}

#[tokio::test]
async fn a_session_has_the_chosen_id_and_conversations_go_on() {
    let live = Live::new(Script::new().say("One.").say("Two.").say("Three.")).await;
    let mut session = live.builder().session_id(SESSION).title("Hay").spawn().await.unwrap();
    let outcome = session.prompt("first").await.unwrap();
    assert_eq!(outcome.session_id(), SESSION);
    session.close().await.unwrap();

    let mut session = live.builder().continue_conversation(true).spawn().await.unwrap();
    let outcome = session.prompt("second").await.unwrap();
    assert_eq!((outcome.session_id(), outcome.text()), (SESSION, "Two."));
    assert_eq!(live.api.requests()[1].first_prompt, "first");
    session.close().await.unwrap();

    let other = "6a4bb1ab-0c1a-4d52-8a85-1d0a4a9f9d3c";
    let builder = live.builder().resume(SESSION).fork_session(true).session_id(other);
    let mut session = builder.persist_session(false).spawn().await.unwrap();
    assert_eq!(session.prompt("third").await.unwrap().session_id(), other);
    session.close().await.unwrap();
    let error = live.builder().resume(other).spawn().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SessionNotFound, "it was not to be stored: {error}");
}

#[tokio::test]
async fn files_come_back_with_checkpoints() {
    let live = Live::new(Script::new().say("nothing")).await;
    let file = live.cli.work_dir().join("notes.txt");
    let script = Script::new()
        .call("Write", json!({"file_path": file, "content": "changed\n"}))
        .say("Written.");
    let api = MessagesApi::start(script).await.unwrap();
    let builder = live.builder().env("ANTHROPIC_BASE_URL", api.url()).file_checkpointing(true);
    let builder = builder.permission_mode(PermissionMode::AcceptEdits);
    let mut session = builder.spawn().await.unwrap();
    let handle = session.handle();
    let prompt = handle.send("write").unwrap();
    while let Some(event) = session.next_event().await {
        if matches!(event.unwrap(), Event::Result(_)) {
            break;
        }
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "changed\n");
    let would = handle.rewind_files(&prompt, true).await.unwrap();
    assert!(would.can_rewind && would.files_changed.len() == 1, "{would:?}");
    assert!(handle.rewind_files(&prompt, false).await.unwrap().can_rewind);
    assert!(!file.exists());
    session.close().await.unwrap();
}

#[tokio::test]
async fn verbatim_prompts_run_no_command() {
    let live = Live::new(Script::new().say("Heard.")).await;
    let mut session = live.builder().verbatim_prompts(true).spawn().await.unwrap();
    assert_eq!(session.prompt("/context").await.unwrap().text(), "Heard.");
    assert_eq!(live.api.requests()[0].prompt, "/context");
    session.close().await.unwrap();
}

/// The subtypes of the `system` lines of a turn.
async fn system_lines(configure: impl FnOnce(SessionBuilder) -> SessionBuilder) -> Vec<String> {
    let live = Live::new(Script::new().say("Done.")).await;
    let mut session = configure(live.builder()).spawn().await.unwrap();
    let mut turn = session.prompt("go");
    let mut subtypes = Vec::new();
    while let Some(event) = turn.next().await {
        if let Event::System(event) = event.unwrap() {
            subtypes.push(event.subtype().to_owned());
        }
    }
    drop(turn);
    session.close().await.unwrap();
    subtypes
}

#[tokio::test]
async fn the_sessions_state_is_told_to_those_who_ask() {
    let quiet = system_lines(|builder| builder).await;
    assert!(!quiet.contains(&"session_state_changed".to_owned()), "{quiet:?}");
    let asked = system_lines(|builder| builder.include_session_state(true)).await;
    assert!(asked.contains(&"session_state_changed".to_owned()), "{asked:?}");
}

#[tokio::test]
async fn many_options_at_once_are_taken() {
    let live = Live::new(Script::new().say("Done.")).await;
    let builder = live
        .builder()
        .model("opus")
        .fallback_model("sonnet")
        .effort(byre::options::Effort::Low)
        .thinking(byre::options::Thinking::Adaptive)
        .thinking_display(byre::options::ThinkingDisplay::Summarized)
        .betas(["context-1m-2025-08-07"])
        .task_budget(100_000)
        .all_builtin_tools()
        .all_skills()
        .settings(json!({"language": "english"}))
        .without_attribution()
        .setting_sources([byre::options::SettingSource::User])
        .add_dir("/tmp")
        .name("nightly")
        .title("Nightly")
        .plan_mode_instructions("Plan.")
        .tool_alias("Shout", "mcp__byre__add")
        .include_partial_messages(true)
        .include_hook_events(true)
        .forward_subagent_text(true)
        .prompt_suggestions(true)
        .agent_progress_summaries(true)
        .per_task_stop(true)
        .question_previews(byre::options::PreviewFormat::Markdown)
        .client_app("robot/1")
        .control_timeout(Duration::from_secs(30))
        .debug_file(live.cli.work_dir().join("debug.log"));
    let mut session = builder.spawn().await.unwrap();
    assert_eq!(session.prompt("go").await.unwrap().text(), "Done.");
    assert!(live.cli.work_dir().join("debug.log").is_file());
    session.close().await.unwrap();
}

/// A program may run in the shell of a session, and start sessions of its own.
#[tokio::test]
async fn what_a_session_says_of_itself_to_its_commands_is_not_inherited_by_others() {
    let command = json!({"command": "env | grep '^CLAUDE' | cut -d = -f 1"});
    let live = Live::new(Script::new().call("Bash", command).say("Done.")).await;
    let mut session = live.builder().bypass_permissions().spawn().await.unwrap();
    session.prompt("What is it like in there?").await.unwrap();
    session.close().await.unwrap();
    let text = live.api.requests()[1].result("Bash").unwrap().text.clone();
    let given = live.cli.envs();
    let mut own: BTreeSet<_> = text.lines().collect();
    own.retain(|name| !given.iter().any(|(given, _)| given == name));
    assert!(own.contains("CLAUDECODE") && own.contains("CLAUDE_CODE_SESSION_ID"), "{text}");
    own.retain(|name| !byre::REMOVED_VARIABLES.contains(name));
    assert!(own.is_empty(), "these leak: {own:?}");
}
