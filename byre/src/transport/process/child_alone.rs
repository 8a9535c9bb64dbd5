//! A running CLI where there are no process groups: it is ended alone.

use std::{
    io,
    process::{Command, ExitStatus},
};

use tokio::process::{self, ChildStderr, ChildStdin, ChildStdout};

/// A process. Dropping it kills it.
pub(super) struct Child(process::Child);

/// A child, and what it has for stdin, stdout and stderr.
pub(super) type Started = (Child, ChildStdin, ChildStdout, ChildStderr);

/// Starts what `prepare` describes, which has pipes for its three streams.
#[expect(clippy::unused_async, reason = "it takes a while elsewhere")]
pub(super) async fn start(prepare: impl Fn() -> Command + Send + 'static) -> io::Result<Started> {
    let mut command = process::Command::from(prepare());
    let mut child = command.kill_on_drop(true).spawn()?;
    match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
        (Some(stdin), Some(stdout), Some(stderr)) => Ok((Child(child), stdin, stdout, stderr)),
        _ => Err(io::Error::other("a pipe is missing")),
    }
}

impl Child {
    /// The process id, until its end is known.
    pub(super) fn id(&self) -> Option<u32> {
        self.0.id()
    }

    /// Waits for the end of the process.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    pub(super) async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.0.wait().await
    }

    /// Nothing can be asked to end here.
    #[expect(clippy::unused_self, reason = "elsewhere it has something to do")]
    pub(super) fn terminate(&mut self) {}

    pub(super) fn kill(&mut self) {
        // Fails only when it has ended already.
        let _ = self.0.start_kill();
    }

    /// Kills it, if it has not ended.
    #[expect(clippy::unused_async, reason = "it takes a while elsewhere")]
    pub(super) async fn end(self) {}
}
