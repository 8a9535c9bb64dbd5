//! Hooks, and what tools and hooks get beside their arguments, over the stand-in for the CLI.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use byre::{
    ErrorKind, Event, HookContext, Session, SessionBuilder, SessionHandle, State, ToolContext,
    hook::{
        self, HookEvent, OnFailure, PostToolUseFailureInput, PostToolUseFailureOutput,
        PostToolUseInput, PostToolUseOutput, PreToolUseInput, PreToolUseOutput, StopInput,
        StopOutput, UserPromptSubmitInput, UserPromptSubmitOutput,
    },
    permission::PermissionAnswer,
    testing::{Recorder, Script, ScriptedCli, Tools},
    tool::LogLevel,
};
use serde_json::{Value, json};
use tokio::{sync::Barrier, time::timeout};

/// Nothing here takes longer, also on a slow machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// Adds two integers.
#[byre::tool(register = false)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Fails.
#[byre::tool(register = false)]
async fn fail() -> Result<(), String> {
    Err("out of hay".to_owned())
}

fn script() -> Script {
    Script::new().call("add", json!({"a": 2, "b": 3})).say("{result}")
}

fn plain() -> SessionBuilder {
    Session::builder().tools(byre::tools![add, fail]).hooks([])
}

/// Plays `script` to a session, and gives the outcome's text and all that the stand-in heard.
async fn play(builder: SessionBuilder, script: Script) -> (String, Recorder) {
    let cli = ScriptedCli::new(script);
    let recorder = cli.recorder();
    let text = timeout(PATIENCE, async {
        let mut session = builder.transport(cli).spawn().await.unwrap();
        let outcome = session.prompt("go").await.unwrap();
        session.close().await.unwrap();
        outcome.text().to_owned()
    });
    (text.await.expect("the turn ends"), recorder)
}

/// The entries of `initialize.hooks` for an event.
fn matchers(recorder: &Recorder, event: &str) -> Value {
    recorder.received()[0]["request"]["hooks"][event].clone()
}

/// The notifications of byre's server that the CLI got.
fn notifications(recorder: &Recorder) -> Vec<Value> {
    let messages = recorder.received().into_iter().filter_map(|line| {
        let request = &line["request"];
        (request["subtype"] == "mcp_message").then(|| request["message"].clone())
    });
    messages.collect()
}

#[byre::hook(matcher = "mcp__byre__.*", timeout = 2.5, register = false)]
async fn deny(input: PreToolUseInput) -> PreToolUseOutput {
    PreToolUseOutput::deny(format!("no {} here", input.tool_name))
}

#[tokio::test]
async fn a_denied_tool_does_not_run_and_the_model_reads_why() {
    let (text, recorder) = play(plain().hooks(byre::hooks![deny]), script()).await;
    assert_eq!(text, "PreToolUse:mcp__byre__add hook error: no mcp__byre__add here");
    assert_eq!(
        matchers(&recorder, "PreToolUse"),
        json!([{
            "matcher": "mcp__byre__.*", "hookCallbackIds": ["hook_0000"], "timeout": 2.5,
            "onFailure": "block",
        }])
    );
}

#[tokio::test]
async fn a_hook_changes_the_arguments() {
    let hook = hook::on(async |input: PreToolUseInput| {
        let mut arguments = input.tool_input;
        arguments["b"] = 40.into();
        PreToolUseOutput::new().updated_input(arguments)
    });
    let (text, _) = play(plain().hook(hook), script()).await;
    assert_eq!(text, "42");
}

#[tokio::test]
async fn a_hook_replaces_the_result() {
    let hook = hook::on(async |input: PostToolUseInput| {
        let result = input.tool_response[0]["text"].as_str().unwrap_or("?").to_owned();
        PostToolUseOutput::new().updated_output(format!("{result}!"))
    });
    let (text, _) = play(plain().hook(hook.tool("add")), script()).await;
    assert_eq!(text, "5!");
}

#[tokio::test]
async fn a_hook_sees_a_failure() {
    let seen = Arc::new(Mutex::new(String::new()));
    let writes = Arc::clone(&seen);
    let hook = hook::on(move |input: PostToolUseFailureInput| {
        writes.lock().unwrap().clone_from(&input.error);
        async { PostToolUseFailureOutput::new() }
    });
    let script = Script::new().call("fail", json!({})).say("done");
    play(plain().hook(hook), script).await;
    assert!(seen.lock().unwrap().contains("out of hay"));
}

#[tokio::test]
async fn a_hook_blocks_a_prompt() {
    let hook = hook::on(async |input: UserPromptSubmitInput| {
        if input.prompt.contains("go") {
            UserPromptSubmitOutput::block("not on Fridays")
        } else {
            UserPromptSubmitOutput::new()
        }
    });
    let (text, recorder) = play(plain().hook(hook), Script::new().say("unsaid")).await;
    assert!(text.contains("not on Fridays"), "{text}");
    assert!(recorder.requests().is_empty(), "the model is not asked");
}

#[tokio::test]
async fn hooks_of_one_event_run_at_the_same_time() {
    // Each waits for the other, so one after the other they would wait for ever.
    let both = Arc::new(Barrier::new(2));
    let waits = |both: &Arc<Barrier>| {
        let both = Arc::clone(both);
        hook::on(move |_: PreToolUseInput| {
            let both = Arc::clone(&both);
            async move {
                both.wait().await;
                PreToolUseOutput::new()
            }
        })
    };
    let (text, recorder) = play(plain().hook(waits(&both)).hook(waits(&both)), script()).await;
    assert_eq!(text, "5");
    assert_eq!(matchers(&recorder, "PreToolUse").as_array().unwrap().len(), 2);
}

#[byre::hook(register = false)]
async fn guard_panics(_: PreToolUseInput) -> PreToolUseOutput {
    panic!("out of hay")
}

#[byre::hook(register = false)]
async fn guard_fails(_: PreToolUseInput) -> Result<PreToolUseOutput, String> {
    Err("no disk".to_owned())
}

#[byre::hook(register = false, on_failure = "continue")]
async fn watcher_fails(_: PreToolUseInput) -> Result<PreToolUseOutput, String> {
    Err("no disk".to_owned())
}

#[tokio::test]
async fn a_guard_that_fails_blocks_unless_it_says_otherwise() {
    for hooks in [byre::hooks![guard_panics], byre::hooks![guard_fails]] {
        let (text, _) = play(plain().hooks(hooks), script()).await;
        assert!(text.starts_with("PreToolUse:mcp__byre__add hook error"), "{text}");
    }
    let (text, recorder) = play(plain().hooks(byre::hooks![watcher_fails]), script()).await;
    assert_eq!(text, "5");
    assert!(matchers(&recorder, "PreToolUse")[0].get("onFailure").is_none());
}

#[test]
fn only_events_that_guard_something_block_by_failing() {
    let blocking: Vec<_> = HookEvent::ALL
        .into_iter()
        .filter(|event| OnFailure::of(*event) == OnFailure::Block)
        .collect();
    assert_eq!(
        blocking,
        [
            HookEvent::PreToolUse,
            HookEvent::UserPromptSubmit,
            HookEvent::PreModelSwitch,
            HookEvent::PermissionRequest,
            HookEvent::PreSkillShellCommand,
        ]
    );
}

#[tokio::test]
async fn a_hook_that_is_late_is_dropped_and_the_tool_denied() {
    static DROPPED: AtomicUsize = AtomicUsize::new(0);
    struct Guard;
    impl Drop for Guard {
        fn drop(&mut self) {
            DROPPED.fetch_add(1, Ordering::SeqCst);
        }
    }
    let hook = hook::on(async |_: PreToolUseInput| {
        let _guard = Guard;
        std::future::pending::<()>().await;
    });
    let (text, _) = play(plain().hook(hook.timeout(Duration::from_millis(50))), script()).await;
    assert!(text.starts_with("PreToolUse:mcp__byre__add hook error"), "{text}");
    assert_eq!(DROPPED.load(Ordering::SeqCst), 1);
}

#[byre::hook(tool = add, register = false)]
async fn only_add(input: PreToolUseInput) -> PreToolUseOutput {
    assert_eq!(input.tool_name, "mcp__stock__add");
    PreToolUseOutput::deny("sums are out")
}

#[tokio::test]
async fn a_hook_for_a_tool_finds_its_full_name() {
    let builder = plain().server_name("stock").hooks(byre::hooks![only_add]);
    let (text, recorder) = play(builder, script()).await;
    assert!(text.ends_with("sums are out"), "{text}");
    assert_eq!(matchers(&recorder, "PreToolUse")[0]["matcher"], "mcp__stock__add");
}

/// Checks that a session does not start, and that the reason holds all of `parts`.
#[track_caller]
fn check_refused(builder: &SessionBuilder, parts: &[&str]) {
    let error = builder.check().expect_err("it must be refused");
    assert_eq!(error.kind(), ErrorKind::Configuration);
    for part in parts {
        assert!(error.to_string().contains(part), "no {part:?} in {error}");
    }
}

#[test]
fn hooks_that_would_never_be_asked_are_refused() {
    let tools = byre::tools![fail];
    let builder = Session::builder().tools(tools).hooks(byre::hooks![only_add]);
    check_refused(&builder, &["`only_add`", "tests/it/hooks.rs:", "the tool `add`"]);
    let watch = || hook::on(async |_: PreToolUseInput| {});
    for matcher in ["mcp__byre", "[", "Bash(git *)", ""] {
        check_refused(
            &plain().hook(watch().matcher(matcher).name("watch")),
            &["hook `watch`", "tests/it/hooks.rs:", "would never be asked"],
        );
    }
}

/// A stand-in for a CLI that answers `initialize` with this.
async fn spawn_with(answer: Value, builder: SessionBuilder) -> byre::Result<Session> {
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

    let (host_stdout, mut stdout) = tokio::io::duplex(4096);
    let (host_stdin, stdin) = tokio::io::duplex(4096);
    let cli = tokio::spawn(async move {
        let mut lines = BufReader::new(stdin).lines();
        while let Ok(Some(line)) = lines.next_line().await {
            let line: Value = serde_json::from_str(&line).unwrap();
            let id = &line["request_id"];
            let response = json!({"subtype": "success", "request_id": id, "response": answer});
            let line = json!({"type": "control_response", "response": response});
            stdout.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        }
    });
    let transport = byre::Transport::new(host_stdout, host_stdin);
    let session = timeout(PATIENCE, builder.transport(transport).spawn()).await.unwrap();
    if session.is_err() {
        // Its stdin was closed: the CLI is told to end.
        timeout(PATIENCE, cli).await.unwrap().unwrap();
    }
    session
}

#[tokio::test]
async fn a_cli_that_lets_failures_through_is_refused() {
    let guarded = || plain().hooks(byre::hooks![guard_fails]);
    for answer in [
        json!({}),
        json!({"hook_on_failure_supported": false}),
        json!({"hook_on_failure_supported": true, "hooks_applied": false}),
    ] {
        let error = spawn_with(answer.clone(), guarded()).await.expect_err("it must be refused");
        assert_eq!(error.kind(), ErrorKind::Configuration);
        assert!(error.to_string().contains("`guard_fails`"), "{answer}: {error}");
    }
    let answer = json!({"hook_on_failure_supported": true, "hooks_applied": true});
    assert!(spawn_with(answer, guarded()).await.is_ok());
    let watching = plain().hooks(byre::hooks![watcher_fails]);
    assert!(spawn_with(json!({}), watching).await.is_ok());
}

#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>);

type Shared = State<Notes>;

/// Keeps a note.
#[byre::tool(register = false)]
async fn keep(State(notes): State<Notes>, text: String, _: ToolContext) -> usize {
    let mut notes = notes.0.lock().unwrap();
    notes.push(text);
    notes.len()
}

/// Counts the notes.
#[byre::tool(register = false)]
async fn count(shared: Shared) -> usize {
    shared.0.0.lock().unwrap().len()
}

#[byre::hook(register = false)]
async fn notes_calls(context: HookContext, input: PreToolUseInput, notes: Shared) {
    assert_eq!(context.tool_use_id(), Some(input.tool_use_id.as_str()));
    assert!(context.session().is_alive());
    notes.0.0.lock().unwrap().push(input.tool_name);
}

#[tokio::test]
async fn tools_and_hooks_share_the_state_of_the_program() {
    let notes = Notes::default();
    let builder = Session::builder()
        .tools(byre::tools![keep, count])
        .hooks(byre::hooks![notes_calls])
        .state(notes.clone());
    let script = Script::new()
        .call("keep", json!({"text": "oats"}))
        .call("count", json!({}))
        .say("{result}");
    let (text, recorder) = play(builder, script).await;
    assert_eq!(text, "3");
    let notes = notes.0.lock().unwrap();
    assert_eq!(*notes, ["mcp__byre__keep", "oats", "mcp__byre__count"]);
    let list = recorder.requests()[0].tool("keep").unwrap().input_schema.clone();
    assert_eq!(list["properties"], json!({"text": {"type": "string"}}));
    assert_eq!(list["required"], json!(["text"]));
}

#[tokio::test]
async fn nothing_that_the_program_gave_outlives_the_session() {
    let notes = Notes::default();
    let kept = Arc::new(());
    let builder = || {
        let kept = Arc::clone(&kept);
        Session::builder()
            .tools(byre::tools![keep])
            .hooks(byre::hooks![notes_calls])
            .state(notes.clone())
            .can_use_tool(move |_, _| {
                let _kept = Arc::clone(&kept);
                async { PermissionAnswer::allow() }
            })
    };
    let script = || Script::new().call("keep", json!({"text": "oats"})).say("{result}");

    let mut session = builder().transport(ScriptedCli::new(script())).spawn().await.unwrap();
    assert_eq!(session.prompt("go").await.unwrap().text(), "2");
    let handle = session.handle();
    timeout(PATIENCE, session.close()).await.expect("it closes").unwrap();
    assert_eq!((Arc::strong_count(&notes.0), Arc::strong_count(&kept)), (1, 1));
    assert!(!handle.is_alive());

    let session = builder().transport(ScriptedCli::new(script())).spawn().await.unwrap();
    assert!(Arc::strong_count(&notes.0) > 1 && Arc::strong_count(&kept) > 1);
    drop(session);
    let gone = async {
        while Arc::strong_count(&notes.0) > 1 || Arc::strong_count(&kept) > 1 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(PATIENCE, gone).await.expect("a dropped session lets go of everything, too");
}

#[tokio::test]
async fn a_state_that_nobody_gave_is_told_with_all_who_need_it() {
    let builder =
        Session::builder().tools(byre::tools![keep, count]).hooks(byre::hooks![notes_calls]);
    check_refused(
        &builder,
        &["Notes`", "the tool `keep` (tests/it/hooks.rs:", "`count`", "`notes_calls`", ".state("],
    );
    let tools = Tools::from(byre::tools![keep]).state(Notes::default());
    tools.check().unwrap();
    assert_eq!(tools.call("keep", json!({"text": "oats"})).await.text(), "1");
    assert!(Tools::from(byre::tools![keep]).check().is_err());
}

/// Tells what it knows.
#[byre::tool(register = false)]
async fn tell(context: ToolContext) -> String {
    context.progress(1.0, 2.0, "half");
    context.log(LogLevel::Warning, "oats are low");
    let session: SessionHandle = context.session();
    format!("{} {}", context.tool_use_id().unwrap_or("none"), session.is_alive())
}

#[tokio::test]
async fn a_tool_knows_its_call_and_its_session_and_reports_progress() {
    let builder = Session::builder().tools(byre::tools![tell]).hooks([]);
    let script = Script::new().call("tell", json!({})).say("{result}");
    let (text, recorder) = play(builder, script).await;
    assert!(text.starts_with("toolu_") && text.ends_with(" true"), "{text}");
    let sent = notifications(&recorder);
    assert_eq!(sent[0]["method"], "notifications/progress");
    assert_eq!(sent[0]["params"]["progress"], 1.0);
    assert_eq!(sent[0]["params"]["total"], 2.0);
    assert_eq!(sent[0]["params"]["message"], "half");
    assert!(sent[0]["params"]["progressToken"].is_number());
    assert_eq!(
        sent[1],
        json!({
            "jsonrpc": "2.0", "method": "notifications/message",
            "params": {"level": "warning", "logger": "byre", "data": "oats are low"},
        })
    );
    assert!(sent[1].get("id").is_none());

    let reply = Tools::from(byre::tools![tell]).call("tell", json!({})).await;
    assert_eq!(reply.text(), "none false");
}

/// Waits until it is cancelled, and then cleans up.
#[byre::tool(register = false)]
async fn cleans_up(context: ToolContext, State(notes): State<Notes>) -> &'static str {
    let cancellation = context.cancellation();
    notes.0.lock().unwrap().push("started".to_owned());
    cancellation.cancelled().await;
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert!(cancellation.is_cancelled());
    notes.0.lock().unwrap().push("clean".to_owned());
    "nobody reads this"
}

/// Never ends, and asks for no token.
#[byre::tool(register = false)]
async fn hangs(_: ToolContext, State(notes): State<Notes>) {
    struct Guard(Notes);
    impl Drop for Guard {
        fn drop(&mut self) {
            self.0.0.lock().unwrap().push("dropped".to_owned());
        }
    }
    let guard = Guard(notes.clone());
    notes.0.lock().unwrap().push("started".to_owned());
    std::future::pending::<()>().await;
    drop(guard);
}

/// Interrupts a turn while a tool runs, and waits until it has written its two notes.
async fn interrupt(tool: &str) -> Vec<String> {
    let notes = Notes::default();
    let cli = ScriptedCli::new(Script::new().call(tool, json!({})).say("after"));
    let builder = Session::builder().tools(byre::tools![cleans_up, hangs]).hooks([]);
    let mut session = builder.state(notes.clone()).transport(cli).spawn().await.unwrap();
    let handle = session.handle();
    let mut turn = session.prompt("go");
    while let Some(event) = turn.next().await {
        if let Event::Assistant(_) = event.unwrap() {
            until(&notes, 1).await;
            handle.interrupt().await.unwrap();
        }
    }
    until(&notes, 2).await;
    session.close().await.unwrap();
    let notes = notes.0.lock().unwrap();
    notes.clone()
}

async fn until(notes: &Notes, count: usize) {
    let wait = async {
        while notes.0.lock().unwrap().len() < count {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(PATIENCE, wait).await.expect("the note is written");
}

#[tokio::test]
async fn a_cancelled_tool_is_dropped_unless_it_took_the_token() {
    assert_eq!(interrupt("cleans_up").await, ["started", "clean"]);
    assert_eq!(interrupt("hangs").await, ["started", "dropped"]);
}

#[tokio::test]
async fn a_stop_hook_counts_its_blocks_as_before() {
    let hook = hook::on(async |_: StopInput| StopOutput::block("Once more.").at_most(1));
    let (text, _) = play(plain().hook(hook), Script::new().say("One.").say("Two.")).await;
    assert_eq!(text, "Two.");
}
