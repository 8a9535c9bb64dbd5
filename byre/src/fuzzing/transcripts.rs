//! Recordings: what is read as one, plays to its end; and what is recorded of it, can be read again.

use std::{fs, time::Duration};

use super::{mcp, run};
use crate::{
    Session,
    testing::{Cue, Director, Replay},
};

/// Far more than the sum of all limits that a recording can run into.
const LIMIT: Duration = Duration::from_secs(24 * 60 * 60);

/// Reads `data` as a transcript and plays it to a session.
pub fn transcripts(data: &[u8]) {
    let Ok(replay) = Replay::parse(&String::from_utf8_lossy(data)) else { return };
    let path = std::env::temp_dir().join(format!("byre-fuzz-{}.jsonl", std::process::id()));
    run(async {
        tokio::time::pause();
        let (transport, director) = replay.start();
        let builder =
            Session::builder().tools(mcp::tools()).hooks([]).transcript(&path).transport(transport);
        let play = async {
            if let Ok(session) = builder.spawn().await {
                play(session, director).await;
            }
        };
        tokio::time::timeout(LIMIT, play).await.expect("it ends");
    });
    let recorded = fs::read_to_string(&path).expect("a transcript is text");
    let _ = fs::remove_file(&path);
    if let Err(error) = Replay::parse(&recorded) {
        panic!("{error}: {recorded}");
    }
}

/// Does what the recorded host did, and reads all events.
async fn play(mut session: Session, mut director: Director) {
    let handle = session.handle();
    let reading = tokio::spawn(async move {
        while let Some(Ok(event)) = session.next_event().await {
            drop(event);
        }
        // A host that reads to the end, and then closes.
        session.close().await
    });
    while let Some(cue) = director.next().await {
        match cue {
            Cue::Prompt(content) => drop(handle.send(content.to_string())),
            Cue::Request { subtype, body } => {
                let handle = handle.clone();
                tokio::spawn(async move { drop(handle.control(&subtype, body).await) });
            }
        }
    }
    drop(director.finish().await);
    reading.await.expect("reading never panics").expect("closing never fails");
}
