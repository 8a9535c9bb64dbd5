//! What there is to do, and what is measured.

use std::{fs, time::Duration};

use serde::{Deserialize, Serialize};

/// One kind of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// Tool calls, so many at a time.
    Calls { in_flight: usize },
    /// Hooks, one at a time.
    Hooks,
    /// Stream events with 64 bytes of text.
    Deltas,
    /// Assistant messages of 4 KB.
    Messages,
    /// Tool calls with an argument of this many bytes, which comes back.
    Echo { bytes: usize },
    /// One line of this many bytes.
    BigLine { bytes: usize },
    /// Calls of a tool that takes 200 ms, all at once.
    SlowCalls,
    /// One call behind 300 messages, while the application sleeps at the first.
    Stalled,
    /// As many deltas as there are, which wait unread until the turn is over.
    Unread,
}

/// How much of it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Work {
    pub(crate) kind: Kind,
    pub(crate) count: usize,
}

/// What a host measured.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Report {
    /// From the prompt to the result, by the host's clock, in nanoseconds.
    pub(crate) elapsed_ns: u64,
    /// Processor time of the host's threads in between, in nanoseconds.
    pub(crate) cpu_ns: u64,
    /// The stand-in's median round trip, in nanoseconds; 0 where there is none.
    pub(crate) round_trip_ns: u64,
    /// Resident memory at the end, and at its peak, in kilobytes.
    pub(crate) resident_kb: u64,
    pub(crate) peak_kb: u64,
    /// How often the stand-in was started beside the one run that is measured. The driver counts.
    #[serde(default)]
    pub(crate) extra_starts: u64,
    /// What the host has counted: letters of deltas, for example. The driver compares it.
    pub(crate) counted: u64,
}

/// A time in nanoseconds, as far as it fits.
pub(crate) fn ns(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Processor time of this process's threads so far, in nanoseconds.
pub(crate) fn cpu_ns() -> u64 {
    let Ok(tasks) = fs::read_dir("/proc/self/task") else { return 0 };
    let of_task = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<u64>().ok()
    };
    tasks.flatten().filter_map(of_task).sum()
}

/// A figure of `/proc/self/status`, in kilobytes.
pub(crate) fn memory_kb(name: &str) -> u64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
