//! Starts the real CLI: for byre, and for a host that is played by hand, with JSON lines and no byre on this
//! side.

use std::{path::PathBuf, process::Stdio, time::Duration};

use byre::{
    Session, SessionBuilder,
    testing::{MessagesApi, RealCli},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, Lines},
    process::{Child, Command},
    time::timeout,
};

/// No line of these tests takes longer, also on a slow machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Where `tests/live/run` put the CLI.
pub(crate) fn cli_path() -> PathBuf {
    let path = std::env::var_os("BYRE_LIVE_CLAUDE")
        .expect("BYRE_LIVE_CLAUDE must name a `claude`; `tests/live/run` sets it");
    let path = PathBuf::from(path);
    assert!(path.is_file(), "BYRE_LIVE_CLAUDE names {}, which is no file", path.display());
    path
}

/// A session of byre with this CLI: without hooks, and cut off from the machine's settings.
pub(crate) fn session(cli: &RealCli) -> SessionBuilder {
    let mut builder = Session::builder().hooks([]).cli_path(cli.path()).current_dir(cli.work_dir());
    for name in cli.removed_envs() {
        builder = builder.env_remove(name);
    }
    for (name, value) in cli.envs() {
        builder = builder.env(name, value);
    }
    builder
}

/// A running CLI. Killed when it is dropped.
pub(crate) struct Process {
    _child: Child,
    /// Keeps the folders.
    _cli: RealCli,
}

/// Starts the real CLI with these flags on top of the usual ones.
pub(crate) fn start(
    api: &MessagesApi,
    flags: &[&str],
) -> (Process, Host<impl AsyncRead + Unpin, impl AsyncWrite + Unpin>) {
    let cli = RealCli::new(cli_path(), api).expect("make the CLI's folders");
    let config =
        json!({"mcpServers": {"byre": {"type": "sdk", "name": "byre", "alwaysLoad": true}}});
    #[expect(clippy::disallowed_methods, reason = "these tests know nothing of byre's transport")]
    let mut command = Command::new(cli.path());
    for name in cli.removed_envs() {
        command.env_remove(name);
    }
    command
        .args(["--output-format", "stream-json", "--input-format", "stream-json", "--verbose"])
        .args(["--mcp-config", &config.to_string()])
        .args(flags)
        .envs(cli.envs())
        .current_dir(cli.work_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true);
    let mut child = command.spawn().expect("start the CLI");
    let stdin = child.stdin.take().expect("stdin is piped");
    let stdout = child.stdout.take().expect("stdout is piped");
    (Process { _child: child, _cli: cli }, Host::new(stdout, stdin))
}

/// The host's side of the pipes.
pub(crate) struct Host<R, W> {
    lines: Lines<BufReader<R>>,
    stdin: Option<W>,
    /// What `tools/list` is answered with.
    pub(crate) tools: Value,
    /// What each hook callback is answered with, first to last; `{}` when there is nothing left.
    pub(crate) hook_answers: Vec<Value>,
    /// Calls of tools of this name are left unanswered.
    pub(crate) silent_tool: &'static str,
    /// The request and JSON-RPC ids of calls that were left unanswered.
    silent_calls: Vec<(Value, Value)>,
    /// Every line of the CLI, in order.
    pub(crate) received: Vec<Value>,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Host<R, W> {
    pub(crate) fn new(stdout: R, stdin: W) -> Self {
        let schema = json!({
            "type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
            "required": ["a", "b"],
        });
        let tool = |name: &str, annotations: Value| json!({"name": name, "description": format!("Does {name}."), "inputSchema": schema, "annotations": annotations});
        let read_only = json!({"readOnlyHint": true});
        Self {
            lines: BufReader::new(stdout).lines(),
            stdin: Some(stdin),
            tools: json!([
                tool("add", json!({})),
                tool("fail", json!({})),
                tool("kind", json!({})),
                tool("look", read_only),
                tool("slow", json!({}))
            ]),
            hook_answers: Vec::new(),
            silent_tool: "slow",
            silent_calls: Vec::new(),
            received: Vec::new(),
        }
    }

    pub(crate) async fn send(&mut self, line: Value) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        stdin.write_all(format!("{line}\n").as_bytes()).await.expect("write to the CLI");
        stdin.flush().await.expect("write to the CLI");
    }

    pub(crate) async fn control(&mut self, id: &str, request: Value) {
        self.send(json!({"type": "control_request", "request_id": id, "request": request})).await;
    }

    pub(crate) async fn prompt(&mut self, text: &str) {
        let message = json!({"role": "user", "content": text});
        self.send(json!({"type": "user", "message": message, "parent_tool_use_id": null, "session_id": ""}))
            .await;
    }

    pub(crate) async fn prompt_with_uuid(&mut self, text: &str, uuid: &str) {
        let message = json!({"role": "user", "content": text});
        self.send(json!({"type": "user", "message": message, "uuid": uuid})).await;
    }

    /// Answers what [`silent_tool`](Self::silent_tool) was called for.
    pub(crate) async fn answer_silent_calls(&mut self) {
        for (request_id, id) in std::mem::take(&mut self.silent_calls) {
            let result = json!({"content": [{"type": "text", "text": "at last"}]});
            let response = json!({"mcp_response": {"jsonrpc": "2.0", "id": id, "result": result}});
            let response =
                json!({"subtype": "success", "request_id": request_id, "response": response});
            self.send(json!({"type": "control_response", "response": response})).await;
        }
    }

    /// Closes stdin and reads until the CLI has closed stdout.
    pub(crate) async fn close(&mut self) {
        self.stdin = None;
        while self.next().await.is_some() {}
    }

    /// Answers the CLI until a line fits, and gives that line.
    pub(crate) async fn until(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let Some(line) = self.next().await else {
                panic!("the CLI ended after {}", self.trace().join("\n"));
            };
            if fits(&line) {
                return line;
            }
        }
    }

    pub(crate) async fn until_result(&mut self) -> Value {
        self.until(|line| line["type"] == "result").await
    }

    async fn next(&mut self) -> Option<Value> {
        let line = match timeout(PATIENCE, self.lines.next_line()).await {
            Ok(line) => line.expect("read from the CLI")?,
            Err(late) => panic!("the CLI fell silent ({late}) after {}", self.trace().join("\n")),
        };
        let line: Value = serde_json::from_str(&line).expect("the CLI writes JSON");
        self.received.push(line.clone());
        if line["type"] == "control_request" {
            let id = &line["request_id"];
            let Some(response) = self.answer(&line["request"]) else {
                self.silent_calls.push((id.clone(), line["request"]["message"]["id"].clone()));
                return Some(line);
            };
            let response = json!({"subtype": "success", "request_id": id, "response": response});
            self.send(json!({"type": "control_response", "response": response})).await;
        }
        Some(line)
    }

    fn answer(&mut self, request: &Value) -> Option<Value> {
        if request["subtype"] == "hook_callback" {
            let has_more = !self.hook_answers.is_empty();
            return Some(if has_more { self.hook_answers.remove(0) } else { json!({}) });
        }
        if request["tool_name"] == "AskUserQuestion" {
            let mut input = request["input"].clone();
            input["answers"] = json!({"Which?": "this one"});
            input["annotations"] = json!({"Which?": {"notes": "for now"}});
            return Some(json!({"behavior": "allow", "updatedInput": input}));
        }
        if request["subtype"] == "can_use_tool" {
            return Some(match request["input"]["a"].as_i64() {
                Some(0) => json!({"behavior": "deny", "message": "not nothing"}),
                Some(-1) => json!({"behavior": "deny", "message": "never", "interrupt": true}),
                _ => json!({"behavior": "allow", "updatedInput": {"a": 10, "b": 10}}),
            });
        }
        let message = &request["message"];
        let params = &message["params"];
        let result = match message["method"].as_str().unwrap_or_default() {
            "initialize" => json!({
                "protocolVersion": params["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "by-hand", "version": "1.0.0"},
            }),
            "tools/list" => json!({"tools": self.tools}),
            "tools/call" if params["name"] == self.silent_tool => return None,
            "tools/call" if params["name"] == "fail" => {
                json!({"content": [{"type": "text", "text": "it failed"}], "isError": true})
            }
            "tools/call" if params["name"] == "kind" => {
                match params["arguments"]["kind"].as_str().unwrap_or_default() {
                    "empty" => json!({"content": []}),
                    "structured" => json!({
                        "content": [{"type": "text", "text": "unseen"}], "structuredContent": {"n": 1},
                    }),
                    "two_texts" => json!({
                        "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}],
                    }),
                    "link" => json!({"content": [{
                        "type": "resource_link", "name": "x", "uri": "file:///x", "description": "an x",
                    }]}),
                    "refused" => {
                        let error = json!({"code": -32602, "message": "no such kind"});
                        let id = &message["id"];
                        return Some(
                            json!({"mcp_response": {"jsonrpc": "2.0", "id": id, "error": error}}),
                        );
                    }
                    _ => json!({"content": [{"type": "text", "text": "wrong"}], "isError": true}),
                }
            }
            "tools/call" => {
                let number = |name: &str| params["arguments"][name].as_i64().unwrap_or_default();
                let sum = number("a") + number("b");
                json!({"content": [{"type": "text", "text": sum.to_string()}]})
            }
            _ => json!({}),
        };
        let id = message.get("id").cloned().unwrap_or_else(|| json!(0));
        Some(json!({"mcp_response": {"jsonrpc": "2.0", "id": id, "result": result}}))
    }

    /// What came, one word or two for each line: what two CLIs can be compared by.
    pub(crate) fn trace(&self) -> Vec<String> {
        self.received.iter().map(summary).collect()
    }
}

pub(crate) fn summary(line: &Value) -> String {
    let kind = line["type"].as_str().unwrap_or("?");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match kind {
        "control_request" => {
            let request = &line["request"];
            let detail = match request["subtype"].as_str() {
                Some("hook_callback") => text(&request["input"]["hook_event_name"]),
                Some("can_use_tool") => "can_use_tool".to_owned(),
                _ => text(&request["message"]["method"]),
            };
            let tool = text(&request["message"]["params"]["name"]);
            format!("{kind} {detail} {tool}").trim_end().to_owned()
        }
        "stream_event" => format!("{kind} {}", text(&line["event"]["type"])),
        "assistant" | "user" => {
            let blocks = line["message"]["content"].as_array().map_or_else(
                || vec!["string".to_owned()],
                |blocks| blocks.iter().map(|block| text(&block["type"])).collect(),
            );
            format!("{kind} {}", blocks.join("+"))
        }
        "result" => {
            format!("{kind} {} {}", text(&line["subtype"]), text(&line["terminal_reason"]))
        }
        "command_lifecycle" => format!("{kind} {}", text(&line["state"])),
        _ => format!("{kind} {}", text(&line["subtype"])).trim_end().to_owned(),
    }
}
