//! Plays sessions recorded from CLI 2.1.332 against byre: nothing hangs, nothing is lost, and every
//! request is answered.

use std::{collections::HashSet, fs, io, path::Path, time::Duration};

use byre::{
    Event, Session,
    event::SystemEvent,
    testing::{Cue, Replay},
};
use serde_json::Value;

/// Adds two numbers.
#[byre::tool(register = false, name = "add")]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Says what it is told.
#[byre::tool(register = false)]
async fn echo(text: String) -> String {
    text
}

#[byre::hook(register = false)]
async fn stop(_input: byre::hook::StopInput) {}

/// What the CLI said that is for the application, with what was repaired.
fn events_of(replay: &Replay) -> Vec<Value> {
    let control = ["control_request", "control_response", "control_cancel_request", "keep_alive"];
    let is_event = |line: &Value| !control.contains(&line["type"].as_str().unwrap_or_default());
    replay.received().into_iter().filter(is_event).collect()
}

/// Plays one recording, and gives the events that byre delivered.
async fn play(replay: Replay) -> Vec<Event> {
    let (transport, mut director) = replay.start();
    let builder = Session::builder()
        .tools(byre::tools![add, echo])
        .hooks(byre::hooks![stop])
        .transport(transport);
    let mut session = builder.spawn().await.unwrap();
    let handle = session.handle();
    let reader = tokio::spawn(async move {
        let mut events = Vec::new();
        while let Some(Ok(event)) = session.next_event().await {
            events.push(event);
        }
        events
    });
    while let Some(cue) = director.next().await {
        match cue {
            Cue::Prompt(content) => {
                handle.send(content.as_str().unwrap()).unwrap();
            }
            Cue::Request { subtype, body } => {
                let handle = handle.clone();
                tokio::spawn(async move { handle.control(&subtype, body).await });
            }
        }
    }
    director.finish().await.unwrap();
    reader.await.unwrap()
}

fn transcripts() -> Vec<(String, Replay)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/transcripts");
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, Replay::parse(&fs::read_to_string(path).unwrap()).unwrap())
    };
    paths.iter().map(read).collect()
}

#[tokio::test]
async fn every_recorded_session_plays_to_its_end() {
    let transcripts = transcripts();
    assert_eq!(transcripts.len(), 20);
    for (name, replay) in transcripts {
        let want = events_of(&replay);
        let events = tokio::time::timeout(Duration::from_secs(20), play(replay)).await;
        let events = events.unwrap_or_else(|_| panic!("{name} hangs"));
        let from_cli: Vec<_> =
            events.iter().filter(|event| !matches!(event, Event::Warning(_))).collect();
        assert_eq!(from_cli.len(), want.len(), "{name}");
        for (event, want) in from_cli.iter().zip(&want) {
            let got = event.raw().to_value();
            assert_eq!(got["type"], want["type"], "{name}");
            // Ids of prompts are byre's own; everything else is word for word.
            if !want.to_string().contains("00000000-0000-4000-8000") {
                assert_eq!(&got, want, "{name}");
            }
        }
    }
}

/// Plays lines to a session that does nothing by itself, and gives how that ends.
async fn play_to_nobody(lines: &str) -> io::Result<()> {
    let (transport, mut director) = Replay::parse(lines).unwrap().start();
    let builder = Session::builder().tools([]).hooks([]).transport(transport);
    let session = builder.spawn().await;
    while director.next().await.is_some() {}
    let end = director.finish();
    let (end, ()) = tokio::join!(end, async { drop(session) });
    end
}

#[tokio::test(start_paused = true)]
async fn a_recording_with_a_gap_plays_on_or_says_what_is_missing() {
    let start = r#"{"dir":"send","msg":{"type":"control_request","request_id":"h","request":{"subtype":"initialize"}}}
{"dir":"recv","msg":{"type":"control_response","response":{"subtype":"success","request_id":"h","response":{}}}}
"#;
    let answer_to_nobody = r#"{"dir":"send","msg":{"type":"control_response","response":{"subtype":"success","request_id":"c-1"}}}"#;
    play_to_nobody(&format!("{start}{answer_to_nobody}")).await.unwrap();
    // No host starts twice.
    let error = play_to_nobody(&format!("{start}{start}")).await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    assert_eq!(error.to_string(), "the host has not sent a request initialize within 60 s");
}

#[tokio::test]
async fn nothing_in_the_recordings_is_unreadable() {
    let mut unknown = HashSet::new();
    for (_, replay) in transcripts() {
        for event in play(replay).await {
            match event {
                Event::Other(other) | Event::System(SystemEvent::Other(other)) => {
                    unknown.insert(other.kind);
                }
                Event::Assistant(message) => assert!(!message.message.content.is_empty()),
                Event::User(user) => assert!(!user.message.content.is_empty()),
                _ => {}
            }
        }
    }
    assert_eq!(unknown, HashSet::new());
}
