//! The work done with byre, as somebody would who has read its README.

use std::{
    future::Future,
    time::{Duration, Instant},
};

use byre::{Event, event::ContentBlock, hook::StopInput};

use crate::work::{Kind, Report, Work, cpu_ns, memory_kb};

/// Adds two integers.
#[byre::tool]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Gives back what it is given.
#[byre::tool]
async fn echo(text: String) -> String {
    text
}

/// Takes its time.
#[byre::tool(read_only)]
async fn slow() -> &'static str {
    tokio::time::sleep(Duration::from_millis(200)).await;
    "done"
}

/// Watches.
#[byre::hook]
async fn watch(_input: StopInput) {}

pub(crate) fn run(work: &Work) -> Report {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    match runtime {
        Ok(runtime) => runtime.block_on(measure(work)).unwrap_or_else(|error| panic!("{error:?}")),
        Err(error) => panic!("{error}"),
    }
}

async fn measure(work: &Work) -> byre::Result<Report> {
    let this = std::env::current_exe().unwrap_or_default();
    let builder = byre::Session::builder().cli_path(this).env_remove(crate::HOST);
    let mut session = builder.spawn().await?;
    let (started, cpu) = (Instant::now(), cpu_ns());
    let mut counted = 0;
    let mut turn = session.prompt("go");
    if work.kind == Kind::Unread {
        // The first poll sends the prompt; then nothing is read while everything comes.
        poll_once(turn.next()).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    let mut has_slept = false;
    while let Some(event) = turn.next().await {
        let event = event?;
        if let Some(text) = event.text_delta() {
            counted += text.len() as u64;
        } else if let Event::Assistant(message) = &event {
            let texts = message.message.content.iter().filter_map(ContentBlock::text);
            counted += texts.map(|text| text.len() as u64).sum::<u64>();
            if work.kind == Kind::Stalled && !has_slept {
                has_slept = true;
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        }
    }
    let outcome = turn.outcome().await?;
    let report = Report {
        elapsed_ns: crate::work::ns(started.elapsed()),
        cpu_ns: cpu_ns() - cpu,
        round_trip_ns: outcome.result().duration_ms,
        resident_kb: memory_kb("VmRSS"),
        peak_kb: memory_kb("VmHWM"),
        extra_starts: 0,
        counted,
    };
    session.close().await?;
    Ok(report)
}

async fn poll_once<F: Future>(future: F) {
    tokio::select! {
        biased;
        _ = future => {}
        () = std::future::ready(()) => {}
    }
}
