//! The stand-in's MCP client: handshake, lists, calls.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{sync::watch, time};

use super::peer::{Answer, Peer, Pending};
use crate::{testing::lock, wire::mcp::PROTOCOL_VERSIONS};

/// How long to wait before a failed list is asked for again. The real CLI waits ten times as long.
const LIST_RETRIES: [Duration; 3] =
    [Duration::from_millis(25), Duration::from_millis(50), Duration::from_millis(100)];

/// One MCP server of the host, and the connection to it.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) name: String,
    peer: Arc<Peer>,
    next_id: AtomicU64,
    state: Mutex<State>,
    /// Whether the handshake is over, for better or worse.
    settled: watch::Sender<bool>,
}

#[derive(Clone, Debug)]
pub(super) struct State {
    /// `pending`, `connected` or `failed`.
    pub(super) status: &'static str,
    /// What the server said about itself.
    pub(super) info: Value,
    pub(super) tools: Vec<Tool>,
}

#[derive(Clone, Debug)]
pub(super) struct Tool {
    /// The server's own name for it.
    pub(super) name: String,
    /// The model's name for it.
    pub(super) full_name: String,
    pub(super) description: String,
    pub(super) schema: Value,
    pub(super) read_only: bool,
    pub(super) title: Option<String>,
}

/// A JSON-RPC request on its way.
pub(super) struct Call {
    pub(super) id: u64,
    peer: Arc<Peer>,
    pending: Pending,
}

impl Server {
    pub(super) fn new(name: &str, peer: &Arc<Peer>) -> Self {
        Self {
            name: name.to_owned(),
            peer: Arc::clone(peer),
            next_id: AtomicU64::new(0),
            state: Mutex::new(State { status: "pending", info: Value::Null, tools: Vec::new() }),
            settled: watch::Sender::new(false),
        }
    }

    pub(super) fn state(&self) -> State {
        lock(&self.state).clone()
    }

    /// Waits until the handshake is over.
    pub(super) async fn settled(&self) {
        // The sender lives as long as `self`.
        let _ = self.settled.subscribe().wait_for(|settled| *settled).await;
    }

    /// Sends the first message of a handshake; [`handshake`](Self::handshake) does the rest.
    pub(super) fn initialize(&self) -> Call {
        let client = json!({
            "name": "claude-code",
            "title": "Claude Code",
            "description": "Anthropic's agentic coding tool",
            "websiteUrl": "https://claude.com/claude-code",
            "version": super::lines::VERSION,
        });
        let params =
            json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
        self.request("initialize", Some(params))
    }

    pub(super) async fn handshake(&self, initialize: Call) {
        let status = if self.connect(initialize).await.is_some() { "connected" } else { "failed" };
        lock(&self.state).status = status;
        self.settled.send_replace(true);
    }

    async fn connect(&self, initialize: Call) -> Option<()> {
        let hello = initialize.result().await.ok()?;
        let version = hello["protocolVersion"].as_str()?;
        if !PROTOCOL_VERSIONS.contains(&version) || !hello["serverInfo"].is_object() {
            return None;
        }
        lock(&self.state).info = hello["serverInfo"].clone();
        self.notify("notifications/initialized", None).await.ok()?;
        if !hello["capabilities"]["tools"].is_null() {
            self.list().await;
        }
        Some(())
    }

    /// Asks for the tools, some more times if the list is bad. After the last one there are none.
    pub(super) async fn list(&self) {
        let mut tools = self.try_list().await;
        for pause in LIST_RETRIES {
            if tools.is_some() {
                break;
            }
            time::sleep(pause).await;
            tools = self.try_list().await;
        }
        lock(&self.state).tools = tools.unwrap_or_default();
    }

    async fn try_list(&self) -> Option<Vec<Tool>> {
        let mut tools: Vec<Tool> = Vec::new();
        let mut params = None;
        loop {
            let page = self.request("tools/list", params).result().await.ok()?;
            for tool in page["tools"].as_array()? {
                let tool = Tool::read(&self.name, tool)?;
                // Of two tools with one name the first wins.
                if tools.iter().all(|other| other.full_name != tool.full_name) {
                    tools.push(tool);
                }
            }
            match &page["nextCursor"] {
                Value::String(cursor) => params = Some(json!({"cursor": cursor})),
                _ => return Some(tools),
            }
        }
    }

    pub(super) fn call(&self, tool: &Tool, arguments: &Value, tool_use_id: &str) -> Call {
        self.request_with(|id| {
            let meta = json!({"claudecode/toolUseId": tool_use_id, "progressToken": id});
            let params = json!({"name": tool.name, "arguments": arguments, "_meta": meta});
            ("tools/call", Some(params))
        })
    }

    /// Sends a notification. The host answers it too, with whatever it likes.
    pub(super) fn notify(&self, method: &str, params: Option<Value>) -> Pending {
        let mut message = json!({"jsonrpc": "2.0", "method": method});
        if let Some(params) = params {
            message["params"] = params;
        }
        self.send(&message)
    }

    fn request(&self, method: &'static str, params: Option<Value>) -> Call {
        self.request_with(|_| (method, params))
    }

    fn request_with(&self, make: impl FnOnce(u64) -> (&'static str, Option<Value>)) -> Call {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let (method, params) = make(id);
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if let Some(params) = params {
            message["params"] = params;
        }
        Call { id, peer: Arc::clone(&self.peer), pending: self.send(&message) }
    }

    fn send(&self, message: &Value) -> Pending {
        self.peer.request(
            &json!({"subtype": "mcp_message", "server_name": self.name, "message": message}),
        )
    }
}

impl Call {
    /// Waits for the result, or for the text of an error.
    pub(super) async fn result(self) -> Answer {
        let mut message = self.pending.await?;
        let response = &mut message["mcp_response"];
        // The CLI takes the number as text, too.
        let is_ours = match &response["id"] {
            Value::String(id) => id.parse() == Ok(self.id),
            id => *id == self.id,
        };
        let (result, error) = (response["result"].take(), response["error"].take());
        if response["jsonrpc"] != "2.0" || !is_ours || result.is_object() == error.is_object() {
            self.peer.fail(format!(
                "request {} got an answer that the real CLI drops in silence: {message}",
                self.id
            ));
            std::future::pending::<()>().await;
        }
        if error.is_object() {
            return Err(error["message"].as_str().unwrap_or_default().to_owned());
        }
        Ok(result)
    }
}

impl Tool {
    /// Reads a tool of a list, or gives `None` if the real CLI would drop the whole list for it.
    fn read(server: &str, tool: &Value) -> Option<Self> {
        let schema = &tool["inputSchema"];
        let is_valid = schema["type"] == "object"
            && schema.get("properties").is_none_or(Value::is_object)
            && schema.get("required").is_none_or(Value::is_array)
            && tool.get("description").is_none_or(Value::is_string);
        if !is_valid {
            return None;
        }
        let name = tool["name"].as_str()?;
        Some(Self {
            name: name.to_owned(),
            full_name: format!("mcp__{}__{}", api_name(server), api_name(name)),
            description: tool["description"].as_str().unwrap_or_default().to_owned(),
            schema: schema.clone(),
            read_only: tool["annotations"]["readOnlyHint"] == true,
            title: tool["annotations"]["title"].as_str().map(str::to_owned),
        })
    }
}

/// Replaces what the API does not accept in a name.
fn api_name(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' })
        .collect()
}
