//! Who decides whether a tool may run, over the stand-in for the CLI.

use std::{
    collections::HashMap,
    fs,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use byre::{
    ErrorKind, Event, PermissionMode, Session, SessionBuilder, Transport,
    event::{SystemEvent, ToolResult},
    permission::{
        Answers, Destination, DialogAnswer, ElicitationAnswer, PendingPermission, PermissionAnswer,
        PermissionContext, PermissionRequest, PermissionRule, PermissionUpdate, Permissions,
        RuleBehavior,
    },
    testing::{Cue, Recorder, Replay, Reply, Script, ScriptedCli},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf},
    time::timeout,
};

/// Far more than anything here takes.
const PATIENCE: Duration = Duration::from_secs(20);

/// Adds two integers.
#[byre::tool(register = false)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

fn plain() -> SessionBuilder {
    Session::builder()
        .tools(byre::tools![add])
        .hooks([])
        .without_permission_handler()
        .ask_for_own_tools()
}

fn calls(count: usize) -> Script {
    let script = |script: Script, n| script.call("add", json!({"a": n, "b": 1}));
    (1..=count).fold(Script::new(), script).say("Done.")
}

/// Plays one turn of a session; gives what the model has read of each call, and how the turn ended.
async fn turn(session: &mut Session) -> (Vec<String>, Value) {
    let mut turn = session.prompt("go");
    let mut results = Vec::new();
    while let Some(event) = timeout(PATIENCE, turn.next()).await.expect("the turn hangs") {
        if let Event::User(user) = event.unwrap() {
            results.extend(user.tool_results().map(ToolResult::text));
        }
    }
    (results, turn.outcome().await.unwrap().raw().to_value())
}

/// The answers to requests for permission that the stand-in got.
fn answers(recorder: &Recorder) -> Vec<Value> {
    let lines = recorder.received().into_iter();
    let payloads = lines.map(|line| line["response"]["response"].clone());
    payloads.filter(|payload| payload["behavior"].is_string()).collect()
}

/// Plays `script` with a handler; gives what the model has read of each call, and what the CLI was
/// answered, without ids.
async fn check(
    script: Script,
    decide: impl Fn(PermissionRequest) -> PermissionAnswer + Send + Sync + 'static,
) -> (Vec<String>, Vec<Value>, Value) {
    let cli = ScriptedCli::new(script);
    let recorder = cli.recorder();
    let builder = plain().can_use_tool(move |request, _| {
        let answer = decide(request);
        async move { answer }
    });
    let mut session = builder.transport(cli).spawn().await.unwrap();
    let (results, outcome) = turn(&mut session).await;
    session.close().await.unwrap();
    let mut answers = answers(&recorder);
    for answer in &mut answers {
        let id = answer.as_object_mut().unwrap().remove("toolUseID").expect("every answer has it");
        assert!(id.as_str().unwrap().starts_with("toolu_"), "{id}");
    }
    (results, answers, outcome)
}

#[tokio::test]
async fn allowing_a_call_sends_its_input_back() {
    let (results, answers, _) = check(calls(1), |_| PermissionAnswer::allow()).await;
    assert_eq!(results, ["2"]);
    assert_eq!(answers, [json!({"behavior": "allow", "updatedInput": {"a": 1, "b": 1}})]);
}

#[tokio::test]
async fn a_call_runs_with_the_input_that_the_handler_gives() {
    let decide = |_| PermissionAnswer::allow_with(json!({"a": 20, "b": 20}));
    let (results, answers, _) = check(calls(1), decide).await;
    assert_eq!(results, ["40"]);
    assert_eq!(answers, [json!({"behavior": "allow", "updatedInput": {"a": 20, "b": 20}})]);
}

#[tokio::test]
async fn input_that_is_no_object_denies() {
    let (results, answers, _) = check(calls(1), |_| PermissionAnswer::allow_with(7)).await;
    assert!(results[0].contains("no JSON object"), "{results:?}");
    assert_eq!(answers[0]["behavior"], "deny");
}

#[tokio::test]
async fn a_denied_call_tells_the_model_why() {
    let (results, answers, outcome) =
        check(calls(1), |request| PermissionAnswer::deny(format!("not {}", request.input))).await;
    assert_eq!(results, ["not {\"a\":1,\"b\":1}"]);
    assert_eq!(
        answers,
        [json!({"behavior": "deny", "message": "not {\"a\":1,\"b\":1}", "interrupt": false})]
    );
    assert_eq!(outcome["result"], "Done.");
    assert_eq!(outcome["permission_denials"][0]["tool_name"], "mcp__byre__add");
}

#[tokio::test]
async fn an_outcome_tells_which_calls_were_not_allowed() {
    let builder = plain().can_use_tool(async |_, _| PermissionAnswer::deny("no"));
    let builder = builder.transport(ScriptedCli::new(calls(2)));
    let outcome = builder.spawn().await.unwrap().prompt("go").await.unwrap();
    let denials = outcome.permission_denials();
    let inputs: Vec<_> = denials.iter().map(|denial| denial.tool_input["a"].as_i64()).collect();
    assert_eq!(inputs, [Some(1), Some(2)]);
    assert_eq!(denials[0].tool_name, "mcp__byre__add");
    assert!(denials[0].tool_use_id.starts_with("toolu_"));
}

#[tokio::test]
async fn deny_and_stop_ends_the_turn() {
    let (_, answers, outcome) =
        check(calls(2), |_| PermissionAnswer::deny_and_stop("The user has left.")).await;
    assert_eq!(answers.len(), 1, "the second call is never made");
    assert_eq!(answers[0]["interrupt"], true);
    assert_eq!(outcome["terminal_reason"], "aborted_tools");
    assert_eq!(outcome["is_error"], true);
}

#[tokio::test]
async fn what_is_remembered_is_not_asked_again() {
    let (results, answers, _) = check(calls(3), |_| {
        let rule = PermissionRule::new("mcp__byre__add");
        let update = PermissionUpdate::add_rules(RuleBehavior::Allow, [rule]);
        PermissionAnswer::allow().remember(update)
    })
    .await;
    assert_eq!(results, ["2", "3", "4"]);
    assert_eq!(answers.len(), 1);
    assert_eq!(
        answers[0]["updatedPermissions"],
        json!([{
            "type": "addRules", "rules": [{"toolName": "mcp__byre__add"}],
            "behavior": "allow", "destination": "session",
        }])
    );
}

#[tokio::test]
async fn suggestions_go_back_as_they_came_or_for_the_session() {
    for (to, want) in [(None, "localSettings"), (Some(Destination::Session), "session")] {
        let (_, answers, _) = check(calls(2), move |request| {
            let updates = request.permission_suggestions.into_iter();
            let updates = updates.map(|update| match to {
                Some(to) => update.to(to),
                None => update,
            });
            PermissionAnswer::allow().with_updates(updates)
        })
        .await;
        assert_eq!(answers.len(), 1);
        assert_eq!(
            answers[0]["updatedPermissions"],
            json!([{
                "type": "addRules", "rules": [{"toolName": "mcp__byre__add"}],
                "behavior": "allow", "destination": want,
            }])
        );
    }
}

#[tokio::test]
async fn a_handler_that_panics_or_fails_denies() {
    async fn fails(_: PermissionRequest, _: PermissionContext) -> Result<PermissionAnswer, String> {
        tokio::task::yield_now().await;
        Err("no disk".to_owned())
    }

    let (results, answers, _) = check(calls(1), |_| panic!("out of hay")).await;
    assert!(results[0].contains("it panicked: out of hay"), "{results:?}");
    assert_eq!(answers[0]["behavior"], "deny");

    let builder = plain().can_use_tool(fails).transport(ScriptedCli::new(calls(1)));
    let mut session = builder.spawn().await.unwrap();
    let (results, outcome) = turn(&mut session).await;
    assert!(results[0].contains("failed: no disk. The same call will fail again"), "{results:?}");
    assert_eq!(outcome["is_error"], false);
}

#[tokio::test]
async fn a_handler_may_use_the_session() {
    let handle = Arc::new(Mutex::new(None::<byre::SessionHandle>));
    let shared = Arc::clone(&handle);
    let builder = plain().can_use_tool(move |_, _| {
        let handle = shared.lock().unwrap().clone().unwrap();
        async move { handle.set_model("sonnet").await.map(|_| PermissionAnswer::allow()) }
    });
    let builder = builder.transport(ScriptedCli::new(calls(1)));
    let mut session = builder.spawn().await.unwrap();
    *handle.lock().unwrap() = Some(session.handle());
    assert_eq!(turn(&mut session).await.0, ["2"]);
}

#[tokio::test]
async fn own_tools_run_without_a_question_unless_asked_for() {
    let builder = Session::builder()
        .tools(byre::tools![add])
        .hooks([])
        .can_use_tool(async |_, _| PermissionAnswer::deny("no"));
    let mut session = builder.transport(ScriptedCli::new(calls(1))).spawn().await.unwrap();
    assert_eq!(turn(&mut session).await.0, ["2"]);
}

#[tokio::test]
async fn without_a_handler_the_cli_denies_by_itself() {
    let cli = ScriptedCli::new(calls(1));
    let recorder = cli.recorder();
    let mut session = plain().transport(cli).spawn().await.unwrap();
    let (results, _) = turn(&mut session).await;
    assert!(results[0].contains("you haven't granted it yet"), "{results:?}");
    assert!(answers(&recorder).is_empty());
}

// Requests as data.

/// A session whose requests come as a stream.
async fn streaming(script: Script) -> (Session, Permissions, Recorder) {
    let cli = ScriptedCli::new(script);
    let recorder = cli.recorder();
    let builder = plain().permissions_as_stream().transport(cli);
    let mut session = builder.spawn().await.unwrap();
    let permissions = session.permissions().unwrap();
    assert!(session.permissions().is_none(), "the stream is taken once");
    session.handle().send("go").unwrap();
    (session, permissions, recorder)
}

async fn next(permissions: &mut Permissions) -> PendingPermission {
    let next = timeout(PATIENCE, permissions.next()).await.expect("no request comes");
    next.expect("the session is over")
}

/// The next `result`.
async fn result(session: &mut Session) -> Value {
    loop {
        let event = timeout(PATIENCE, session.next_event()).await.expect("no result comes");
        if let Event::Result(result) = event.unwrap().unwrap() {
            return result.raw.to_value();
        }
    }
}

#[tokio::test]
async fn a_pending_request_is_kept_in_a_map_and_answered_from_another_task() {
    let (mut session, mut permissions, recorder) = streaming(calls(1)).await;
    let pending = next(&mut permissions).await;
    let id = pending.id().to_owned();
    let shown = serde_json::to_value(&pending).unwrap();
    assert_eq!(shown["id"], id.as_str());
    assert_eq!(shown["request"], pending.request().raw().to_value());
    assert_eq!(shown["request"]["tool_name"], "mcp__byre__add");
    let waiting = Arc::new(Mutex::new(HashMap::from([(id.clone(), pending)])));
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let pending = waiting.lock().unwrap().remove(&id).unwrap();
        pending.allow().unwrap();
    });
    assert_eq!(result(&mut session).await["result"], "Done.");
    assert_eq!(answers(&recorder)[0]["behavior"], "allow");
}

#[tokio::test]
async fn requests_of_one_message_wait_side_by_side() {
    /// Looks.
    #[byre::tool(register = false, read_only)]
    async fn look(at: i64) -> i64 {
        at
    }
    let script = Script::new()
        .call_all([("look", json!({"at": 1})), ("look", json!({"at": 2}))])
        .say("{result:0} {result:1}");
    let builder = plain().tools(byre::tools![look]).permissions_as_stream();
    let mut session = builder.transport(ScriptedCli::new(script)).spawn().await.unwrap();
    let mut permissions = session.permissions().unwrap();
    session.handle().send("go").unwrap();
    let (one, two) = (next(&mut permissions).await, next(&mut permissions).await);
    assert_ne!(one.id(), two.id());
    two.allow().unwrap();
    one.deny("not one").unwrap();
    let text = result(&mut session).await["result"].as_str().unwrap().to_owned();
    assert!(text.contains("not one") && text.contains('2'), "{text}");
}

#[tokio::test]
async fn a_dropped_request_is_denied_and_the_model_reads_why() {
    let (mut session, mut permissions, recorder) = streaming(calls(1)).await;
    drop(next(&mut permissions).await);
    assert_eq!(result(&mut session).await["result"], "Done.");
    let message = answers(&recorder)[0]["message"].as_str().unwrap().to_owned();
    assert!(message.starts_with("Nobody has answered whether this call may run"), "{message}");
}

#[tokio::test]
async fn a_stream_that_nobody_reads_any_more_denies() {
    let (mut session, permissions, recorder) = streaming(calls(1)).await;
    drop(permissions);
    assert_eq!(result(&mut session).await["result"], "Done.");
    assert_eq!(answers(&recorder)[0]["behavior"], "deny");
}

#[tokio::test]
async fn an_interrupt_withdraws_a_pending_request() {
    let (mut session, mut permissions, recorder) =
        streaming(Script::new().call("add", json!({"a": 1, "b": 1})).say("Back.")).await;
    let pending = next(&mut permissions).await;
    let context = pending.context().clone();
    assert!(!pending.is_withdrawn() && !context.is_withdrawn());
    session.handle().interrupt().await.unwrap();
    timeout(PATIENCE, pending.withdrawn()).await.unwrap();
    timeout(PATIENCE, context.over()).await.unwrap();
    assert!(pending.is_withdrawn() && context.is_withdrawn());
    assert!(pending.allow().is_err());
    assert_eq!(result(&mut session).await["terminal_reason"], "aborted_tools");
    assert!(answers(&recorder).is_empty(), "nothing is answered to what was withdrawn");
    assert_eq!(turn(&mut session).await.1["result"], "Back.");
}

#[tokio::test]
async fn a_request_that_was_withdrawn_before_it_was_read_is_left_out() {
    let script = Script::new()
        .call("add", json!({"a": 1, "b": 1}))
        .call("add", json!({"a": 2, "b": 2}))
        .say("Back.");
    let (mut session, mut permissions, recorder) = streaming(script).await;
    let is_call = |line: &Event| matches!(line, Event::Assistant(_));
    while !is_call(&timeout(PATIENCE, session.next_event()).await.unwrap().unwrap().unwrap()) {}
    // The request has been read once this request, which comes after it, is answered.
    session.handle().control("mcp_status", json!({})).await.unwrap();
    session.handle().interrupt().await.unwrap();
    assert_eq!(result(&mut session).await["terminal_reason"], "aborted_tools");
    session.handle().send("again").unwrap();
    let pending = next(&mut permissions).await;
    assert_eq!(pending.request().input["a"], 2);
    pending.allow().unwrap();
    assert_eq!(result(&mut session).await["result"], "Back.");
    assert_eq!(answers(&recorder).len(), 1);
}

#[tokio::test]
async fn a_session_that_ends_withdraws_everything() {
    let (session, mut permissions, _) = streaming(calls(1)).await;
    let pending = next(&mut permissions).await;
    session.close().await.unwrap();
    timeout(PATIENCE, pending.withdrawn()).await.unwrap();
    assert!(pending.deny("late").is_err());
    assert!(timeout(PATIENCE, permissions.next()).await.unwrap().is_none());
}

// Questions.

fn question() -> Value {
    let options = json!([
        {"label": "SQLite", "description": "One file", "preview": "a.db"},
        {"label": "Postgres", "description": "A server"},
    ]);
    json!({"questions": [
        {"question": "Which database?", "header": "Database", "options": options, "multiSelect": false},
        {"question": "Which tests?", "header": "Tests", "options": options, "multiSelect": true},
    ]})
}

fn asks() -> ScriptedCli {
    ScriptedCli::new(Script::new().call("AskUserQuestion", question()).say("{result}"))
}

#[tokio::test]
async fn a_question_is_answered_by_its_own_handler_in_every_mode() {
    for mode in [PermissionMode::Default, PermissionMode::BypassPermissions] {
        let cli = asks();
        let recorder = cli.recorder();
        let builder = plain().permission_mode(mode).ask_user(async |questions| {
            assert_eq!(questions[0].options[0].preview.as_deref(), Some("a.db"));
            assert_eq!(serde_json::to_value(&questions).unwrap(), question()["questions"]);
            Answers::new()
                .answer(&questions[0].question, &questions[0].options[0].label)
                .note("Which database?", "for now")
                .choose(&questions[1].question, ["SQLite", "something else"])
        });
        let mut session = builder.transport(cli).spawn().await.unwrap();
        let text = turn(&mut session).await.1["result"].as_str().unwrap().to_owned();
        assert!(text.contains("\"Which database?\"=\"SQLite\" notes: for now"), "{text}");
        assert!(text.contains("\"Which tests?\"=\"SQLite, something else\""), "{text}");
        let input = &answers(&recorder)[0]["updatedInput"];
        assert_eq!(input["questions"], question()["questions"]);
        assert_eq!(
            input["answers"],
            json!({"Which database?": "SQLite", "Which tests?": "SQLite, something else"})
        );
        assert_eq!(input["annotations"], json!({"Which database?": {"notes": "for now"}}));
    }
}

/// What the model reads when its question is not answered.
async fn unanswered(builder: SessionBuilder) -> String {
    let mut session = builder.transport(asks()).spawn().await.unwrap();
    let (results, outcome) = turn(&mut session).await;
    assert_eq!(outcome["is_error"], false);
    results.into_iter().next().unwrap()
}

#[tokio::test]
async fn a_question_without_an_answer_is_denied_in_words_for_the_model() {
    let allows = plain().can_use_tool(async |_, _| PermissionAnswer::allow());
    let fails = plain().ask_user(async |_| Err::<Answers, _>("no terminal"));
    let none = plain().ask_user(async |_| Answers::new());
    for builder in [allows, fails, none] {
        let text = unanswered(builder).await;
        assert!(text.starts_with("Nobody can answer questions in this session."), "{text}");
    }
    let declines = plain().ask_user(async |_| Answers::decline("The user is asleep."));
    assert_eq!(unanswered(declines).await, "The user is asleep.");
}

#[tokio::test]
async fn a_question_comes_through_the_stream_and_is_answered_there() {
    let builder = plain().permissions_as_stream().transport(asks());
    let mut session = builder.spawn().await.unwrap();
    let mut permissions = session.permissions().unwrap();
    session.handle().send("go").unwrap();
    let pending = next(&mut permissions).await;
    let questions = pending.questions().unwrap();
    assert_eq!(questions.len(), 2);
    pending.answer(Answers::new().answer(&questions[0].question, "Postgres")).unwrap();
    let text = result(&mut session).await["result"].to_string();
    assert!(text.contains("Which database?") && text.contains("Postgres"), "{text}");
}

#[tokio::test]
async fn a_question_that_is_merely_allowed_counts_as_unanswered() {
    let builder = plain().permissions_as_stream().transport(asks());
    let mut session = builder.spawn().await.unwrap();
    let mut permissions = session.permissions().unwrap();
    session.handle().send("go").unwrap();
    next(&mut permissions).await.allow().unwrap();
    let text = result(&mut session).await["result"].as_str().unwrap().to_owned();
    assert!(text.starts_with("Nobody can answer questions"), "{text}");
}

// Elicitations and dialogs, which the stand-in does not know: the lines by hand.

/// The CLI's side of a session, line by line.
struct Hand {
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    out: WriteHalf<DuplexStream>,
}

impl Hand {
    /// Starts a session, and gives what it has said in `initialize`.
    async fn start(builder: SessionBuilder) -> (Session, Self, Value) {
        let (host, cli) = tokio::io::duplex(1 << 16);
        let (stdout, stdin) = tokio::io::split(host);
        let (lines, out) = tokio::io::split(cli);
        let mut hand = Self { lines: BufReader::new(lines).lines(), out };
        let builder = builder.transport(Transport::new(stdout, stdin));
        let (session, initialize) = tokio::join!(builder.spawn(), async {
            let line = hand.hear().await;
            let id = &line["request_id"];
            let response = json!({"subtype": "success", "request_id": id, "response": {}});
            hand.say(json!({"type": "control_response", "response": response})).await;
            line["request"].clone()
        });
        (session.unwrap(), hand, initialize)
    }

    async fn say(&mut self, line: Value) {
        self.out.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    async fn hear(&mut self) -> Value {
        let line = timeout(PATIENCE, self.lines.next_line()).await.expect("the host is silent");
        serde_json::from_str(&line.unwrap().expect("the host has left")).unwrap()
    }

    /// Asks the host, and gives its answer.
    async fn ask(&mut self, request: Value) -> Value {
        self.say(json!({"type": "control_request", "request_id": "c-1", "request": request})).await;
        self.hear().await["response"].clone()
    }
}

fn elicitation(server: &str) -> Value {
    json!({"subtype": "elicitation", "mcp_server_name": server, "message": "Which account?"})
}

#[tokio::test]
async fn an_elicitation_is_accepted_declined_or_cancelled() {
    let builder = plain().elicitation(async |request| {
        assert_eq!(request.message, "Which account?");
        match request.mcp_server_name.as_str() {
            "github" => Ok(ElicitationAnswer::accept(json!({"account": "work"}))),
            "gitlab" => Ok(ElicitationAnswer::decline()),
            "page" => Ok(ElicitationAnswer::accept_url()),
            other => Err(format!("{other} is not known")),
        }
    });
    let (_session, mut cli, initialize) = Hand::start(builder).await;
    assert_eq!(initialize.get("supportedDialogKinds"), None);
    for (server, want) in [
        ("github", json!({"action": "accept", "content": {"account": "work"}})),
        ("gitlab", json!({"action": "decline"})),
        ("page", json!({"action": "accept"})),
        ("stranger", json!({"action": "cancel"})),
    ] {
        assert_eq!(cli.ask(elicitation(server)).await["response"], want);
    }
}

#[tokio::test]
async fn an_elicitation_without_a_handler_is_declined() {
    let (_session, mut cli, _) = Hand::start(plain()).await;
    assert_eq!(cli.ask(elicitation("github")).await["response"], json!({"action": "decline"}));
}

#[tokio::test]
async fn a_declared_dialog_is_shown_and_any_other_left_without_an_answer() {
    let builder = plain().user_dialog(["refusal_fallback_prompt", "broken"], async |dialog| {
        assert_ne!(dialog.dialog_kind, "broken", "this one panics");
        DialogAnswer::completed(json!({"saw": dialog.payload}))
    });
    let (_session, mut cli, initialize) = Hand::start(builder).await;
    assert_eq!(initialize["supportedDialogKinds"], json!(["refusal_fallback_prompt", "broken"]));
    let dialog = |kind: &str| json!({"subtype": "request_user_dialog", "dialog_kind": kind, "payload": {"n": 1}});
    assert_eq!(
        cli.ask(dialog("refusal_fallback_prompt")).await["response"],
        json!({"behavior": "completed", "result": {"saw": {"n": 1}}})
    );
    assert_eq!(cli.ask(dialog("broken")).await["response"], json!({"behavior": "cancelled"}));
    let stranger = dialog("stranger");
    cli.say(json!({"type": "control_request", "request_id": "s-1", "request": stranger})).await;
    let answer = cli.ask(elicitation("github")).await;
    assert_eq!(answer["request_id"], "c-1", "the next answer is to the next request");
}

#[tokio::test]
async fn a_request_that_cannot_be_read_is_denied() {
    let builder = plain().can_use_tool(async |_, _| PermissionAnswer::allow());
    let (_session, mut cli, _) = Hand::start(builder).await;
    for broken in [json!({}), json!({"tool_name": "Bash"}), json!({"tool_name": 7, "input": {}})] {
        let mut request = broken;
        request["subtype"] = "can_use_tool".into();
        let answer = cli.ask(request).await;
        assert_eq!(answer["subtype"], "success");
        assert_eq!(answer["response"]["behavior"], "deny");
        let message = answer["response"]["message"].as_str().unwrap();
        assert!(message.contains("could not read"), "{message}");
    }
}

#[tokio::test]
async fn a_withdrawn_request_drops_the_future_of_its_handler() {
    struct SaysWhenDropped(tokio::sync::mpsc::UnboundedSender<&'static str>);
    impl Drop for SaysWhenDropped {
        fn drop(&mut self) {
            self.0.send("dropped").ok();
        }
    }
    let (sender, mut said) = tokio::sync::mpsc::unbounded_channel();
    let builder = plain().can_use_tool(move |_, context: PermissionContext| {
        let guard = SaysWhenDropped(sender.clone());
        sender.send("asked").unwrap();
        let other = sender.clone();
        tokio::spawn(async move {
            context.over().await;
            assert!(context.is_withdrawn());
            other.send("over").ok();
        });
        async move {
            let _guard = guard;
            std::future::pending::<PermissionAnswer>().await
        }
    });
    let (_session, mut cli, _) = Hand::start(builder).await;
    let request = json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {}});
    cli.say(json!({"type": "control_request", "request_id": "c-9", "request": request})).await;
    assert_eq!(timeout(PATIENCE, said.recv()).await.unwrap(), Some("asked"));
    cli.say(json!({"type": "control_cancel_request", "request_id": "c-9"})).await;
    let mut rest = [
        timeout(PATIENCE, said.recv()).await.unwrap(),
        timeout(PATIENCE, said.recv()).await.unwrap(),
    ];
    rest.sort_unstable();
    assert_eq!(rest, [Some("dropped"), Some("over")]);
    let answer = cli.ask(elicitation("github")).await;
    assert_eq!(answer["request_id"], "c-1", "nothing was answered to what was withdrawn");
}

// The start.

/// The arguments that the CLI would be started with, and the warnings before its first event.
async fn launch(builder: SessionBuilder) -> (Vec<String>, Vec<String>) {
    let args = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&args);
    let cli = ScriptedCli::new(Script::new().say("Hello."));
    let transport = Transport::on_launch(move |args| {
        *seen.lock().unwrap() = args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
        cli.into()
    });
    let mut session = builder.transport(transport).spawn().await.unwrap();
    session.handle().send("go").unwrap();
    let mut warnings = Vec::new();
    loop {
        match timeout(PATIENCE, session.next_event()).await.unwrap().unwrap().unwrap() {
            Event::Warning(warning) => warnings.push(warning.message),
            Event::System(SystemEvent::Init(_)) => break,
            _ => {}
        }
    }
    let args = args.lock().unwrap().clone();
    (args, warnings)
}

fn allows() -> SessionBuilder {
    plain().can_use_tool(async |_, _| PermissionAnswer::allow())
}

#[tokio::test]
async fn the_cli_is_told_to_ask_whenever_somebody_can_answer() {
    let flag = "--permission-prompt-tool=stdio".to_owned();
    for builder in
        [allows(), plain().permissions_as_stream(), plain().ask_user(async |_| Answers::new())]
    {
        assert!(launch(builder).await.0.contains(&flag));
    }
    for builder in [
        plain(),
        allows().without_permission_handler(),
        plain().elicitation(async |_| ElicitationAnswer::decline()),
    ] {
        assert!(!launch(builder).await.0.contains(&flag));
    }
}

#[tokio::test]
async fn what_leaves_nothing_to_ask_is_warned_about_once() {
    let warnings = launch(allows().bypass_permissions()).await.1;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].starts_with("bypass mode lets every tool run"), "{warnings:?}");
    let rules = "Read,Bash(git *),Write(*) mcp__byre__add Read";
    let warnings = launch(allows().extra_arg("allowedTools", Some(rules))).await.1;
    assert_eq!(
        warnings,
        ["these tools are allowed as a whole, so nobody is asked for permission to call them: \
          Read, Write, mcp__byre__add"]
    );
    for silent in [
        allows(),
        allows().permission_mode(PermissionMode::AcceptEdits),
        plain().bypass_permissions(),
        plain().bypass_permissions().ask_user(async |_| Answers::new()),
    ] {
        assert_eq!(launch(silent).await.1, [""; 0]);
    }
}

#[test]
fn another_tool_for_prompts_is_refused_beside_a_handler() {
    let with = |builder: SessionBuilder| {
        builder.extra_arg("permission-prompt-tool", Some("mcp__approver__ask"))
    };
    for builder in [allows(), plain().permissions_as_stream()] {
        let error = with(builder).check().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Configuration);
        assert!(
            error.to_string().contains("--permission-prompt-tool=mcp__approver__ask"),
            "{error}"
        );
    }
    with(plain()).check().unwrap();
}

// A recorded session.

#[tokio::test]
async fn the_recorded_session_plays_with_a_handler() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/transcripts/07-can-use-tool.jsonl");
    let replay = Replay::parse(&fs::read_to_string(path).unwrap()).unwrap();
    let (transport, mut director) = replay.start();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    let builder = plain().can_use_tool(move |request, _| {
        log.lock().unwrap().push(request.input["a"].as_i64().unwrap());
        assert_eq!(request.raw().to_value()["server_policy_ask_only"], true);
        async move {
            match request.input["a"].as_i64() {
                Some(1) => PermissionAnswer::allow_with(json!({"a": 10, "b": 0})),
                Some(2) => PermissionAnswer::deny("not that one"),
                _ => PermissionAnswer::allow().with_updates(
                    request
                        .permission_suggestions
                        .into_iter()
                        .map(|update| update.to(Destination::Session)),
                ),
            }
        }
    });
    let mut session = builder.transport(transport).spawn().await.unwrap();
    while let Some(cue) = timeout(PATIENCE, director.next()).await.unwrap() {
        if let Cue::Prompt(content) = cue {
            session.handle().send(content.as_str().unwrap()).unwrap();
        }
    }
    assert_eq!(result(&mut session).await["result"], "Done.");
    drop(session);
    director.finish().await.unwrap();
    assert_eq!(*asked.lock().unwrap(), [1, 2, 3]);
}

#[tokio::test]
async fn the_reply_may_go_on_after_a_denial_in_the_same_message() {
    let reply =
        Reply::call("add", json!({"a": 0, "b": 1})).and_call("add", json!({"a": 1, "b": 1}));
    let (results, answers, _) = check(Script::new().reply(reply).say("Done."), |request| {
        match request.input["a"].as_i64() {
            Some(0) => PermissionAnswer::deny("not nothing"),
            _ => PermissionAnswer::allow(),
        }
    })
    .await;
    assert_eq!(results, ["not nothing", "2"]);
    assert_eq!(answers.len(), 2);
}
