//! Permissions and questions, as the real CLI asks for them.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use byre::{
    PermissionMode, Session, SessionBuilder,
    permission::{
        Answers, Destination, PendingPermission, PermissionAnswer, PermissionRequest, Questions,
    },
    testing::{MessagesApi, RealCli, Reply, Script},
};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::harness::{cli_path, session};

/// No step of these tests takes longer, also on a slow machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Adds two integers.
#[byre::tool(register = false)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// The API, the folders, and a session that asks for `add` too.
async fn start(script: Script) -> (MessagesApi, RealCli, SessionBuilder) {
    let api = MessagesApi::start(script).await.unwrap();
    let cli = RealCli::new(cli_path(), &api).unwrap();
    let builder = session(&cli).tools(byre::tools![add]).ask_for_own_tools();
    (api, cli, builder)
}

fn call(a: i64) -> Script {
    Script::new().call("add", json!({"a": a, "b": 1}))
}

/// What the model has read of its last call.
fn seen(api: &MessagesApi) -> (String, bool) {
    let requests = api.requests();
    let results = &requests.last().unwrap().tool_results;
    let result = results.last().expect("there was a call");
    (result.text.clone(), result.is_error)
}

/// What was asked, in order.
type Log = Arc<Mutex<Vec<PermissionRequest>>>;

fn note(log: &Log, request: &PermissionRequest) {
    log.lock().unwrap().push(request.clone());
}

#[tokio::test]
async fn a_call_is_allowed_as_it_is_or_with_other_arguments() {
    let script = call(1).call("add", json!({"a": 2, "b": 2})).say("{result}");
    let (api, _cli, builder) = start(script).await;
    let log = Log::default();
    let asked = Arc::clone(&log);
    let mut session = builder
        .can_use_tool(move |request, _| {
            note(&asked, &request);
            async move {
                match request.input["a"].as_i64() {
                    Some(1) => PermissionAnswer::allow(),
                    _ => PermissionAnswer::allow_with(json!({"a": 20, "b": 20})),
                }
            }
        })
        .spawn()
        .await
        .unwrap();
    let outcome = timeout(PATIENCE, session.prompt("go")).await.unwrap().unwrap();
    session.close().await.unwrap();
    assert_eq!(outcome.text(), "40");
    assert_eq!(api.requests()[1].result("add").unwrap().text, "2");
    let log = log.lock().unwrap();
    assert_eq!(log.len(), 2);
    assert_eq!(log[0].tool_name, "mcp__byre__add");
    assert_eq!(log[0].mcp_server.as_ref().unwrap().source, "sdk");
    assert_eq!(log[0].display_name.as_deref(), Some("Add"));
    assert_eq!(
        serde_json::to_value(&log[0].permission_suggestions).unwrap(),
        log[0].raw().to_value()["permission_suggestions"],
        "suggestions go back word for word"
    );
}

#[tokio::test]
async fn a_denied_call_does_not_run_and_the_model_reads_why() {
    let (api, _cli, builder) = start(call(1).say("I see.")).await;
    let mut session = builder
        .can_use_tool(async |_, _| PermissionAnswer::deny("Not today. Don't try it again."))
        .spawn()
        .await
        .unwrap();
    let outcome = timeout(PATIENCE, session.prompt("go")).await.unwrap().unwrap();
    session.close().await.unwrap();
    assert!(!outcome.is_error());
    assert_eq!(seen(&api), ("Not today. Don't try it again.".to_owned(), true));
    assert_eq!(outcome.raw().to_value()["permission_denials"][0]["tool_name"], "mcp__byre__add");
}

#[tokio::test]
async fn a_handler_that_panics_denies() {
    let (api, _cli, builder) = start(call(1).say("I see.")).await;
    let mut session = builder
        .can_use_tool(async |request, _| -> PermissionAnswer {
            panic!("no idea about {}", request.tool_name)
        })
        .spawn()
        .await
        .unwrap();
    timeout(PATIENCE, session.prompt("go")).await.unwrap().unwrap();
    session.close().await.unwrap();
    let (text, is_error) = seen(&api);
    assert!(text.contains("it panicked: no idea about mcp__byre__add"), "{text}");
    assert!(is_error);
}

#[tokio::test]
async fn a_rule_for_the_session_is_remembered_and_no_file_is_written() {
    let script = call(1)
        .call("add", json!({"a": 2, "b": 2}))
        .say("One.")
        .call("add", json!({"a": 3, "b": 3}));
    let (_api, cli, builder) = start(script.say("Two.")).await;
    let log = Log::default();
    let asked = Arc::clone(&log);
    let mut session = builder
        .can_use_tool(move |request, _| {
            note(&asked, &request);
            async move {
                let suggestions = request.permission_suggestions.into_iter();
                PermissionAnswer::allow()
                    .with_updates(suggestions.map(|update| update.to(Destination::Session)))
            }
        })
        .spawn()
        .await
        .unwrap();
    for text in ["One.", "Two."] {
        let outcome = timeout(PATIENCE, session.prompt("go")).await.unwrap().unwrap();
        assert_eq!(outcome.text(), text);
    }
    session.close().await.unwrap();
    assert_eq!(log.lock().unwrap().len(), 1, "later calls are not asked about");
    assert!(!cli.work_dir().join(".claude").exists(), "the rule was for the session only");
}

#[tokio::test]
async fn deny_and_stop_ends_the_turn_and_the_session_goes_on() {
    let (api, _cli, builder) = start(call(1).say("Back.")).await;
    let mut session = builder
        .can_use_tool(async |_, _| PermissionAnswer::deny_and_stop("The user has left."))
        .spawn()
        .await
        .unwrap();
    let outcome = timeout(PATIENCE, session.prompt("go")).await.unwrap().unwrap();
    assert!(outcome.is_error());
    assert_eq!(*outcome.result().terminal_reason.as_ref().unwrap(), "aborted_tools");
    assert_eq!(api.requests().len(), 1);
    let outcome = timeout(PATIENCE, session.prompt("again")).await.unwrap().unwrap();
    assert_eq!(outcome.text(), "Back.");
    session.close().await.unwrap();
}

fn question() -> Value {
    json!({"questions": [
        {
            "question": "Which database?",
            "header": "Database",
            "options": [
                {"label": "SQLite", "description": "One file"},
                {"label": "Postgres", "description": "A server"},
            ],
            "multiSelect": false,
        },
        {
            "question": "Which tests?",
            "header": "Tests",
            "options": [
                {"label": "unit", "description": "Fast"},
                {"label": "live", "description": "Slow"},
            ],
            "multiSelect": true,
        },
    ]})
}

/// Answers the questions above.
async fn answer(questions: Questions) -> Answers {
    assert_eq!(questions.len(), 2);
    assert!(questions.request().requires_user_interaction);
    assert!(!questions[0].multi_select && questions[1].multi_select);
    Answers::new()
        .answer(&questions[0].question, &questions[0].options[0].label)
        .note(&questions[0].question, "for now")
        .choose(&questions[1].question, ["unit", "live"])
}

#[tokio::test]
async fn questions_are_answered_in_every_mode() {
    for mode in [PermissionMode::Default, PermissionMode::BypassPermissions] {
        let script = Script::new().call("AskUserQuestion", question()).say("Thanks.");
        let (api, _cli, builder) = start(script).await;
        let mut session = builder.permission_mode(mode).ask_user(answer).spawn().await.unwrap();
        let outcome = timeout(PATIENCE, session.prompt("go")).await.unwrap().unwrap();
        session.close().await.unwrap();
        assert_eq!(outcome.text(), "Thanks.");
        let (text, is_error) = seen(&api);
        assert!(!is_error, "{text}");
        for part in ["\"Which database?\"=\"SQLite\"", "\"Which tests?\"=\"unit, live\"", "for now"]
        {
            assert!(text.contains(part), "{text} has no {part}");
        }
    }
}

#[tokio::test]
async fn a_question_that_nobody_answers_is_no_error() {
    let script = Script::new().call("AskUserQuestion", question()).say("Then SQLite.");
    let (api, _cli, builder) = start(script).await;
    let builder = builder.can_use_tool(async |_, _| PermissionAnswer::allow());
    let mut session = builder.spawn().await.unwrap();
    let outcome = timeout(PATIENCE, session.prompt("go")).await.unwrap().unwrap();
    session.close().await.unwrap();
    assert_eq!(outcome.text(), "Then SQLite.");
    assert!(seen(&api).0.starts_with("Nobody can answer questions in this session."));
}

/// Reads the next request of a session, and drives its turn meanwhile.
async fn next(session: &mut Session) -> PendingPermission {
    let mut permissions = session.permissions().unwrap();
    session.handle().send("go").unwrap();
    timeout(PATIENCE, permissions.next()).await.unwrap().expect("the session goes on")
}

#[tokio::test]
async fn a_pending_request_is_answered_from_another_task() {
    let (api, _cli, builder) = start(call(1).say("{result}")).await;
    let mut session = builder.permissions_as_stream().spawn().await.unwrap();
    let pending = next(&mut session).await;
    assert_eq!(pending.request().tool_name, "mcp__byre__add");
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        pending.allow().unwrap();
    });
    let outcome = result(&mut session).await;
    session.close().await.unwrap();
    assert_eq!(outcome["result"], "2");
    assert_eq!(seen(&api), ("2".to_owned(), false));
}

#[tokio::test]
async fn an_interrupt_withdraws_a_pending_request() {
    let script = call(1).reply(Reply::say("Back."));
    let (_api, _cli, builder) = start(script).await;
    let mut session = builder.permissions_as_stream().spawn().await.unwrap();
    let pending = next(&mut session).await;
    assert!(!pending.is_withdrawn());
    session.handle().interrupt().await.unwrap();
    timeout(PATIENCE, pending.withdrawn()).await.unwrap();
    assert!(pending.is_withdrawn());
    assert!(pending.allow().is_err());
    assert_eq!(result(&mut session).await["terminal_reason"], "aborted_tools");
    let outcome = timeout(PATIENCE, session.prompt("again")).await.unwrap().unwrap();
    assert_eq!(outcome.text(), "Back.");
    session.close().await.unwrap();
}

/// The next `result` outside a turn.
async fn result(session: &mut Session) -> Value {
    loop {
        let event = timeout(PATIENCE, session.next_event()).await.unwrap();
        let event = event.expect("the session goes on").unwrap();
        if let byre::Event::Result(result) = event {
            return result.raw.to_value();
        }
    }
}
