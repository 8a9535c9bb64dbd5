//! Hooks, as the real CLI asks them, and what it makes of their answers.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use byre::{
    PermissionMode, SessionBuilder, State, ToolContext,
    hook::{
        self, PostToolUseInput, PostToolUseOutput, PreToolUseInput, PreToolUseOutput,
        UserPromptSubmitInput, UserPromptSubmitOutput,
    },
    permission::PermissionAnswer,
    testing::{MessagesApi, ModelRequest, RealCli, Script},
    tool::LogLevel,
};
use serde_json::json;
use tokio::{
    sync::{Barrier, Notify},
    time::timeout,
};

use crate::harness::{cli_path, session};

const PATIENCE: Duration = Duration::from_secs(90);

/// How often `add` has run in a session.
type Runs = Arc<AtomicUsize>;

/// Adds two integers.
#[byre::tool(register = false)]
async fn add(State(runs): State<Runs>, a: i64, b: i64, context: ToolContext) -> i64 {
    runs.fetch_add(1, Ordering::SeqCst);
    assert!(context.tool_use_id().is_some_and(|id| id.starts_with("toolu_")));
    context.progress(1.0, 1.0, "added");
    context.log(LogLevel::Info, "added");
    a + b
}

/// What came of one turn.
struct Played {
    text: String,
    runs: usize,
    requests: Vec<ModelRequest>,
}

/// Plays `script` to the real CLI, whose hooks `with` adds.
async fn play(script: Script, with: impl FnOnce(SessionBuilder) -> SessionBuilder) -> Played {
    let api = MessagesApi::start(script).await.unwrap();
    let cli = RealCli::new(cli_path(), &api).unwrap();
    let runs = Runs::default();
    let builder = session(&cli).tools(byre::tools![add]).state(Arc::clone(&runs));
    let outcome = timeout(PATIENCE, async {
        let mut session = with(builder).spawn().await.unwrap();
        let outcome = session.prompt("please add 2 and 3").await.unwrap();
        session.close().await.unwrap();
        outcome
    });
    let text = outcome.await.expect("the turn ends").text().to_owned();
    Played { text, runs: runs.load(Ordering::SeqCst), requests: api.requests() }
}

fn script() -> Script {
    Script::new().call("add", json!({"a": 2, "b": 3})).say("{result}")
}

#[tokio::test]
async fn a_denied_tool_does_not_run_and_the_model_reads_why() {
    let deny = hook::on(async |_: PreToolUseInput| PreToolUseOutput::deny("sums are out"));
    let played = play(script(), |builder| builder.hook(deny.tool("add"))).await;
    assert_eq!(played.text, "PreToolUse:mcp__byre__add hook error: sums are out");
    assert_eq!(played.runs, 0);
}

#[tokio::test]
async fn updated_input_reaches_the_tool() {
    let change = hook::on(async |input: PreToolUseInput| {
        let mut arguments = input.tool_input;
        arguments["b"] = 40.into();
        PreToolUseOutput::new().updated_input(arguments)
    });
    let played = play(script(), |builder| builder.hook(change.matcher("mcp__byre__.*"))).await;
    assert_eq!((played.text.as_str(), played.runs), ("42", 1));
}

#[tokio::test]
async fn a_question_that_nobody_can_answer_is_a_no_even_in_bypass_mode() {
    let ask = hook::on(async |_: PreToolUseInput| PreToolUseOutput::ask("are you sure?"));
    let played = play(script(), |builder| {
        builder.permission_mode(PermissionMode::BypassPermissions).hook(ask)
    });
    let played = played.await;
    assert_eq!(played.runs, 0);
    assert!(played.text.contains("are you sure?"), "{}", played.text);
}

#[tokio::test]
async fn what_a_hook_wants_asked_reaches_the_permission_function() {
    for allows in [true, false] {
        let ask = hook::on(async |_: PreToolUseInput| PreToolUseOutput::ask("are you sure?"));
        // byre's own tools run without a question unless somebody wants one.
        let played = play(script(), |builder| {
            builder.hook(ask).can_use_tool(move |request, _| {
                assert_eq!(request.tool_name, "mcp__byre__add");
                let answer = if allows {
                    PermissionAnswer::allow()
                } else {
                    PermissionAnswer::deny("not today")
                };
                async { answer }
            })
        });
        let played = played.await;
        assert_eq!(played.runs, usize::from(allows));
        assert!(played.text.contains(if allows { "5" } else { "not today" }), "{}", played.text);
    }
}

#[tokio::test]
async fn a_replaced_result_is_what_the_model_reads() {
    let replace = hook::on(async |input: PostToolUseInput| {
        assert_eq!(input.tool_response[0]["text"], "5");
        PostToolUseOutput::new().updated_output("[hidden]").additional_context("It was a sum.")
    });
    let played = play(script(), |builder| builder.hook(replace)).await;
    assert_eq!((played.text.as_str(), played.runs), ("[hidden]", 1));
    let last = played.requests.last().unwrap().body.to_string();
    assert!(last.contains("It was a sum."), "{last}");
}

#[tokio::test]
async fn a_blocked_prompt_never_reaches_the_model() {
    let block = hook::on(async |input: UserPromptSubmitInput| {
        UserPromptSubmitOutput::block(format!("no sums: {}", input.prompt))
    });
    let played = play(script(), |builder| builder.hook(block)).await;
    assert!(played.text.contains("no sums: please add 2 and 3"), "{}", played.text);
    assert!(played.requests.is_empty());
}

#[tokio::test]
async fn a_hook_that_is_late_is_cancelled_and_the_tool_does_not_run() {
    struct Guard(Runs);
    impl Drop for Guard {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let dropped = Runs::default();
    let counts = Arc::clone(&dropped);
    let late = hook::on(move |_: PreToolUseInput| {
        let guard = Guard(Arc::clone(&counts));
        async move {
            let _guard = guard;
            std::future::pending::<()>().await;
        }
    });
    let late = late.timeout(Duration::from_millis(500));
    let played = play(script(), |builder| builder.hook(late)).await;
    assert_eq!(played.runs, 0, "{}", played.text);
    assert_eq!(dropped.load(Ordering::SeqCst), 1);
}

#[byre::hook(register = false)]
async fn panics(_: PreToolUseInput) -> PreToolUseOutput {
    panic!("out of hay")
}

#[byre::hook(register = false, on_failure = "continue")]
async fn panics_without_harm(_: PreToolUseInput) -> PreToolUseOutput {
    panic!("out of hay")
}

#[tokio::test]
async fn a_guard_that_panics_blocks_unless_it_says_otherwise() {
    let played = play(script(), |builder| builder.hooks(byre::hooks![panics])).await;
    assert_eq!(played.runs, 0, "{}", played.text);
    let harmless = byre::hooks![panics_without_harm];
    let played = play(script(), |builder| builder.hooks(harmless)).await;
    assert_eq!((played.text.as_str(), played.runs), ("5", 1));
}

#[tokio::test]
async fn two_hooks_of_one_event_are_asked_at_the_same_time() {
    // Each waits for the other, so one after the other they would wait for ever.
    let both = Arc::new(Barrier::new(2));
    let waits = |both: &Arc<Barrier>| {
        let both = Arc::clone(both);
        hook::on(move |_: PreToolUseInput| {
            let both = Arc::clone(&both);
            async move {
                both.wait().await;
                PreToolUseOutput::allow()
            }
        })
    };
    let played = play(script(), |builder| builder.hook(waits(&both)).hook(waits(&both))).await;
    assert_eq!((played.text.as_str(), played.runs), ("5", 1));
}

/// How a session is left while the CLI waits for a decision about a command.
#[derive(Clone, Copy, Debug)]
enum Leaves {
    Interrupts,
    Closes,
    Drops,
}

/// Starts a command that needs a decision which never comes, and leaves. Says whether the command ran.
async fn leave(
    how: Leaves,
    with: impl FnOnce(SessionBuilder, Arc<Notify>) -> SessionBuilder,
) -> bool {
    let script = Script::new().call("Bash", json!({"command": "touch made"})).say("Back.");
    let api = MessagesApi::start(script).await.unwrap();
    let cli = RealCli::new(cli_path(), &api).unwrap();
    let asked = Arc::new(Notify::new());
    let mut session =
        with(session(&cli).tools([]), Arc::clone(&asked)).spawn().await.expect("it starts");
    let (handle, pid) = (session.handle(), session.handle().pid().unwrap());
    session.handle().send("Make a file.").unwrap();
    timeout(PATIENCE, asked.notified()).await.expect("somebody is asked");
    match how {
        Leaves::Interrupts => {
            handle.interrupt().await.unwrap();
            let turn = session.next_turn().await.unwrap().unwrap();
            assert!(timeout(PATIENCE, turn).await.unwrap().unwrap().is_error());
            let next = timeout(PATIENCE, session.prompt("And now?")).await.unwrap().unwrap();
            assert_eq!(next.text(), "Back.");
            session.close().await.unwrap();
        }
        Leaves::Closes => session.close().await.unwrap(),
        Leaves::Drops => drop(session),
    }
    let gone = async {
        while Path::new(&format!("/proc/{pid}")).exists() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, gone).await.expect("the CLI ends");
    cli.work_dir().join("made").exists()
}

#[tokio::test]
async fn a_decision_that_never_comes_is_a_no_however_the_session_is_left() {
    for how in [Leaves::Interrupts, Leaves::Closes, Leaves::Drops] {
        let guarded = leave(how, |builder, asked| {
            let guard = hook::on(move |_: PreToolUseInput| {
                asked.notify_one();
                std::future::pending::<()>()
            });
            builder.bypass_permissions().hook(guard)
        });
        assert!(!guarded.await, "a hook, {how:?}");
        let permitted = leave(how, |builder, asked| {
            builder.can_use_tool(move |_, _| {
                asked.notify_one();
                std::future::pending::<PermissionAnswer>()
            })
        });
        assert!(!permitted.await, "a permission, {how:?}");
    }
}
