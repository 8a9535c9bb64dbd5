//! L2: the pipe to the CLI, and the process at its other end.
//!
//! Moves lines and ends processes. Knows their framing, not their meaning.

pub(crate) mod framing;
pub(crate) mod launch;
mod loader;
pub(crate) mod locate;
pub(crate) mod process;
pub(crate) mod redact;
pub(crate) mod transcript;

use std::{ffi::OsString, fmt, sync::Arc};

use tokio::io::{AsyncRead, AsyncWrite};

use framing::MAX_LINE;
use process::Process;

/// How byre gets at a CLI, when it does not start one itself.
///
/// [`SessionBuilder::spawn`](crate::SessionBuilder::spawn) starts a process unless it is given one of
/// these with [`SessionBuilder::transport`](crate::SessionBuilder::transport): to reach a CLI that runs
/// elsewhere, or a stand-in.
///
/// # Example
///
/// ```
/// # async fn run() -> byre::Result<()> {
/// let (stdout, _cli_writes) = tokio::io::duplex(4096);
/// let (stdin, _cli_reads) = tokio::io::duplex(4096);
/// let transport = byre::Transport::new(stdout, stdin);
/// let session = byre::Session::builder().transport(transport).spawn().await?;
/// # session.close().await
/// # }
/// ```
pub struct Transport(Kind);

enum Kind {
    Ready(Box<Connection>),
    OnLaunch(Connect),
    OnEveryLaunch(Reconnect),
}

/// Makes a transport from the arguments of the CLI.
type Connect = Box<dyn FnOnce(&[OsString]) -> Transport + Send>;

/// The same as often as it is asked to.
type Reconnect = Arc<dyn Fn(&[OsString]) -> Transport + Send + Sync>;

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
        let (stdout, stdin) = (Box::new(stdout), Box::new(stdin));
        Self(Kind::Ready(Box::new(Connection { stdout, stdin, process: None, max_line: MAX_LINE })))
    }

    /// Makes a transport when the session starts, from the arguments that the CLI would be started with.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::Transport;
    ///
    /// let transport = Transport::on_launch(|args| {
    ///     println!("claude would get {args:?}");
    ///     let (stdout, _cli_writes) = tokio::io::duplex(4096);
    ///     let (stdin, _cli_reads) = tokio::io::duplex(4096);
    ///     Transport::new(stdout, stdin)
    /// });
    /// ```
    pub fn on_launch(connect: impl FnOnce(&[OsString]) -> Self + Send + 'static) -> Self {
        Self(Kind::OnLaunch(Box::new(connect)))
    }

    /// Makes a transport whenever the session starts: also when it is
    /// [restarted](crate::Session::restart), and when
    /// [`resume_or_new`](crate::SessionBuilder::resume_or_new) starts a second time. With any other transport, a
    /// session can't be restarted.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::Transport;
    ///
    /// let transport = Transport::on_every_launch(|args| {
    ///     println!("claude would get {args:?}");
    ///     let (stdout, _cli_writes) = tokio::io::duplex(4096);
    ///     let (stdin, _cli_reads) = tokio::io::duplex(4096);
    ///     Transport::new(stdout, stdin)
    /// });
    /// ```
    pub fn on_every_launch(connect: impl Fn(&[OsString]) -> Self + Send + Sync + 'static) -> Self {
        Self(Kind::OnEveryLaunch(Arc::new(connect)))
    }

    /// The same once more, where it can be made again.
    pub(crate) fn again(&self) -> Option<Self> {
        match &self.0 {
            Kind::OnEveryLaunch(connect) => Some(Self(Kind::OnEveryLaunch(Arc::clone(connect)))),
            Kind::Ready(_) | Kind::OnLaunch(_) => None,
        }
    }

    /// Connects, given the arguments that the CLI would be started with.
    pub(crate) fn connect(self, args: &[OsString]) -> Connection {
        let mut kind = self.0;
        loop {
            match kind {
                Kind::Ready(connection) => return *connection,
                Kind::OnLaunch(connect) => kind = connect(args).0,
                Kind::OnEveryLaunch(connect) => kind = connect(args).0,
            }
        }
    }
}

impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transport").finish_non_exhaustive()
    }
}

/// The two directions of a connection to a CLI.
pub(crate) struct Connection {
    pub(crate) stdout: Box<dyn AsyncRead + Send + Unpin>,
    pub(crate) stdin: Box<dyn AsyncWrite + Send + Unpin>,
    /// The process, where byre started one and has to end it.
    pub(crate) process: Option<Process>,
    /// How long a line of stdout may be, in bytes.
    pub(crate) max_line: usize,
}
