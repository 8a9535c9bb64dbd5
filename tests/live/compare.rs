//! The stand-in does what the real CLI does: the same script through both, line by line.

use std::time::Duration;

use byre::testing::{MessagesApi, Reply, Script, ScriptedCli};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};

use crate::harness::{Host, start, summary};

/// What the host does, besides answering.
struct Scenario {
    script: Script,
    partial_messages: bool,
    /// Which tools may run; everything, if `None`.
    allowed_tools: Option<&'static str>,
    permission_prompts: bool,
    hooks: Value,
    hook_answers: Vec<Value>,
    steps: Vec<Step>,
}

#[derive(Clone, Copy)]
enum Step {
    /// Sends a prompt and waits for its result.
    Prompt,
    /// Sends a prompt, waits for a line with this summary, interrupts, waits for the result.
    Interrupt(&'static str),
    /// Sends a second prompt once a line with this summary came, then lets silent calls be answered.
    PromptDuring(&'static str),
    /// Waits for one more result.
    Result,
    /// Sends a control request and waits for its answer.
    Control(&'static str, &'static str),
}

impl Default for Scenario {
    fn default() -> Self {
        Self {
            script: Script::new(),
            partial_messages: false,
            allowed_tools: None,
            permission_prompts: false,
            hooks: Value::Null,
            hook_answers: Vec::new(),
            steps: vec![Step::Prompt],
        }
    }
}

/// Plays a scenario through both, and compares what came.
async fn check(scenario: Scenario) {
    let mut flags = match scenario.allowed_tools {
        None => vec!["--permission-mode=bypassPermissions", "--allow-dangerously-skip-permissions"],
        Some(tools) => vec!["--permission-mode=default", "--allowedTools", tools],
    };
    if scenario.partial_messages {
        flags.push("--include-partial-messages");
    }
    if scenario.permission_prompts {
        flags.extend(["--permission-prompt-tool", "stdio"]);
    }
    let api = MessagesApi::start(scenario.script.clone()).await.unwrap();
    let (_process, mut host) = start(&api, &flags);
    play(&mut host, &scenario, || api.requests().len()).await;

    let mut cli = ScriptedCli::new(scenario.script.clone())
        .include_partial_messages(scenario.partial_messages);
    if let Some(tools) = scenario.allowed_tools {
        cli = cli.allowed_tools([tools]);
    }
    cli = cli.permission_prompts(scenario.permission_prompts);
    let recorder = cli.recorder();
    let (host_stdin, stdin) = tokio::io::duplex(1 << 20);
    let (stdout, host_stdout) = tokio::io::duplex(1 << 20);
    let stand_in = tokio::spawn(cli.run(stdin, stdout));
    let mut other_host = Host::new(host_stdout, host_stdin);
    play(&mut other_host, &scenario, || recorder.requests().len()).await;
    let outcome = stand_in.await.unwrap();
    assert_eq!(outcome.error, None);

    for part in [Part::Messages, Part::Rest] {
        let (real, stand_in) = (part.of(&host.received), part.of(&other_host.received));
        assert_eq!(stand_in, real, "left is the stand-in, right the real CLI");
    }
    let results = |lines: &[Value]| -> Vec<Value> {
        let keys = ["result", "is_error", "num_turns", "stop_reason", "api_error_status"];
        let results = lines.iter().filter(|line| line["type"] == "result");
        results.map(|line| keys.map(|key| line[key].clone()).into_iter().collect()).collect()
    };
    assert_eq!(results(&other_host.received), results(&host.received));
    let seen = |requests: &[byre::testing::ModelRequest]| -> Vec<Value> {
        let results = requests.iter().flat_map(|request| &request.tool_results);
        results.map(|result| json!([result.name, result.content, result.is_error])).collect()
    };
    assert_eq!(seen(&recorder.requests()), seen(&api.requests()));
}

/// Lines whose order among each other is fixed. With partial messages, results of tools may come
/// before or after the last events of the message that called them.
enum Part {
    Messages,
    Rest,
}

impl Part {
    fn of(&self, lines: &[Value]) -> Vec<String> {
        let is_partial = lines.iter().any(|line| line["type"] == "stream_event");
        lines
            .iter()
            .filter(|line| {
                let is_message = line["type"] == "stream_event" || line["type"] == "assistant";
                match self {
                    Self::Messages => is_message,
                    Self::Rest => !is_partial || !is_message,
                }
            })
            .map(summary)
            .collect()
    }
}

/// Plays the host's part. `asked` says how often the model was asked so far.
async fn play<R: AsyncRead + Unpin, W: AsyncWrite + Unpin>(
    host: &mut Host<R, W>,
    scenario: &Scenario,
    asked: impl Fn() -> usize,
) {
    host.hook_answers.clone_from(&scenario.hook_answers);
    host.control("init", json!({"subtype": "initialize", "hooks": scenario.hooks})).await;
    host.until(|line| line["response"]["request_id"] == "init").await;
    host.until(|line| line["request"]["message"]["method"] == "tools/list").await;
    for (number, step) in scenario.steps.iter().enumerate() {
        let uuid = |n: usize| format!("00000000-0000-4000-8000-{:012}", number * 10 + n);
        match *step {
            Step::Prompt => {
                host.prompt_with_uuid("go", &uuid(0)).await;
                host.until_result().await;
            }
            Step::Interrupt(at) => {
                let before = asked();
                host.prompt_with_uuid("go", &uuid(0)).await;
                host.until(|line| summary(line) == at).await;
                // An interrupt that is faster than the request would leave its reply to the next one.
                while asked() == before {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
                // The API may still be sending.
                tokio::time::sleep(Duration::from_millis(300)).await;
                host.control("stop", json!({"subtype": "interrupt"})).await;
                host.until_result().await;
            }
            Step::PromptDuring(at) => {
                host.prompt_with_uuid("go", &uuid(0)).await;
                host.until(|line| summary(line) == at).await;
                host.prompt_with_uuid("and more", &uuid(1)).await;
                host.until(|line| summary(line) == "command_lifecycle queued").await;
                host.answer_silent_calls().await;
                host.until_result().await;
            }
            Step::Result => {
                host.until_result().await;
            }
            Step::Control(subtype, argument) => {
                let request = json!({"subtype": subtype, "model": argument, "mode": argument});
                host.control(subtype, request).await;
                host.until(|line| line["response"]["request_id"] == subtype).await;
            }
        }
    }
    host.close().await;
}

#[tokio::test]
async fn one_call() {
    let script = Script::new()
        .reply(Reply::say("I will add.").and_call("add", json!({"a": 2, "b": 3})))
        .say("2 + 3 is {result}.");
    check(Scenario { script, ..Scenario::default() }).await;
}

#[tokio::test]
async fn several_turns() {
    let script = Script::new().say("One.").say("Two.").call("look", json!({"a": 1})).say("Three.");
    check(Scenario { script, steps: vec![Step::Prompt; 3], ..Scenario::default() }).await;
}

#[tokio::test]
async fn two_text_blocks() {
    let script = Script::new().reply(Reply::say("One.").and_say("Two."));
    check(Scenario { script, ..Scenario::default() }).await;
}

#[tokio::test]
async fn calls_that_must_not_overlap() {
    // Time between the blocks, so that each call is over before the next one is known.
    let pause = Duration::from_millis(500);
    let reply = Reply::call("add", json!({"a": 1, "b": 1}))
        .and_wait(pause)
        .and_call("fail", json!({"a": 2}))
        .and_wait(pause)
        .and_call("nosuch", json!({}))
        .and_wait(pause);
    let script = Script::new().reply(reply).say("{result:0}, {result:1}, {result:2}");
    check(Scenario { script, ..Scenario::default() }).await;
}

#[tokio::test]
async fn results_of_every_kind() {
    let kinds = ["empty", "structured", "two_texts", "link", "refused", "error"];
    let mut script = Script::new();
    for kind in kinds {
        script = script.call("kind", json!({"kind": kind}));
    }
    check(Scenario { script: script.say("Done."), ..Scenario::default() }).await;
}

#[tokio::test]
async fn partial_messages() {
    let script = Script::new()
        .reply(Reply::say_in(["I will", " add."]).and_call("add", json!({"a": 2, "b": 3})))
        .reply(Reply::say_in(["It ", "is ", "{result}."]));
    check(Scenario { script, partial_messages: true, ..Scenario::default() }).await;
}

#[tokio::test]
async fn a_stop_hook_that_blocks_once() {
    check(Scenario {
        script: Script::new().say("Done.").say("Now done."),
        hooks: json!({"Stop": [{"matcher": null, "hookCallbackIds": ["stop"]}]}),
        hook_answers: vec![json!({"decision": "block", "reason": "run the checks"})],
        ..Scenario::default()
    })
    .await;
}

#[tokio::test]
async fn a_stop_hook_that_blocks_for_ever() {
    let script = (0..12).fold(Script::new(), |script, _| script.say("Done."));
    check(Scenario {
        script,
        hooks: json!({"Stop": [{"matcher": null, "hookCallbackIds": ["stop"]}]}),
        hook_answers: vec![json!({"decision": "block", "reason": "no"}); 12],
        ..Scenario::default()
    })
    .await;
}

#[tokio::test]
async fn hooks_around_a_tool() {
    let hook = |id: &str| json!([{"matcher": "mcp__byre__.*", "hookCallbackIds": [id]}]);
    let decide = |decision: Value| json!({"hookSpecificOutput": decision});
    check(Scenario {
        script: Script::new()
            .call("add", json!({"a": 1, "b": 1}))
            .call("add", json!({"a": 1, "b": 1}))
            .call("fail", json!({}))
            .say("{result}"),
        hooks: json!({
            "PreToolUse": hook("pre"), "PostToolUse": hook("post"), "PostToolUseFailure": hook("bad"),
        }),
        hook_answers: vec![
            decide(json!({"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "no"})),
            decide(json!({"hookEventName": "PreToolUse", "updatedInput": {"a": 10, "b": 10}})),
            decide(json!({"hookEventName": "PostToolUse", "updatedMCPToolOutput": [{"type": "text", "text": "twenty"}]})),
        ],
        ..Scenario::default()
    })
    .await;
}

#[tokio::test]
async fn a_prompt_that_a_hook_refuses() {
    check(Scenario {
        script: Script::new().say("Never said."),
        hooks: json!({"UserPromptSubmit": [{"matcher": null, "hookCallbackIds": ["prompt"]}]}),
        hook_answers: vec![json!({"decision": "block", "reason": "not today"})],
        ..Scenario::default()
    })
    .await;
}

#[tokio::test]
async fn tools_that_are_not_allowed() {
    check(Scenario {
        script: Script::new()
            .call("add", json!({"a": 1}))
            .call("look", json!({"a": 1}))
            .say("{result}"),
        allowed_tools: Some("mcp__byre__look"),
        ..Scenario::default()
    })
    .await;
}

#[tokio::test]
async fn permissions_that_the_host_is_asked_for() {
    check(Scenario {
        script: Script::new()
            .call("add", json!({"a": 1}))
            .call("add", json!({"a": 0}))
            .say("{result}"),
        allowed_tools: Some("mcp__byre__look"),
        permission_prompts: true,
        ..Scenario::default()
    })
    .await;
}

#[tokio::test]
async fn a_denial_that_ends_the_turn() {
    check(Scenario {
        script: Script::new().call("add", json!({"a": -1})).say("Back."),
        allowed_tools: Some("mcp__byre__look"),
        permission_prompts: true,
        steps: vec![Step::Prompt; 2],
        ..Scenario::default()
    })
    .await;
}

#[tokio::test]
async fn a_question_to_the_user() {
    let option = |label: &str| json!({"label": label, "description": "It is fine."});
    let question = json!({
        "question": "Which?",
        "header": "Choice",
        "options": [option("this one"), option("that one")],
        "multiSelect": false,
    });
    check(Scenario {
        script: Script::new()
            .call("AskUserQuestion", json!({"questions": [question]}))
            .say("{result}"),
        allowed_tools: Some("mcp__byre__look"),
        permission_prompts: true,
        ..Scenario::default()
    })
    .await;
}

#[tokio::test]
async fn errors_of_the_api() {
    check(Scenario {
        script: Script::new()
            .error(401, "invalid x-api-key")
            .error(403, "nope")
            .error(429, "slow")
            .say("Back."),
        steps: vec![Step::Prompt; 4],
        ..Scenario::default()
    })
    .await;
}

#[tokio::test]
async fn interrupts_while_the_model_writes_and_while_a_tool_runs() {
    let calls = Reply::call("look", json!({"a": 1}))
        .and_call("slow", json!({}))
        .and_call("add", json!({"a": 1}));
    for partial_messages in [false, true] {
        check(Scenario {
            script: Script::new()
                .reply(Reply::say("I am about").and_more(" to").and_hold())
                .reply(Reply::hold())
                .reply(calls.clone())
                .say("Back."),
            partial_messages,
            steps: vec![
                Step::Interrupt("system init"),
                Step::Interrupt("system init"),
                Step::Interrupt("control_request tools/call slow"),
                Step::Prompt,
            ],
            ..Scenario::default()
        })
        .await;
    }
}

#[tokio::test]
async fn a_message_that_comes_while_a_tool_runs() {
    check(Scenario {
        script: Script::new().call("slow", json!({})).say("Both."),
        steps: vec![Step::PromptDuring("control_request tools/call slow")],
        ..Scenario::default()
    })
    .await;
}

#[tokio::test]
async fn a_message_that_comes_while_the_model_writes() {
    check(Scenario {
        script: Script::new()
            .reply(Reply::wait(Duration::from_millis(500)).and_say("One."))
            .say("Two."),
        steps: vec![Step::PromptDuring("system init"), Step::Result],
        ..Scenario::default()
    })
    .await;
}

#[tokio::test]
async fn other_control_requests() {
    check(Scenario {
        script: Script::new().say("Hello."),
        steps: vec![
            Step::Control("interrupt", ""),
            Step::Control("set_model", "sonnet"),
            Step::Control("set_permission_mode", "plan"),
            Step::Control("set_permission_mode", "nosuch"),
            Step::Control("mcp_status", ""),
            Step::Control("nosuch", ""),
            Step::Prompt,
        ],
        ..Scenario::default()
    })
    .await;
}

#[tokio::test]
async fn a_new_model_between_turns() {
    check(Scenario {
        script: Script::new().say("Hello.").say("Hello again."),
        steps: vec![
            Step::Prompt,
            Step::Control("set_model", "opus"),
            Step::Control("set_model", "sonnet"),
            Step::Prompt,
        ],
        ..Scenario::default()
    })
    .await;
}
