//! The two directions, line by line.

use std::{
    collections::VecDeque,
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use memchr::memmem;
use tokio::{
    io::{
        AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader,
        DuplexStream, ReadBuf,
    },
    sync::{oneshot, watch},
    time,
};

use super::{
    RATE,
    faults::{self, Faults},
    random::Random,
};

/// How long an answer is kept back, if no other line comes.
const KEPT_BACK: Duration = Duration::from_millis(10);

/// The host's stdout of the CLI, which says when the host has dropped it.
pub(super) struct HostStdout {
    pipe: DuplexStream,
    _alive: oneshot::Sender<()>,
}

impl HostStdout {
    pub(super) fn new(pipe: DuplexStream, alive: oneshot::Sender<()>) -> Self {
        Self { pipe, _alive: alive }
    }
}

impl AsyncRead for HostStdout {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.pipe).poll_read(cx, buffer)
    }
}

/// Passes lines on in both directions, until the CLI ends or what goes wrong has ended it.
pub(super) async fn run(
    seed: u64,
    faults: Faults,
    (from_host, to_cli): (impl AsyncRead + Unpin, impl AsyncWrite + Unpin),
    (from_cli, to_host): (impl AsyncRead + Unpin, impl AsyncWrite + Unpin),
) {
    let (eof, stdin_ended) = watch::channel(false);
    let there = There {
        random: Random::new(seed),
        faults: faults.clone(),
        to_host,
        stdin_ended,
        kept_back: VecDeque::new(),
        lines: 0,
    };
    let back = Back { random: Random::new(!seed), faults, to_cli };
    let back = async {
        let _ = back.run(from_host).await;
        let _ = eof.send(true);
        std::future::pending::<()>().await;
    };
    // A failure of one direction is an end of the other: the pipes are gone then.
    tokio::select! {
        _ = there.run(from_cli) => {}
        () = back => {}
    }
}

/// From the CLI to the host.
struct There<W> {
    random: Random,
    faults: Faults,
    to_host: W,
    /// Whether the host has closed the CLI's stdin.
    stdin_ended: watch::Receiver<bool>,
    /// Answers that others overtake.
    kept_back: VecDeque<Vec<u8>>,
    /// How many lines of the CLI have been passed on.
    lines: usize,
}

impl<W: AsyncWrite + Unpin> There<W> {
    async fn run(mut self, from_cli: impl AsyncRead + Unpin) -> io::Result<()> {
        let mut from_cli = BufReader::new(from_cli);
        let mut line = Vec::new();
        loop {
            if self.faults.exits_after == Some(self.lines) {
                return Ok(());
            }
            if self.faults.stalls_after == Some(self.lines) {
                // The CLI is not to notice.
                let mut nothing = tokio::io::sink();
                let drain = tokio::io::copy(&mut from_cli, &mut nothing);
                tokio::join!(drain, ended(&mut self.stdin_ended)).0?;
                return self.end().await;
            }
            if self.faults.endless_line_after == Some(self.lines) {
                return self.endless_line(from_cli).await;
            }
            line.clear();
            // Reading it may be stopped half-way, which keeps what is read in `line`.
            let reading = from_cli.read_until(b'\n', &mut line);
            let read = if self.kept_back.is_empty() {
                reading.await?
            } else {
                let mut reading = std::pin::pin!(reading);
                match time::timeout(KEPT_BACK, &mut reading).await {
                    Ok(read) => read?,
                    Err(_) => {
                        while let Some(line) = self.kept_back.pop_front() {
                            write_line(&mut self.to_host, &self.faults, &mut self.random, &line)
                                .await?;
                        }
                        reading.await?
                    }
                }
            };
            if read == 0 {
                return self.end().await;
            }
            if line.ends_with(b"\n") {
                line.pop();
            }
            self.pass_on(line.clone()).await?;
        }
    }

    /// Passes a line on, with what comes before and after it.
    async fn pass_on(&mut self, mut line: Vec<u8>) -> io::Result<()> {
        self.lines += 1;
        if let Some(bytes) = self.faults.long_line.filter(|_| self.lines == 2) {
            let text = "x".repeat(bytes.saturating_sub(32));
            self.write(format!(r#"{{"type":"of_tomorrow","text":"{text}"}}"#).as_bytes()).await?;
        }
        for other in self.faults.before(&mut self.random) {
            self.write(&other).await?;
        }
        let control = faults::control_kind(&line);
        if self.faults.surrogates {
            faults::with_lone_surrogate(&mut line);
        }
        if self.faults.broken_utf8 {
            faults::with_broken_utf8(&mut line);
        }
        if let Some(wait) = self.faults.wait(&mut self.random) {
            time::sleep(wait).await;
        }
        let is_answer = control.as_deref() == Some("control_response");
        let is_late = self.faults.reorders && is_answer && self.random.once_in(2);
        let is_double = self.faults.duplicates && control.is_some() && self.random.once_in(RATE);
        if is_late {
            self.kept_back.push_back(line.clone());
        } else {
            self.write(&line).await?;
            // The one that was kept back last comes first.
            if self.random.once_in(2)
                && let Some(late) = self.kept_back.pop_back()
            {
                self.write(&late).await?;
            }
        }
        if is_double {
            self.write(&line).await?;
        }
        Ok(())
    }

    async fn write(&mut self, line: &[u8]) -> io::Result<()> {
        write_line(&mut self.to_host, &self.faults, &mut self.random, line).await
    }

    /// The CLI has ended.
    async fn end(mut self) -> io::Result<()> {
        while let Some(line) = self.kept_back.pop_front() {
            self.write(&line).await?;
        }
        self.to_host.shutdown().await
    }

    async fn endless_line(mut self, mut from_cli: impl AsyncRead + Unpin) -> io::Result<()> {
        let mut stdin_ended = self.stdin_ended.clone();
        let write = async {
            self.to_host.write_all(b"{\"type\":\"of_tomorrow\",\"text\":\"").await?;
            let piece = vec![b'x'; 64 * 1024];
            loop {
                self.to_host.write_all(&piece).await?;
                self.to_host.flush().await?;
                time::sleep(Duration::from_millis(10)).await;
            }
        };
        let mut nothing = tokio::io::sink();
        let drain = async {
            let _ = tokio::io::copy(&mut from_cli, &mut nothing).await;
            std::future::pending::<()>().await;
        };
        tokio::select! {
            written = write => written,
            () = drain => Ok(()),
            () = ended(&mut stdin_ended) => Ok(()),
        }
    }
}

/// Waits until the host has closed stdin.
async fn ended(stdin_ended: &mut watch::Receiver<bool>) {
    // Fails if the other direction is gone, which is the same.
    let _ = stdin_ended.wait_for(|ended| *ended).await;
}

/// From the host to the CLI.
struct Back<W> {
    random: Random,
    faults: Faults,
    to_cli: W,
}

impl<W: AsyncWrite + Unpin> Back<W> {
    async fn run(mut self, from_host: impl AsyncRead + Unpin) -> io::Result<()> {
        let mut from_host = BufReader::new(from_host);
        let mut line = Vec::new();
        loop {
            line.clear();
            if from_host.read_until(b'\n', &mut line).await? == 0 {
                if self.faults.ignores_eof {
                    std::future::pending::<()>().await;
                }
                return self.to_cli.shutdown().await;
            }
            // An answer to a question that no CLI has asked.
            if self.faults.unknown && memmem::find(&line, faults::ID.as_bytes()).is_some() {
                continue;
            }
            if let Some(wait) = self.faults.wait(&mut self.random) {
                time::sleep(wait).await;
            }
            if line.ends_with(b"\n") {
                line.pop();
            }
            let written = write_line(&mut self.to_cli, &self.faults, &mut self.random, &line).await;
            if written.is_err() {
                // The CLI is gone, and the host may go on writing.
                let mut rest = Vec::new();
                from_host.read_to_end(&mut rest).await?;
                return written;
            }
        }
    }
}

/// Writes a line, in pieces if need be.
async fn write_line(
    to: &mut (impl AsyncWrite + Unpin),
    faults: &Faults,
    random: &mut Random,
    line: &[u8],
) -> io::Result<()> {
    let mut rest = line;
    while !rest.is_empty() {
        let (piece, others) = rest.split_at(faults.piece(random, rest.len()));
        to.write_all(piece).await?;
        to.flush().await?;
        if faults.split {
            tokio::task::yield_now().await;
        }
        rest = others;
    }
    to.write_all(b"\n").await?;
    to.flush().await
}
