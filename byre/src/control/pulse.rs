//! When the CLI was last heard, and whether its silence means anything.

use std::{
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde::Deserialize;
use tokio::{sync::Notify, time::Instant};

use crate::{
    error::{Clock, LastHeard, Timeout},
    transport::framing::Framed,
    wire::json::{Line, Raw, kind_of},
};

/// How much of the name of a line is kept, in characters. It goes into a message.
const NAME: usize = 64;

/// Lines after which the CLI waits for the API no more.
const GOES_ON: [&str; 3] = ["stream_event", "assistant", "result"];

/// What the pump sees of time, for whoever watches the clocks. The pump itself has no clock to look at for
/// them: it would cost every line something.
#[derive(Debug, Default)]
pub(crate) struct Pulse {
    seen: Mutex<Seen>,
    /// How many requests of the CLI are being answered.
    serving: AtomicUsize,
    /// Something is awaited from now on.
    pub(crate) awaited: Notify,
    /// The start has come a step further.
    pub(crate) progress: Notify,
}

#[derive(Clone, Debug, Default)]
struct Seen {
    heard: Option<(String, Instant)>,
    /// When the last answer or prompt of ours was written.
    spoken: Option<Instant>,
    /// Until when the CLI has said that it will wait.
    held: Option<Instant>,
}

impl Pulse {
    /// Takes note of lines that have just been read. Only what looks like JSON counts: anything else may be of a
    /// program that the CLI has started.
    pub(super) fn heard(&self, lines: &[Framed]) {
        let last = lines.iter().rev().find_map(|framed| match framed {
            Framed::Line(Line::Frame(raw)) => Some(raw),
            _ => None,
        });
        let Some(raw) = last else { return };
        let kind = kind_of(raw.as_str());
        let subtype = if kind == "system" { System::parse(raw).subtype } else { None };
        let now = Instant::now();
        let mut seen = self.seen();
        if GOES_ON.contains(&&*kind) {
            seen.held = None;
        }
        let (line, at) = seen.heard.get_or_insert_with(|| (String::new(), now));
        line.clear();
        line.push_str(shortened(&kind));
        if let Some(subtype) = subtype {
            line.push('/');
            line.push_str(shortened(&subtype));
        }
        *at = now;
    }

    /// Takes note of what a `system` line says about the time to come.
    pub(super) fn system(&self, raw: &Raw) {
        let says = |text: &str| raw.as_str().contains(text);
        if says("\"api_retry\"") {
            let system = System::parse(raw);
            let millis = system.retry_delay_ms.unwrap_or_default().max(0.0);
            // A float that is out of any range is no time.
            let delay = Duration::try_from_secs_f64(millis / 1000.0).unwrap_or_default();
            let mut seen = self.seen();
            // Lines that came together are heard together, and the last of them may be of what came after the wait.
            let is_over =
                seen.heard.as_ref().is_some_and(|(line, _)| GOES_ON.contains(&line.as_str()));
            seen.held = if is_over { None } else { Instant::now().checked_add(delay) };
        } else if says("\"hook_") || says("\"plugin_install\"") {
            self.progress.notify_one();
        }
    }

    /// Takes note of how many requests are being answered.
    pub(super) fn serving(&self, count: usize) {
        // The pump alone writes it.
        let before = self.serving.load(Ordering::Relaxed);
        if before == count {
            return;
        }
        if before > count {
            // A request that is over is something that has happened just now. Said first, so that whoever sees
            // that nothing runs sees this too.
            self.spoken();
        }
        self.serving.store(count, Ordering::Release);
    }

    /// Takes note of a prompt that is sent.
    pub(super) fn prompted(&self) {
        self.spoken();
        self.awaited.notify_one();
    }

    /// Takes note of an answer or a prompt of ours.
    pub(super) fn spoken(&self) {
        self.seen().spoken = Some(Instant::now());
    }

    /// Since when the silence of the CLI has lasted; `None` while something of ours runs, whose answer it may
    /// wait for.
    pub(crate) fn silent_since(&self) -> Option<Instant> {
        if self.serving.load(Ordering::Acquire) > 0 {
            return None;
        }
        let seen = self.seen();
        let heard = seen.heard.as_ref().map(|(_, at)| *at);
        heard.max(seen.spoken).max(seen.held)
    }

    /// What there is to say about a limit that is reached now.
    pub(crate) fn timeout(&self, clock: Clock, limit: Duration) -> Timeout {
        let last_heard = self.seen().heard.clone().map(|(line, at)| {
            // The clocks of two threads may differ by a little.
            LastHeard { line, ago: Instant::now().saturating_duration_since(at) }
        });
        Timeout { clock, limit, last_heard }
    }

    /// Nothing that can panic runs under this lock.
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is kept of a name.
fn shortened(name: &str) -> &str {
    name.char_indices().nth(NAME).map_or(name, |(end, _)| &name[..end])
}

#[derive(Debug, Default, Deserialize)]
struct System {
    #[serde(default)]
    subtype: Option<String>,
    #[serde(default)]
    retry_delay_ms: Option<f64>,
}

impl System {
    fn parse(raw: &Raw) -> Self {
        raw.parse().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
