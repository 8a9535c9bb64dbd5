//! Answers as values, and one prompt from start to end, over the stand-in for the CLI.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use byre::{
    OutputError, Session,
    testing::{Script, ScriptedCli},
};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

fn builder(script: Script) -> (byre::SessionBuilder, byre::testing::Recorder) {
    let cli = ScriptedCli::new(script);
    let recorder = cli.recorder();
    (Session::builder().tools([]).hooks([]).transport(cli), recorder)
}

#[tokio::test]
async fn the_schema_goes_with_initialize_and_the_value_comes_back() {
    let script = Script::new().call("StructuredOutput", json!({"result": [2, 3, 5]}));
    let (builder, recorder) = builder(script);
    let primes: Vec<u32> = builder.output().ask("Which primes are below 6?").await.unwrap();
    assert_eq!(primes, [2, 3, 5]);
    let initialize = &recorder.received()[0]["request"];
    assert_eq!(initialize["subtype"], "initialize");
    assert_eq!(initialize["jsonSchema"]["type"], "object");
    assert_eq!(initialize["jsonSchema"]["properties"]["result"]["type"], "array");
}

#[tokio::test]
async fn text_instead_of_a_value_is_told() {
    let (builder, _) = builder(Script::new().say("Two and three."));
    let error = builder.output::<Vec<u32>>().ask("Which primes?").await.unwrap_err();
    assert!(matches!(error, OutputError::Missing(text) if text == "Two and three."));
}

#[tokio::test]
async fn a_value_of_another_type_is_given_back() {
    let script = Script::new().call("StructuredOutput", json!({"result": "many"}));
    let (builder, _) = builder(script);
    match builder.output::<Vec<u32>>().ask("Which primes?").await.unwrap_err() {
        OutputError::Mismatch { value, .. } => assert_eq!(value, json!({"result": "many"})),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_failed_turn_is_no_answer() {
    let (builder, _) = builder(Script::new().error(529, "overloaded"));
    let error = builder.output::<u32>().ask("How many?").await.unwrap_err();
    assert!(matches!(error, OutputError::Turn(text) if text.contains("529")));
}

#[tokio::test]
async fn a_session_of_several_turns_answers_each_with_a_value() {
    let script = Script::new()
        .call("StructuredOutput", json!({"result": 4}))
        .call("StructuredOutput", json!({"result": 8}));
    let (builder, _) = builder(script);
    let mut session = builder.output::<u32>().builder().spawn().await.unwrap();
    assert_eq!(session.prompt("A cow?").await.unwrap().output::<u32>().unwrap(), 4);
    assert_eq!(session.prompt("A spider?").await.unwrap().output::<u32>().unwrap(), 8);
}

/// This CLI does not say whether it is busy. A subagent goes on after the result of the prompt, calls a tool
/// of the program, and starts a turn when it ends.
#[tokio::test]
async fn one_prompt_waits_for_its_subagents_whether_or_not_the_cli_says_that_it_is_busy() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);

    /// Adds two integers.
    #[byre::tool(register = false)]
    async fn add(a: i64, b: i64) -> i64 {
        CALLS.fetch_add(1, Ordering::SeqCst);
        a + b
    }

    let text = include_str!("../golden/transcripts/09-background-subagent.jsonl");
    assert!(!text.contains("session_state_changed"));
    let (transport, director) = byre::testing::Replay::parse(text).unwrap().start();
    let builder = Session::builder().tools(byre::tools![add]).hooks([]).transport(transport);
    // The recorded model answers in words.
    let error = builder.output::<u32>().ask("start a job").await.unwrap_err();
    assert!(matches!(&error, OutputError::Missing(text) if text == "Started it."), "{error:?}");
    assert_eq!(CALLS.load(Ordering::SeqCst), 1);
    director.finish().await.unwrap();
}

/// Asks for a value over a peer that plays these steps: pauses in minutes, and lines. Says how many minutes
/// after the prompt its stdin was closed.
async fn minutes_of_one_prompt(steps: Vec<(u64, Value)>) -> u64 {
    use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

    let (host_stdout, mut stdout) = tokio::io::duplex(64 * 1024);
    let (host_stdin, stdin) = tokio::io::duplex(64 * 1024);
    let builder = Session::builder().tools([]).hooks([]);
    let builder = builder.transport(byre::Transport::new(host_stdout, host_stdin));
    let peer = async {
        let mut lines = BufReader::new(stdin).lines();
        let line = lines.next_line().await.unwrap().unwrap();
        let request: Value = serde_json::from_str(&line).unwrap();
        let answer = json!({"type": "control_response", "response": {
            "subtype": "success", "request_id": request["request_id"], "response": {},
        }});
        stdout.write_all(format!("{answer}\n").as_bytes()).await.unwrap();
        lines.next_line().await.unwrap().unwrap();
        let start = Instant::now();
        let play = async {
            for (pause, line) in steps {
                sleep(Duration::from_secs(60 * pause)).await;
                stdout.write_all(format!("{line}\n").as_bytes()).await.unwrap();
            }
            std::future::pending::<()>().await;
        };
        tokio::select! {
            () = play => 0,
            end = lines.next_line() => {
                assert_eq!(end.unwrap(), None, "stdin is closed");
                start.elapsed().as_secs() / 60
            }
        }
    };
    let (answer, minutes) = tokio::join!(builder.output::<u32>().ask("Go."), peer);
    assert!(matches!(&answer, Err(OutputError::Missing(text)) if text == "First."), "{answer:?}");
    minutes
}

#[tokio::test(start_paused = true)]
async fn background_work_may_take_as_long_as_it_gives_signs_of_life() {
    let state =
        |state: &str| json!({"type": "system", "subtype": "session_state_changed", "state": state});
    let begins = || json!({"type": "system", "subtype": "init"});
    let result = |text: &str| json!({"type": "result", "subtype": "success", "result": text});
    let beat = || json!({"type": "tool_progress", "tool_name": "Bash", "heartbeat": true});
    let first = [(0, state("running")), (0, begins()), (0, result("First."))];
    let then =
        |steps: Vec<(u64, Value)>| first.clone().into_iter().chain(steps).collect::<Vec<_>>();
    for (steps, minutes) in [
        (then(vec![(0, state("idle"))]), 0),
        // Not a word more: it is given up.
        (then(vec![]), 10),
        // A command of a subagent takes an hour, and a turn follows.
        (
            then(
                (0..8)
                    .map(|_| (8, beat()))
                    .chain([(1, begins()), (0, result("Second.")), (0, state("idle"))])
                    .collect(),
            ),
            65,
        ),
        // Somebody is asked, and is out for a day.
        (
            then(vec![(1, state("requires_action")), (1440, state("running")), (9, state("idle"))]),
            1450,
        ),
        // What says nothing about the work does not count.
        (then((0..8).map(|_| (4, json!({"type": "prompt_suggestion"}))).collect()), 10),
    ] {
        assert_eq!(minutes_of_one_prompt(steps.clone()).await, minutes, "{steps:?}");
    }
}

/// The recording has one value that the CLI refuses, and then one that it takes.
#[tokio::test]
async fn the_recorded_session_answers_with_its_value() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Answer {
        n: u32,
    }

    let text = include_str!("../golden/transcripts/14-structured-output.jsonl");
    let (transport, director) = byre::testing::Replay::parse(text).unwrap().start();
    let builder = Session::builder().tools([]).hooks([]).transport(transport);
    let mut session = builder.output::<Answer>().builder().spawn().await.unwrap();
    let outcome = session.prompt("answer with a number").await.unwrap();
    assert_eq!(outcome.output::<Answer>().unwrap().n, 6);
    session.close().await.unwrap();
    director.finish().await.unwrap();
}
