//! Writes to a pipe that nobody reads any more, in a program that such a write would end.
//!
//! Rust's runtime ignores SIGPIPE, and then the write fails with an error. A program that restores the default action,
//! as command-line tools do for `| head`, would be ended by it.

use std::{
    fs, io,
    pin::Pin,
    task::{Context, Poll},
};

use nix::sys::signal::{SigSet, SigmaskHow, Signal};
use tokio::{io::AsyncWrite, process::ChildStdin};

/// Says whether SIGPIPE has its default action in this program.
pub(super) fn is_deadly() -> bool {
    !has(&status("/proc/self/status"), "SigIgn:") && !has(&status("/proc/self/status"), "SigCgt:")
}

/// The stdin of a child, with an error in place of the signal.
pub(super) struct Quiet(pub(super) ChildStdin);

impl AsyncWrite for Quiet {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        quietly(|| Pin::new(&mut self.0).poll_write(cx, bytes))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        quietly(|| Pin::new(&mut self.0).poll_flush(cx))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        quietly(|| Pin::new(&mut self.0).poll_shutdown(cx))
    }
}

/// Runs `write` with SIGPIPE blocked on this thread, and takes the signal away that it may have raised: SIGPIPE goes to
/// the thread that writes.
pub(super) fn quietly<T>(write: impl FnOnce() -> T) -> T {
    let mut pipe = SigSet::empty();
    pipe.add(Signal::SIGPIPE);
    let before = pipe.thread_swap_mask(SigmaskHow::SIG_BLOCK);
    let result = write();
    if let Ok(before) = before
        && !before.contains(Signal::SIGPIPE)
    {
        if has(&status("/proc/thread-self/status"), "SigPnd:") {
            let _ = pipe.wait();
        }
        let _ = before.thread_set_mask();
    }
    result
}

fn status(file: &str) -> String {
    fs::read_to_string(file).unwrap_or_default()
}

/// Says whether SIGPIPE is in the set of signals of this line. Source: `proc_pid_status(5)`.
fn has(status: &str, line: &str) -> bool {
    let set = status.lines().find_map(|text| text.strip_prefix(line));
    let set = set.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
    set.is_some_and(|set| set >> (Signal::SIGPIPE as u32 - 1) & 1 == 1)
}
