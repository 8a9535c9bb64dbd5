//! A stand-in for the CLI: its side of the pipes, played from a script.
//!
//! Imitates CLI 2.1.332, and never knows what is on the host's side: only lines come in and go out.

mod control;
mod end;
mod engine;
mod hooks;
mod lines;
mod mcp;
mod peer;
mod tools;
mod turn;

use std::{
    fmt,
    sync::{Arc, Mutex},
};

use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use uuid::Uuid;

use super::{lock, player::Player, request::ModelRequest, script::Script};

/// A stand-in for the CLI that plays a [`Script`].
///
/// It speaks the CLI's side of the protocol over any pair of pipes: MCP handshake, tool calls (those of
/// read-only tools at the same time), hooks, queued messages, interrupts, partial messages. Tools are
/// allowed to run, unless [`allowed_tools`](Self::allowed_tools) says otherwise.
///
/// Where the real CLI would wait in silence because an answer of the host is malformed, the stand-in
/// ends and says why in [`Outcome::error`].
///
/// # Example
///
/// ```
/// use byre::testing::{Script, ScriptedCli};
/// use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
///
/// # #[tokio::main]
/// # async fn main() -> std::io::Result<()> {
/// let cli = ScriptedCli::new(Script::new().say("Hello.")).servers::<&str>([]);
/// let (mut host_stdin, stdin) = tokio::io::duplex(1024);
/// let (stdout, host_stdout) = tokio::io::duplex(1024);
/// let run = tokio::spawn(cli.run(stdin, stdout));
///
/// let prompt = r#"{"type":"user","message":{"role":"user","content":"Hi."}}"#;
/// host_stdin.write_all(format!("{prompt}\n").as_bytes()).await?;
/// drop(host_stdin);
/// let mut lines = BufReader::new(host_stdout).lines();
/// while let Some(line) = lines.next_line().await? {
///     println!("{line}"); // system, assistant, result
/// }
/// assert_eq!(run.await?.code, 0);
/// # Ok(())
/// # }
/// ```
pub struct ScriptedCli {
    player: Player,
    config: Config,
    recorder: Recorder,
}

/// What the flags of the real CLI decide.
#[derive(Clone, Debug)]
struct Config {
    servers: Vec<String>,
    model: String,
    session_id: String,
    partial_messages: bool,
    permission_mode: String,
    /// `None` allows everything.
    allowed_tools: Option<Vec<String>>,
    permission_prompts: bool,
    cwd: String,
}

/// How a stand-in ended, and what it heard.
///
/// # Example
///
/// ```
/// fn check(outcome: &byre::testing::Outcome) {
///     assert_eq!(outcome.code, 0, "{:?}", outcome.error);
///     assert_eq!(outcome.received[0]["type"], "control_request");
/// }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// The exit code: 1 if the last `result` was an error or the host broke the protocol, else 0.
    pub code: u8,
    /// What the CLI would write to stderr because of the host.
    pub error: Option<String>,
    /// Every line of the host, in order.
    pub received: Vec<Value>,
}

/// What a stand-in has heard so far. Cheap to clone; filled while the stand-in runs.
///
/// # Example
///
/// ```
/// use byre::testing::{Script, ScriptedCli};
///
/// let cli = ScriptedCli::new(Script::new().say("Hello."));
/// let recorder = cli.recorder();
/// assert!(recorder.received().is_empty());
/// assert!(recorder.requests().is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    record: Arc<Mutex<Record>>,
}

#[derive(Debug, Default)]
struct Record {
    received: Vec<Value>,
    requests: Vec<ModelRequest>,
}

impl ScriptedCli {
    /// Makes a stand-in with one MCP server of the host, named `byre`.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::testing::{Script, ScriptedCli};
    /// let cli = ScriptedCli::new(Script::new().say("Hello."));
    /// ```
    #[must_use]
    pub fn new(script: Script) -> Self {
        let cwd = std::env::current_dir().unwrap_or_default();
        Self {
            player: Player::new(script),
            config: Config {
                servers: vec!["byre".to_owned()],
                model: control::resolve_model("default"),
                session_id: Uuid::new_v4().to_string(),
                partial_messages: false,
                permission_mode: "default".to_owned(),
                allowed_tools: None,
                permission_prompts: false,
                cwd: cwd.to_string_lossy().into_owned(),
            },
            recorder: Recorder::default(),
        }
    }

    /// Sets the names of the MCP servers that the host serves, in place of `byre`.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::testing::{Script, ScriptedCli};
    /// let cli = ScriptedCli::new(Script::new()).servers(["orders", "stock"]);
    /// ```
    #[must_use]
    pub fn servers<T: Into<String>>(mut self, names: impl IntoIterator<Item = T>) -> Self {
        self.config.servers = names.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the model, as `--model` does: a name, or `sonnet` and the like.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::testing::{Script, ScriptedCli};
    /// let cli = ScriptedCli::new(Script::new()).model("sonnet");
    /// ```
    #[must_use]
    pub fn model(mut self, model: &str) -> Self {
        self.config.model = control::resolve_model(model);
        self
    }

    /// Sets the session's id, as `--resume` and `--session-id` do. Random by default.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::testing::{Script, ScriptedCli};
    /// let id = "6a4bb1ab-0c1a-4d52-8a85-1d0a4a9f9d3c";
    /// let cli = ScriptedCli::new(Script::new()).session_id(id);
    /// ```
    #[must_use]
    pub fn session_id(mut self, id: impl Into<String>) -> Self {
        self.config.session_id = id.into();
        self
    }

    /// Gives the session a new id, as `--fork-session` does.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::testing::{Script, ScriptedCli};
    /// let cli = ScriptedCli::new(Script::new()).session_id("6a4bb1ab").new_session_id();
    /// ```
    #[must_use]
    pub fn new_session_id(self) -> Self {
        self.session_id(Uuid::new_v4().to_string())
    }

    /// Sends the pieces of a message while they come, as `--include-partial-messages` does.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::testing::{Script, ScriptedCli};
    /// let script = Script::new().say_in(["Hel", "lo."]);
    /// let cli = ScriptedCli::new(script).include_partial_messages(true);
    /// ```
    #[must_use]
    pub fn include_partial_messages(mut self, include: bool) -> Self {
        self.config.partial_messages = include;
        self
    }

    /// Sets the permission mode, as `--permission-mode` does.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::testing::{Script, ScriptedCli};
    /// let cli = ScriptedCli::new(Script::new()).permission_mode("bypassPermissions");
    /// ```
    #[must_use]
    pub fn permission_mode(mut self, mode: impl Into<String>) -> Self {
        self.config.permission_mode = mode.into();
        self
    }

    /// Denies all tools but these, as the real CLI does outside of `bypassPermissions` mode.
    ///
    /// `mcp__byre__add` names a tool, `mcp__byre` and `mcp__byre__*` all tools of a server.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::testing::{Script, ScriptedCli};
    /// let cli = ScriptedCli::new(Script::new()).allowed_tools(["mcp__byre__add"]);
    /// ```
    #[must_use]
    pub fn allowed_tools<T: Into<String>>(mut self, rules: impl IntoIterator<Item = T>) -> Self {
        self.config.allowed_tools = Some(rules.into_iter().map(Into::into).collect());
        self
    }

    /// Asks the host before it runs a tool that [`allowed_tools`](Self::allowed_tools) does not name,
    /// as `--permission-prompt-tool stdio` does. The model's questions to the user, calls of
    /// `AskUserQuestion`, come to the host then as well.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::testing::{Script, ScriptedCli};
    /// let cli = ScriptedCli::new(Script::new()).permission_prompts(true);
    /// ```
    #[must_use]
    pub fn permission_prompts(mut self, ask: bool) -> Self {
        self.config.permission_prompts = ask;
        if ask {
            self.config.allowed_tools.get_or_insert_default();
        }
        self
    }

    /// Returns a handle to what the stand-in hears, for after it has been given away.
    ///
    /// # Example
    ///
    /// ```
    /// # use byre::testing::{Script, ScriptedCli};
    /// let cli = ScriptedCli::new(Script::new());
    /// let recorder = cli.recorder();
    /// ```
    #[must_use]
    pub fn recorder(&self) -> Recorder {
        self.recorder.clone()
    }

    /// Plays the script until `stdin` ends and the last turn is over.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future ends the stand-in, as a kill would.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::testing::{Outcome, Script, ScriptedCli};
    ///
    /// async fn over_real_pipes() -> Outcome {
    ///     let cli = ScriptedCli::new(Script::new().say("Hello."));
    ///     cli.run(tokio::io::stdin(), tokio::io::stdout()).await
    /// }
    /// # // Nobody closes the stdin of a test: this only has to compile.
    /// # drop(over_real_pipes());
    /// ```
    pub async fn run(
        self,
        stdin: impl AsyncRead + Unpin,
        stdout: impl AsyncWrite + Unpin,
    ) -> Outcome {
        engine::run(self.config, self.player, self.recorder, stdin, stdout).await
    }
}

impl fmt::Debug for ScriptedCli {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScriptedCli").field("config", &self.config).finish_non_exhaustive()
    }
}

impl Recorder {
    /// Returns the lines of the host so far, in order.
    ///
    /// # Example
    ///
    /// ```
    /// fn has_interrupted(recorder: &byre::testing::Recorder) -> bool {
    ///     recorder.received().iter().any(|line| line["request"]["subtype"] == "interrupt")
    /// }
    /// ```
    #[must_use]
    pub fn received(&self) -> Vec<Value> {
        lock(&self.record).received.clone()
    }

    /// Returns what the model was asked so far, oldest first.
    ///
    /// # Example
    ///
    /// ```
    /// fn check(recorder: &byre::testing::Recorder) {
    ///     assert_eq!(recorder.requests()[1].result("add").unwrap().text, "5");
    /// }
    /// ```
    #[must_use]
    pub fn requests(&self) -> Vec<ModelRequest> {
        lock(&self.record).requests.clone()
    }

    fn line(&self, line: &Value) {
        lock(&self.record).received.push(line.clone());
    }

    fn request(&self, request: &ModelRequest) {
        lock(&self.record).requests.push(request.clone());
    }
}

#[cfg(test)]
mod tests;
