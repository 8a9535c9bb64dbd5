//! How the session comes to its end, step by step.

use std::{io, mem, process::ExitStatus, sync::Arc};

use tokio::{
    io::AsyncWriteExt,
    time::{self, Duration, Instant},
};

use super::{CLOSE_STEP, LAST_LINES, Phase, Pump};
use crate::{
    control::{pending::Outgoing, reports},
    error::Exit,
    transport::process::Process,
};

impl Pump {
    pub(super) fn on_exited(&mut self, status: io::Result<ExitStatus>) {
        self.has_exited = true;
        if matches!(self.phase, Phase::Running | Phase::Closing) {
            // Waiting fails only where somebody else has reaped our child.
            self.status = status.ok();
        }
        self.stdin = None;
        self.incoming.withdraw_all();
        self.phase = Phase::Killed;
        self.deadline = Some(Instant::now() + LAST_LINES);
    }

    pub(super) fn on_deadline(&mut self) {
        let next = Instant::now() + self.step;
        match self.phase {
            Phase::Closing => {
                self.stdin = None;
                match &mut self.process {
                    Some(process) => {
                        tracing::debug!("the CLI does not end by itself: SIGTERM");
                        process.terminate();
                        (self.phase, self.deadline) = (Phase::Terminated, Some(next));
                    }
                    None => (self.phase, self.deadline) = (Phase::Killed, None),
                }
            }
            Phase::Terminated => {
                tracing::debug!("the CLI does not end when told to: SIGKILL");
                if let Some(process) = &mut self.process {
                    process.kill();
                }
                (self.phase, self.deadline) = (Phase::Killed, Some(next));
            }
            Phase::Killed | Phase::Running => self.deadline = None,
        }
    }

    /// Begins the end, unless it has begun: handlers are dropped, what is written goes out, and then
    /// stdin is closed.
    pub(super) fn start_to_end(&mut self, step: Duration) {
        if self.phase == Phase::Running {
            self.phase = Phase::Closing;
            self.step = step;
            self.deadline = Some(Instant::now() + step);
            self.incoming.withdraw_all();
        }
    }

    /// Ends the session because a limit was reached. Whoever waits is told at once: the end of a CLI
    /// that hangs takes its time.
    pub(super) fn give_up(&mut self) {
        let stderr = self.process.as_ref().map(Process::stderr_so_far).unwrap_or_default();
        let exit = self.exit(None, stderr);
        let _ = self.shared.exit.set(exit);
        self.outgoing = Outgoing::default();
        self.reports = reports::queue().0;
        self.start_to_end(CLOSE_STEP);
    }

    /// Closes stdin, which tells the CLI to end, once the last line is out.
    pub(super) async fn close_stdin_when_due(&mut self) {
        if self.phase != Phase::Running
            && self.out.is_empty()
            && !self.unflushed
            && let Some(mut stdin) = self.stdin.take()
        {
            // For a pipe, dropping is enough; a transport of the user may need to be told. It must not
            // hold up the end.
            let _ = time::timeout(LAST_LINES, stdin.shutdown()).await;
        }
    }

    /// Tells everybody that the session is over.
    pub(super) async fn end(mut self) {
        let stderr = match &mut self.process {
            Some(process) if self.has_exited => process.stderr().await,
            Some(process) => process.stderr_so_far(),
            None => String::new(),
        };
        let exit = self.exit(self.status, stderr);
        tracing::debug!(status = ?exit.status, "the session is over");
        // Kills what the CLI has started and left behind.
        if let Some(process) = &mut self.process {
            process.kill();
        }
        let _ = self.shared.exit.set(exit);
        // From here on every link finds the session over, and whoever waits for an answer or an event
        // finds that none comes. All read the reason just set.
        self.commands.close();
        // Waits also for a command that is just being sent; nobody would ever drop it otherwise.
        while self.commands.recv().await.is_some() {}
        drop(self.outgoing);
        drop(self.reports);
        // Only `close` waits for the rest.
        if let Some(process) = self.process.take() {
            process.end().await;
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.finish().await;
        }
    }

    fn exit(&mut self, status: Option<ExitStatus>, stderr: String) -> Arc<Exit> {
        let (stdout, result) = (mem::take(&mut self.stray).into(), self.last_error.take());
        Arc::new(Exit { status, stderr, stdout, result })
    }
}
