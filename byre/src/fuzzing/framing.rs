//! The lines of stdout, however they are cut.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
};

use tokio::io::{AsyncRead, ReadBuf};

use super::poll_once;
use crate::{
    transport::framing::{Framed, LineReader},
    wire::json::{Line, READ_LATER, kind_of},
};

/// A short limit, so that a target reaches it.
const MAX_LINE: usize = 64;

/// Splits `data`, after its first four bytes, into lines, once as a whole and once in pieces whose sizes
/// the four bytes choose.
pub fn framing(data: &[u8]) {
    let Some((seed, data)) = data.split_first_chunk::<4>() else { return };
    let whole = lines(data, [u8::MAX; 4]);
    let pieces = lines(data, *seed);
    assert_eq!(whole, pieces, "cut by {seed:?}");
    check(data, &whole);
}

/// Compares with what a simple reading of the bytes gives.
fn check(data: &[u8], lines: &[String]) {
    let mut lines = lines.iter();
    for line in data.split(|byte| *byte == b'\n') {
        if line.len() > MAX_LINE {
            assert_eq!(lines.next(), Some(&format!("over {MAX_LINE}")));
            continue;
        }
        let text = String::from_utf8_lossy(line);
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        if text.is_empty() {
            continue;
        }
        let got = lines.next().expect("no line is lost");
        // Escapes of half a character are mended, which keeps neither the text nor its length.
        if !text.contains("\\ud") && !text.contains("\\uD") {
            let got = got.strip_prefix("text ").unwrap_or(got);
            assert_eq!(got, text);
        }
    }
    assert_eq!(lines.next(), None, "no line comes from nowhere");
}

/// All lines of `data`, as text.
fn lines(data: &[u8], seed: [u8; 4]) -> Vec<String> {
    let pieces = Pieces { data, sizes: seed.into_iter().cycle() };
    let mut reader = LineReader::new(pieces, MAX_LINE);
    let mut lines = Vec::new();
    while poll_once(reader.read(&mut lines)).expect("memory is always ready").expect("and whole") {}
    lines.into_iter().map(describe).collect()
}

fn describe(framed: Framed) -> String {
    match framed {
        Framed::Line(Line::Frame(raw)) => {
            let text = raw.as_str();
            // What begins as a message is looked at by whoever reads it.
            if raw.is_json() || !READ_LATER.iter().any(|start| text.starts_with(start)) {
                super::check_line(text);
            }
            let kind = kind_of(text);
            let is = |value: &serde_json::Value| value["type"].as_str().unwrap_or_default() == kind;
            // Of a key that comes twice, a `Value` keeps the last.
            let is_certain = text.matches("\"type\"").count() == 1 && !text.contains("\\u");
            assert!(
                !is_certain || raw.parse().map_or(true, |value| is(&value)),
                "{kind:?} of {raw}"
            );
            raw.to_string()
        }
        Framed::Line(Line::Text(text)) => format!("text {text}"),
        Framed::Skipped(limit) => format!("over {limit}"),
    }
}

/// Bytes that come in pieces.
struct Pieces<'a, S> {
    data: &'a [u8],
    sizes: S,
}

impl<S: Iterator<Item = u8> + Unpin> AsyncRead for Pieces<'_, S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let size = usize::from(self.sizes.next().unwrap_or(1)).max(1);
        let (piece, rest) = self.data.split_at(size.min(self.data.len()).min(buffer.remaining()));
        buffer.put_slice(piece);
        self.data = rest;
        Poll::Ready(Ok(()))
    }
}
