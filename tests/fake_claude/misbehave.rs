//! How the stand-in misbehaves as a process.

use std::process::Stdio;

use tokio::{
    io::{
        AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader,
        DuplexStream, duplex,
    },
    process::Command,
    task::JoinHandle,
};

#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one switch, and any go together")]
pub(crate) struct Misbehaviour {
    /// `ignore-eof`: stays when stdin ends.
    pub(crate) ignore_eof: bool,
    /// `ignore-term`: stays when it is asked to go.
    ignore_term: bool,
    /// `exit-at-start=CODE`: ends before it reads anything, with a word on stderr.
    pub(crate) exit_at_start: Option<u8>,
    /// `no-sessions`: has no session to resume.
    no_sessions: bool,
    /// `ids-in-use`: takes no id for a new session.
    ids_in_use: bool,
    /// `exit-at-line=N`: ends with code 3 once it has written N lines.
    exit_at_line: Option<usize>,
    /// `garbage`: writes a line that is not JSON before each line.
    garbage: bool,
    /// `stderr-flood`: writes 1 MB to stderr before anything else.
    stderr_flood: bool,
    /// `grandchild`: leaves a process behind that holds stdout and stderr open.
    grandchild: bool,
    /// `own-session`: leaves a process behind in a session of its own, as the CLI does with commands.
    own_session: bool,
    /// `split`: writes 7 bytes at a time.
    split: bool,
    /// `hang-initialize`: never answers `initialize`.
    hang_initialize: bool,
    /// `chaos=SEED`: all that a session survives goes wrong.
    pub(crate) chaos: Option<u64>,
}

impl Misbehaviour {
    pub(crate) fn parse(list: &str) -> Result<Self, String> {
        let mut this = Self::default();
        for entry in list.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            let (name, value) = entry.split_once('=').unwrap_or((entry, ""));
            let bad_number = |_| format!("{entry:?} needs a number");
            match name {
                "ignore-eof" => this.ignore_eof = true,
                "ignore-term" => this.ignore_term = true,
                "exit-at-start" => this.exit_at_start = Some(value.parse().map_err(bad_number)?),
                "no-sessions" => this.no_sessions = true,
                "ids-in-use" => this.ids_in_use = true,
                "exit-at-line" => this.exit_at_line = Some(value.parse().map_err(bad_number)?),
                "garbage" => this.garbage = true,
                "stderr-flood" => this.stderr_flood = true,
                "grandchild" => this.grandchild = true,
                "own-session" => this.own_session = true,
                "split" => this.split = true,
                "hang-initialize" => this.hang_initialize = true,
                "chaos" => this.chaos = Some(value.parse().map_err(bad_number)?),
                _ => return Err(format!("no misbehaviour is called {entry:?}")),
            }
        }
        Ok(this)
    }

    /// Why it does not start with these arguments, as CLI 2.1.332 says it, and on stdout too where that
    /// does.
    pub(crate) fn refusal(&self, mut args: impl Iterator<Item = String>) -> Option<(String, bool)> {
        args.find_map(|arg| {
            let (flag, id) = arg.split_once('=')?;
            match flag {
                "--resume" if self.no_sessions => {
                    Some((format!("No conversation found with session ID: {id}"), true))
                }
                "--session-id" if self.ids_in_use => {
                    Some((format!("Error: Session ID {id} is already in use."), false))
                }
                _ => None,
            }
        })
    }

    /// Does what comes before the first line.
    pub(crate) async fn prepare(&self) {
        if self.ignore_term {
            ignore_term();
        }
        if self.stderr_flood {
            let line = format!("{}\n", "x".repeat(1023));
            let mut stderr = tokio::io::stderr();
            for _ in 0..1024 {
                let _ = stderr.write_all(line.as_bytes()).await;
            }
            let _ = stderr.flush().await;
        }
        if self.grandchild {
            #[expect(clippy::disallowed_methods, reason = "a process that must outlive this one")]
            let child = Command::new("sleep").arg("1000").spawn();
            // Not waited for: whoever started this process must cope with it.
            drop(child);
        }
        if self.own_session {
            #[expect(clippy::disallowed_methods, reason = "a process that must outlive this one")]
            let mut command = Command::new("setsid");
            command.args(["sleep", "1000"]).stdin(Stdio::null());
            drop(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn());
        }
    }

    /// Passes the host's lines on.
    pub(crate) fn stdin(
        &self,
        stdin: impl AsyncRead + Unpin + Send + 'static,
    ) -> (DuplexStream, JoinHandle<()>) {
        let (mut to_cli, stdin_of_cli) = duplex(64 * 1024);
        let hang_initialize = self.hang_initialize;
        let pump = async move {
            let mut stdin = BufReader::new(stdin);
            let mut line = Vec::new();
            while let Ok(1..) = stdin.read_until(b'\n', &mut line).await {
                let is_initialize = || {
                    serde_json::from_slice::<serde_json::Value>(&line)
                        .is_ok_and(|line| line["request"]["subtype"] == "initialize")
                };
                let is_lost = hang_initialize && is_initialize();
                if !is_lost && to_cli.write_all(&line).await.is_err() {
                    return;
                }
                line.clear();
            }
        };
        (stdin_of_cli, tokio::spawn(pump))
    }

    /// Passes the lines for the host on; ends with a code if the process is to end.
    pub(crate) fn stdout(
        &self,
        stdout: impl AsyncWrite + Unpin + Send + 'static,
    ) -> (DuplexStream, JoinHandle<Option<u8>>) {
        let (stdout_of_cli, from_cli) = duplex(64 * 1024);
        let this = self.clone();
        let pump = tokio::spawn(async move { this.write(from_cli, stdout).await });
        (stdout_of_cli, pump)
    }

    async fn write(
        &self,
        from_cli: DuplexStream,
        mut stdout: impl AsyncWrite + Unpin,
    ) -> Option<u8> {
        let mut from_cli = BufReader::new(from_cli);
        let mut line = Vec::new();
        let mut count = 0;
        loop {
            if self.exit_at_line == Some(count) {
                return Some(3);
            }
            line.clear();
            if self.garbage {
                line.extend_from_slice(b"warning: this is not JSON {\n");
            }
            if !matches!(from_cli.read_until(b'\n', &mut line).await, Ok(1..)) {
                return None;
            }
            let step = if self.split { 7 } else { line.len() };
            for piece in line.chunks(step) {
                let written = stdout.write_all(piece).await;
                if written.and(stdout.flush().await).is_err() {
                    // The host has stopped reading; the CLI does not mind.
                    let _ = from_cli.read_to_end(&mut line).await;
                    return None;
                }
            }
            count += 1;
        }
    }
}

#[cfg(unix)]
fn ignore_term() {
    use tokio::signal::unix::{SignalKind, signal};

    // Being listened to is enough: the signal does nothing else any more.
    if let Ok(mut term) = signal(SignalKind::terminate()) {
        tokio::spawn(async move { while term.recv().await.is_some() {} });
    }
}

#[cfg(not(unix))]
fn ignore_term() {}
