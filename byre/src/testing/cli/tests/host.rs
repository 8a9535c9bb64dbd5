//! The other end of the stand-in.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, duplex},
    task::JoinHandle,
    time::timeout,
};

use super::{Outcome, ScriptedCli};
use crate::testing::Script;

/// The host, by hand. Lines are read and answered one by one, so that a test sees their order.
pub(super) struct Host {
    pub(super) stdin: Option<DuplexStream>,
    pub(super) lines: Lines<BufReader<DuplexStream>>,
    pub(super) run: JoinHandle<Outcome>,
}

impl Host {
    pub(super) fn new(cli: ScriptedCli) -> Self {
        let (host_stdin, stdin) = duplex(1 << 20);
        let (stdout, host_stdout) = duplex(1 << 20);
        Self {
            stdin: Some(host_stdin),
            lines: BufReader::new(host_stdout).lines(),
            run: tokio::spawn(cli.run(stdin, stdout)),
        }
    }

    /// Starts a stand-in and goes through the handshake.
    pub(super) async fn connected(cli: ScriptedCli, hooks: Value) -> Self {
        let mut host = Self::new(cli);
        host.control("init", json!({"subtype": "initialize", "hooks": hooks})).await;
        host.answer("control_request initialize", hello()).await;
        host.expect("control_response").await;
        host.answer("control_request notifications/initialized", json!({})).await;
        host.answer("control_request tools/list", json!({"tools": tools()})).await;
        host
    }

    pub(super) async fn write(&mut self, text: &str) {
        self.stdin.as_mut().unwrap().write_all(text.as_bytes()).await.unwrap();
    }

    pub(super) async fn send(&mut self, line: Value) {
        self.write(&format!("{line}\n")).await;
    }

    pub(super) async fn control(&mut self, id: &str, request: Value) {
        self.send(json!({"type": "control_request", "request_id": id, "request": request})).await;
    }

    pub(super) async fn prompt(&mut self, text: &str) {
        self.send(json!({"type": "user", "message": {"role": "user", "content": text}})).await;
    }

    pub(super) async fn next(&mut self) -> Option<Value> {
        let line = timeout(Duration::from_secs(10), self.lines.next_line()).await;
        let line = line.expect("the stand-in fell silent").unwrap()?;
        Some(serde_json::from_str(&line).unwrap())
    }

    pub(super) async fn expect(&mut self, want: &str) -> Value {
        let line = self.next().await.unwrap_or_else(|| panic!("the end came before {want}"));
        assert_eq!(summary(&line), want, "{line}");
        line
    }

    pub(super) async fn expect_all(&mut self, want: &[&str]) {
        for want in want {
            self.expect(want).await;
        }
    }

    /// Waits for an MCP request and answers it with `result`.
    pub(super) async fn answer(&mut self, want: &str, result: Value) {
        let request = self.expect(want).await;
        self.respond(&request, result).await;
    }

    pub(super) async fn respond(&mut self, request: &Value, result: Value) {
        let id = request["request"]["message"].get("id").cloned().unwrap_or(json!(0));
        let message = json!({"jsonrpc": "2.0", "id": id, "result": result});
        self.respond_with(request, json!({"mcp_response": message})).await;
    }

    /// Answers a control request of any kind.
    pub(super) async fn respond_with(&mut self, request: &Value, response: Value) {
        let id = &request["request_id"];
        let response = json!({"subtype": "success", "request_id": id, "response": response});
        self.send(json!({"type": "control_response", "response": response})).await;
    }

    /// Closes stdin and waits for the end.
    pub(super) async fn close(mut self) -> Outcome {
        self.stdin = None;
        let rest = async { while self.next().await.is_some() {} };
        rest.await;
        self.run.await.unwrap()
    }
}

pub(super) fn summary(line: &Value) -> String {
    let kind = line["type"].as_str().unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let detail = match kind {
        "control_request" if line["request"]["subtype"] == "hook_callback" => {
            text(&line["request"]["input"]["hook_event_name"])
        }
        "control_request" if line["request"]["subtype"] == "can_use_tool" => {
            "can_use_tool".to_owned()
        }
        "control_request" => {
            let message = &line["request"]["message"];
            format!("{} {}", text(&message["method"]), text(&message["params"]["name"]))
        }
        "assistant" | "user" => text(&line["message"]["content"][0]["type"]),
        "stream_event" => text(&line["event"]["type"]),
        "command_lifecycle" => text(&line["state"]),
        "result" => format!("{} {}", text(&line["subtype"]), text(&line["terminal_reason"])),
        _ => text(&line["subtype"]),
    };
    format!("{kind} {detail}").trim_end().to_owned()
}

pub(super) fn hello() -> Value {
    json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "byre", "version": "1"},
    })
}

pub(super) fn tools() -> Value {
    let schema = json!({"type": "object"});
    json!([
        {"name": "change", "description": "Changes.", "inputSchema": schema},
        {"name": "look", "inputSchema": schema, "annotations": {"readOnlyHint": true}},
    ])
}

pub(super) fn said(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

pub(super) async fn connected(script: Script) -> Host {
    Host::connected(ScriptedCli::new(script), Value::Null).await
}
