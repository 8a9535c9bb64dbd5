//! Turns, events and the handle, over the stand-in for the CLI.

use std::{
    future::{Future, IntoFuture},
    sync::atomic::{AtomicUsize, Ordering},
    task::{Context, Waker},
    time::Duration,
};

use byre::{
    ErrorKind, Event, Prompt, Session, SessionBuilder, WhenBusy,
    event::{Failure, SystemEvent, TerminalReason, ToolResult},
    hook::{StopInput, StopOutput},
    testing::{Recorder, Reply, Script, ScriptedCli},
};
use serde_json::{Value, json};

/// Adds two integers.
#[byre::tool(register = false, read_only)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Never ends.
#[byre::tool(register = false)]
async fn hang() {
    let _guard = CountDrop;
    std::future::pending::<()>().await;
}

static DROPPED: AtomicUsize = AtomicUsize::new(0);

struct CountDrop;

impl Drop for CountDrop {
    fn drop(&mut self) {
        DROPPED.fetch_add(1, Ordering::SeqCst);
    }
}

/// Panics.
#[byre::tool(register = false)]
async fn panics() {
    panic!("out of hay");
}

fn plain() -> SessionBuilder {
    Session::builder().tools(byre::tools![add, hang, panics]).hooks([])
}

/// A session that plays `script`, and what the stand-in hears.
async fn play(script: Script) -> (Session, Recorder) {
    let cli = ScriptedCli::new(script);
    let recorder = cli.recorder();
    (plain().transport(cli).spawn().await.unwrap(), recorder)
}

/// The texts of everything that is said in a turn, and its outcome's text.
async fn texts(session: &mut Session, prompt: &str) -> Vec<String> {
    let mut turn = session.prompt(prompt);
    let mut texts = Vec::new();
    while let Some(event) = turn.next().await {
        match event.unwrap() {
            Event::Assistant(message) => texts.push(message.text()),
            Event::User(user) => texts.extend(user.tool_results().map(ToolResult::text)),
            _ => {}
        }
    }
    texts.push(turn.outcome().await.unwrap().text().to_owned());
    texts.retain(|text| !text.is_empty());
    texts
}

#[tokio::test]
async fn awaiting_a_turn_gives_its_outcome() {
    let (mut session, _) =
        play(Script::new().call("add", json!({"a": 2, "b": 3})).say("It is {result}.")).await;
    let outcome = session.prompt("What is 2 + 3?").await.unwrap();
    assert_eq!(outcome.text(), "It is 5.");
    assert!(!outcome.is_error());
    assert!(outcome.num_turns() > 0);
    assert!(outcome.total_cost_usd() > 0.0);
    assert_eq!(outcome.raw().to_value()["result"], "It is 5.");
    assert_eq!(outcome.session_id(), session.handle().session_id().unwrap());
    assert!(outcome.duration() < Duration::from_secs(60));
    session.close().await.unwrap();
}

#[tokio::test]
async fn a_turn_can_be_read_and_gives_the_same_outcome() {
    let script = Script::new().call("add", json!({"a": 2, "b": 3})).say("It is {result}.");
    let (mut session, _) = play(script).await;
    assert_eq!(texts(&mut session, "2 + 3?").await, ["5", "It is 5.", "It is 5."]);
    session.close().await.unwrap();
}

#[tokio::test]
async fn a_turn_is_a_stream() {
    use std::pin::pin;

    let (mut session, _) = play(Script::new().say("Hello.")).await;
    let mut turn = pin!(session.prompt("Hi."));
    let mut kinds = Vec::new();
    while let Some(event) =
        std::future::poll_fn(|cx| futures_core::Stream::poll_next(turn.as_mut(), cx)).await
    {
        kinds.push(event.unwrap().raw().to_value()["type"].as_str().unwrap().to_owned());
    }
    assert_eq!(kinds.last().unwrap(), "result");
    assert!(kinds.contains(&"assistant".to_owned()));
}

#[tokio::test]
async fn turns_follow_each_other_in_one_conversation() {
    let (mut session, recorder) = play(Script::new().say("One.").say("Two.")).await;
    assert_eq!(session.prompt("first").await.unwrap().text(), "One.");
    assert_eq!(session.prompt("second").await.unwrap().text(), "Two.");
    session.close().await.unwrap();
    let uuids: Vec<_> = recorder
        .received()
        .into_iter()
        .filter(|line| line["type"] == "user")
        .map(|line| line["uuid"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(uuids.len(), 2);
    assert_ne!(uuids[0], uuids[1]);
}

#[tokio::test]
async fn text_comes_in_pieces_when_asked_for() {
    let cli = ScriptedCli::new(Script::new().say_in(["Hel", "lo", "."]));
    let mut session = plain().include_partial_messages(true).transport(cli).spawn().await.unwrap();
    let mut turn = session.prompt("Hi.");
    let mut pieces = Vec::new();
    while let Some(event) = turn.next().await {
        pieces.extend(event.unwrap().text_delta().map(str::to_owned));
    }
    assert_eq!(pieces, ["Hel", "lo", "."]);
}

#[tokio::test]
async fn an_api_failure_is_an_outcome_and_the_session_goes_on() {
    let (mut session, _) = play(Script::new().error(401, "bad key").say("Hello again.")).await;
    let outcome = session.prompt("Hi.").await.unwrap();
    assert!(outcome.is_error());
    assert_eq!(outcome.result().subtype, "success", "judge by is_error");
    assert_eq!(session.prompt("Hi?").await.unwrap().text(), "Hello again.");
}

#[tokio::test]
async fn a_tool_that_panics_tells_the_model_and_ends_nothing() {
    let (mut session, _) = play(Script::new().call("panics", json!({})).say("Oh.")).await;
    let mut turn = session.prompt("Go.");
    let mut errors = Vec::new();
    while let Some(event) = turn.next().await {
        if let Event::User(user) = event.unwrap() {
            errors.extend(user.tool_results().filter(|r| r.is_error).map(ToolResult::text));
        }
    }
    assert_eq!(errors.len(), 1);
    assert!(errors[0].contains("out of hay"), "{}", errors[0]);
    assert_eq!(turn.outcome().await.unwrap().text(), "Oh.");
}

#[tokio::test]
async fn interrupting_drops_the_running_tool_and_leaves_a_usable_session() {
    let (mut session, recorder) = play(Script::new().call("hang", json!({})).say("Yes?")).await;
    let before = DROPPED.load(Ordering::SeqCst);
    let handle = session.handle();
    let mut turn = session.prompt("Start something slow.");
    loop {
        let event = turn.next().await.unwrap().unwrap();
        if matches!(&event, Event::Assistant(message) if message.tool_uses().count() == 1) {
            break;
        }
    }
    // Sent from the outside while the turn waits.
    let interrupt = tokio::spawn(async move { handle.interrupt().await });
    let outcome = turn.outcome().await.unwrap();
    interrupt.await.unwrap().unwrap();
    assert!(outcome.is_error());
    assert_eq!(outcome.result().terminal_reason, Some(TerminalReason::AbortedTools));
    assert_eq!(outcome.failure(), Some(&Failure::Interrupted));
    assert_eq!(outcome.text(), outcome.failure().unwrap().to_string(), "in words for people");
    assert_eq!(DROPPED.load(Ordering::SeqCst), before + 1);
    assert_eq!(session.prompt("Are you there?").await.unwrap().text(), "Yes?");
    session.close().await.unwrap();
    assert_answered_once(&recorder);
}

#[tokio::test]
async fn dropping_a_turn_interrupts_it_and_the_next_starts_clean() {
    let (mut session, recorder) = play(Script::new().call("hang", json!({})).say("Fresh.")).await;
    let turn = tokio::time::timeout(Duration::from_millis(200), session.prompt("Slow.")).await;
    assert!(turn.is_err());
    assert_eq!(texts(&mut session, "Next.").await, ["Fresh.", "Fresh."]);
    session.close().await.unwrap();
    let lines = recorder.received();
    let at = |want: &dyn Fn(&Value) -> bool| lines.iter().position(want).unwrap();
    let interrupt = at(&|line| line["request"]["subtype"] == "interrupt");
    let next = at(&|line| line["message"]["content"] == "Next.");
    assert!(interrupt < next, "the next prompt waits until nothing can join it with the old one");
}

#[tokio::test]
async fn dropping_a_turn_that_has_not_begun_withdraws_its_prompt() {
    let (mut session, recorder) = play(Script::new().say("Fresh.")).await;
    let mut turn = Box::pin(session.prompt("Never mind.").into_future());
    // Polled once: the prompt is sent, and nobody has had the time to read it.
    assert!(turn.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    drop(turn);
    let next = tokio::time::timeout(Duration::from_secs(5), session.prompt("Next."));
    assert_eq!(next.await.unwrap().unwrap().text(), "Fresh.");
    assert_eq!(recorder.requests().len(), 1);
    session.close().await.unwrap();
}

#[tokio::test]
async fn a_turn_whose_prompt_somebody_else_withdraws_ends() {
    let (mut session, recorder) = play(Script::new().call("hang", json!({})).say("Back.")).await;
    let handle = session.handle();
    handle.send("Something slow.").unwrap();
    while recorder.requests().is_empty() {
        tokio::task::yield_now().await;
    }
    let others = tokio::spawn(async move {
        let sent = || {
            let mut lines = recorder.received().into_iter();
            lines.find(|line| line["message"]["content"] == "Never mind.")
        };
        while sent().is_none() {
            tokio::task::yield_now().await;
        }
        let uuid = sent().unwrap()["uuid"].as_str().unwrap().to_owned();
        let withdrawn = handle.cancel_async_message(&uuid).await;
        handle.interrupt().await.unwrap();
        withdrawn
    });
    let prompt = Prompt::new("Never mind.").when_busy(WhenBusy::Queue);
    let turn = tokio::time::timeout(Duration::from_secs(20), session.prompt(prompt));
    let error = turn.await.expect("it hangs").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Prompt);
    assert!(error.to_string().contains("withdrawn before the CLI began with it"), "{error}");
    assert!(others.await.unwrap().unwrap());
    assert_eq!(session.prompt("And now?").await.unwrap().text(), "Back.");
}

#[tokio::test]
async fn a_turn_that_was_never_polled_sends_nothing() {
    let (mut session, recorder) = play(Script::new().say("Hello.")).await;
    drop(session.prompt("Never mind."));
    session.close().await.unwrap();
    assert!(recorder.received().iter().all(|line| line["type"] != "user"));
}

#[tokio::test]
async fn the_model_is_switched() {
    let (mut session, recorder) = play(Script::new().say("One.").say("Two.")).await;
    session.prompt("first").await.unwrap();
    let model = session.handle().set_model("sonnet").await.unwrap().unwrap();
    let mut turn = session.prompt("second");
    let mut seen = None;
    while let Some(event) = turn.next().await {
        if let Event::System(SystemEvent::Init(init)) = event.unwrap() {
            seen = Some(init.model.clone());
        }
    }
    assert_eq!(seen, Some(model));
    assert!(recorder.received().iter().any(|line| line["request"]["model"] == "sonnet"));
}

#[tokio::test]
async fn a_refused_request_says_why() {
    let (session, _) = play(Script::new()).await;
    let error = session.handle().control("no_such_thing", json!({})).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused);
    assert!(error.to_string().contains("no_such_thing"), "{error}");
    let error = session.handle().control("x", json!([])).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Configuration);
}

#[tokio::test]
async fn tools_run_while_nobody_reads_events() {
    let script = Script::new()
        .call_all((0..50).map(|n| ("add", json!({"a": n, "b": 1}))))
        .say("All {result:49}.");
    let (mut session, recorder) = play(script).await;
    let mut turn = session.prompt("Go.");
    // Reads the first event, and then nothing until every call has been answered.
    turn.next().await.unwrap().unwrap();
    let deadline = tokio::time::Instant::now() + Duration::from_secs(10);
    while recorder.requests().len() < 2 {
        assert!(tokio::time::Instant::now() < deadline, "the calls are not answered");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(turn.outcome().await.unwrap().text(), "All 50.");
}

#[tokio::test]
async fn a_prompt_with_a_bad_image_is_refused_before_anything_is_sent() {
    let (mut session, recorder) = play(Script::new().say("Hello.")).await;
    let error = session.prompt(Prompt::new("What?").image(b"<svg/>")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Prompt);
    let mut turn = session.prompt(Prompt::new("What?").image(b"<svg/>"));
    assert!(turn.next().await.unwrap().is_err());
    assert!(turn.next().await.is_none());
    assert!(turn.outcome().await.is_err());
    assert_eq!(session.prompt("Hi.").await.unwrap().text(), "Hello.");
    assert_eq!(recorder.received().iter().filter(|line| line["type"] == "user").count(), 1);
}

#[tokio::test]
async fn an_image_goes_with_its_text() {
    let (mut session, recorder) = play(Script::new().say("A cow.")).await;
    let prompt = Prompt::new("What is this?").image(b"GIF89a...");
    session.prompt(prompt).await.unwrap();
    let user = recorder.received().into_iter().find(|line| line["type"] == "user").unwrap();
    assert_eq!(user["message"]["content"][0]["source"]["media_type"], "image/gif");
    assert_eq!(user["message"]["content"][1], json!({"type": "text", "text": "What is this?"}));
}

/// Blocks for ever, if it may.
#[byre::hook(register = false)]
async fn again(_input: StopInput) -> StopOutput {
    StopOutput::block("Once more.").at_most(2)
}

#[tokio::test]
async fn a_stop_hook_blocks_as_often_as_it_may_in_each_turn() {
    let script = (0..6).fold(Script::new(), |script, n| script.say(format!("{n}")));
    let cli = ScriptedCli::new(script);
    let builder = plain().hooks(byre::hooks![again]).transport(cli);
    let mut session = builder.spawn().await.unwrap();
    assert_eq!(session.prompt("first").await.unwrap().text(), "2");
    assert_eq!(session.prompt("second").await.unwrap().text(), "5");
}

#[tokio::test]
async fn a_hook_can_act_on_the_session() {
    // A handle may be used from anywhere, so also while the CLI waits for a hook.
    use std::sync::OnceLock;

    static HANDLE: OnceLock<byre::SessionHandle> = OnceLock::new();

    #[byre::hook(register = false)]
    async fn switch(_input: StopInput) {
        HANDLE.get().unwrap().set_model("sonnet").await.unwrap();
    }

    let cli = ScriptedCli::new(Script::new().say("Done."));
    let builder = plain().hooks(byre::hooks![switch]).transport(cli);
    let mut session = builder.spawn().await.unwrap();
    HANDLE.set(session.handle()).unwrap();
    let turn = tokio::time::timeout(Duration::from_secs(10), session.prompt("Go."));
    assert_eq!(turn.await.unwrap().unwrap().text(), "Done.");
}

#[tokio::test]
async fn the_handle_outlives_the_session_and_says_that_it_is_over() {
    let (session, _) = play(Script::new()).await;
    let handle = session.handle();
    assert!(handle.is_alive());
    assert_eq!(handle.cli_version(), Some("2.1.332"));
    assert_eq!(handle.pid(), None);
    session.close().await.unwrap();
    assert!(!handle.is_alive());
    assert_eq!(handle.interrupt().await.unwrap_err().kind(), ErrorKind::Closed);
    assert_eq!(handle.send("Hi.").unwrap_err().kind(), ErrorKind::Closed);
}

#[tokio::test]
async fn a_cli_that_ends_in_a_turn_fails_it_at_once() {
    let (host_stdout, mut stdout) = tokio::io::duplex(64 * 1024);
    let (host_stdin, stdin) = tokio::io::duplex(64 * 1024);
    tokio::spawn(async move {
        use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

        let mut lines = BufReader::new(stdin).lines();
        let request: Value =
            serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap();
        let answer = json!({"type": "control_response", "response": {
            "subtype": "success", "request_id": request["request_id"], "response": {},
        }});
        stdout.write_all(format!("{answer}\n").as_bytes()).await.unwrap();
        lines.next_line().await.unwrap().unwrap();
        let result = json!({"type": "assistant", "message": {"content": "Hel"}});
        stdout.write_all(format!("{result}\nout of memory\n").as_bytes()).await.unwrap();
    });
    let transport = byre::Transport::new(host_stdout, host_stdin);
    let mut session = plain().transport(transport).spawn().await.unwrap();
    let handle = session.handle();
    let mut turn = session.prompt("Hi.");
    assert!(matches!(turn.next().await, Some(Ok(Event::Assistant(_)))));
    let error = turn.next().await.unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Exited);
    assert_eq!(error.exit().unwrap().stdout, ["out of memory"]);
    assert!(turn.next().await.is_none());
    assert_eq!(session.prompt("Hi?").await.unwrap_err().kind(), ErrorKind::Exited);
    assert!(session.next_event().await.is_none());
    assert!(!handle.is_alive());
}

#[tokio::test]
async fn a_server_that_did_not_connect_is_warned_of() {
    // This stand-in is not told of any server, and so never asks for the tools.
    let cli = ScriptedCli::new(Script::new().say("Hello.")).servers::<&str>([]);
    let (host_stdout, stdout) = tokio::io::duplex(64 * 1024);
    let (host_stdin, stdin) = tokio::io::duplex(64 * 1024);
    tokio::spawn(cli.run(stdin, stdout));
    let transport = byre::Transport::new(host_stdout, host_stdin);
    let mut session = plain().transport(transport).spawn().await.unwrap();
    let mut turn = session.prompt("Hi.");
    let mut warnings = Vec::new();
    while let Some(event) = turn.next().await {
        if let Event::Warning(warning) = event.unwrap() {
            warnings.push(warning.to_string());
        }
    }
    assert_eq!(
        warnings,
        ["the CLI runs this turn without the tools of server \"byre\", which is missing"]
    );
}

#[tokio::test]
async fn held_text_can_be_interrupted() {
    let script = Script::new().reply(Reply::say("Once upon a time").and_hold()).say("Sorry.");
    let (mut session, recorder) = play(script).await;
    let handle = session.handle();
    tokio::spawn(async move {
        // An interrupt before the turn would interrupt nothing.
        while recorder.requests().is_empty() {
            tokio::task::yield_now().await;
        }
        handle.interrupt().await
    });
    let outcome = session.prompt("Tell me a story.").await.unwrap();
    assert!(outcome.is_error());
    assert_eq!(session.prompt("Hm?").await.unwrap().text(), "Sorry.");
}

#[tokio::test]
async fn a_prompt_can_be_refused_queued_or_folded_in_while_a_turn_runs() {
    let script = Script::new().call("hang", json!({})).say("Later.");
    let (mut session, recorder) = play(script).await;
    let handle = session.handle();
    handle.send(Prompt::new("Nothing runs yet.").when_busy(WhenBusy::Refuse)).unwrap();
    let refused = handle.send(Prompt::new("Now?").when_busy(WhenBusy::Refuse)).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Prompt);
    let queued = handle.send(Prompt::new("Afterwards.").when_busy(WhenBusy::Queue)).unwrap();
    while recorder.requests().is_empty() {
        tokio::task::yield_now().await;
    }
    handle.interrupt().await.unwrap();
    let outcomes = [
        session.next_turn().await.unwrap().unwrap().await.unwrap(),
        session.next_turn().await.unwrap().unwrap().await.unwrap(),
    ];
    assert!(outcomes[0].is_error());
    assert_eq!(outcomes[1].text(), "Later.");
    assert_eq!(outcomes[1].result().user_message_uuids, [queued]);
    let sent: Vec<_> =
        recorder.received().into_iter().filter(|line| line["type"] == "user").collect();
    assert_eq!(sent.len(), 2, "the refused one was not sent");
    assert_eq!(sent[1]["priority"], "later");
    handle.send(Prompt::new("Idle again.").when_busy(WhenBusy::Refuse)).unwrap();
}

#[tokio::test]
async fn a_turn_that_nobody_asked_for_is_a_turn_of_its_own() {
    let text = include_str!("../golden/transcripts/09-background-subagent.jsonl");
    let (transport, director) = byre::testing::Replay::parse(text).unwrap().start();
    let mut session = plain().transport(transport).spawn().await.unwrap();
    let first = session.prompt("start a job").await.unwrap();
    assert!(first.result().origin.is_none());
    let second = session.next_turn().await.unwrap().unwrap().await.unwrap();
    assert_eq!(second.result().origin.as_ref().unwrap().kind.as_str(), "task-notification");
    assert_ne!(first.text(), second.text());
    session.close().await.unwrap();
    director.finish().await.unwrap();
}

/// A session over a peer that answers `initialize` after `before`, and then says `after`. What it does not say
/// any more, and its end of stdin, live as long as the second value.
async fn by_hand(before: Vec<Value>, after: Vec<Value>) -> (Session, impl Sized) {
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

    let (host_stdout, mut stdout) = tokio::io::duplex(64 * 1024);
    let (host_stdin, stdin) = tokio::io::duplex(64 * 1024);
    let transport = byre::Transport::new(host_stdout, host_stdin);
    let peer = async {
        let mut lines = BufReader::new(stdin).lines();
        let line = lines.next_line().await.unwrap().unwrap();
        let request: Value = serde_json::from_str(&line).unwrap();
        let answer = json!({"type": "control_response", "response": {
            "subtype": "success", "request_id": request["request_id"], "response": {},
        }});
        for line in before.into_iter().chain([answer]).chain(after) {
            stdout.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        }
        (stdout, lines)
    };
    let (session, peer) = tokio::join!(plain().transport(transport).spawn(), peer);
    (session.unwrap(), peer)
}

#[tokio::test]
async fn what_comes_before_the_answer_to_initialize_is_kept_in_order() {
    let notes = |from: i64| (from..from + 20).map(|n| json!({"type": "note", "n": n})).collect();
    let (mut session, _peer) = by_hand(notes(0), notes(20)).await;
    for n in 0..40 {
        let event = session.next_event().await.unwrap().unwrap();
        assert_eq!(event.raw().to_value()["n"], n);
    }
}

#[tokio::test]
async fn the_id_of_a_session_is_what_its_turns_say() {
    let id = |n: u32| format!("{n}a4bb1ab-0c1a-4d52-8a85-1d0a4a9f9d3c");
    let line = |mut line: Value, n| {
        line["session_id"] = id(n).into();
        line
    };
    let steps = [
        // The hooks of the start run under an id that is given up when a conversation is resumed.
        (line(json!({"type": "system", "subtype": "hook_started"}), 1), None),
        (line(json!({"type": "system", "subtype": "init"}), 2), Some(2)),
        (line(json!({"type": "system", "subtype": "hook_response"}), 1), Some(2)),
        (line(json!({"type": "assistant", "message": {"content": "Hi."}}), 2), Some(2)),
        // The conversation is given up. What it tells is no id of a session; the next turn tells that.
        (line(json!({"type": "conversation_reset", "new_conversation_id": id(9)}), 2), Some(2)),
        (line(json!({"type": "system", "subtype": "init"}), 3), Some(3)),
    ];
    let (lines, want): (Vec<_>, Vec<_>) = steps.into_iter().unzip();
    let (mut session, _peer) = by_hand(Vec::new(), lines).await;
    for want in want {
        let mut event = session.next_event().await.unwrap().unwrap();
        // This CLI has not connected to the tools.
        while matches!(event, Event::Warning(_)) {
            event = session.next_event().await.unwrap().unwrap();
        }
        assert_eq!(session.handle().session_id(), want.map(id), "{}", event.raw());
    }
}

#[tokio::test]
async fn a_tool_can_close_the_session_that_it_runs_in() {
    use std::sync::{Arc, Mutex};

    let shared = Arc::new(Mutex::new(None::<Session>));
    let taken = Arc::clone(&shared);
    let stop = byre::tool::Tool::dynamic(
        "stop",
        "Ends it all.",
        json!({"type": "object"}),
        move |_, _| {
            let session = taken.lock().unwrap().take().unwrap();
            async move { session.close().await.map_err(|error| error.to_string()) }
        },
    );
    let cli = ScriptedCli::new(Script::new().call("stop", json!({})).say("unsaid"));
    let builder = Session::builder().tools([stop]).hooks([]).transport(cli);
    let session = builder.spawn().await.unwrap();
    let handle = session.handle();
    handle.send("Go.").unwrap();
    *shared.lock().unwrap() = Some(session);
    let over = async {
        while handle.is_alive() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        // Waits for the answer that every request gets once the session is over.
        handle.interrupt().await
    };
    let error = tokio::time::timeout(Duration::from_secs(20), over).await.expect("it hangs");
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Closed);
}

/// Every request of the CLI has at most one answer.
fn assert_answered_once(recorder: &Recorder) {
    let mut ids = Vec::new();
    for line in recorder.received() {
        if line["type"] == "control_response" {
            let id = line["response"]["request_id"].clone();
            assert!(!ids.contains(&id), "{id} was answered twice");
            ids.push(id);
        }
    }
}

/// What the API promises about threads. Only has to compile.
#[test]
fn the_public_futures_can_go_to_other_threads() {
    check_send(plain().spawn());
    check_send_and_sync::<byre::SessionHandle>();
    check_send_and_sync::<Session>();
    check_send_and_sync::<byre::Error>();
    check_send_and_sync::<Event>();
    let _ = futures_of_a_session;
}

fn check_send<T: Send>(_: T) {}

fn check_send_and_sync<T: Send + Sync>() {}

fn futures_of_a_session(mut session: Session) {
    check_send(session.next_event());
    let mut turn = session.prompt("x");
    check_send(turn.next());
    check_send(turn.outcome());
    check_send(turn.into_future());
    check_send(session.handle().interrupt());
    check_send(session.close());
}
