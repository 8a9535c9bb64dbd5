//! What waits for the application.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker, ready},
};

use tokio::task::coop;

use super::backlog::{Backlog, Policy};
use crate::wire::json::{Lines, Raw, kind_of};

/// What lines that came with one read cost in memory beside their text, in bytes, as far as that can be said: all
/// together, and each.
const OF_BATCH: usize = 96;
const OF_LINE: usize = 8;

/// What the pump hands to the application, in the order of the lines.
#[derive(Debug)]
pub(crate) enum Report {
    /// A line that is no control traffic.
    Frame(Raw),
    /// Something that the user should know and that ends nothing.
    Warning(String),
}

impl Report {
    fn line(&self) -> Option<&Raw> {
        match self {
            Self::Frame(raw) => Some(raw),
            Self::Warning(_) => None,
        }
    }

    fn bytes(&self) -> usize {
        let text = match self {
            Self::Frame(raw) => raw.as_str(),
            Self::Warning(text) => text,
        };
        text.len() + OF_LINE
    }

    /// Says whether it is a piece of a message, which comes whole later.
    fn is_partial(&self) -> bool {
        matches!(self, Self::Frame(raw) if kind_of(raw.as_str()) == "stream_event")
    }
}

/// What came together and waits.
#[derive(Debug)]
pub(crate) enum Batch {
    Lines(Lines),
    One(Option<Report>),
}

impl Batch {
    /// Makes as few as there can be.
    fn of(reports: Vec<Report>) -> impl Iterator<Item = Self> {
        let mut reports = reports.into_iter().peekable();
        std::iter::from_fn(move || match Lines::take(&mut reports, Report::line) {
            Some(lines) => Some(Self::Lines(lines)),
            None => reports.next().map(|report| Self::One(Some(report))),
        })
    }

    fn bytes(&self) -> usize {
        match self {
            Self::Lines(lines) => OF_BATCH + lines.bytes() + OF_LINE * lines.len(),
            Self::One(report) => OF_BATCH + report.as_ref().map_or(0, Report::bytes),
        }
    }
}

impl Default for Batch {
    /// Returns one with nothing in it.
    fn default() -> Self {
        Self::One(None)
    }
}

impl Iterator for Batch {
    type Item = Report;

    fn next(&mut self) -> Option<Report> {
        match self {
            Self::Lines(lines) => {
                let line = lines.next()?;
                if lines.len() == 0 {
                    // What is at the end of the heap keeps all below it from going back to the system.
                    *self = Self::default();
                }
                Some(Report::Frame(line))
            }
            Self::One(report) => report.take(),
        }
    }
}

/// More waits than may, and the session has to end.
pub(super) struct Full {
    pub(super) waiting: usize,
    pub(super) limit: usize,
}

/// Makes a queue of reports, as many at a time as one read brought.
///
/// The pump must answer the CLI whatever the application does, so it never waits: what the application has not
/// read yet is kept in memory, and what becomes of it when that is too much is the [`Backlog`]'s choice. It waits as text, and once all is read, none of its memory is kept: a channel
/// keeps its last block, and with it, as the allocator works, all memory below.
pub(super) fn queue() -> (Sender, Reports) {
    let queue = Arc::default();
    (Sender(Arc::clone(&queue)), Reports(queue))
}

#[derive(Debug, Default)]
struct Queue {
    waiting: VecDeque<Batch>,
    /// How much waits.
    bytes: usize,
    backlog: Backlog,
    /// How much has to wait before a warning says so again; `None` before the first.
    next_warning: Option<usize>,
    /// How many pieces of messages were left out since the application was last told.
    left_out: u64,
    reader: Option<Waker>,
    /// One of both ends is gone.
    closed: bool,
}

#[derive(Debug)]
pub(super) struct Sender(Arc<Mutex<Queue>>);

impl Sender {
    /// Hands something over, unless nobody reads any more, and does what the backlog says where too much waits.
    pub(super) fn send(&self, reports: Vec<Report>) -> Result<(), Full> {
        let reader = {
            let mut queue = lock(&self.0);
            if queue.closed {
                return Ok(());
            }
            queue.push(reports)?;
            queue.reader.take()
        };
        if let Some(reader) = reader {
            reader.wake();
        }
        Ok(())
    }
}

impl Queue {
    fn push(&mut self, mut reports: Vec<Report>) -> Result<(), Full> {
        let more = OF_BATCH + reports.iter().map(Report::bytes).sum::<usize>();
        let Backlog { limit, policy } = self.backlog;
        // What is read as it comes never waits, however long it is.
        let waits = self.bytes > 0;
        if waits && self.bytes + more > limit {
            match policy {
                Policy::Fail => return Err(Full { waiting: self.bytes + more, limit }),
                Policy::DropPartials => self.leave_out(&mut reports),
                Policy::Grow => {}
            }
        } else if self.left_out > 0 {
            let text =
                format!("{} pieces of messages were left out, as too much waited", self.left_out);
            self.left_out = 0;
            reports.insert(0, Report::Warning(text));
        }
        self.take(reports);
        if waits && policy != Policy::Fail && self.bytes > self.next_warning.unwrap_or(limit) {
            let text = format!(
                "{} MB of events wait to be read; read them, or say with `backlog` what is to become of them",
                self.bytes / 1_000_000
            );
            // Once each time that it has doubled.
            self.next_warning = Some(self.bytes.saturating_mul(2));
            self.take(vec![Report::Warning(text)]);
        }
        Ok(())
    }

    fn take(&mut self, reports: Vec<Report>) {
        for batch in Batch::of(reports) {
            self.bytes += batch.bytes();
            self.waiting.push_back(batch);
        }
    }

    fn leave_out(&mut self, reports: &mut Vec<Report>) {
        let before = reports.len();
        reports.retain(|report| !report.is_partial());
        let left_out = u64::try_from(before - reports.len()).unwrap_or(u64::MAX);
        if self.left_out == 0 && left_out > 0 {
            let text =
                "too many events wait to be read, and pieces of messages are left out".to_owned();
            reports.push(Report::Warning(text));
        }
        self.left_out += left_out;
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        let reader = {
            let mut queue = lock(&self.0);
            queue.closed = true;
            queue.reader.take()
        };
        if let Some(reader) = reader {
            reader.wake();
        }
    }
}

/// The application's end of the queue.
#[derive(Debug)]
pub(crate) struct Reports(Arc<Mutex<Queue>>);

impl Reports {
    /// Says what becomes of what is not read.
    pub(crate) fn set_backlog(&self, backlog: Backlog) {
        lock(&self.0).backlog = backlog;
    }

    #[cfg(test)]
    pub(crate) async fn recv(&mut self) -> Option<Vec<Report>> {
        let batch = std::future::poll_fn(|cx| self.poll_recv(cx)).await?;
        Some(batch.collect())
    }

    /// The next reports; `None` once all are read and the pump is gone.
    pub(crate) fn poll_recv(&mut self, cx: &mut Context<'_>) -> Poll<Option<Batch>> {
        // Lets others run now and then while there is always something to read.
        let budget = ready!(coop::poll_proceed(cx));
        let mut queue = lock(&self.0);
        let Some(batch) = queue.waiting.pop_front() else {
            if queue.closed {
                return Poll::Ready(None);
            }
            queue.reader = Some(cx.waker().clone());
            return Poll::Pending;
        };
        queue.bytes -= batch.bytes();
        if queue.waiting.is_empty() {
            queue.waiting = VecDeque::new();
            queue.next_warning = None;
        }
        budget.made_progress();
        Poll::Ready(Some(batch))
    }
}

impl Drop for Reports {
    fn drop(&mut self) {
        let waiting = {
            let mut queue = lock(&self.0);
            queue.closed = true;
            std::mem::take(&mut queue.waiting)
        };
        drop(waiting);
    }
}

/// Nothing that can panic runs under this lock.
fn lock(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::json::Line;

    fn warnings(reports: Option<Vec<Report>>) -> Option<Vec<String>> {
        let text = |report| match report {
            Report::Warning(text) => text,
            Report::Frame(raw) => panic!("{raw}"),
        };
        Some(reports?.into_iter().map(text).collect())
    }

    fn send(sender: &Sender, reports: Vec<Report>) {
        assert!(sender.send(reports).is_ok());
    }

    /// A line of the CLI of a hundred bytes and more.
    fn line(kind: &str) -> Vec<Report> {
        let text = format!("{{\"type\":\"{kind}\",\"text\":\"{}\"}}", "x".repeat(100));
        vec![Report::Frame(Raw::new(text))]
    }

    /// All that waits: the kinds of lines, and the texts of warnings.
    async fn drain(reports: &mut Reports) -> Vec<String> {
        let mut all = Vec::new();
        while !lock(&reports.0).waiting.is_empty() {
            all.extend(reports.recv().await.unwrap().into_iter().map(|report| match report {
                Report::Warning(text) => text,
                Report::Frame(raw) => kind_of(raw.as_str()).into_owned(),
            }));
        }
        assert_eq!(lock(&reports.0).bytes, 0);
        all
    }

    #[tokio::test]
    async fn a_queue_that_grows_warns_each_time_that_it_has_doubled() {
        let (sender, mut reports) = queue();
        reports.set_backlog(Backlog::grow(1000));
        for _ in 0..100 {
            send(&sender, line("user"));
        }
        let all = drain(&mut reports).await;
        assert_eq!(all.iter().filter(|text| *text == "user").count(), 100);
        let warnings = all.iter().filter(|text| text.contains("wait to be read")).count();
        assert!((4..=6).contains(&warnings), "{warnings}");
        // It was all read, so the next flood is told of anew.
        for _ in 0..6 {
            send(&sender, line("user"));
        }
        assert_eq!(drain(&mut reports).await.len(), 7);
    }

    #[tokio::test]
    async fn pieces_of_messages_are_left_out_first_and_nothing_else_is() {
        let (sender, mut reports) = queue();
        reports.set_backlog(Backlog::drop_partials(1000));
        for _ in 0..1000 {
            send(&sender, line("stream_event"));
        }
        send(&sender, line("assistant"));
        assert!(lock(&sender.0).bytes < 2000);
        let all = drain(&mut reports).await;
        assert_eq!(all.iter().filter(|text| *text == "assistant").count(), 1);
        let kept = all.iter().filter(|text| *text == "stream_event").count();
        assert!((1..10).contains(&kept), "{kept}");
        assert!(all.iter().any(|text| text.contains("pieces of messages are left out")), "{all:?}");
        send(&sender, line("stream_event"));
        let all = drain(&mut reports).await;
        assert_eq!(
            all[0],
            format!("{} pieces of messages were left out, as too much waited", 1000 - kept)
        );
        assert_eq!(all[1], "stream_event");
    }

    #[tokio::test]
    async fn what_is_read_as_it_comes_may_be_as_long_as_it_likes() {
        for backlog in [Backlog::fail(50), Backlog::drop_partials(50)] {
            let (sender, mut reports) = queue();
            reports.set_backlog(backlog);
            for kind in ["assistant", "stream_event"] {
                send(&sender, line(kind));
                assert_eq!(drain(&mut reports).await.last().map(String::as_str), Some(kind));
            }
        }
        let (sender, reports) = queue();
        reports.set_backlog(Backlog::fail(50));
        send(&sender, line("assistant"));
        assert!(sender.send(line("assistant")).is_err(), "the first one waits");
    }

    /// Lines of one read wait as one text, and come out as they went in.
    #[tokio::test]
    async fn what_came_together_waits_together() {
        let glance = |kind: &str| {
            let text = format!("{{\"type\":\"{kind}\"}}\n").repeat(3);
            let mut lines = Vec::new();
            Line::glance_at_all(text.as_bytes(), |line| match line {
                Line::Frame(raw) => lines.push(Report::Frame(raw)),
                Line::Text(text) => panic!("{text}"),
            });
            lines
        };
        let mut sent = glance("a");
        sent.insert(2, Report::Warning("b".to_owned()));
        sent.extend(line("c"));
        sent.extend(glance("stream_event"));
        sent.extend(glance("d"));
        let want = [
            "a",
            "a",
            "b",
            "a",
            "c",
            "stream_event",
            "stream_event",
            "stream_event",
            "d",
            "d",
            "d",
        ];
        let (sender, mut reports) = queue();
        send(&sender, sent);
        assert_eq!(lock(&sender.0).waiting.len(), 6);
        assert_eq!(drain(&mut reports).await, want);

        reports.set_backlog(Backlog::drop_partials(10));
        send(&sender, glance("e"));
        send(&sender, glance("stream_event"));
        let all = drain(&mut reports).await;
        let (told, lines): (Vec<_>, Vec<_>) = all.iter().partition(|text| text.contains(' '));
        assert_eq!(lines, ["e", "e", "e"]);
        assert!(told[0].contains("left out"), "{told:?}");
    }

    #[tokio::test]
    async fn a_queue_that_may_fail_says_when_it_is_full() {
        let (sender, reports) = queue();
        reports.set_backlog(Backlog::fail(1000));
        let full = (0..100).find_map(|_| sender.send(line("user")).err()).unwrap();
        assert_eq!(full.limit, 1000);
        assert!((1000..1500).contains(&full.waiting), "{}", full.waiting);
    }

    fn report(text: &str) -> Vec<Report> {
        vec![Report::Warning(text.to_owned())]
    }

    #[tokio::test]
    async fn all_come_in_order_and_then_the_end() {
        let (sender, mut reports) = queue();
        send(&sender, report("a"));
        send(&sender, report("b"));
        assert_eq!(warnings(reports.recv().await).unwrap(), ["a"]);
        let reader = tokio::spawn(async move {
            assert_eq!(warnings(reports.recv().await).unwrap(), ["b"]);
            assert_eq!(warnings(reports.recv().await).unwrap(), ["c"]);
            assert!(reports.recv().await.is_none());
            assert!(reports.recv().await.is_none());
        });
        // It waits by now.
        tokio::task::yield_now().await;
        send(&sender, report("c"));
        tokio::task::yield_now().await;
        drop(sender);
        reader.await.unwrap();
    }

    #[tokio::test]
    async fn nothing_waits_for_a_reader_that_is_gone() {
        let (sender, reports) = queue();
        send(&sender, report("a"));
        drop(reports);
        send(&sender, report("b"));
        assert!(lock(&sender.0).waiting.is_empty());
    }

    #[tokio::test]
    async fn a_reader_that_always_finds_something_lets_others_run() {
        let (sender, mut reports) = queue();
        for _ in 0..10_000 {
            send(&sender, report("a"));
        }
        let other = tokio::spawn(std::future::ready(()));
        let mut read = 0;
        while !other.is_finished() {
            assert!(reports.recv().await.is_some());
            read += 1;
        }
        assert!(read < 1000, "{read}");
    }
}
