//! What the fuzz targets in `fuzz/` run. Not public API: it exists for them, and for a test that runs it
//! over their seeds.
//!
//! Each function takes any bytes, as a hostile peer would send them, and panics where byre breaks a
//! promise.

mod control;
mod events;
mod framing;
mod mcp;
mod sessions;
mod transcripts;

use std::{
    pin::pin,
    task::{Context, Poll, Waker},
};

use serde_json::value::RawValue;

pub use self::{
    control::control, events::events, framing::framing, mcp::mcp, sessions::sessions,
    transcripts::transcripts,
};
use crate::{
    transport::framing::{Framed, LineReader, MAX_LINE},
    wire::json::{Line, Raw, kind_of},
};

/// Polls a future once, and gives what it has by then.
fn poll_once<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

/// Runs a future on a runtime whose clock jumps ahead whenever there is nothing else to do.
fn run<T>(future: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().expect("a runtime can be made").block_on(future)
}

/// The lines of `data` that look like JSON objects to whoever reads them from a pipe, each with its `type`.
fn glance(data: &[u8]) -> Vec<(String, Raw)> {
    let mut reader = LineReader::new(data, MAX_LINE);
    let mut lines = Vec::new();
    while poll_once(reader.read(&mut lines)).expect("memory is always ready").expect("and whole") {}
    let frame = |framed| match framed {
        Framed::Line(Line::Frame(raw)) => Some((kind_of(raw.as_str()).into_owned(), raw)),
        Framed::Line(_) | Framed::Skipped(_) => None,
    };
    lines.into_iter().filter_map(frame).collect()
}

/// Those of them that are JSON.
fn frames(data: &[u8]) -> Vec<(String, Raw)> {
    let mut frames = glance(data);
    frames.retain(|(_, raw)| raw.is_json());
    frames
}

/// Panics unless `text` is one line of JSON: the CLI ends when it reads anything else.
fn check_line(text: &str) {
    assert!(!text.contains('\n'), "two lines: {text:?}");
    if let Err(error) = serde_json::from_str::<&RawValue>(text) {
        panic!("no JSON: {error}: {text:?}");
    }
}

#[cfg(test)]
mod tests;
