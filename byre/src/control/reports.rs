//! What waits for the application.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker, ready},
};

use tokio::task::coop;

use crate::wire::json::Raw;

/// What the pump hands to the application, in the order of the lines.
#[derive(Debug)]
pub(crate) enum Report {
    /// A line that is no control traffic.
    Frame(Raw),
    /// Something that the user should know and that ends nothing.
    Warning(String),
}

/// Makes a queue of reports, as many at a time as one read brought.
///
/// Without bound: the pump must answer the CLI whatever the application does, so what the application has not
/// read yet has to wait in memory. It waits as text, and once all is read, none of its memory is kept: a channel
/// keeps its last block, and with it, as the allocator works, all memory below.
pub(super) fn queue() -> (Sender, Reports) {
    let queue = Arc::default();
    (Sender(Arc::clone(&queue)), Reports(queue))
}

#[derive(Debug, Default)]
struct Queue {
    waiting: VecDeque<Vec<Report>>,
    reader: Option<Waker>,
    /// One of both ends is gone.
    closed: bool,
}

#[derive(Debug)]
pub(super) struct Sender(Arc<Mutex<Queue>>);

impl Sender {
    /// Hands something over, unless nobody reads any more.
    pub(super) fn send(&self, reports: Vec<Report>) {
        let reader = {
            let mut queue = lock(&self.0);
            if queue.closed {
                return;
            }
            queue.waiting.push_back(reports);
            queue.reader.take()
        };
        if let Some(reader) = reader {
            reader.wake();
        }
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
    #[cfg(test)]
    pub(crate) async fn recv(&mut self) -> Option<Vec<Report>> {
        std::future::poll_fn(|cx| self.poll_recv(cx)).await
    }

    /// The next reports; `None` once all are read and the pump is gone.
    pub(crate) fn poll_recv(&mut self, cx: &mut Context<'_>) -> Poll<Option<Vec<Report>>> {
        // Lets others run now and then while there is always something to read.
        let budget = ready!(coop::poll_proceed(cx));
        let mut queue = lock(&self.0);
        let Some(reports) = queue.waiting.pop_front() else {
            if queue.closed {
                return Poll::Ready(None);
            }
            queue.reader = Some(cx.waker().clone());
            return Poll::Pending;
        };
        if queue.waiting.is_empty() {
            queue.waiting = VecDeque::new();
        }
        budget.made_progress();
        Poll::Ready(Some(reports))
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

    fn warnings(reports: Option<Vec<Report>>) -> Option<Vec<String>> {
        let text = |report| match report {
            Report::Warning(text) => text,
            Report::Frame(raw) => panic!("{raw}"),
        };
        Some(reports?.into_iter().map(text).collect())
    }

    fn report(text: &str) -> Vec<Report> {
        vec![Report::Warning(text.to_owned())]
    }

    #[tokio::test]
    async fn all_come_in_order_and_then_the_end() {
        let (sender, mut reports) = queue();
        sender.send(report("a"));
        sender.send(report("b"));
        assert_eq!(warnings(reports.recv().await).unwrap(), ["a"]);
        let reader = tokio::spawn(async move {
            assert_eq!(warnings(reports.recv().await).unwrap(), ["b"]);
            assert_eq!(warnings(reports.recv().await).unwrap(), ["c"]);
            assert!(reports.recv().await.is_none());
            assert!(reports.recv().await.is_none());
        });
        // It waits by now.
        tokio::task::yield_now().await;
        sender.send(report("c"));
        tokio::task::yield_now().await;
        drop(sender);
        reader.await.unwrap();
    }

    #[tokio::test]
    async fn nothing_waits_for_a_reader_that_is_gone() {
        let (sender, reports) = queue();
        sender.send(report("a"));
        drop(reports);
        sender.send(report("b"));
        assert!(lock(&sender.0).waiting.is_empty());
    }

    #[tokio::test]
    async fn a_reader_that_always_finds_something_lets_others_run() {
        let (sender, mut reports) = queue();
        for _ in 0..10_000 {
            sender.send(report("a"));
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
