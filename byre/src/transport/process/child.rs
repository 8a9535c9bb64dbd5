//! A running CLI as its own process group, kept by a thread of its own.
//!
//! The thread starts the CLI, waits for its end and reaps it. That is what a thread can do and a future can't:
//!
//! - From the first instant somebody has the CLI who ends and reaps it, whatever becomes of the future that has
//!   asked for it, and of its runtime.
//! - To start it may take long, where a program is large or a file system slow, and holds up no other task.
//! - Linux sends a process a signal when *the thread* that has started it ends; see [`tied`](super::tied). This one
//!   lives as long as the CLI.
//!
//! The CLI starts each command of the agent in a session of its own, and ends it when it ends itself. A CLI that is
//! killed can't, so the thread does: whatever the CLI has started has its [mark](MARK) in the environment.
//!
//! It is started by the thread that starts the session, and so the CLI has what that one has: namespaces, limits of
//! seccomp or Landlock, capabilities, priority.

use std::{
    io,
    os::unix::process::CommandExt,
    process::{self, Command, ExitStatus},
    sync::mpsc,
    thread,
};

use nix::{
    sys::signal::{Signal, killpg},
    unistd::Pid,
};
use tokio::{
    process::{ChildStderr, ChildStdin, ChildStdout},
    sync::oneshot,
};
use uuid::Uuid;

use super::watchdog::Watched;

/// The thread runs nothing but what stands here.
const STACK: usize = 256 * 1024;

/// The variable that says from which CLI a process is.
pub(super) const MARK: &str = "BYRE_CLI";

/// A process and all that it starts. Dropping it kills them.
pub(super) struct Child {
    group: Pid,
    status: Option<ExitStatus>,
    /// Until it has told.
    exited: Option<oneshot::Receiver<io::Result<ExitStatus>>>,
    reaped: Option<oneshot::Receiver<()>>,
    /// As long as this is there, a Linux gives the number of the group to nobody else.
    _unreaped: mpsc::Sender<()>,
}

/// A child, and what it has for stdin, stdout and stderr.
pub(super) type Started = (Child, ChildStdin, ChildStdout, ChildStderr);

type Pipes = (process::ChildStdin, process::ChildStdout, process::ChildStderr);

/// Starts what `prepare` describes, which has pipes for its three streams.
///
/// # Panics
///
/// Outside a tokio runtime with I/O. The child is ended.
///
/// # Cancel safety
///
/// Dropping the future ends the child.
pub(super) async fn start(prepare: impl Fn() -> Command + Send + 'static) -> io::Result<Started> {
    let mark = Uuid::new_v4().to_string();
    let prepare = {
        let mark = mark.clone();
        move || {
            let mut command = prepare();
            command.process_group(0).env(MARK, &mark);
            command
        }
    };
    let (answer, started) = oneshot::channel();
    let keep = move || keep(prepare, &mark, answer);
    thread::Builder::new().name("byre-cli".to_owned()).stack_size(STACK).spawn(keep)?;
    let failed = |_| io::Error::other("the thread that starts it has failed");
    let (child, (stdin, stdout, stderr), unwatched) = started.await.map_err(failed)??;
    if let Some(error) = unwatched {
        tracing::debug!("no shell ends the CLI if this program is killed: {error}");
    }
    let (stdin, stdout) = (ChildStdin::from_std(stdin)?, ChildStdout::from_std(stdout)?);
    Ok((child, stdin, stdout, ChildStderr::from_std(stderr)?))
}

/// A child, its pipes, and why nothing ends it if this program is killed.
type Kept = (Child, Pipes, Option<io::Error>);

/// What the thread does.
fn keep(prepare: impl Fn() -> Command, mark: &str, answer: oneshot::Sender<io::Result<Kept>>) {
    let mut process = match spawn(prepare) {
        Ok(process) => process,
        Err(error) => {
            let _ = answer.send(Err(error));
            return;
        }
    };
    let group = Pid::from_raw(process.id().cast_signed());
    let (watched, unwatched) = Watched::new(group.as_raw(), mark);
    let (tell, exited) = oneshot::channel();
    let (over, reaped) = oneshot::channel();
    let (unreaped, in_use) = mpsc::channel();
    let (exited, reaped) = (Some(exited), Some(reaped));
    let child = Child { group, status: None, exited, reaped, _unreaped: unreaped };
    let started = match (process.stdin.take(), process.stdout.take(), process.stderr.take()) {
        (Some(stdin), Some(stdout), Some(stderr)) => {
            Ok((child, (stdin, stdout, stderr), unwatched))
        }
        _ => {
            drop(child);
            Err(io::Error::other("a pipe is missing"))
        }
    };
    // Where nobody waits for it any more, this drops the child, and so kills it.
    let _ = answer.send(started);
    let status = exit(&mut process);
    #[cfg(target_os = "linux")]
    let was_killed = status.as_ref().is_ok_and(|status| status.code().is_none());
    let _ = tell.send(status);
    // Fails when the child is dropped, which is what it is about.
    let _ = in_use.recv();
    #[cfg(target_os = "linux")]
    if was_killed {
        super::marked::kill(mark);
    }
    let _ = process.wait();
    drop(watched);
    let _ = over.send(());
}

/// Starts a process that ends with this program where the system can do that.
fn spawn(prepare: impl Fn() -> Command) -> io::Result<process::Child> {
    #[cfg(target_os = "linux")]
    return super::tied::spawn(prepare);
    #[cfg(not(target_os = "linux"))]
    prepare().spawn()
}

/// Waits for the end of `process`, and leaves it unreaped.
#[cfg(target_os = "linux")]
fn exit(process: &mut process::Child) -> io::Result<ExitStatus> {
    use std::os::unix::process::ExitStatusExt;

    use nix::{
        errno::Errno,
        sys::wait::{Id, WaitPidFlag, WaitStatus, waitid},
    };

    let pid = Pid::from_raw(process.id().cast_signed());
    loop {
        // As `wait` has it in its status: the code in the second byte, or the signal in the first.
        return match waitid(Id::Pid(pid), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT) {
            Ok(WaitStatus::Exited(_, code)) => Ok(ExitStatus::from_raw((code & 0xff) << 8)),
            Ok(WaitStatus::Signaled(_, signal, has_dumped)) => {
                Ok(ExitStatus::from_raw(signal as i32 | if has_dumped { 0x80 } else { 0 }))
            }
            Ok(_) | Err(Errno::EINTR) => continue,
            Err(error) => Err(error.into()),
        };
    }
}

/// Waits for the end of `process`.
#[cfg(not(target_os = "linux"))]
fn exit(process: &mut process::Child) -> io::Result<ExitStatus> {
    process.wait()
}

impl Child {
    /// The process id, until its end is known.
    pub(super) fn id(&self) -> Option<u32> {
        self.exited.as_ref().map(|_| self.group.as_raw().cast_unsigned())
    }

    /// Waits for the end of the process.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    pub(super) async fn wait(&mut self) -> io::Result<ExitStatus> {
        if let Some(exited) = &mut self.exited {
            let status = exited.await;
            self.exited = None;
            self.status = Some(status.map_err(io::Error::other)??);
        }
        self.status.ok_or_else(|| io::Error::other("its status is not known"))
    }

    /// Asks the whole group to end.
    pub(super) fn terminate(&mut self) {
        self.signal(Signal::SIGTERM);
    }

    /// Ends the whole group. Nothing can refuse this.
    pub(super) fn kill(&mut self) {
        self.signal(Signal::SIGKILL);
    }

    fn signal(&self, signal: Signal) {
        // Fails if nobody is left, which is what we want.
        let _ = killpg(self.group, signal);
    }

    /// Kills what is left of the group. Of a process that has exited no zombie is left then.
    pub(super) async fn end(mut self) {
        let reaped = self.reaped.take().filter(|_| self.exited.is_none());
        drop(self);
        if let Some(reaped) = reaped {
            let _ = reaped.await;
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // What the process has started may have outlived it, and holds pipes, files and memory.
        self.kill();
    }
}

#[cfg(test)]
mod tests {
    use std::{path::Path, process::Stdio, time::Duration};

    use super::*;

    fn shell(script: &'static str) -> impl Fn() -> Command + Send + 'static {
        move || {
            let mut command = super::super::command(Path::new("/bin/sh"));
            command.args(["-c", script]);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            command
        }
    }

    #[tokio::test]
    async fn its_status_is_what_the_system_says() {
        let codes = [("exit 0", Some(0)), ("exit 7", Some(7)), ("exit 255", Some(255))];
        for (script, code) in codes {
            let (mut child, ..) = start(shell(script)).await.unwrap();
            assert!(child.id().is_some());
            assert_eq!(child.wait().await.unwrap().code(), code);
            assert_eq!(child.wait().await.unwrap().code(), code);
            assert_eq!(child.id(), None);
            child.end().await;
        }
        let (mut child, ..) = start(shell("kill -9 $$")).await.unwrap();
        let status = child.wait().await.unwrap();
        assert_eq!((status.code(), status.to_string()), (None, "signal: 9 (SIGKILL)".to_owned()));
        child.end().await;
    }

    #[tokio::test]
    async fn a_start_that_takes_long_holds_no_other_up() {
        let (release, held) = mpsc::channel::<()>();
        let held = std::sync::Mutex::new(held);
        let slow = start(move || {
            let _ = held.lock().map(|held| held.recv_timeout(Duration::from_secs(60)));
            shell("exit 1")()
        });
        let slow = tokio::spawn(slow);
        let (mut quick, ..) = start(shell("exit 2")).await.unwrap();
        assert_eq!(quick.wait().await.unwrap().code(), Some(2));
        assert!(!slow.is_finished());
        drop(release);
        let (mut slow, ..) = slow.await.unwrap().unwrap();
        assert_eq!(slow.wait().await.unwrap().code(), Some(1));
    }
}
