//! Records what crosses the pipe, one JSON object a line:
//!
//! ```json
//! {"dir":"send","msg":{"type":"user"}}
//! {"dir":"recv","msg":{"type":"result"}}
//! ```
//!
//! Leaves out `stream_event` lines, which the later lines repeat. Writes `[redacted]` for secrets, see
//! [`redact`](super::redact).

use std::{
    fs::OpenOptions,
    io::{self, Write},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use tokio::{
    sync::{mpsc as async_mpsc, oneshot},
    time,
};

use super::redact::Redactor;
use crate::error::{Error, Result};

/// How much may wait for a slow disk, in bytes. What comes on top is left out, and said so once.
const MAX_WAITING: usize = 64 * 1024 * 1024;

/// How long the end of a session waits for the rest to be written.
const FINISH_LIMIT: Duration = Duration::from_secs(2);

/// Which way a line went, seen from the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Send,
    Receive,
}

struct Entry {
    direction: Direction,
    line: String,
}

/// Takes lines and has them written by a thread of its own, so that a slow disk slows nothing.
pub(crate) struct Recorder {
    entries: Option<mpsc::Sender<Entry>>,
    waiting: Arc<AtomicUsize>,
    /// Says what went wrong, at most once.
    problems: async_mpsc::UnboundedReceiver<String>,
    problem_sender: async_mpsc::UnboundedSender<String>,
    overflowed: bool,
    finished: oneshot::Receiver<()>,
}

impl Recorder {
    /// Opens `path` for appending, and creates it for its owner alone if it does not exist.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`](crate::ErrorKind::Io) if it can't be opened. Failures after that are told by
    /// [`problem`](Self::problem).
    pub(crate) fn open(path: &Path, redactor: Redactor) -> Result<Self> {
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let action = || format!("open the transcript {}", path.display());
        let file = options.open(path).map_err(|error| Error::io(action(), error))?;
        Self::start(file, redactor).map_err(|error| Error::io(action(), error))
    }

    fn start(file: impl Write + Send + 'static, redactor: Redactor) -> io::Result<Self> {
        let (entries, receiver) = mpsc::channel();
        let (problem_sender, problems) = async_mpsc::unbounded_channel();
        let (done, finished) = oneshot::channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let mut writer = Writer {
            file,
            redactor,
            waiting: Arc::clone(&waiting),
            problems: problem_sender.clone(),
        };
        thread::Builder::new().name("byre-transcript".to_owned()).spawn(move || {
            writer.run(&receiver);
            let _ = done.send(());
        })?;
        let entries = Some(entries);
        Ok(Self { entries, waiting, problems, problem_sender, overflowed: false, finished })
    }

    /// Records a line, which is one JSON object without a line break.
    pub(crate) fn record(&mut self, direction: Direction, line: &str) {
        let Some(entries) = &self.entries else { return };
        if self.waiting.load(Ordering::Relaxed) + line.len() > MAX_WAITING {
            if !self.overflowed {
                self.overflowed = true;
                let text = "the disk is too slow for the transcript; some lines are missing in it";
                let _ = self.problem_sender.send(text.to_owned());
            }
            return;
        }
        self.waiting.fetch_add(line.len(), Ordering::Relaxed);
        if entries.send(Entry { direction, line: line.to_owned() }).is_err() {
            // The thread has given up, which it has told.
            self.entries = None;
        }
    }

    /// Waits until something goes wrong; for ever if nothing does.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    pub(crate) async fn problem(&mut self) -> String {
        match self.problems.recv().await {
            Some(problem) => problem,
            None => std::future::pending().await,
        }
    }

    /// Waits until everything is written, for two seconds at most.
    pub(crate) async fn finish(&mut self) {
        self.entries = None;
        if time::timeout(FINISH_LIMIT, &mut self.finished).await.is_err() {
            tracing::warn!("the end of the transcript was not written in time");
        }
        // Too late for the session to tell.
        while let Ok(problem) = self.problems.try_recv() {
            tracing::warn!("{problem}");
        }
    }
}

/// The side of the thread.
struct Writer<W> {
    file: W,
    redactor: Redactor,
    waiting: Arc<AtomicUsize>,
    problems: async_mpsc::UnboundedSender<String>,
}

impl<W: Write> Writer<W> {
    fn run(&mut self, entries: &mpsc::Receiver<Entry>) {
        while let Ok(entry) = entries.recv() {
            self.waiting.fetch_sub(entry.line.len(), Ordering::Relaxed);
            if let Err(error) = self.write(entry) {
                let _ = self.problems.send(format!("the transcript is not written on: {error}"));
                return;
            }
        }
    }

    fn write(&mut self, entry: Entry) -> io::Result<()> {
        let Entry { direction, line } = entry;
        self.redactor.read(&line, direction == Direction::Receive);
        let line = self.redactor.hide(&line);
        let direction = match direction {
            Direction::Send => "send",
            Direction::Receive => "recv",
        };
        // One write a line, straight to the file: nothing is left in a buffer if the host is killed.
        self.file.write_all(format!("{{\"dir\":\"{direction}\",\"msg\":{line}}}\n").as_bytes())
    }
}

#[cfg(test)]
mod tests;
