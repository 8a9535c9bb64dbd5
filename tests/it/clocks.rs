//! The limits of time, on a clock that a test can turn.

use std::{future::IntoFuture, time::Duration};

use byre::{
    Clock, Error, ErrorKind, Prompt, Session, SessionBuilder, Transport,
    permission::PermissionAnswer,
    testing::{Reply, Script, ScriptedCli},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines},
    time::{Instant, sleep, timeout},
};

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// The default of `idle_timeout`.
const IDLE: Duration = Duration::from_secs(20 * 60);

/// A little less.
const NEARLY: Duration = Duration::from_secs(20 * 60 - 1);

/// Takes its time.
#[byre::tool(register = false)]
async fn ponder(hours: u64) -> &'static str {
    sleep(HOUR * u32::try_from(hours).unwrap()).await;
    "42"
}

/// Lets the agent stop, after an hour.
#[byre::hook(register = false, timeout = 7200)]
async fn reluctant(_input: byre::hook::StopInput) -> byre::hook::StopOutput {
    sleep(HOUR).await;
    byre::hook::StopOutput::allow()
}

fn plain() -> SessionBuilder {
    Session::builder().tools(byre::tools![ponder]).hooks([])
}

async fn play(builder: SessionBuilder, script: Script) -> Session {
    builder.transport(ScriptedCli::new(script)).spawn().await.unwrap()
}

/// A reply that begins, and never ends.
fn stall() -> Script {
    Script::new().reply(Reply::say("Once upon a time").and_hold())
}

/// The CLI's end of the pipe, played by hand.
struct Peer {
    stdin: Lines<BufReader<DuplexStream>>,
    stdout: DuplexStream,
}

impl Peer {
    fn new() -> (Transport, Self) {
        let (stdout, cli_writes) = tokio::io::duplex(64 * 1024);
        let (stdin, cli_reads) = tokio::io::duplex(64 * 1024);
        let peer = Self { stdin: BufReader::new(cli_reads).lines(), stdout: cli_writes };
        (Transport::new(stdout, stdin), peer)
    }

    /// A session that has just been started.
    async fn start(builder: SessionBuilder) -> (Session, Self) {
        let (transport, mut peer) = Self::new();
        let start = async {
            let request = peer.hear().await.unwrap();
            peer.answer(&request).await;
        };
        let (session, ()) = tokio::join!(builder.transport(transport).spawn(), start);
        (session.unwrap(), peer)
    }

    async fn hear(&mut self) -> Option<Value> {
        let line = self.stdin.next_line().await.unwrap()?;
        Some(serde_json::from_str(&line).unwrap())
    }

    async fn say(&mut self, line: Value) {
        self.say_all(&[line]).await;
    }

    /// Says this at once.
    async fn say_all(&mut self, lines: &[Value]) {
        let text = lines.iter().fold(String::new(), |text, line| format!("{text}{line}\n"));
        // Fails once the host has given up.
        let _ = self.stdout.write_all(text.as_bytes()).await;
    }

    async fn answer(&mut self, request: &Value) {
        let response = json!({
            "subtype": "success", "request_id": request["request_id"], "response": {},
        });
        self.say(json!({"type": "control_response", "response": response})).await;
    }
}

/// The error says that this limit was reached, and what was heard last, so long before.
fn check(error: &Error, clock: Clock, limit: Duration, last: Option<(&str, Duration)>) {
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error}");
    let timeout = error.timeout().unwrap();
    assert_eq!((timeout.clock, timeout.limit), (clock, limit));
    let heard = timeout.last_heard.as_ref();
    let ago = heard.map(|heard| (heard.line.as_str(), heard.ago.as_secs()));
    assert_eq!(ago, last.map(|(line, ago)| (line, ago.as_secs())));
}

// The start.

#[tokio::test(start_paused = true)]
async fn a_cli_that_does_not_start_is_given_up_after_a_minute() {
    let (transport, mut peer) = Peer::new();
    let start = Instant::now();
    let error = plain().transport(transport).spawn().await.unwrap_err();
    assert_eq!(start.elapsed(), MINUTE);
    check(&error, Clock::Spawn, MINUTE, None);
    assert_eq!(
        error.to_string(),
        "could not start the session: the CLI has not answered within 60 s (`spawn_timeout`); it has said \
         nothing at all"
    );
    assert_eq!(peer.hear().await.unwrap()["request"]["subtype"], "initialize");
    while let Some(line) = peer.hear().await {
        assert_eq!(line["type"], "control_cancel_request");
    }
    // And now its stdin is closed, by which the CLI knows.
}

#[tokio::test(start_paused = true)]
async fn hooks_that_report_hold_the_limit_of_the_start_off_and_other_lines_do_not() {
    for (line, starts) in [
        (json!({"type": "system", "subtype": "hook_progress", "hook_event": "SessionStart"}), true),
        (json!({"type": "system", "subtype": "hook_started", "hook_event": "Setup"}), true),
        (json!({"type": "system", "subtype": "plugin_install", "status": "started"}), true),
        (json!({"type": "keep_alive"}), false),
    ] {
        let (transport, mut peer) = Peer::new();
        let play = async {
            let request = peer.hear().await.unwrap();
            for _ in 0..5 {
                sleep(50 * SECOND).await;
                peer.say(line.clone()).await;
            }
            peer.answer(&request).await;
            peer
        };
        let (result, _peer) = tokio::join!(plain().transport(transport).spawn(), play);
        assert_eq!(result.is_ok(), starts, "{line}");
        if let Err(error) = result {
            check(&error, Clock::Spawn, MINUTE, Some(("keep_alive", 10 * SECOND)));
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_limit_of_the_start_can_be_another_or_none() {
    let (transport, _peer) = Peer::new();
    let start = Instant::now();
    let builder = plain().spawn_timeout(5 * SECOND).transport(transport);
    check(&builder.spawn().await.unwrap_err(), Clock::Spawn, 5 * SECOND, None);
    assert_eq!(start.elapsed(), 5 * SECOND);

    for never in [None, Some(Duration::MAX)] {
        let (transport, _peer) = Peer::new();
        let builder = plain().spawn_timeout(never).transport(transport);
        assert!(timeout(DAY, builder.spawn()).await.is_err());
    }
}

// Silence.

#[tokio::test(start_paused = true)]
async fn a_cli_that_falls_silent_in_a_turn_is_given_up() {
    let (mut session, mut peer) = Peer::start(plain()).await;
    let handle = session.handle();
    let asks = tokio::spawn({
        let handle = handle.clone();
        async move { handle.control("mcp_status", json!({})).await }
    });
    let play = async {
        sleep(MINUTE).await;
        peer.say(json!({"type": "system", "subtype": "status"})).await;
    };
    let start = Instant::now();
    let (outcome, ()) = tokio::join!(session.prompt("Hi.").into_future(), play);
    assert_eq!(start.elapsed(), MINUTE + IDLE);
    let error = outcome.unwrap_err();
    check(&error, Clock::Idle, IDLE, Some(("system/status", IDLE)));
    let sent = loop {
        let line = peer.hear().await.unwrap();
        if line["type"] == "user" {
            break line["uuid"].as_str().unwrap().to_owned();
        }
    };
    assert_eq!(error.unfinished_prompt(), Some(sent.as_str()));
    assert_eq!(
        error.to_string(),
        "could not finish the turn: the CLI has been silent for 1200 s (`idle_timeout`); its last line, \
         1200.0 s before, was `system/status`; the prompt was sent, may have been carried out in part, and \
         is not sent again"
    );

    // Everything fails at once, although the CLI has not ended yet.
    let now = Instant::now();
    assert!(!session.is_alive());
    assert!(!handle.is_alive());
    for error in [
        handle.interrupt().await.unwrap_err(),
        handle.send("Hm?").unwrap_err(),
        session.prompt("Hm?").await.unwrap_err(),
    ] {
        check(&error, Clock::Idle, IDLE, Some(("system/status", IDLE)));
        assert_eq!(error.unfinished_prompt(), None, "nothing was sent");
    }
    assert!(session.next_event().await.is_none());
    assert_eq!(asks.await.unwrap().unwrap_err().timeout().unwrap().clock, Clock::Control);
    assert_eq!(now.elapsed(), Duration::ZERO);
    while peer.hear().await.is_some() {}
    session.close().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn lines_of_any_kind_hold_silence_off() {
    for line in [
        json!({"type": "keep_alive"}),
        json!({"type": "tool_progress", "tool_use_id": "toolu_1-heartbeat-0", "heartbeat": true}),
        json!({"type": "news"}),
    ] {
        let (mut session, mut peer) = Peer::start(plain()).await;
        let play = async {
            for _ in 0..10 {
                sleep(NEARLY).await;
                peer.say(line.clone()).await;
            }
            peer.say(json!({"type": "result", "result": "Done."})).await;
            peer
        };
        let (outcome, _peer) = tokio::join!(session.prompt("Hi.").into_future(), play);
        assert_eq!(outcome.unwrap().text(), "Done.", "{line}");
    }
}

#[tokio::test(start_paused = true)]
async fn text_that_is_no_json_is_no_sign_of_life() {
    let (mut session, mut peer) = Peer::start(plain()).await;
    let chatter = tokio::spawn(async move {
        while peer.stdout.write_all(b"still compiling\n").await.is_ok() {
            sleep(MINUTE).await;
        }
    });
    let start = Instant::now();
    let error = session.prompt("Hi.").await.unwrap_err();
    assert_eq!(start.elapsed(), IDLE);
    check(&error, Clock::Idle, IDLE, Some(("control_response", IDLE)));
    assert_eq!(error.exit().unwrap().stdout.last().unwrap(), "still compiling");
    chatter.abort();
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_the_cli_announces_holds_silence_off() {
    let (mut session, mut peer) = Peer::start(plain()).await;
    let play = async {
        let delay = HOUR.as_millis();
        peer.say(json!({"type": "system", "subtype": "api_retry", "retry_delay_ms": delay})).await;
    };
    let start = Instant::now();
    let (outcome, ()) = tokio::join!(session.prompt("Hi.").into_future(), play);
    assert_eq!(start.elapsed(), HOUR + IDLE);
    check(&outcome.unwrap_err(), Clock::Idle, IDLE, Some(("system/api_retry", HOUR + IDLE)));
}

/// What the CLI says of the conversation shows that it has stopped waiting.
#[tokio::test(start_paused = true)]
async fn an_announced_wait_is_over_when_the_conversation_goes_on() {
    for together in [false, true] {
        let (mut session, mut peer) = Peer::start(plain()).await;
        let retry = json!({"type": "system", "subtype": "api_retry",
            "retry_delay_ms": HOUR.as_millis()});
        let status = json!({"type": "system", "subtype": "status"});
        let message = json!({"type": "assistant", "message": {"content": []}});
        let play = async {
            if together {
                peer.say_all(&[retry, message]).await;
            } else {
                peer.say(retry).await;
                sleep(MINUTE).await;
                peer.say(status).await;
                sleep(MINUTE).await;
                peer.say(message).await;
            }
        };
        let start = Instant::now();
        let (outcome, ()) = tokio::join!(session.prompt("Hi.").into_future(), play);
        let waited = if together { Duration::ZERO } else { 2 * MINUTE };
        assert_eq!(start.elapsed(), waited + IDLE);
        check(&outcome.unwrap_err(), Clock::Idle, IDLE, Some(("assistant", IDLE)));
    }
}

#[tokio::test(start_paused = true)]
async fn a_tool_a_hook_and_a_permission_hold_silence_off() {
    let builder =
        plain().hooks(byre::hooks![reluctant]).can_use_tool(async |_request, _context| {
            sleep(HOUR).await;
            PermissionAnswer::allow()
        });
    let script = Script::new().call("ponder", json!({"hours": 30})).say("{result}");
    let mut session = play(builder.ask_for_own_tools(), script).await;
    let start = Instant::now();
    assert_eq!(session.prompt("Think.").await.unwrap().text(), "42");
    assert!(start.elapsed() >= 32 * HOUR, "{:?}", start.elapsed());
    session.close().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn silence_begins_when_the_tool_has_ended() {
    let script = Script::new().call("ponder", json!({"hours": 3})).reply(Reply::hold());
    let mut session = play(plain(), script).await;
    let start = Instant::now();
    let error = session.prompt("Think.").await.unwrap_err();
    check(&error, Clock::Idle, IDLE, error_heard(&error));
    let took = start.elapsed();
    assert!(took >= 3 * HOUR + IDLE && took < 3 * HOUR + IDLE + MINUTE, "{took:?}");
}

/// What the error says was heard last, where a test does not care.
fn error_heard(error: &Error) -> Option<(&str, Duration)> {
    let heard = error.timeout()?.last_heard.as_ref()?;
    Some((&heard.line, heard.ago))
}

#[tokio::test(start_paused = true)]
async fn a_session_that_nobody_waits_for_may_be_silent() {
    let mut session = play(plain(), Script::new().say("Hello.").say("Hello again.")).await;
    sleep(DAY).await;
    assert_eq!(session.prompt("Hi.").await.unwrap().text(), "Hello.");
    sleep(DAY).await;
    assert!(session.is_alive());
    assert_eq!(session.prompt("Hi.").await.unwrap().text(), "Hello again.");
    assert!(timeout(DAY, session.next_event()).await.is_ok_and(|event| event.is_some()));
    session.close().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_prompt_that_was_withdrawn_is_not_waited_for() {
    let (mut session, mut peer) = Peer::start(plain()).await;
    assert!(timeout(SECOND, session.prompt("Hi.")).await.is_err());
    let uuid = peer.hear().await.unwrap()["uuid"].clone();
    for want in ["cancel_async_message", "interrupt"] {
        let request = peer.hear().await.unwrap();
        assert_eq!(request["request"]["subtype"], want);
        peer.answer(&request).await;
    }
    let state = json!({"type": "command_lifecycle", "state": "cancelled", "command_uuid": uuid});
    peer.say(state).await;
    sleep(DAY).await;
    assert!(session.is_alive());
}

#[tokio::test(start_paused = true)]
async fn a_prompt_that_was_only_sent_is_waited_for_too() {
    let session = play(plain(), stall()).await;
    let handle = session.handle();
    handle.send("Hi.").unwrap();
    sleep(NEARLY).await;
    assert!(handle.is_alive());
    sleep(MINUTE).await;
    assert!(!handle.is_alive());
    assert_eq!(handle.send("Hm?").unwrap_err().timeout().unwrap().clock, Clock::Idle);
}

#[tokio::test(start_paused = true)]
async fn silence_can_have_another_limit_or_none() {
    let mut session = play(plain().idle_timeout(10 * SECOND), stall()).await;
    let start = Instant::now();
    let error = session.prompt("Hi.").await.unwrap_err();
    check(&error, Clock::Idle, 10 * SECOND, error_heard(&error));
    assert!(start.elapsed() < 11 * SECOND, "{:?}", start.elapsed());

    for never in [None, Some(Duration::MAX)] {
        let mut session = play(plain().idle_timeout(never), stall()).await;
        assert!(timeout(7 * DAY, session.prompt("Hi.")).await.is_err());
        assert!(session.is_alive());
    }
}

// A whole turn.

#[tokio::test(start_paused = true)]
async fn a_turn_may_take_for_ever_unless_something_is_said() {
    let script = Script::new().call("ponder", json!({"hours": 1000})).say("{result}");
    let mut session = play(plain(), script).await;
    assert_eq!(session.prompt("Think.").await.unwrap().text(), "42");
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_takes_too_long_is_given_up_whatever_happens_in_it() {
    let (mut session, mut peer) = Peer::start(plain().turn_timeout(HOUR)).await;
    let alive = tokio::spawn(async move {
        loop {
            sleep(MINUTE).await;
            peer.say(json!({"type": "keep_alive"})).await;
        }
    });
    let start = Instant::now();
    let mut turn = session.prompt("Hi.");
    let error = turn.next().await.unwrap().unwrap_err();
    assert_eq!(start.elapsed(), HOUR);
    assert_eq!(error.timeout().unwrap().clock, Clock::Turn);
    assert!(error.to_string().contains("has not ended within 3600 s (`turn_timeout`)"), "{error}");
    assert!(error.unfinished_prompt().is_some());
    assert!(turn.next().await.is_none());
    alive.abort();
}

#[tokio::test(start_paused = true)]
async fn a_prompt_has_a_limit_of_its_own() {
    let slow = || Script::new().call("ponder", json!({"hours": 2})).say("{result}");
    let mut session = play(plain(), slow()).await;
    let start = Instant::now();
    let error = session.prompt(Prompt::new("Think.").turn_timeout(HOUR)).await.unwrap_err();
    check(&error, Clock::Turn, HOUR, error_heard(&error));
    assert_eq!(start.elapsed(), HOUR);

    let mut session = play(plain().turn_timeout(HOUR), slow()).await;
    let outcome = session.prompt(Prompt::new("Think.").turn_timeout(None)).await.unwrap();
    assert_eq!(outcome.text(), "42");
}

#[tokio::test(start_paused = true)]
async fn each_turn_has_the_whole_time() {
    let script = Script::new()
        .call("ponder", json!({"hours": 2}))
        .say("One.")
        .call("ponder", json!({"hours": 2}))
        .say("Two.");
    let mut session = play(plain().turn_timeout(3 * HOUR), script).await;
    assert_eq!(session.prompt("Think.").await.unwrap().text(), "One.");
    sleep(DAY).await;
    assert_eq!(session.prompt("Think.").await.unwrap().text(), "Two.");
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_nobody_asked_for_is_limited_once_somebody_waits_for_it() {
    let (mut session, mut peer) = Peer::start(plain().turn_timeout(HOUR).idle_timeout(None)).await;
    peer.say(json!({"type": "system", "subtype": "init", "session_id": "1"})).await;
    let turn = session.next_turn().await.unwrap().unwrap();
    let error = turn.await.unwrap_err();
    check(&error, Clock::Turn, HOUR, Some(("system/init", HOUR)));
    assert_eq!(error.unfinished_prompt(), None, "it has no prompt of ours");
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_was_dropped_has_no_limit_any_more() {
    let script = stall().say("Sorry.");
    let mut session = play(plain().turn_timeout(MINUTE), script).await;
    assert!(timeout(SECOND, session.prompt("Tell me a story.")).await.is_err());
    sleep(HOUR).await;
    assert_eq!(session.prompt("Hm?").await.unwrap().text(), "Sorry.");
}

/// Its result may come at any time, and must not be taken for that of the next one.
#[tokio::test(start_paused = true)]
async fn the_next_prompt_waits_half_a_minute_for_the_result_of_a_turn_that_was_dropped() {
    let (mut session, mut peer) = Peer::start(plain()).await;
    let mut next_prompt = async || loop {
        let line = peer.hear().await.unwrap();
        match line["type"].as_str() {
            Some("user") => return line["message"]["content"].as_str().unwrap().to_owned(),
            // The prompt is withdrawn and the turn interrupted; the result does not come.
            Some("control_request") => peer.answer(&line).await,
            _ => {}
        }
    };
    tokio::select! {
        outcome = session.prompt("First.").into_future() => panic!("{outcome:?}"),
        prompt = next_prompt() => assert_eq!(prompt, "First."),
    }
    let dropped = Instant::now();
    tokio::select! {
        outcome = session.prompt("Second.").into_future() => panic!("{outcome:?}"),
        prompt = next_prompt() => assert_eq!(prompt, "Second."),
    }
    assert_eq!(dropped.elapsed(), MINUTE / 2);
}

// A request.

#[tokio::test(start_paused = true)]
async fn a_request_without_an_answer_is_withdrawn_and_the_session_goes_on() {
    let (session, mut peer) = Peer::start(plain()).await;
    let handle = session.handle();
    let start = Instant::now();
    let error = handle.interrupt().await.unwrap_err();
    assert_eq!(start.elapsed(), MINUTE);
    check(&error, Clock::Control, MINUTE, Some(("control_response", MINUTE)));
    assert!(handle.is_alive());
    let request = peer.hear().await.unwrap();
    assert_eq!(peer.hear().await.unwrap()["request_id"], request["request_id"]);
    let play = async {
        let request = peer.hear().await.unwrap();
        peer.answer(&request).await;
    };
    tokio::join!(handle.set_model("opus"), play).0.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_request_can_have_no_limit() {
    let (session, _peer) = Peer::start(plain().control_timeout(None)).await;
    assert!(timeout(DAY, session.handle().interrupt()).await.is_err());
}
