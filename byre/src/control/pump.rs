//! The one task that owns the pipe.
//!
//! It reads lines, routes them, starts handlers, and writes answers, one whole line after another. It
//! never waits for the application: events go into a queue, and handlers run in tasks of their own.

mod end;
mod wait;

use std::{
    collections::VecDeque,
    future, io,
    process::ExitStatus,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::{mpsc, watch},
    time::Instant,
};

use self::wait::{exit, problem, read, sleep_until, write};
use super::{
    link::{Command, Link, Shared},
    pending::{Incoming, Outgoing},
    reports::{self, Full, Report, Reports},
    serve::{BoxFuture, Serve},
    threads,
};
use crate::{
    transport::{
        Connection,
        framing::{Framed, LineReader},
        process::Process,
        transcript::{Direction, Recorder},
    },
    wire::{
        control::{self, Answer, Request, RequestId},
        event::ResultEvent,
        json::{Line, Raw, kind_of},
        tokens,
    },
};

/// How long the CLI may take to end by itself once stdin is closed, and then again once it was told to.
/// It writes the session file in that time.
const CLOSE_STEP: Duration = Duration::from_secs(5);

/// How long stdout is read on after the process has ended: what is in the pipe comes at once, but a
/// grandchild may hold it open for ever.
const LAST_LINES: Duration = Duration::from_millis(200);

/// The same for a CLI that has closed its stdout or stdin by itself: it can't be of use any more, and
/// somebody may wait to hear why.
const BROKEN_STEP: Duration = Duration::from_secs(1);

/// How many lines of stdout that are not JSON are kept for errors.
const STRAY_LINES: usize = 20;

/// How much of each of them is kept, in bytes.
const STRAY_LINE: usize = 8 * 1024;

/// Starts to serve the CLI at the other end of `connection`.
///
/// The session ends when the CLI does, or when it is [closed](Link::close); dropping every link and the
/// reports does not end it.
pub(crate) fn start(
    connection: Connection,
    recorder: Option<Recorder>,
    serve: Arc<dyn Serve>,
) -> (Link, Reports) {
    let pid = connection.process.as_ref().and_then(Process::id);
    let shared = Arc::new(Shared { pid, ..Shared::default() });
    let (commands, command_receiver) = mpsc::unbounded_channel();
    let (reports, report_receiver) = reports::queue();
    let (alive, over) = watch::channel(());
    let Connection { stdout, stdin, process, max_line } = connection;
    let pump = Pump {
        stdout: Some(LineReader::new(stdout, max_line)),
        stdin: Some(stdin),
        process,
        recorder,
        serve,
        commands: command_receiver,
        reports,
        out: Vec::new(),
        written: 0,
        unflushed: false,
        outgoing: Outgoing::default(),
        incoming: Incoming::new(),
        phase: Phase::Running,
        deadline: None,
        step: CLOSE_STEP,
        has_exited: false,
        status: None,
        last_error: None,
        has_begun: false,
        stray: VecDeque::new(),
        shared: Arc::clone(&shared),
        _alive: alive,
    };
    tokio::spawn(pump.run());
    (Link::new(commands, shared, over), report_receiver)
}

/// How far the end of the session has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Running,
    /// stdin is closed, or will be once everything is written; the CLI may end by itself.
    Closing,
    /// The process was asked to end.
    Terminated,
    /// The process was ended.
    Killed,
}

/// What can happen while the pump waits.
enum Happening {
    /// How much was written, and whether all that was is flushed.
    Wrote(io::Result<usize>, bool),
    Flushed(io::Result<()>),
    Answered(RequestId, Answer),
    Command(Command),
    Read(io::Result<bool>),
    Exited(io::Result<ExitStatus>),
    Problem(String),
    Deadline,
}

struct Pump {
    /// `None` once it has ended.
    stdout: Option<LineReader<Box<dyn AsyncRead + Send + Unpin>>>,
    /// `None` once it is closed.
    stdin: Option<Box<dyn AsyncWrite + Send + Unpin>>,
    process: Option<Process>,
    recorder: Option<Recorder>,
    serve: Arc<dyn Serve>,
    commands: mpsc::UnboundedReceiver<Command>,
    reports: reports::Sender,
    /// Lines that wait to be written. Grows while the CLI does not read; it holds no more than answers to
    /// what the CLI asked, and what this program wants to say.
    out: Vec<u8>,
    /// How much of `out` is written already.
    written: usize,
    /// What was written may still be in a buffer of a transport of the user. Pipes have none.
    unflushed: bool,
    outgoing: Outgoing,
    incoming: Incoming,
    phase: Phase,
    /// When the next step towards the end is due, and how far apart the steps are.
    deadline: Option<Instant>,
    step: Duration,
    has_exited: bool,
    /// How the CLI ended by itself; `None` if byre made it end, which is no news.
    status: Option<ExitStatus>,
    /// The last `result`, if it was an error and the conversation did not go on after it.
    last_error: Option<Box<ResultEvent>>,
    /// The CLI has begun with a turn, and its result has not come.
    has_begun: bool,
    /// The last lines that were not JSON.
    stray: VecDeque<String>,
    shared: Arc<Shared>,
    /// Gone when the pump is, for whatever reason. Comes last, so that all else is gone before.
    _alive: watch::Sender<()>,
}

impl Pump {
    async fn run(mut self) {
        let mut lines = Vec::new();
        while !self.is_over() {
            match self.next(&mut lines).await {
                Happening::Wrote(result, flushed) => self.on_wrote(&result, flushed),
                Happening::Flushed(result) => self.on_flushed(&result),
                Happening::Answered(id, answer) => self.on_answered(&id, &answer),
                Happening::Command(command) => self.on_command(command),
                Happening::Read(result) => self.on_read(matches!(result, Ok(true)), &mut lines),
                Happening::Exited(status) => self.on_exited(status),
                Happening::Problem(problem) => self.report(vec![Report::Warning(problem)]),
                Happening::Deadline => self.on_deadline(),
            }
            self.shared.pulse.serving(self.incoming.count());
            self.close_stdin_when_due().await;
        }
        self.end().await;
    }

    /// Waits for the next thing to happen.
    ///
    /// Writing comes first, so that memory is freed before more comes in; reading comes last, so that
    /// somebody who writes without end, the CLI or what it has left behind, can't keep anything else back,
    /// least of all the end.
    async fn next(&mut self, lines: &mut Vec<Framed>) -> Happening {
        let unwritten = &self.out[self.written..];
        let deadline = self.deadline;
        tokio::select! {
            biased;
            wrote = write(self.stdin.as_mut(), unwritten, self.unflushed) => wrote,
            () = sleep_until(deadline) => Happening::Deadline,
            (id, answer) = self.incoming.next() => Happening::Answered(id, answer),
            Some(command) = self.commands.recv() => Happening::Command(command),
            status = exit(self.process.as_mut()), if !self.has_exited => Happening::Exited(status),
            problem = problem(self.recorder.as_mut()) => Happening::Problem(problem),
            result = read(self.stdout.as_mut(), lines) => Happening::Read(result),
        }
    }

    /// Says whether there is nothing left to wait for.
    fn is_over(&self) -> bool {
        let process_ended = self.process.is_none() || self.has_exited;
        (self.stdout.is_none() && process_ended)
            || (self.phase == Phase::Killed && self.deadline.is_none())
    }

    fn on_wrote(&mut self, result: &io::Result<usize>, flushed: bool) {
        let &Ok(count @ 1..) = result else { return self.on_stdin_broken() };
        self.written += count;
        self.unflushed = !flushed;
        if self.written == self.out.len() {
            self.out.clear();
            self.written = 0;
            // A burst must not keep its memory for the rest of the session.
            self.out.shrink_to(64 * 1024);
        } else if self.written > self.out.len() / 2 {
            // Nor may lines that never quite run out.
            self.out.drain(..self.written);
            self.written = 0;
        }
    }

    fn on_flushed(&mut self, result: &io::Result<()>) {
        self.unflushed = false;
        if result.is_err() {
            self.on_stdin_broken();
        }
    }

    /// The CLI has closed its stdin. What it still says on stdout, or its end, tells why.
    fn on_stdin_broken(&mut self) {
        self.stdin = None;
        self.out = Vec::new();
        self.written = 0;
        self.start_to_end(BROKEN_STEP);
    }

    fn on_answered(&mut self, id: &RequestId, answer: &Answer) {
        self.answer(id, answer);
        // What is ready now goes out with the same write.
        while let Some((id, answer)) = self.incoming.try_next() {
            self.answer(&id, &answer);
        }
    }

    fn on_command(&mut self, command: Command) {
        match command {
            Command::Request { id, body, waiter } => {
                let subtype = waiter.subtype.clone();
                // Waits before it is written: the answer can't be faster than the one who waits for it.
                // If the session is ending already, it waits for the reason.
                self.outgoing.insert(id.clone(), waiter);
                if self.phase == Phase::Running {
                    self.send(|out| control::write_request(&id, &subtype, body, out));
                }
            }
            Command::Tell { id, subtype, body } => {
                if self.phase == Phase::Running {
                    self.send(|out| control::write_request(&id, &subtype, body, out));
                }
            }
            Command::Withdraw(id) => {
                if self.outgoing.withdraw(&id) {
                    self.send(|out| control::write_cancel(&id, out));
                }
            }
            Command::Line(line) => self.send(|out| {
                out.extend_from_slice(line.as_bytes());
                out.push(b'\n');
            }),
            Command::Close => self.start_to_end(CLOSE_STEP),
            Command::GiveUp => self.give_up(),
        }
    }

    fn on_read(&mut self, more: bool, lines: &mut Vec<Framed>) {
        self.shared.pulse.heard(lines);
        let mut reports = Vec::new();
        let mut lines = lines.drain(..);
        while let Some(framed) = lines.next() {
            if let Some(report) = self.on_line(framed) {
                if reports.is_empty() {
                    // Small pieces of memory, which a list leaves behind while it grows, would lie between what
                    // waits, and the allocator keeps them.
                    reports.reserve_exact(1 + lines.len());
                }
                reports.push(report);
            }
        }
        if !reports.is_empty() {
            self.report(reports);
        }
        if !more {
            self.stdout = None;
            self.start_to_end(BROKEN_STEP);
        }
        // Handlers and readers of events run code of the user next.
        threads::let_others_take_over();
    }

    /// Routes one line, and gives back what is for the application.
    fn on_line(&mut self, framed: Framed) -> Option<Report> {
        let raw = match framed {
            Framed::Line(Line::Frame(raw)) => raw,
            Framed::Line(Line::Text(text)) => {
                self.on_stray(text);
                return None;
            }
            Framed::Skipped(limit) => {
                return Some(Report::Warning(format!(
                    "a line on the CLI's stdout is longer than {limit} bytes, and is skipped; \
                     `max_line` of the builder sets the limit"
                )));
            }
        };
        let kind = kind_of(raw.as_str());
        let is_recorded = kind != "stream_event" && kind != "keep_alive";
        if self.recorder.is_some() && is_recorded && raw.is_json() {
            self.record(Direction::Receive, raw.as_str());
        }
        match &*kind {
            "stream_event" => {
                self.last_error = None;
                return Some(Report::Frame(raw));
            }
            "control_request" => self.on_request(&raw),
            "control_response" => match control::parse_response(raw.as_str()) {
                Some((id, outcome)) => self.outgoing.settle(&id, outcome),
                None => {
                    tracing::debug!(raw = %tokens::hide(raw.as_str()), "an answer without an id");
                }
            },
            "control_cancel_request" => {
                if let Some(id) = control::parse_cancel(raw.as_str()) {
                    self.incoming.withdraw(&id);
                }
            }
            "keep_alive" => {}
            kind => {
                self.note(kind, &raw);
                return Some(Report::Frame(raw));
            }
        }
        None
    }

    /// Keeps the start of a line that is not JSON, for errors.
    fn on_stray(&mut self, mut text: String) {
        let mut end = text.len().min(STRAY_LINE);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.shrink_to_fit();
        tracing::debug!(text = %tokens::hide(&text), "a line on stdout is not JSON");
        self.stray.push_back(text);
        if self.stray.len() > STRAY_LINES {
            self.stray.pop_front();
        }
    }

    fn on_request(&mut self, raw: &Raw) {
        let Some((id, request)) = Request::parse(raw.as_str()) else {
            if raw.is_json() {
                let raw = tokens::hide(raw.as_str());
                tracing::warn!(%raw, "a control request without an id can't be answered");
            } else {
                self.on_stray(raw.to_string());
            }
            return;
        };
        // A session that ends can't answer; one that is repeated is being answered.
        if self.phase != Phase::Running || self.incoming.contains(&id) {
            return;
        }
        let answer: BoxFuture<Answer> = match &request {
            Ok(request) => self.serve.serve(request),
            Err(answer) => Box::pin(future::ready(answer.clone())),
        };
        if let Some((id, answer)) = self.incoming.start(id, answer) {
            // It may have taken its time.
            self.shared.pulse.spoken();
            self.answer(&id, &answer);
        }
    }

    /// Takes note of where turns begin and end, and keeps an error result, for the case that the CLI ends
    /// after it.
    fn note(&mut self, kind: &str, raw: &Raw) {
        match kind {
            "result" => {
                self.set_in_turn(false);
                let result = raw.parse::<ResultEvent>().unwrap_or_default();
                self.last_error = result.is_error.then(|| Box::new(result));
            }
            "system" => {
                if raw.as_str().contains("\"subtype\":\"init\"") {
                    self.set_in_turn(true);
                    self.last_error = None;
                }
                self.shared.pulse.system(raw);
            }
            // A prompt that was withdrawn before the CLI began with it has no result.
            "command_lifecycle" if !self.has_begun && ends_prompt(raw) => self.set_in_turn(false),
            // The conversation goes on, so what went wrong is not the reason of what comes. Other lines,
            // the state of the session or of a prompt for example, come after every result.
            "assistant" | "user" | "stream_event" => self.last_error = None,
            _ => {}
        }
    }

    fn set_in_turn(&mut self, in_turn: bool) {
        self.has_begun = in_turn;
        self.shared.in_turn.store(in_turn, Ordering::Relaxed);
    }

    fn answer(&mut self, id: &RequestId, answer: &Answer) {
        self.send(|out| answer.write_line(id, out));
    }

    /// Queues the line that `write` appends, if it appends one and there is still somebody to read it.
    fn send(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        if self.stdin.is_none() {
            return;
        }
        let start = self.out.len();
        write(&mut self.out);
        if self.recorder.is_some() && self.out.len() > start {
            let line = String::from_utf8_lossy(&self.out[start..self.out.len() - 1]).into_owned();
            self.record(Direction::Send, &line);
        }
    }

    fn record(&mut self, direction: Direction, line: &str) {
        if let Some(recorder) = &mut self.recorder {
            recorder.record(direction, line);
        }
    }

    /// Hands something to the application, unless it reads no more, which is its right.
    fn report(&mut self, reports: Vec<Report>) {
        if let Err(Full { waiting, limit }) = self.reports.send(reports) {
            let reason = format!(
                "{waiting} bytes of events wait to be read, and {limit} are the limit of `backlog`"
            );
            tracing::warn!("{reason}; the session is ended");
            let _ = self.shared.unread.set(reason);
            self.give_up();
        }
    }
}

/// Says whether nothing comes any more of the prompt that a `command_lifecycle` is about.
fn ends_prompt(raw: &Raw) -> bool {
    let says = |state: &str| raw.as_str().contains(state);
    !says("\"queued\"") && !says("\"started\"")
}

#[cfg(test)]
mod tests;
