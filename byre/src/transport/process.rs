//! The CLI's process: the only place that starts one, and so the only place that has to end one.

#[cfg_attr(not(unix), path = "process/child_alone.rs")]
mod child;
#[cfg(target_os = "linux")]
mod marked;
#[cfg(target_os = "linux")]
mod sigpipe;
#[cfg(target_os = "linux")]
mod tied;
#[cfg(unix)]
mod watchdog;

use std::{
    collections::VecDeque,
    ffi::OsString,
    fmt, io, mem,
    path::{self, Path},
    process::{Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite},
    process::{ChildStderr, ChildStdin, ChildStdout},
    task::JoinHandle,
    time,
};

use self::child::Child;
use super::{
    Connection,
    framing::MAX_LINE,
    launch::Launch,
    loader::{self, Missing},
    locate,
};
use crate::error::{Error, ErrorKind, Result};

/// How much of the end of stderr is kept for errors, in bytes.
const STDERR_TAIL: usize = 8 * 1024;

/// Where a line of stderr is cut that does not end.
const STDERR_LINE: usize = 64 * 1024;

/// How long the rest of stderr is waited for once the process has ended. A grandchild may hold the pipe
/// open for ever.
const STDERR_GRACE: Duration = Duration::from_millis(200);

/// How much of the answer to a single question is read, in bytes. A version and a login are short.
#[cfg(feature = "cli")]
const ANSWER_LIMIT: u64 = 64 * 1024;

/// Takes each line of the CLI's stderr, without its line break.
pub(crate) type StderrHandler = Arc<dyn Fn(&str) + Send + Sync>;

/// A running CLI. Dropping it kills the CLI and everything it started.
pub(crate) struct Process {
    child: Child,
    stderr: Arc<Mutex<Tail>>,
    stderr_task: JoinHandle<()>,
}

/// Starts the CLI and connects its pipes.
///
/// # Errors
///
/// [`ErrorKind::CliNotFound`] and [`ErrorKind::Spawn`].
///
/// # Cancel safety
///
/// Dropping the future ends the CLI.
pub(crate) async fn spawn(launch: &Launch, on_stderr: Option<StderrHandler>) -> Result<Connection> {
    let (stdin, stdout, process) = start(launch, launch.args(), on_stderr).await?;
    Ok(Connection {
        stdout: Box::new(stdout),
        stdin: writer(stdin),
        process: Some(process),
        max_line: MAX_LINE,
    })
}

/// A CLI that reads no more must not end the program.
fn writer(stdin: ChildStdin) -> Box<dyn AsyncWrite + Send + Unpin> {
    #[cfg(target_os = "linux")]
    if sigpipe::is_deadly() {
        return Box::new(sigpipe::Quiet(stdin));
    }
    Box::new(stdin)
}

type Started = (ChildStdin, ChildStdout, Process);

async fn start(
    launch: &Launch,
    args: Vec<OsString>,
    on_stderr: Option<StderrHandler>,
) -> Result<Started> {
    let program = locate::find_cli(launch.cli_path.as_deref(), &locate::ThisMachine)?;
    // Where the child changes its folder first, a relative path would mean another file there.
    let program = path::absolute(&program).map_err(|error| spawn_error(&program, error))?;
    let folder = launch.checked_current_dir()?.map(Path::to_owned);
    let (environment, env_clear) = (launch.environment(), launch.env_clear);
    #[cfg(unix)]
    let run_as = launch.run_as;
    let cli = program.clone();
    let prepare = move || {
        let mut command = command(&cli);
        command.args(&args);
        if env_clear {
            command.env_clear();
        }
        for (name, value) in &environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(folder) = &folder {
            command.current_dir(folder);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        if let Some((user, group)) = run_as {
            use std::os::unix::process::CommandExt;

            command.uid(user).gid(group);
        }
        command
    };
    let started = child::start(prepare).await;
    let (child, stdin, stdout, stderr) = started.map_err(|error| spawn_error(&program, error))?;
    tracing::debug!(pid = child.id(), program = %program.display(), "started the CLI");
    let tail = Arc::new(Mutex::new(Tail::default()));
    let stderr_task = tokio::spawn(drain_stderr(stderr, Arc::clone(&tail), on_stderr));
    Ok((stdin, stdout, Process { child, stderr: tail, stderr_task }))
}

/// What the CLI said to a single question, and how it ended.
#[cfg(feature = "cli")]
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) status: ExitStatus,
    /// What it wrote to stdout, the first 64 KiB of it.
    pub(crate) stdout: String,
    /// The end of what it wrote to stderr.
    pub(crate) stderr: String,
}

/// Runs the CLI with these arguments in place of the launch's own, and waits for its end. The environment
/// and the folder are those of a session.
///
/// # Errors
///
/// [`ErrorKind::CliNotFound`], [`ErrorKind::Spawn`], [`ErrorKind::Io`], and [`ErrorKind::Timeout`] after
/// `limit`, when it is killed.
///
/// # Cancel safety
///
/// Dropping the future kills it.
#[cfg(feature = "cli")]
pub(crate) async fn ask(launch: &Launch, args: &[&str], limit: Duration) -> Result<Said> {
    let question = args.join(" ");
    let args = args.iter().map(OsString::from).collect();
    let answer = async {
        let (stdin, stdout, mut process) = start(launch, args, None).await?;
        drop(stdin);
        let mut text = Vec::new();
        // What it has to say beyond that goes to a closed pipe.
        let read = stdout.take(ANSWER_LIMIT).read_to_end(&mut text).await;
        let status = match read {
            Ok(_) => process.wait().await,
            Err(error) => Err(error),
        };
        let status = status
            .map_err(|error| Error::io(format!("read what `claude {question}` says"), error))?;
        let stdout = String::from_utf8_lossy(&text).into_owned();
        Ok(Said { status, stdout, stderr: process.stderr().await })
    };
    time::timeout(limit, answer).await.unwrap_or_else(|_| {
        Err(Error::new(ErrorKind::Timeout, format!("run `claude {question}`"))
            .reason(format!("it has not ended within {} s", limit.as_secs())))
    })
}

#[expect(clippy::disallowed_methods, reason = "this is the one place")]
fn command(program: &Path) -> Command {
    Command::new(program)
}

fn spawn_error(program: &Path, error: io::Error) -> Error {
    let hint = match error.kind() {
        // The file is there, so it is its interpreter or loader that is missing.
        io::ErrorKind::NotFound => Some(missing_hint(program)),
        io::ErrorKind::PermissionDenied => Some("is the file executable?".to_owned()),
        io::ErrorKind::ArgumentListTooLong => {
            Some("the command line is too long; move large settings into a file".to_owned())
        }
        _ if is_of_another_machine(&error) => {
            Some("the file is no program, or is built for another processor".to_owned())
        }
        _ => None,
    };
    let reason = error.to_string();
    let failed = Error::new(ErrorKind::Spawn, format!("start {}", program.display()))
        .reason(reason)
        .source(error);
    match hint {
        Some(hint) => failed.hint(hint),
        None => failed,
    }
}

/// What to do when the system finds no file although there is one.
fn missing_hint(program: &Path) -> String {
    match loader::missing(program) {
        Some(Missing::Interpreter(path)) => {
            format!("it is a script for {}, which does not exist", path.display())
        }
        Some(Missing::Loader(path)) => format!(
            "it needs the loader {}, which does not exist: the binary is built for another libc; \
             install the Claude Code that is built for this system",
            path.display()
        ),
        None => "the binary may be built for another libc or processor; reinstall Claude Code"
            .to_owned(),
    }
}

#[cfg(unix)]
fn is_of_another_machine(error: &io::Error) -> bool {
    error.raw_os_error() == Some(nix::errno::Errno::ENOEXEC as i32)
}

#[cfg(not(unix))]
fn is_of_another_machine(_error: &io::Error) -> bool {
    false
}

impl Process {
    /// The process id, until the process has been reaped.
    pub(crate) fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// Waits for the end of the process.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    pub(crate) async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Asks the whole process group to end.
    pub(crate) fn terminate(&mut self) {
        self.child.terminate();
    }

    /// Ends the whole process group, or the CLI alone where there are no groups. Nothing can refuse this.
    pub(crate) fn kill(&mut self) {
        self.child.kill();
    }

    /// Ends what is left. Of a CLI that has exited no zombie is left then.
    pub(crate) async fn end(self) {
        self.stderr_task.abort();
        self.child.end().await;
    }

    /// The end of what the CLI wrote to stderr; called once the process has ended.
    pub(crate) async fn stderr(&mut self) -> String {
        let _ = time::timeout(STDERR_GRACE, &mut self.stderr_task).await;
        lock(&self.stderr).text()
    }

    /// The end of what the CLI wrote to stderr so far.
    pub(crate) fn stderr_so_far(&self) -> String {
        lock(&self.stderr).text()
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Process").field("id", &self.id()).finish_non_exhaustive()
    }
}

/// Reads stderr to its end, so that the CLI never blocks on a full pipe.
async fn drain_stderr(
    mut stderr: ChildStderr,
    tail: Arc<Mutex<Tail>>,
    on_line: Option<StderrHandler>,
) {
    let mut line = Vec::new();
    let mut chunk = [0; 4096];
    let finish = |line: &mut Vec<u8>| {
        let bytes = mem::take(line);
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_end();
        lock(&tail).push(text);
        if let Some(handler) = &on_line {
            // A handler that panics must not stop the draining.
            let call = std::panic::AssertUnwindSafe(|| handler(text));
            if std::panic::catch_unwind(call).is_err() {
                tracing::error!("the handler of stderr panicked");
            }
        }
    };
    while let Ok(count) = read_some(&mut stderr, &mut chunk).await {
        for &byte in &chunk[..count] {
            if byte != b'\n' {
                line.push(byte);
            }
            if byte == b'\n' || line.len() == STDERR_LINE {
                finish(&mut line);
            }
        }
        if count == 0 {
            break;
        }
    }
    if !line.is_empty() {
        finish(&mut line);
    }
}

async fn read_some(stderr: &mut (impl AsyncRead + Unpin), chunk: &mut [u8]) -> io::Result<usize> {
    stderr.read(chunk).await
}

/// The last lines of something, at most [`STDERR_TAIL`] bytes of them.
#[derive(Default)]
struct Tail {
    lines: VecDeque<String>,
    bytes: usize,
}

impl Tail {
    fn push(&mut self, line: &str) {
        let mut start = line.len().saturating_sub(STDERR_TAIL);
        while !line.is_char_boundary(start) {
            start += 1;
        }
        self.bytes += line.len() - start;
        self.lines.push_back(line[start..].to_owned());
        while self.bytes > STDERR_TAIL || self.lines.len() > 200 {
            self.bytes -= self.lines.pop_front().map_or(0, |line| line.len());
        }
    }

    fn text(&self) -> String {
        self.lines.iter().map(String::as_str).collect::<Vec<_>>().join("\n")
    }
}

/// A panic in a user's handler can't leave the tail half written, so a poisoned lock is a good one.
fn lock(tail: &Mutex<Tail>) -> std::sync::MutexGuard<'_, Tail> {
    tail.lock().unwrap_or_else(PoisonError::into_inner)
}
