//! What may go wrong, and the lines that come of it.

use std::time::Duration;

use super::{RATE, random::Random};

/// What goes wrong.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one switch, and any go together")]
pub(super) struct Faults {
    pub(super) split: bool,
    pub(super) delay: Option<Duration>,
    pub(super) garbage: bool,
    pub(super) unknown: bool,
    pub(super) surrogates: bool,
    pub(super) broken_utf8: bool,
    pub(super) duplicates: bool,
    pub(super) reorders: bool,
    pub(super) long_line: Option<usize>,
    pub(super) exits_after: Option<usize>,
    pub(super) stalls_after: Option<usize>,
    pub(super) endless_line_after: Option<usize>,
    pub(super) ignores_eof: bool,
}

/// By this the ids of requests that no CLI has made are known.
pub(super) const ID: &str = "\"chaos-";

/// Lines that are no JSON object.
const GARBAGE: &[&[u8]] = &[
    b"Debugger attached.",
    b"warning: this is not JSON {",
    b"",
    b" \r",
    b"\xef\xbb\xbf",
    b"null",
    b"[1, 2",
    b"{\"type\":\"resu",
    b"{\"type\":\"result\"}}",
    b"\xff\xfe\x00\xc3\x28",
    "\u{2028}{\"type\"\u{85}".as_bytes(),
];

impl Faults {
    /// The lines that come before one of the CLI.
    pub(super) fn before(&self, random: &mut Random) -> Vec<Vec<u8>> {
        let mut lines = Vec::new();
        if self.garbage && random.once_in(RATE) {
            lines.push(random.pick(GARBAGE).to_vec());
        }
        if self.unknown && random.once_in(RATE) {
            lines.push(unknown_line(random).into_bytes());
        }
        lines
    }

    /// How long a line waits.
    pub(super) fn wait(&self, random: &mut Random) -> Option<Duration> {
        let longest = self.delay.filter(|_| random.once_in(RATE))?;
        let thousandths = u32::try_from(random.below(1000)).unwrap_or_default();
        Some(longest / 1000 * thousandths)
    }

    /// Where the next piece of a line ends.
    pub(super) fn piece(&self, random: &mut Random, left: usize) -> usize {
        // What is very long would take very long in very small pieces.
        if self.split && left < 64 * 1024 {
            usize::try_from(random.below(16) + 1).unwrap_or(1).min(left)
        } else {
            left.min(64 * 1024)
        }
    }
}

/// A line that no CLI writes today.
fn unknown_line(random: &mut Random) -> String {
    let n = random.next();
    match random.below(9) {
        0 => format!(r#"{{"type":"of_tomorrow","n":{n}}}"#),
        1 => format!(r#"{{"type":"system","subtype":"of_tomorrow","n":{n}}}"#),
        2 => format!(r#"{{"n":{n}}}"#),
        3 => format!(
            r#"{{"type":"control_request","request_id":{ID}{n}","request":{{"subtype":"of_tomorrow"}}}}"#
        ),
        4 => format!(
            r#"{{"type":"control_request","request_id":{ID}{n}","request":{{"subtype":"mcp_message","server_name":"of_tomorrow","message":{{"jsonrpc":"2.0","id":{n},"method":"tools/list"}}}}}}"#
        ),
        5 => r#"{"type":"control_request","request":{"subtype":"interrupt"}}"#.to_owned(),
        6 => format!(
            r#"{{"type":"control_response","response":{{"subtype":"success","request_id":{ID}{n}","response":{{}}}}}}"#
        ),
        7 => r#"{"type":"control_response","response":null}"#.to_owned(),
        _ => format!(r#"{{"type":"control_cancel_request","request_id":{ID}{n}"}}"#),
    }
}

/// Puts half a character into a line that is an object.
pub(super) fn with_lone_surrogate(line: &mut Vec<u8>) {
    if line.starts_with(b"{\"") {
        line.splice(..1, *b"{\"chaos\":\"\\ud83d\",");
    }
}

/// Puts a byte that is no UTF-8 into a line that is an object.
pub(super) fn with_broken_utf8(line: &mut Vec<u8>) {
    if line.starts_with(b"{\"") {
        line.splice(..1, *b"{\"chaos_bytes\":\"\xff\",");
    }
}

/// What kind of control line this is: `control_request`, …; `None` if it is none.
pub(super) fn control_kind(line: &[u8]) -> Option<String> {
    let line: serde_json::Value = serde_json::from_slice(line).ok()?;
    line["type"].as_str().filter(|kind| kind.starts_with("control_")).map(str::to_owned)
}
