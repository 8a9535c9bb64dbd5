//! Plays a recorded session back: the CLI's lines as they were, against a live host.

use std::{
    collections::{HashMap, HashSet},
    io,
    time::Duration,
};

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines},
    sync::mpsc,
    time,
};

use crate::{
    Transport,
    error::{Error, ErrorKind, Result},
    wire::json::Line,
};

/// How long the host may take for what the recorded one sent. It never sends some things: a recording may
/// have a gap, or be of another host.
const LIMIT: Duration = Duration::from_secs(60);

/// How much fits into the pipe in either direction.
const CAPACITY: usize = 64 * 1024;

/// A transcript, as [`SessionBuilder::transcript`](crate::SessionBuilder::transcript) writes it, that can
/// be played.
///
/// Each line of the CLI is said again, word for word, once the host has sent everything that it had sent
/// by then: answered the same requests, made the same requests, sent as many prompts. What the host says
/// in them is its own business. Ids that the host mints are put in place of the recorded ones.
///
/// # Example
///
/// ```
/// use byre::testing::Replay;
///
/// let text = r#"{"dir":"send","msg":{"type":"user","message":{"role":"user","content":"hi"}}}
/// {"dir":"recv","msg":{"type":"result","is_error":false,"result":"hello"}}"#;
/// assert_eq!(Replay::parse(text).unwrap().received().len(), 1);
/// ```
#[derive(Debug)]
pub struct Replay {
    lines: Vec<Recorded>,
}

#[derive(Debug)]
struct Recorded {
    is_sent: bool,
    /// The text, exactly as it was: it may hold what `serde_json` refuses.
    text: String,
    /// The same, read.
    value: Value,
}

/// What the host has to start by itself for the [`Replay`] to go on.
///
/// # Example
///
/// ```no_run
/// # async fn run(session: &byre::Session, mut director: byre::testing::Director) -> byre::Result<()> {
/// use byre::testing::Cue;
///
/// while let Some(cue) = director.next().await {
///     match cue {
///         Cue::Prompt(content) => { session.handle().send(content.to_string())?; }
///         Cue::Request { subtype, body } => { session.handle().control(&subtype, body).await.ok(); }
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Cue {
    /// A prompt, with the content that the recorded one had.
    Prompt(Value),
    /// A control request.
    Request {
        /// Its subtype.
        subtype: String,
        /// What else belongs to it.
        body: Value,
    },
}

/// Tells what a [`Replay`] waits for.
///
/// # Example
///
/// ```no_run
/// # async fn run(mut director: byre::testing::Director) {
/// while let Some(cue) = director.next().await {
///     println!("{cue:?}");
/// }
/// director.finish().await.unwrap();
/// # }
/// ```
#[derive(Debug)]
pub struct Director {
    cues: mpsc::UnboundedReceiver<Cue>,
    player: tokio::task::JoinHandle<io::Result<()>>,
}

impl Director {
    /// Waits for the next cue, or gives `None` once everything has been played.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(mut director: byre::testing::Director) {
    /// assert!(director.next().await.is_none());
    /// # }
    /// ```
    pub async fn next(&mut self) -> Option<Cue> {
        self.cues.recv().await
    }

    /// Waits until everything has been played.
    ///
    /// # Errors
    ///
    /// If the host closed its end first, or was waited for for a minute; with what it was to send.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(director: byre::testing::Director) {
    /// director.finish().await.unwrap();
    /// # }
    /// ```
    pub async fn finish(self) -> io::Result<()> {
        self.player.await.map_err(io::Error::other)?
    }
}

impl Replay {
    /// Reads a transcript: one object a line, `{"dir":"send"|"recv","msg":…}`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration), naming the first line that is none.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(byre::testing::Replay::parse("not json").is_err());
    /// ```
    pub fn parse(transcript: &str) -> Result<Self> {
        #[derive(Deserialize)]
        struct Entry {
            dir: String,
            msg: Box<RawValue>,
        }
        let lines = transcript.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let lines = lines.map(|(n, line)| {
            let refuse = |reason: String| {
                Error::new(ErrorKind::Configuration, "read the transcript")
                    .reason(format!("line {}: {reason}", n + 1))
            };
            let entry: Entry = serde_json::from_str(line).map_err(|e| refuse(e.to_string()))?;
            let text = entry.msg.get().to_owned();
            let value = match Line::parse(text.clone().into_bytes()) {
                Some(Line::Frame(raw)) => raw.to_value(),
                _ => return Err(refuse("`msg` is no JSON object".to_owned())),
            };
            Ok(Recorded { is_sent: entry.dir == "send", text, value })
        });
        Ok(Self { lines: lines.collect::<Result<_>>()? })
    }

    /// Returns what the CLI said, in order.
    ///
    /// # Example
    ///
    /// ```
    /// let replay = byre::testing::Replay::parse(r#"{"dir":"recv","msg":{"type":"result"}}"#).unwrap();
    /// assert_eq!(replay.received()[0]["type"], "result");
    /// ```
    #[must_use]
    pub fn received(&self) -> Vec<Value> {
        self.lines.iter().filter(|line| !line.is_sent).map(|line| line.value.clone()).collect()
    }

    /// Starts to play. Give the transport to a builder, and do what the director says.
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(replay: byre::testing::Replay) -> byre::Result<()> {
    /// let (transport, director) = replay.start();
    /// let session = byre::Session::builder().transport(transport).spawn().await?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn start(self) -> (Transport, Director) {
        let (host_stdout, stdout) = tokio::io::duplex(CAPACITY);
        let (host_stdin, stdin) = tokio::io::duplex(CAPACITY);
        let (cue_sender, cues) = mpsc::unbounded_channel();
        let player = Player {
            stdin: BufReader::new(stdin).lines(),
            stdout,
            cues: cue_sender,
            ids: HashMap::new(),
            answered: HashSet::new(),
            requests: Vec::new(),
            prompts: Vec::new(),
        };
        let player = tokio::spawn(player.play(self.lines));
        (Transport::new(host_stdout, host_stdin), Director { cues, player })
    }
}

/// Plays the CLI's part.
struct Player {
    stdin: Lines<BufReader<DuplexStream>>,
    stdout: DuplexStream,
    cues: mpsc::UnboundedSender<Cue>,
    /// Recorded ids of the host, and those that it has minted this time.
    ids: HashMap<String, String>,
    /// Requests of the CLI that the host has answered.
    answered: HashSet<Value>,
    /// Requests and prompts of the host that nothing recorded was matched with yet.
    requests: Vec<Value>,
    prompts: Vec<Value>,
}

impl Player {
    async fn play(mut self, lines: Vec<Recorded>) -> io::Result<()> {
        let withdrawn = withdrawn_requests(&lines);
        let mut asked = HashSet::new();
        for line in lines {
            if !line.is_sent {
                if line.value["type"] == "control_request" {
                    asked.insert(line.value["request_id"].clone());
                }
                let mut text = line.text;
                for (recorded, minted) in &self.ids {
                    text = text.replace(recorded.as_str(), minted);
                }
                self.stdout.write_all(format!("{text}\n").as_bytes()).await?;
                continue;
            }
            match line.value["type"].as_str() {
                Some("control_response") => {
                    let id = line.value["response"]["request_id"].clone();
                    // What was withdrawn need not be answered, and byre does not. What was not asked, as
                    // where a line is missing, can't be.
                    let must = asked.contains(&id) && !withdrawn.contains(&id);
                    while must && !self.answered.contains(&id) {
                        self.hear(&format!("an answer to {id}")).await?;
                    }
                }
                Some("control_request") => self.match_request(&line.value).await?,
                Some("user") => self.match_prompt(&line.value).await?,
                _ => {}
            }
        }
        // Everything is played: the CLI ends, and what the host still says is taken.
        drop((self.cues, self.stdout));
        while self.stdin.next_line().await?.is_some() {}
        Ok(())
    }

    async fn match_request(&mut self, recorded: &Value) -> io::Result<()> {
        let mut body = recorded["request"].clone();
        let subtype = body["subtype"].as_str().unwrap_or_default().to_owned();
        if let Some(body) = body.as_object_mut() {
            body.remove("subtype");
        }
        if subtype != "initialize" {
            let _ = self.cues.send(Cue::Request { subtype: subtype.clone(), body });
        }
        loop {
            let is = |request: &Value| request["request"]["subtype"] == subtype.as_str();
            if let Some(at) = self.requests.iter().position(is) {
                let request = self.requests.remove(at);
                // Whatever else stands for an id may stand for other things too.
                if recorded["request_id"].is_string() {
                    let id = |value: &Value| value["request_id"].to_string();
                    self.ids.insert(id(recorded), id(&request));
                }
                return Ok(());
            }
            self.hear(&format!("a request {subtype}")).await?;
        }
    }

    async fn match_prompt(&mut self, recorded: &Value) -> io::Result<()> {
        let _ = self.cues.send(Cue::Prompt(recorded["message"]["content"].clone()));
        while self.prompts.is_empty() {
            self.hear("a prompt").await?;
        }
        let prompt = self.prompts.remove(0);
        if let (Some(recorded), Some(sent)) = (recorded["uuid"].as_str(), prompt["uuid"].as_str())
            && !recorded.is_empty()
        {
            self.ids.insert(recorded.to_owned(), sent.to_owned());
        }
        Ok(())
    }

    /// Reads one line of the host.
    async fn hear(&mut self, waiting_for: &str) -> io::Result<()> {
        let hearing = time::timeout(LIMIT, self.stdin.next_line());
        let line = hearing.await.map_err(|_| {
            let text = format!("the host has not sent {waiting_for} within {} s", LIMIT.as_secs());
            io::Error::new(io::ErrorKind::TimedOut, text)
        })?;
        let Some(line) = line? else {
            let text = format!("the host closed its end while the replay waited for {waiting_for}");
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, text));
        };
        let value: Value = serde_json::from_str(&line)?;
        match value["type"].as_str() {
            Some("control_response") => {
                let id = value["response"]["request_id"].clone();
                if !self.answered.insert(id.clone()) {
                    return Err(io::Error::other(format!("the host answered {id} twice")));
                }
            }
            Some("control_request") => self.requests.push(value),
            Some("user") => self.prompts.push(value),
            _ => {}
        }
        Ok(())
    }
}

/// The requests of the CLI that it withdrew itself, in either of the two ways it has.
fn withdrawn_requests(lines: &[Recorded]) -> HashSet<Value> {
    let received = || lines.iter().filter(|line| !line.is_sent).map(|line| &line.value);
    let mut withdrawn = HashSet::new();
    for line in received() {
        if line["type"] == "control_cancel_request" {
            withdrawn.insert(line["request_id"].clone());
        }
        let message = &line["request"]["message"];
        if message["method"] == "notifications/cancelled" {
            let call = received().find(|line| {
                let request = &line["request"]["message"];
                request["method"].is_string() && request["id"] == message["params"]["requestId"]
            });
            withdrawn.extend(call.map(|line| line["request_id"].clone()));
        }
    }
    withdrawn
}
