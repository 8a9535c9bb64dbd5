//! Runs a stand-in: reads the host's lines, and lets turns play while it goes on reading.

use std::{
    collections::VecDeque,
    future::poll_fn,
    pin::{Pin, pin},
    sync::{Arc, Mutex, atomic::AtomicBool},
    task::Poll,
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader},
    sync::{Notify, mpsc},
};

use super::{
    Config, Outcome, Recorder,
    hooks::Hooks,
    lines,
    mcp::{Server, Tool},
    peer::Peer,
    turn::Conversation,
};
use crate::{
    testing::{lock, player::Player},
    wire::json::Line,
};

/// What the reader, the turns and the background tasks share.
pub(super) struct Cli {
    pub(super) config: Config,
    pub(super) peer: Arc<Peer>,
    pub(super) servers: Vec<Arc<Server>>,
    pub(super) settings: Mutex<Settings>,
    pub(super) queue: Queue,
    pub(super) recorder: Recorder,
    /// Whether there was a turn.
    pub(super) has_played: AtomicBool,
    background: Background,
}

/// Handshakes and lists, which nobody waits for.
///
/// Not tasks: between what the reader read and the next step of a turn each gets its chance, so that an
/// answer which the host gave before a prompt counts for that prompt.
#[derive(Default)]
struct Background(Mutex<Vec<Job>>);

type Job = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What control requests change.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) model: String,
    pub(super) permission_mode: String,
    /// `None` allows everything.
    pub(super) allowed_tools: Option<Vec<String>>,
    pub(super) hooks: Hooks,
    /// The schema of the answer, if the host wants a value instead of text.
    pub(super) json_schema: Option<Value>,
}

/// What the host wants done, in the order in which it came.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: Mutex<Waiting>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    prompts: VecDeque<Prompt>,
    /// The request ids of interrupts.
    interrupts: VecDeque<Value>,
    closed: bool,
}

/// A `user` line.
#[derive(Clone, Debug)]
pub(super) struct Prompt {
    pub(super) uuid: Option<String>,
    pub(super) content: Value,
    /// Wants a turn of its own.
    later: bool,
}

/// What a stand-in without a turn has to do.
#[derive(Debug)]
enum Work {
    Prompt,
    Interrupt(Value),
    End,
}

/// Why reading ended.
pub(super) enum Ended {
    /// The host has closed stdin.
    Eof,
    /// The host asked for it.
    AsAsked,
    /// The host broke the protocol.
    Error(String),
}

/// Plays the script of `player`.
pub(super) async fn run(
    config: Config,
    player: Player,
    recorder: Recorder,
    stdin: impl AsyncRead + Unpin,
    stdout: impl AsyncWrite + Unpin,
) -> Outcome {
    let (out, lines) = mpsc::unbounded_channel();
    let peer = Arc::new(Peer::new(out));
    let cli = Arc::new(Cli {
        servers: config.servers.iter().map(|name| Arc::new(Server::new(name, &peer))).collect(),
        settings: Mutex::new(Settings {
            model: config.model.clone(),
            permission_mode: config.permission_mode.clone(),
            allowed_tools: config.allowed_tools.clone(),
            hooks: Hooks::default(),
            json_schema: None,
        }),
        config,
        peer,
        queue: Queue::default(),
        recorder: recorder.clone(),
        has_played: AtomicBool::new(false),
        background: Background::default(),
    });
    for server in &cli.servers {
        cli.spawn_handshake(server);
    }
    let mut writing = pin!(write(lines, stdout));
    let work = async {
        let mut reading = pin!(cli.read(stdin));
        let mut turns = pin!(cli.play(Conversation::new(Arc::clone(&cli), player)));
        let mut background = pin!(cli.background.run());
        // In this order: see `Background`.
        let ended = tokio::select! {
            biased;
            ended = &mut reading => ended,
            () = &mut background => unreachable!("it never ends"),
            failed = &mut turns => return (Ok(()), failed),
            why = cli.peer.failure() => Ended::Error(why),
        };
        let end = match ended {
            Ended::Eof => None,
            Ended::AsAsked => Some((Ok(()), false)),
            Ended::Error(why) => Some((Err(why), true)),
        };
        if let Some(end) = end {
            // Before the turn is dropped, which withdraws what it asked for: a process that ends
            // says no more.
            cli.peer.close();
            return end;
        }
        cli.peer.hang_up();
        cli.queue.close();
        tokio::select! {
            biased;
            () = &mut background => unreachable!("it never ends"),
            failed = &mut turns => (Ok(()), failed),
        }
    };
    let (ended, failed) = tokio::select! {
        ended = work => ended,
        () = &mut writing => unreachable!("the writer outlives the work"),
    };
    cli.peer.close();
    writing.await;
    Outcome { code: failed.into(), error: ended.err(), received: recorder.received() }
}

/// Writes lines until the last sender is gone. Once the host has stopped reading, writes to nobody, as
/// the real CLI does.
async fn write(mut lines: mpsc::UnboundedReceiver<String>, mut stdout: impl AsyncWrite + Unpin) {
    let mut is_open = true;
    while let Some(line) = lines.recv().await {
        if is_open {
            is_open =
                stdout.write_all(line.as_bytes()).await.is_ok() && stdout.flush().await.is_ok();
        }
    }
    let _ = stdout.shutdown().await;
}

impl Cli {
    /// Adds a handshake: its first line is written before this returns.
    fn spawn_handshake(&self, server: &Arc<Server>) {
        let (server, initialize) = (Arc::clone(server), server.initialize());
        self.background.add(async move { server.handshake(initialize).await });
    }

    /// Asks a server for its tools again.
    pub(super) fn spawn_list(&self, server: &Arc<Server>) {
        let server = Arc::clone(server);
        self.background.add(async move { server.list().await });
    }

    /// Waits for the handshakes of all servers, and tries those that failed once more.
    async fn connected(&self) {
        for server in &self.servers {
            server.settled().await;
            if server.state().status == "failed" {
                server.handshake(server.initialize()).await;
            }
        }
    }

    /// Finds the tool that the model calls `name`.
    pub(super) fn tool(&self, name: &str) -> Option<(Arc<Server>, Tool)> {
        self.servers.iter().find_map(|server| {
            let tool = server.state().tools.into_iter().find(|tool| tool.full_name == name)?;
            Some((Arc::clone(server), tool))
        })
    }

    /// Takes up changes of permissions that came with an answer: rules that allow whole tools, and modes.
    /// As in the real CLI, one that is malformed spoils them all.
    pub(super) fn update_permissions(&self, updates: &[Value]) {
        let is_valid = |update: &Value| {
            let rules = update["rules"].as_array().into_iter().flatten();
            update["destination"].is_string()
                && rules
                    .into_iter()
                    .all(|rule| rule.get("ruleContent").is_none_or(Value::is_string))
        };
        if !updates.iter().all(is_valid) {
            return;
        }
        let mut settings = lock(&self.settings);
        for update in updates {
            let rules = update["rules"].as_array().into_iter().flatten();
            let tools = rules.filter(|rule| rule.get("ruleContent").is_none());
            let tools = tools.filter_map(|rule| rule["toolName"].as_str().map(str::to_owned));
            match (update["type"].as_str(), &mut settings.allowed_tools) {
                (Some("addRules"), Some(allowed)) if update["behavior"] == "allow" => {
                    allowed.extend(tools);
                }
                (Some("removeRules"), Some(allowed)) if update["behavior"] == "allow" => {
                    let removed: Vec<_> = tools.collect();
                    allowed.retain(|tool| !removed.contains(tool));
                }
                (Some("setMode"), _) => {
                    // Without the launch's leave, this mode is ignored.
                    let mode = update["mode"].as_str().unwrap_or_default();
                    if mode != "bypassPermissions" {
                        mode.clone_into(&mut settings.permission_mode);
                    }
                }
                _ => {}
            }
        }
    }

    pub(super) fn settings(&self) -> Settings {
        lock(&self.settings).clone()
    }

    /// Reads the host's lines to the end.
    async fn read(&self, stdin: impl AsyncRead + Unpin) -> Ended {
        let mut stdin = BufReader::new(stdin);
        loop {
            let mut line = Vec::new();
            match stdin.read_until(b'\n', &mut line).await {
                Ok(0) | Err(_) => return Ended::Eof,
                Ok(_) => {}
            }
            let text = match Line::parse(line) {
                None => continue,
                Some(Line::Frame(raw)) => raw.as_str().to_owned(),
                Some(Line::Text(text)) => text,
            };
            let line = match serde_json::from_str::<Value>(&text) {
                Ok(Value::Null) => return Ended::Error("Error: null is no message".to_owned()),
                Ok(line) => line,
                Err(error) => {
                    let chars = text.chars().count();
                    return Ended::Error(format!(
                        "Error parsing streaming input line ({chars} chars): SyntaxError: {error}"
                    ));
                }
            };
            self.recorder.line(&line);
            if let Some(ended) = self.take(&line) {
                return ended;
            }
        }
    }

    fn take(&self, line: &Value) -> Option<Ended> {
        match line["type"].as_str().unwrap_or_default() {
            "control_request" if line["request"].is_null() => {
                Some(Ended::Error("Error: Missing request on control_request".to_owned()))
            }
            "control_request" => self.control(&line["request_id"], &line["request"]),
            "control_response" => {
                self.peer.answered(line);
                None
            }
            "user" if line["message"]["role"] != "user" => Some(Ended::Error(format!(
                "Error: Expected message role 'user', got '{}'",
                line["message"]["role"].as_str().unwrap_or("undefined")
            ))),
            "user" => {
                self.queue_prompt(line);
                None
            }
            _ => None,
        }
    }

    fn queue_prompt(&self, line: &Value) {
        let uuid = line["uuid"].as_str().map(str::to_owned);
        if let Some(uuid) = &uuid {
            self.peer.send(&lines::lifecycle(self, uuid, "queued"));
        }
        self.queue.push(Prompt {
            uuid,
            content: line["message"]["content"].clone(),
            later: line["priority"] == "later",
        });
    }

    /// Plays turns until the host has nothing more to say. Tells whether the last one failed.
    async fn play(&self, mut conversation: Conversation) -> bool {
        loop {
            match self.queue.work().await {
                Work::End => return conversation.last_was_error,
                // Nothing to interrupt.
                Work::Interrupt(id) => self.answer_interrupt(&id),
                Work::Prompt => tokio::select! {
                    biased;
                    id = self.queue.interrupt() => self.answer_interrupt(&id),
                    () = self.connected() => {
                        let prompts = self.queue.take();
                        // They may have been withdrawn meanwhile.
                        if !prompts.is_empty() {
                            conversation.turn(prompts).await;
                        }
                    }
                },
            }
        }
    }

    /// Answers an interrupt. Queued messages stay; those with an id are named.
    pub(super) fn answer_interrupt(&self, id: &Value) {
        let queued: Vec<_> =
            lock(&self.queue.waiting).prompts.iter().filter_map(|p| p.uuid.clone()).collect();
        self.peer.send(&lines::success(id, Some(json!({"still_queued": queued}))));
    }
}

impl Queue {
    fn push(&self, prompt: Prompt) {
        lock(&self.waiting).prompts.push_back(prompt);
        self.changed.notify_one();
    }

    /// Removes a prompt that no turn has taken, and says whether it was there.
    pub(super) fn withdraw(&self, uuid: &str) -> bool {
        let mut waiting = lock(&self.waiting);
        let before = waiting.prompts.len();
        waiting.prompts.retain(|prompt| prompt.uuid.as_deref() != Some(uuid));
        waiting.prompts.len() < before
    }

    pub(super) fn push_interrupt(&self, id: Value) {
        lock(&self.waiting).interrupts.push_back(id);
        self.changed.notify_one();
    }

    fn close(&self) {
        lock(&self.waiting).closed = true;
        self.changed.notify_one();
    }

    /// Waits for something to do. Leaves prompts where they are.
    async fn work(&self) -> Work {
        loop {
            {
                let mut waiting = lock(&self.waiting);
                if let Some(id) = waiting.interrupts.pop_front() {
                    return Work::Interrupt(id);
                }
                if !waiting.prompts.is_empty() {
                    return Work::Prompt;
                }
                if waiting.closed {
                    return Work::End;
                }
            }
            self.changed.notified().await;
        }
    }

    /// Waits for an interrupt.
    pub(super) async fn interrupt(&self) -> Value {
        loop {
            if let Some(id) = lock(&self.waiting).interrupts.pop_front() {
                return id;
            }
            self.changed.notified().await;
        }
    }

    /// Takes the prompts of the next turn: what was queued together is one turn.
    fn take(&self) -> Vec<Prompt> {
        let mut waiting = lock(&self.waiting);
        let first = waiting.prompts.pop_front();
        if first.as_ref().is_none_or(|first| first.later) {
            return first.into_iter().collect();
        }
        first.into_iter().chain(take_while_soon(&mut waiting.prompts)).collect()
    }

    /// Takes the prompts that a running turn takes up after its tools.
    pub(super) fn take_for_running_turn(&self) -> Vec<Prompt> {
        take_while_soon(&mut lock(&self.waiting).prompts)
    }
}

fn take_while_soon(prompts: &mut VecDeque<Prompt>) -> Vec<Prompt> {
    let soon = prompts.iter().take_while(|prompt| !prompt.later).count();
    prompts.drain(..soon).collect()
}

impl Background {
    /// Adds a job. Wakes nobody: only the reader adds some, and [`run`](Self::run) follows it.
    fn add(&self, job: impl Future<Output = ()> + Send + 'static) {
        lock(&self.0).push(Box::pin(job));
    }

    async fn run(&self) {
        poll_fn(|cx| {
            let mut jobs = std::mem::take(&mut *lock(&self.0));
            jobs.retain_mut(|job| job.as_mut().poll(cx).is_pending());
            lock(&self.0).append(&mut jobs);
            Poll::<()>::Pending
        })
        .await;
    }
}
