//! Plays sessions recorded from CLI 2.1.332 against byre: nothing hangs, nothing is lost, and every
//! request is answered.

use std::{collections::HashSet, fs, path::Path, time::Duration};

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
