//! A connection on which things go wrong, the same way each time.

mod faults;
pub(crate) mod random;
mod wire;

use std::{fmt, time::Duration};

use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::oneshot,
};

use self::{faults::Faults, wire::HostStdout};
use super::{Outcome, ScriptedCli};
use crate::{Transport, transport::Connection};

/// How much fits into the pipe in either direction.
const CAPACITY: usize = 64 * 1024;

/// How many random faults come to how many lines of the CLI: one to this many, of each kind.
const RATE: u64 = 4;

/// The exit code of a stand-in that is gone in the middle of what it does.
const KILLED: u8 = 3;

/// Makes things go wrong between a host and its CLI: how does *your* agent fare then?
///
/// It stands between the two, in front of a [`ScriptedCli`] or of any other [`Transport`], and passes their
/// lines on, some of them late, in pieces, or among others. What goes wrong depends on the seed and on the
/// lines alone, so that a seed that fails fails again.
///
/// | fault | what it does | what byre does |
/// |---|---|---|
/// | [`split_writes`](Self::split_writes) | lines come and go in pieces of a few bytes | waits for the rest of the line |
/// | [`delays`](Self::delays) | lines come late | waits |
/// | [`garbage`](Self::garbage) | lines that are no JSON, no UTF-8, or cut short | keeps the last 20 for errors, and goes on |
/// | [`unknown_lines`](Self::unknown_lines) | types, requests and ids that nobody knows | gives events as [`Other`](crate::Event::Other), refuses requests, ignores the rest |
/// | [`lone_surrogates`](Self::lone_surrogates) | half a character in each line | reads it as U+FFFD |
/// | [`broken_utf8`](Self::broken_utf8) | a byte in each line that is no UTF-8 | reads it as U+FFFD |
/// | [`duplicates`](Self::duplicates) | control lines come twice | answers a request once while it runs, ignores the rest |
/// | [`reorders`](Self::reorders) | answers of the CLI come in another order | matches them by id |
/// | [`long_line`](Self::long_line) | one line of many bytes | takes it, up to the [limit](crate::SessionBuilder::max_line) |
/// | [`exits_after`](Self::exits_after) | the CLI is gone | fails everything with [`Exited`](crate::ErrorKind::Exited), at once |
/// | [`stalls_after`](Self::stalls_after) | the CLI says nothing more | ends a turn and the session by [`idle_timeout`](crate::SessionBuilder::idle_timeout), a request by its own limit, with [`Timeout`](crate::ErrorKind::Timeout) |
/// | [`endless_line_after`](Self::endless_line_after) | a line that never ends | warns once it is longer than the [limit](crate::SessionBuilder::max_line), and throws it away |
/// | [`ignores_eof`](Self::ignores_eof) | the CLI stays when it should go | [`close`](crate::Session::close) ends all the same, after seconds |
///
/// [`survivable`](Self::survivable) does all of the first half: an agent must do its work as if nothing
/// were the matter.
///
/// # Example
///
/// ```standalone_crate
/// use byre::testing::{Chaos, Script, ScriptedCli};
/// use serde_json::json;
///
/// /// Adds two integers.
/// #[byre::tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # #[tokio::main]
/// # async fn main() -> byre::Result<()> {
/// for seed in 0..10 {
///     let cli = ScriptedCli::new(Script::new().call("add", json!({"a": 2, "b": 3})).say("{result}"));
///     let transport = Chaos::survivable(seed).over(cli);
///     let mut session = byre::Session::builder().transport(transport).spawn().await?;
///     assert_eq!(session.prompt("2 + 3?").await?.text(), "5", "seed {seed}");
///     session.close().await?;
/// }
/// # Ok(())
/// # }
/// ```
///
/// # Time
///
/// Under tokio's paused clock, a delay costs no time and makes the clock jump ahead by as much: so
/// [`delays`](Self::delays) of hours are clocks that jump by hours.
///
/// # Signals
///
/// What needs a process needs a program of yours that plays, as `tests/fake_claude` of byre's repository
/// does, with [`play`](Self::play) on its stdin and stdout. A shell script in front of it makes it ignore
/// SIGTERM too:
///
/// ```sh
/// trap '' TERM
/// exec my-stand-in "$@"
/// ```
#[derive(Clone)]
#[must_use = "nothing goes wrong until it stands before a transport"]
pub struct Chaos {
    seed: u64,
    faults: Faults,
}

impl Chaos {
    /// Nothing goes wrong yet.
    ///
    /// # Example
    ///
    /// ```
    /// let chaos = byre::testing::Chaos::new(7).garbage();
    /// ```
    pub fn new(seed: u64) -> Self {
        Self { seed, faults: Faults::default() }
    }

    /// Everything goes wrong that a session survives, with delays up to 2 ms.
    ///
    /// # Example
    ///
    /// ```
    /// let chaos = byre::testing::Chaos::survivable(7);
    /// ```
    pub fn survivable(seed: u64) -> Self {
        Self::new(seed)
            .split_writes()
            .delays(Duration::from_millis(2))
            .garbage()
            .unknown_lines()
            .lone_surrogates()
            .broken_utf8()
            .duplicates()
            .reorders()
            .long_line(1024 * 1024)
    }

    /// Lines come in pieces of 1 to 16 bytes, in both directions.
    ///
    /// # Example
    ///
    /// ```
    /// let chaos = byre::testing::Chaos::new(7).split_writes();
    /// ```
    pub fn split_writes(mut self) -> Self {
        self.faults.split = true;
        self
    }

    /// Every fourth line or so comes late, by up to `longest`, in both directions.
    ///
    /// # Example
    ///
    /// ```
    /// # use std::time::Duration;
    /// // Under tokio's paused clock: a clock that jumps.
    /// let chaos = byre::testing::Chaos::new(7).delays(Duration::from_secs(60 * 60));
    /// ```
    pub fn delays(mut self, longest: Duration) -> Self {
        self.faults.delay = Some(longest);
        self
    }

    /// Lines that are no JSON come between others: warnings, blank lines, lines cut short, and bytes that
    /// are no UTF-8.
    ///
    /// # Example
    ///
    /// ```
    /// let chaos = byre::testing::Chaos::new(7).garbage();
    /// ```
    pub fn garbage(mut self) -> Self {
        self.faults.garbage = true;
        self
    }

    /// Lines come between others that nobody has heard of: events and control requests of unknown kinds,
    /// answers and withdrawals with unknown ids, requests without one.
    ///
    /// What the host answers to them does not reach the CLI.
    ///
    /// # Example
    ///
    /// ```
    /// let chaos = byre::testing::Chaos::new(7).unknown_lines();
    /// ```
    pub fn unknown_lines(mut self) -> Self {
        self.faults.unknown = true;
        self
    }

    /// Each object that the CLI writes gets one field more, `"chaos":"\ud83d"`, which JavaScript takes for
    /// text and Unicode does not.
    ///
    /// # Example
    ///
    /// ```
    /// let chaos = byre::testing::Chaos::new(7).lone_surrogates();
    /// ```
    pub fn lone_surrogates(mut self) -> Self {
        self.faults.surrogates = true;
        self
    }

    /// Each line of the CLI that is an object gets a string with a byte in it that is no UTF-8.
    ///
    /// # Example
    ///
    /// ```
    /// let chaos = byre::testing::Chaos::new(7).broken_utf8();
    /// ```
    pub fn broken_utf8(mut self) -> Self {
        self.faults.broken_utf8 = true;
        self
    }

    /// Some control requests, withdrawals and answers of the CLI come twice. Events do not: twice the same
    /// result would be another conversation.
    ///
    /// # Example
    ///
    /// ```
    /// let chaos = byre::testing::Chaos::new(7).duplicates();
    /// ```
    pub fn duplicates(mut self) -> Self {
        self.faults.duplicates = true;
        self
    }

    /// Some answers of the CLI come after the lines that follow them, other answers too.
    ///
    /// # Example
    ///
    /// ```
    /// let chaos = byre::testing::Chaos::new(7).reorders();
    /// ```
    pub fn reorders(mut self) -> Self {
        self.faults.reorders = true;
        self
    }

    /// One event of an unknown kind comes before the second line, in so many bytes.
    ///
    /// # Example
    ///
    /// ```
    /// let chaos = byre::testing::Chaos::new(7).long_line(64 * 1024 * 1024);
    /// ```
    pub fn long_line(mut self, bytes: usize) -> Self {
        self.faults.long_line = Some(bytes);
        self
    }

    /// The CLI is gone after so many lines: both pipes break.
    ///
    /// # Example
    ///
    /// ```standalone_crate
    /// use byre::{ErrorKind, testing::{Chaos, Script, ScriptedCli}};
    ///
    /// # #[tokio::main]
    /// # async fn main() {
    /// let cli = ScriptedCli::new(Script::new().say("Hello."));
    /// let transport = Chaos::new(7).exits_after(0).over(cli);
    /// let error = byre::Session::builder().transport(transport).spawn().await.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Exited);
    /// # }
    /// ```
    pub fn exits_after(mut self, lines: usize) -> Self {
        self.faults.exits_after = Some(lines);
        self
    }

    /// The CLI says nothing more after so many lines, and goes when its stdin ends.
    ///
    /// # Example
    ///
    /// ```
    /// let chaos = byre::testing::Chaos::new(7).stalls_after(5);
    /// ```
    pub fn stalls_after(mut self, lines: usize) -> Self {
        self.faults.stalls_after = Some(lines);
        self
    }

    /// After so many lines comes one that never ends: 64 KiB every 10 ms, until the CLI's stdin ends.
    ///
    /// # Example
    ///
    /// ```
    /// let chaos = byre::testing::Chaos::new(7).endless_line_after(5);
    /// ```
    pub fn endless_line_after(mut self, lines: usize) -> Self {
        self.faults.endless_line_after = Some(lines);
        self
    }

    /// The CLI stays when its stdin ends, because it does not hear of it.
    ///
    /// # Example
    ///
    /// ```
    /// let chaos = byre::testing::Chaos::new(7).ignores_eof();
    /// ```
    pub fn ignores_eof(mut self) -> Self {
        self.faults.ignores_eof = true;
        self
    }

    /// Stands between the host and `transport`.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::{Transport, testing::Chaos};
    ///
    /// // To reach a CLI elsewhere, over a socket for example.
    /// fn worse(stdout: tokio::net::tcp::OwnedReadHalf, stdin: tokio::net::tcp::OwnedWriteHalf) -> Transport {
    ///     Chaos::survivable(7).over(Transport::new(stdout, stdin))
    /// }
    /// ```
    #[must_use]
    pub fn over(self, transport: impl Into<Transport>) -> Transport {
        let transport = transport.into();
        Transport::on_launch(move |args| {
            let Connection { stdout, stdin, .. } = transport.connect(args);
            let (host_stdout, to_host) = tokio::io::duplex(CAPACITY);
            let (host_stdin, from_host) = tokio::io::duplex(CAPACITY);
            let (alive, gone) = oneshot::channel();
            let wires = wire::run(self.seed, self.faults, (from_host, stdin), (stdout, to_host));
            tokio::spawn(async move {
                tokio::select! {
                    () = wires => {}
                    // Nobody is left to be annoyed.
                    _ = gone => {}
                }
            });
            Transport::new(HostStdout::new(host_stdout, alive), host_stdin)
        })
    }

    /// Plays the script of `cli` on these pipes, as [`ScriptedCli::run`] does, with things going wrong.
    ///
    /// For a program of its own, as byre's `fake-claude`. It goes on for ever if the CLI [ignores the end
    /// of its stdin](Self::ignores_eof), and gives the code 3 if it [exits](Self::exits_after).
    ///
    /// # Cancel safety
    ///
    /// Dropping the future ends the stand-in, as a kill would.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::testing::{Chaos, Outcome, Script, ScriptedCli};
    ///
    /// async fn over_real_pipes() -> Outcome {
    ///     let cli = ScriptedCli::new(Script::new().say("Hello."));
    ///     Chaos::survivable(7).play(cli, tokio::io::stdin(), tokio::io::stdout()).await
    /// }
    /// # // Nobody closes the stdin of a test: this only has to compile.
    /// # drop(over_real_pipes());
    /// ```
    pub async fn play(
        self,
        cli: ScriptedCli,
        stdin: impl AsyncRead + Unpin,
        stdout: impl AsyncWrite + Unpin,
    ) -> Outcome {
        let (to_cli, cli_stdin) = tokio::io::duplex(CAPACITY);
        let (cli_stdout, from_cli) = tokio::io::duplex(CAPACITY);
        let recorder = cli.recorder();
        let wires = wire::run(self.seed, self.faults, (stdin, to_cli), (from_cli, stdout));
        let run = cli.run(cli_stdin, cli_stdout);
        let mut wires = std::pin::pin!(wires);
        tokio::select! {
            outcome = run => {
                // What has been written must reach the host.
                wires.await;
                outcome
            }
            () = &mut wires => Outcome { code: KILLED, error: None, received: recorder.received() },
        }
    }
}

impl fmt::Debug for Chaos {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chaos").field("seed", &self.seed).field("faults", &self.faults).finish()
    }
}

#[cfg(test)]
mod tests;
