//! L2: the pipe to the CLI, and the process at its other end.
//!
//! Moves lines and ends processes. Knows their framing, not their meaning.

pub(crate) mod framing;
pub(crate) mod launch;
pub(crate) mod locate;
pub(crate) mod process;
pub(crate) mod transcript;

use std::fmt;

use tokio::io::{AsyncRead, AsyncWrite};

use process::Process;

/// The two directions of a connection to a CLI.
///
/// [`SessionBuilder::spawn`](crate::SessionBuilder::spawn) makes one by starting a process. Bring your
/// own, with [`SessionBuilder::transport`](crate::SessionBuilder::transport), to reach a CLI that runs
/// elsewhere, or a stand-in.
///
/// # Example
///
/// ```
/// # async fn run() -> byre::Result<()> {
/// let (host_reads, _cli_writes) = tokio::io::duplex(4096);
/// let (host_writes, _cli_reads) = tokio::io::duplex(4096);
/// let transport = byre::Transport::new(host_reads, host_writes);
/// let session = byre::Session::builder().transport(transport).spawn().await?;
/// # session.close().await
/// # }
/// ```
pub struct Transport {
    pub(crate) stdout: Box<dyn AsyncRead + Send + Unpin>,
    pub(crate) stdin: Box<dyn AsyncWrite + Send + Unpin>,
    /// The process, where byre started one and has to end it.
    pub(crate) process: Option<Process>,
}

impl Transport {
    /// Makes a transport from the CLI's stdout, which byre reads, and its stdin, which byre writes.
    ///
    /// Closing the session shuts `stdin` down and waits up to five seconds for the end of `stdout`.
    ///
    /// # Example
    ///
    /// ```
    /// let (stdout, _cli_writes) = tokio::io::duplex(4096);
    /// let (stdin, _cli_reads) = tokio::io::duplex(4096);
    /// let transport = byre::Transport::new(stdout, stdin);
    /// ```
    pub fn new(
        stdout: impl AsyncRead + Send + Unpin + 'static,
        stdin: impl AsyncWrite + Send + Unpin + 'static,
    ) -> Self {
        Self { stdout: Box::new(stdout), stdin: Box::new(stdin), process: None }
    }
}

impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transport").field("process", &self.process).finish_non_exhaustive()
    }
}
