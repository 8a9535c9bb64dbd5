//! Sessions on bad connections: each survives, or ends with an error of a kind, and in bounded time.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use byre::{
    Clock, Error, ErrorKind, Event, Result, Session, SessionBuilder, Transport,
    hook::{StopInput, StopOutput},
    testing::{Chaos, Script, ScriptedCli},
};
use serde_json::json;
use tokio::time;

/// Longer than all that byre waits for by itself.
const LIMIT: Duration = Duration::from_secs(600);

/// For what is known to come to nothing.
const SHORT: Duration = Duration::from_secs(2);

/// Adds two integers.
#[byre::tool(register = false, read_only)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Lets the agent stop when it has been told to go on once.
#[byre::hook(register = false)]
async fn once_more(input: StopInput) -> StopOutput {
    if input.stop_hook_active { StopOutput::allow() } else { StopOutput::block("Say goodbye.") }
}

fn script() -> Script {
    Script::new()
        .call_all([("add", json!({"a": 1, "b": 2})), ("add", json!({"a": 20, "b": 30}))])
        .say("{result} 🐄")
        .say("Goodbye. 🐄")
        .say("Again.")
        .say("Goodbye again.")
}

fn builder() -> SessionBuilder {
    Session::builder().tools(byre::tools![add]).hooks(byre::hooks![once_more])
}

fn over(chaos: Chaos) -> SessionBuilder {
    builder().transport(chaos.over(ScriptedCli::new(script())))
}

async fn in_time<T>(future: impl Future<Output = T>) -> T {
    time::timeout(LIMIT, future).await.expect("it hangs")
}

/// Two turns with calls and hooks, requests in between, and the end. Gives the warnings and how many
/// events of unknown kinds there were.
async fn live(builder: SessionBuilder) -> Result<(Vec<String>, usize)> {
    let mut session = in_time(builder.spawn()).await?;
    let handle = session.handle();
    let mut turn = session.prompt("Add.");
    let (mut texts, mut warnings, mut unknown) = (Vec::new(), Vec::new(), 0);
    while let Some(event) = in_time(turn.next()).await {
        match event? {
            Event::Assistant(message) => texts.push(message.text()),
            Event::Warning(warning) => warnings.push(warning.message.clone()),
            Event::Other(_) => unknown += 1,
            _ => {}
        }
    }
    texts.retain(|text| !text.is_empty());
    assert_eq!(texts, ["50 🐄", "Goodbye. 🐄"]);
    assert_eq!(turn.await?.text(), "Goodbye. 🐄");
    let (first, second, third) =
        tokio::join!(handle.mcp_status(), handle.set_model("opus"), handle.interrupt());
    assert_eq!(first?[0].name, "byre");
    second?;
    third?;
    assert_eq!(in_time(async { session.prompt("Again.").await }).await?.text(), "Goodbye again.");
    in_time(session.close()).await?;
    Ok((warnings, unknown))
}

#[tokio::test(start_paused = true)]
async fn a_session_survives_what_it_can_whatever_the_seed() {
    for seed in 0..60 {
        let lived = live(over(Chaos::survivable(seed))).await;
        assert!(lived.is_ok(), "seed {seed}: {lived:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn each_fault_by_itself_changes_nothing() {
    let new = || Chaos::new(7);
    let faults = [
        new(),
        new().split_writes(),
        new().delays(Duration::from_secs(1)),
        new().garbage(),
        new().unknown_lines(),
        new().lone_surrogates(),
        new().broken_utf8(),
        new().duplicates(),
        new().reorders(),
        new().long_line(1_000_000),
    ];
    for chaos in faults {
        let name = format!("{chaos:?}");
        let lived = live(over(chaos)).await;
        assert!(lived.as_ref().is_ok_and(|(warnings, _)| warnings.is_empty()), "{name}: {lived:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn clocks_may_jump_by_hours() {
    let hour = Duration::from_secs(60 * 60);
    let clock = time::Instant::now();
    // Whatever waits with a limit may fail by it, and by nothing else. To the CLI too hooks and servers are
    // late, and it goes on without them.
    for seed in 0..20 {
        let lived = time::timeout(100 * hour, live_through(Chaos::new(seed).delays(hour))).await;
        if let Err(error) = lived.expect("it hangs") {
            assert_eq!(error.kind(), ErrorKind::Timeout, "seed {seed}: {error}");
        }
    }
    assert!(clock.elapsed() > hour);
}

/// One turn.
async fn live_through(chaos: Chaos) -> Result<()> {
    let mut session = over(chaos).spawn().await?;
    assert!(!session.prompt("Add.").await?.text().is_empty());
    session.close().await
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_jumps_in_a_turn_ends_nothing() {
    let mut session = over(Chaos::new(1)).spawn().await.unwrap();
    let mut turn = session.prompt("Add.");
    turn.next().await.unwrap().unwrap();
    // Somebody has stopped the program for a while, longer than `idle_timeout`.
    time::advance(Duration::from_secs(60 * 60)).await;
    assert_eq!(turn.await.unwrap().text(), "Goodbye. 🐄");
    session.close().await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_cli_may_be_gone_after_any_line() {
    let mut fates = Vec::new();
    for lines in 0..60 {
        let lived = live(over(Chaos::survivable(1).exits_after(lines))).await;
        if let Err(error) = &lived {
            assert_eq!(error.kind(), ErrorKind::Exited, "after {lines} lines: {error}");
        }
        fates.push(lived.is_ok());
    }
    // At first it fails; from some line on everything has been said.
    assert!(!fates[0] && !fates[20], "{fates:?}");
    assert!(fates.is_sorted(), "{fates:?}");
}

#[tokio::test(start_paused = true)]
async fn a_cli_may_fall_silent_after_any_line() {
    for lines in 0..40 {
        let chaos = Chaos::survivable(1).stalls_after(lines);
        let session = in_time(over(chaos).spawn()).await;
        let mut session = match session {
            Ok(session) => session,
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Timeout, "after {lines} lines: {error}");
                continue;
            }
        };
        let handle = session.handle();
        // A turn may take for ever; whoever does not want that says so.
        let turn =
            time::timeout(Duration::from_secs(60), session.prompt("Add.").into_future()).await;
        let interrupted = in_time(handle.interrupt()).await;
        if turn.is_err() {
            assert_eq!(interrupted.unwrap_err().kind(), ErrorKind::Timeout, "after {lines} lines");
        }
        in_time(session.close()).await.unwrap();
        assert!(!handle.is_alive());
    }
}

/// Whoever watches the clocks comes too late as well, and looks a second time: but not for ever.
#[tokio::test(start_paused = true)]
async fn a_cli_that_is_silent_while_the_program_stands_still_is_given_up() {
    let mut given_up = 0;
    for lines in 0..30 {
        let chaos = Chaos::new(1).stalls_after(lines);
        let Ok(mut session) = in_time(over(chaos).spawn()).await else { continue };
        let mut turn = session.prompt("Add.");
        let read = async { while turn.next().await.is_some_and(|event| event.is_ok()) {} };
        if time::timeout(Duration::from_secs(60), read).await.is_ok() {
            continue;
        }
        time::advance(Duration::from_secs(60 * 60)).await;
        let error =
            time::timeout(Duration::from_secs(1), turn.outcome()).await.unwrap().unwrap_err();
        assert_eq!(error.timeout().unwrap().clock, Clock::Idle, "after {lines} lines: {error}");
        given_up += 1;
    }
    assert!(given_up > 3, "{given_up}");
}

/// Lines that look like messages until somebody reads them. The file takes real time.
#[tokio::test]
async fn a_broken_message_is_a_warning_and_does_not_break_the_transcript() {
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt};

    let path = std::env::temp_dir().join(format!("byre-broken-{}.jsonl", std::process::id()));
    let (stdout, mut cli_stdout) = tokio::io::duplex(1024);
    let (stdin, cli_stdin) = tokio::io::duplex(1024);
    let spawning = builder().transport(Transport::new(stdout, stdin)).transcript(&path).spawn();
    let mut lines = tokio::io::BufReader::new(cli_stdin).lines();
    let start = async {
        let line = lines.next_line().await.unwrap().unwrap();
        let request: serde_json::Value = serde_json::from_str(&line).unwrap();
        let answer = json!({"type": "control_response", "response": {
            "subtype": "success", "request_id": request["request_id"], "response": {},
        }});
        let said = format!(
            "{answer}\n{{\"type\":\"user\",\"message\":[}}\n{}\n",
            json!({"type": "assistant", "message": {"content": "after it"}}),
        );
        cli_stdout.write_all(said.as_bytes()).await.unwrap();
    };
    let mut session = in_time(async { tokio::join!(spawning, start).0 }).await.unwrap();
    let Event::Warning(warning) = in_time(session.next_event()).await.unwrap().unwrap() else {
        panic!("no warning");
    };
    assert!(warning.message.ends_with("{\"type\":\"user\",\"message\":[}"), "{warning}");
    let event = in_time(session.next_event()).await.unwrap().unwrap();
    assert_eq!(event.text().as_deref(), Some("after it"));
    drop(cli_stdout);
    let _ = in_time(session.close()).await;
    let transcript = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(transcript.contains("after it"), "{transcript}");
    for line in transcript.lines() {
        assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{line}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_line_that_never_ends_is_told_of_and_holds_nothing_up() {
    for ignores_eof in [false, true] {
        let mut chaos = Chaos::new(1).endless_line_after(8);
        if ignores_eof {
            chaos = chaos.ignores_eof();
        }
        let mut session =
            over(chaos).max_line(1_000_000).control_timeout(SHORT).spawn().await.unwrap();
        let handle = session.handle();
        let mut turn = session.prompt("Add.");
        let warning = loop {
            if let Event::Warning(warning) = in_time(turn.next()).await.unwrap().unwrap() {
                break warning.message.clone();
            }
        };
        assert!(warning.contains("longer than 1000000 bytes"), "{warning}");
        drop(turn);
        let error = in_time(handle.interrupt()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Timeout);
        let start = time::Instant::now();
        in_time(session.close()).await.unwrap();
        assert!(start.elapsed() < Duration::from_secs(11), "{:?}", start.elapsed());
    }
}

#[tokio::test(start_paused = true)]
async fn a_line_over_the_limit_is_skipped_and_one_below_is_not() {
    let chaos = || Chaos::new(1).long_line(100_000);
    let (warnings, unknown) = live(over(chaos()).max_line(99_999)).await.unwrap();
    assert_eq!((warnings.len(), unknown), (1, 0), "{warnings:?}");
    let (warnings, unknown) = live(over(chaos()).max_line(100_000)).await.unwrap();
    assert_eq!((warnings.len(), unknown), (0, 1), "{warnings:?}");
}

#[tokio::test]
async fn a_line_of_64_megabytes_is_an_event_like_others() {
    let (warnings, unknown) = live(over(Chaos::new(1).long_line(64 * 1024 * 1024))).await.unwrap();
    assert_eq!((warnings.len(), unknown), (0, 1), "{warnings:?}");
}

#[tokio::test(start_paused = true)]
async fn a_cli_that_ignores_the_end_of_stdin_delays_close_by_seconds() {
    let mut session = over(Chaos::survivable(1).ignores_eof()).spawn().await.unwrap();
    session.prompt("Add.").await.unwrap();
    let start = time::Instant::now();
    in_time(session.close()).await.unwrap();
    assert!((4..11).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_transport_of_ones_own_can_go_wrong_too() {
    let (stdout, mut cli_stdout) = tokio::io::duplex(1024);
    let (stdin, _cli_stdin) = tokio::io::duplex(1024);
    let transport = Chaos::survivable(3).exits_after(1).over(Transport::new(stdout, stdin));
    let spawning = builder().transport(transport).spawn();
    let write = async {
        use tokio::io::AsyncWriteExt;

        cli_stdout.write_all(b"{\"type\":\"keep_alive\"}\n").await.unwrap();
        std::future::pending::<()>().await;
    };
    let error: Error = tokio::select! {
        result = in_time(spawning) => result.unwrap_err(),
        () = write => unreachable!(),
    };
    assert_eq!(error.kind(), ErrorKind::Exited);
}

// Over real pipes.

fn fake(misbehaviour: &str) -> SessionBuilder {
    builder()
        .cli_path(Path::new(env!("CARGO_BIN_EXE_fake-claude")))
        .env("FAKE_CLAUDE_SCRIPT", script().to_json().unwrap())
        .env("FAKE_CLAUDE_MISBEHAVE", misbehaviour)
}

#[tokio::test]
async fn a_session_survives_what_it_can_over_real_pipes() {
    for seed in 0..3 {
        let lived = live(fake(&format!("chaos={seed}"))).await;
        assert!(lived.is_ok(), "seed {seed}: {lived:?}");
    }
}

#[tokio::test]
async fn a_cli_that_ignores_eof_and_sigterm_is_killed() {
    let mut session = in_time(fake("chaos=1,ignore-eof,ignore-term").spawn()).await.unwrap();
    in_time(async { session.prompt("Add.").await }).await.unwrap();
    let start = Instant::now();
    in_time(session.close()).await.unwrap();
    let took = start.elapsed().as_secs();
    // Five seconds for each step, and what a busy machine takes.
    assert!((9..60).contains(&took), "{took} s");
}
