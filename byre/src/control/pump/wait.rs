//! What the pump waits for. Where there is nothing to wait for, each waits for ever, so that all of them can
//! stand in one `select!`.

use std::{
    future::poll_fn,
    io,
    pin::Pin,
    process::ExitStatus,
    task::{Poll, ready},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    time::{self, Instant},
};

use super::Happening;
use crate::transport::{
    framing::{Framed, LineReader},
    process::Process,
    transcript::Recorder,
};

/// Writes some of `bytes`, or flushes what is written; waits for ever when there is nothing to do.
pub(super) async fn write(
    stdin: Option<&mut Box<dyn AsyncWrite + Send + Unpin>>,
    bytes: &[u8],
    unflushed: bool,
) -> Happening {
    match stdin {
        Some(stdin) if !bytes.is_empty() => {
            poll_fn(|cx| {
                let wrote = ready!(Pin::new(&mut *stdin).poll_write(cx, bytes));
                // A pipe has nothing to flush and says so at once. Whoever takes longer, or fails, is asked again.
                let is_all = wrote.as_ref().is_ok_and(|&count| count == bytes.len());
                let flushed =
                    is_all && matches!(Pin::new(&mut *stdin).poll_flush(cx), Poll::Ready(Ok(())));
                Poll::Ready(Happening::Wrote(wrote, flushed))
            })
            .await
        }
        Some(stdin) if unflushed => Happening::Flushed(stdin.flush().await),
        _ => std::future::pending().await,
    }
}

/// Reads some lines; waits for ever once stdout has ended.
pub(super) async fn read(
    stdout: Option<&mut LineReader<Box<dyn AsyncRead + Send + Unpin>>>,
    lines: &mut Vec<Framed>,
) -> io::Result<bool> {
    match stdout {
        Some(stdout) => stdout.read(lines).await,
        None => std::future::pending().await,
    }
}

/// Waits for the process, or for ever where there is none.
pub(super) async fn exit(process: Option<&mut Process>) -> io::Result<ExitStatus> {
    match process {
        Some(process) => process.wait().await,
        None => std::future::pending().await,
    }
}

pub(super) async fn problem(recorder: Option<&mut Recorder>) -> String {
    match recorder {
        Some(recorder) => recorder.problem().await,
        None => std::future::pending().await,
    }
}

pub(super) async fn sleep_until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => time::sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}
