//! A stand-in for the CLI that does nothing but its part of the measured work, as fast as it can, on one
//! thread. It checks every answer, so that a host can't win by leaving something out.

use std::{
    collections::HashMap,
    fs::OpenOptions,
    io::{self, BufRead, BufReader, Write},
    time::{Duration, Instant},
};

use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

use crate::work::{Kind, Work};

/// The text of a delta.
const DELTA: &str = "The quick brown fox jumps over the lazy dog, and then it does so aga";

struct Cli {
    stdin: BufReader<io::StdinLock<'static>>,
    stdout: io::StdoutLock<'static>,
    line: Vec<u8>,
}

/// Leaves a trace of having been started, for whatever: a question for the version would count too.
pub(crate) fn note_start() {
    if let Some(path) = std::env::var_os(crate::STARTS) {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let wrote = file.and_then(|mut file| file.write_all(b"."));
        wrote.expect("the start can be noted");
    }
}

/// Plays the CLI's part of `work` on stdin and stdout.
pub(crate) fn run(work: &Work) {
    let stdin = BufReader::with_capacity(256 * 1024, io::stdin().lock());
    let mut cli = Cli { stdin, stdout: io::stdout().lock(), line: Vec::new() };
    let Some(hook) = cli.handshake() else { return };
    let Some(uuid) = cli.prompt() else { return };
    let round_trip = cli.work(work, &hook);
    let result = json!({
        "duration_ms": crate::work::ns(round_trip), "is_error": false, "num_turns": 1,
        "type": "result", "subtype": "success", "result": "done", "session_id": "bench",
        "total_cost_usd": 0.0, "user_message_uuids": [uuid],
    });
    cli.say(&result.to_string());
    // Until the host closes.
    while cli.hear().is_some() {}
}

impl Cli {
    fn say(&mut self, line: &str) {
        self.write(format!("{line}\n").as_bytes());
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.stdout.write_all(bytes).is_err() || self.stdout.flush().is_err() {
            std::process::exit(0);
        }
    }

    fn hear(&mut self) -> Option<&[u8]> {
        self.line.clear();
        match self.stdin.read_until(b'\n', &mut self.line) {
            Ok(1..) => Some(&self.line),
            _ => None,
        }
    }

    fn hear_value(&mut self) -> Option<Value> {
        serde_json::from_slice(self.hear()?).ok()
    }

    /// Answers `initialize`, and lists the tools. Gives the id of the hook.
    fn handshake(&mut self) -> Option<String> {
        let initialize = self.hear_value()?;
        let hook = initialize["request"]["hooks"]["Stop"][0]["hookCallbackIds"][0].clone();
        for message in [
            json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params":
                {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}}}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
        ] {
            self.say(
                &json!({"type": "control_request", "request_id": "handshake", "request": {
                    "subtype": "mcp_message", "server_name": "byre", "message": message,
                }})
                .to_string(),
            );
            self.hear_value()?;
        }
        // Last, so that no prompt comes between: the host may send it as soon as it has this.
        self.say(
            &json!({"type": "control_response", "response": {
                "subtype": "success", "request_id": initialize["request_id"],
                "response": {"claude_code_version": "2.1.332", "hook_on_failure_supported": true,
                    "hooks_applied": true, "commands": [], "models": [], "account": {}},
            }})
            .to_string(),
        );
        Some(hook.as_str().unwrap_or_default().to_owned())
    }

    fn prompt(&mut self) -> Option<Value> {
        loop {
            let line = self.hear_value()?;
            if line["type"] == "user" {
                return Some(line["uuid"].clone());
            }
        }
    }

    /// Does the work, and gives the median round trip, or zero where there is none.
    fn work(&mut self, work: &Work, hook: &str) -> Duration {
        match work.kind {
            Kind::Calls { in_flight } => self.calls(
                work.count,
                in_flight,
                |n| format!("\"name\":\"add\",\"arguments\":{{\"a\":{n},\"b\":1}}"),
                |n| (n + 1).to_string(),
            ),
            Kind::Echo { bytes } => {
                let text = "žluťoučký kůň, 🐄 ".repeat(bytes / 24);
                let arguments = format!(
                    "\"name\":\"echo\",\"arguments\":{{\"text\":{}}}",
                    Value::from(text.as_str())
                );
                self.calls(work.count, 1, |_| arguments.clone(), |_| text.clone())
            }
            Kind::SlowCalls => self.calls(
                work.count,
                work.count,
                |_| "\"name\":\"slow\",\"arguments\":{}".to_owned(),
                |_| "done".to_owned(),
            ),
            Kind::Hooks => self.hooks(work.count, hook),
            Kind::Deltas | Kind::Unread => {
                self.lines(work.count, &delta_line());
                Duration::ZERO
            }
            Kind::Messages => {
                self.lines(work.count, &message_line(&DELTA.repeat(4096 / DELTA.len())));
                Duration::ZERO
            }
            Kind::BigLine { bytes } => {
                self.lines(1, &message_line(&"x".repeat(bytes)));
                Duration::ZERO
            }
            Kind::Stalled => {
                let started = Instant::now();
                self.lines(300, &message_line(&"x".repeat(1024)));
                self.calls(
                    1,
                    1,
                    |n| format!("\"name\":\"add\",\"arguments\":{{\"a\":{n},\"b\":1}}"),
                    |n| (n + 1).to_string(),
                );
                started.elapsed()
            }
        }
    }

    /// Makes `count` tool calls, `in_flight` of them at a time, and checks each answer.
    fn calls(
        &mut self,
        count: usize,
        in_flight: usize,
        params: impl Fn(usize) -> String,
        want: impl Fn(usize) -> String,
    ) -> Duration {
        #[derive(Deserialize)]
        struct Line<'a> {
            #[serde(borrow)]
            response: Response<'a>,
        }
        #[derive(Deserialize)]
        struct Response<'a> {
            request_id: &'a str,
            #[serde(borrow)]
            response: McpResponse<'a>,
        }
        #[derive(Deserialize)]
        struct McpResponse<'a> {
            #[serde(borrow)]
            mcp_response: JsonRpc<'a>,
        }
        #[derive(Deserialize)]
        struct JsonRpc<'a> {
            id: usize,
            #[serde(borrow)]
            result: &'a RawValue,
        }
        let mut started: HashMap<usize, Instant> = HashMap::new();
        let mut round_trips = Vec::with_capacity(count);
        let (mut asked, mut out) = (0, Vec::new());
        while round_trips.len() < count {
            while asked < count && started.len() < in_flight {
                write_call(&mut out, asked, &params(asked));
                started.insert(asked, Instant::now());
                asked += 1;
            }
            if !out.is_empty() {
                self.write(&out);
                out.clear();
            }
            let Some(line) = self.hear() else { std::process::exit(1) };
            let line: Line<'_> = serde_json::from_slice(line).expect("an answer");
            let n = line.response.response.mcp_response.id - 2;
            assert_eq!(line.response.request_id, format!("c-{n}"));
            let result: Value =
                serde_json::from_str(line.response.response.mcp_response.result.get())
                    .expect("JSON");
            assert_eq!(result["content"][0]["text"], want(n));
            let since = started.remove(&n).expect("an answer to a call that is not over");
            round_trips.push(since.elapsed());
        }
        median(round_trips)
    }

    fn hooks(&mut self, count: usize, hook: &str) -> Duration {
        let mut round_trips = Vec::with_capacity(count);
        for n in 0..count {
            let line = format!(
                "{{\"type\":\"control_request\",\"request_id\":\"h-{n}\",\"request\":{{\"subtype\":\
                 \"hook_callback\",\"callback_id\":\"{hook}\",\"input\":{{\"session_id\":\"bench\",\
                 \"transcript_path\":\"/x\",\"cwd\":\"/x\",\"prompt_id\":\"p\",\"hook_event_name\":\"Stop\",\
                 \"stop_hook_active\":false,\"last_assistant_message\":\"done\"}}}}}}\n"
            );
            let started = Instant::now();
            self.write(line.as_bytes());
            let answer = self.hear_value().expect("an answer");
            round_trips.push(started.elapsed());
            assert_eq!(answer["response"]["request_id"], format!("h-{n}"));
            assert_eq!(answer["response"]["response"], json!({}));
        }
        median(round_trips)
    }

    /// Writes a line so many times, in batches of a pipe's size.
    fn lines(&mut self, count: usize, line: &str) {
        let per_batch = (64 * 1024 / line.len()).clamp(1, count.max(1));
        let batch = line.repeat(per_batch);
        for _ in 0..count / per_batch {
            self.write(batch.as_bytes());
        }
        self.write(line.repeat(count % per_batch).as_bytes());
    }
}

fn write_call(out: &mut Vec<u8>, n: usize, params: &str) {
    let line = format!(
        "{{\"type\":\"control_request\",\"request_id\":\"c-{n}\",\"request\":{{\"subtype\":\"mcp_message\",\
         \"server_name\":\"byre\",\"message\":{{\"method\":\"tools/call\",\"params\":{{{params},\"_meta\":\
         {{\"claudecode/toolUseId\":\"toolu_{n}\",\"progressToken\":{id}}}}},\"jsonrpc\":\"2.0\",\
         \"id\":{id}}}}}}}\n",
        id = n + 2
    );
    out.extend_from_slice(line.as_bytes());
}

pub(crate) fn delta_line() -> String {
    let delta = &DELTA[..64];
    format!(
        "{{\"type\":\"stream_event\",\"event\":{{\"type\":\"content_block_delta\",\"index\":0,\"delta\":\
         {{\"type\":\"text_delta\",\"text\":\"{delta}\"}}}},\"parent_tool_use_id\":null,\
         \"session_id\":\"8f3a8990-6fca-4756-b667-0911376e0d4c\",\
         \"uuid\":\"738b510c-f080-4ff1-9342-44df4022aff7\"}}\n"
    )
}

fn message_line(text: &str) -> String {
    format!(
        "{{\"type\":\"assistant\",\"message\":{{\"id\":\"msg_0\",\"type\":\"message\",\"role\":\"assistant\",\
         \"model\":\"claude-opus-5-5\",\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}],\
         \"stop_reason\":null,\"stop_sequence\":null,\"usage\":{{\"input_tokens\":10,\"output_tokens\":1}}}},\
         \"parent_tool_use_id\":null,\"session_id\":\"8f3a8990-6fca-4756-b667-0911376e0d4c\",\
         \"uuid\":\"738b510c-f080-4ff1-9342-44df4022aff7\"}}\n"
    )
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
