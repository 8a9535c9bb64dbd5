//! The lines that the stand-in writes. Pure: each is made from what it is given.
//!
//! Source: lines of CLI 2.1.332, with its long lists cut short.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::engine::Cli;
use crate::testing::{
    player::{INPUT_TOKENS, OUTPUT_TOKENS},
    reply::ApiError,
};

/// The version that the stand-in is an image of.
pub(super) const VERSION: &str = "2.1.332";

const BUILT_IN_TOOLS: [&str; 9] =
    ["Task", "Bash", "Edit", "Read", "ToolSearch", "WebFetch", "WebSearch", "Workflow", "Write"];

/// Adds what every line has.
fn line(cli: &Cli, kind: &str, fields: Value) -> Value {
    let mut line = match fields {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    line.insert("type".into(), kind.into());
    line.insert("session_id".into(), cli.config.session_id.clone().into());
    line.insert("uuid".into(), Uuid::new_v4().to_string().into());
    line.into()
}

pub(super) fn success(id: &Value, response: Option<Value>) -> Value {
    let mut body = json!({"subtype": "success"});
    if let Some(response) = response {
        body["response"] = response;
    }
    control_response(id, body)
}

pub(super) fn error(id: &Value, error: &str, code: Option<&str>) -> Value {
    let mut body = json!({"subtype": "error", "error": error});
    if let Some(code) = code {
        body["error_code"] = code.into();
    }
    control_response(id, body)
}

/// A request without an id is answered without one.
fn control_response(id: &Value, mut body: Value) -> Value {
    if !id.is_null() {
        body["request_id"] = id.clone();
    }
    json!({"type": "control_response", "response": body})
}

/// The answer to `initialize`.
pub(super) fn initialized(cli: &Cli, id: &Value, with_hooks: bool) -> Value {
    let settings = cli.settings();
    let mut response = json!({
        "commands": [
            {"name": "compact", "description": "Free up context", "argumentHint": "", "builtin": true},
            {"name": "context", "description": "Show context usage", "argumentHint": "", "builtin": true},
        ],
        "agents": [{"name": "Explore", "description": "Searches the code."}],
        "output_style": "default",
        "available_output_styles": ["default", "Concise", "Explanatory", "Learning"],
        "models": [{
            "value": "default",
            "resolvedModel": super::control::resolve_model("default"),
            "displayName": "Default (recommended)",
            "description": "Use the default model",
            "supportsEffort": true,
            "supportedEffortLevels": ["low", "medium", "high", "xhigh", "max"],
        }],
        "account": {
            "tokenSource": "none",
            "apiKeySource": "ANTHROPIC_API_KEY",
            "apiProvider": "firstParty",
        },
        "pid": std::process::id(),
        "claude_code_version": VERSION,
        "current_permission_mode": settings.permission_mode,
        "hook_on_failure_supported": true,
        "analytics_disabled": true,
        "session_state": "idle",
        "capabilities": ["ui_surface_v1", "mcp_call_result_not_for_model_v1"],
    });
    if with_hooks {
        response["hooks_applied"] = true.into();
    }
    let mut line = success(id, Some(response));
    line["response"]["pending_permission_requests"] = json!([]);
    line["response"]["pending_user_dialog_requests"] = json!([]);
    line
}

/// What a turn starts with.
pub(super) fn init(cli: &Cli) -> Value {
    let settings = cli.settings();
    // The CLI sorts the tools of servers by name.
    let mcp_tools: BTreeSet<_> = cli
        .servers
        .iter()
        .flat_map(|server| server.state().tools)
        .map(|tool| tool.full_name)
        .collect();
    let tools: Vec<_> = BUILT_IN_TOOLS.map(str::to_owned).into_iter().chain(mcp_tools).collect();
    let servers: Vec<_> = cli
        .servers
        .iter()
        .map(
            |server| json!({"name": server.name, "status": server.state().status, "source": "sdk"}),
        )
        .collect();
    let init = json!({
        "cwd": cli.config.cwd,
        "tools": tools,
        "mcp_servers": servers,
        "model": settings.model,
        "permissionMode": settings.permission_mode,
        "slash_commands": ["compact", "context"],
        "apiKeySource": "ANTHROPIC_API_KEY",
        "claude_code_version": VERSION,
        "output_style": "default",
        "agents": ["Explore"],
        "skills": [],
        "plugins": [],
        "capabilities": ["interrupt_receipt_v1", "msg_lifecycle_v1", "sdk_mcp_tools_list_changed"],
    });
    system(cli, "init", init)
}

pub(super) fn system(cli: &Cli, subtype: &str, mut fields: Value) -> Value {
    fields["subtype"] = subtype.into();
    line(cli, "system", fields)
}

pub(super) fn lifecycle(cli: &Cli, uuid: &str, state: &str) -> Value {
    line(cli, "command_lifecycle", json!({"command_uuid": uuid, "state": state}))
}

/// What a slash command prints.
pub(super) fn local_output(cli: &Cli, text: &str) -> Value {
    let content = format!("<local-command-stdout>{text}</local-command-stdout>");
    let message = json!({"role": "user", "content": content});
    line(cli, "user", json!({"message": message, "parent_tool_use_id": null, "isReplay": true}))
}

pub(super) fn stream_event(cli: &Cli, message_id: &str, event: &Value) -> Value {
    let fields = json!({"event": event, "parent_tool_use_id": null, "api_message_id": message_id});
    line(cli, "stream_event", fields)
}

/// One finished block of the model.
pub(super) fn assistant(cli: &Cli, message_id: &str, block: &Value) -> Value {
    let mut message = crate::testing::player::message(message_id, &cli.settings().model);
    message["content"] = json!([block]);
    message["context_management"] = Value::Null;
    let mut fields =
        json!({"message": message, "parent_tool_use_id": null, "request_id": "req_scripted"});
    if block["type"] == "tool_use" {
        fields["tool_use_meta"] = json!([tool_use_meta(cli, block)]);
    }
    line(cli, "assistant", fields)
}

fn tool_use_meta(cli: &Cli, block: &Value) -> Value {
    let full_name = block["name"].as_str().unwrap_or_default();
    let Some((server, tool)) = cli.tool(full_name) else {
        let name = full_name.rsplit("__").next().unwrap_or(full_name);
        return json!({"id": block["id"], "display_name": display_name(name)});
    };
    json!({
        "id": block["id"],
        "display_name": tool.title.unwrap_or_else(|| display_name(&tool.name)),
        "server_display_name": server.name,
        "tool_name": tool.name,
    })
}

/// Makes `Get Thing` of `get_thing`.
pub(super) fn display_name(name: &str) -> String {
    let words = name.split(['_', '-', '.', ' ']).map(|word| {
        let mut chars = word.chars();
        chars
            .next()
            .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect::<String>())
    });
    words.collect::<Vec<_>>().join(" ")
}

/// What goes to the model in the user's place. `fields` come on top.
pub(super) fn user(cli: &Cli, block: &Value, mut fields: Value) -> Value {
    fields["message"] = json!({"role": "user", "content": [block]});
    fields["parent_tool_use_id"] = Value::Null;
    line(cli, "user", fields)
}

/// How the CLI tells of an answer of the API that is no message.
pub(super) struct ApiFailure {
    /// What stands in the place of the model's text.
    pub(super) text: String,
    /// The `error` of the `assistant` line.
    kind: &'static str,
    pub(super) terminal_reason: &'static str,
    pub(super) status: u16,
    pub(super) error_type: Value,
}

impl ApiFailure {
    pub(super) fn new(error: &ApiError) -> Self {
        let message = error.body["error"]["message"].as_str().unwrap_or("no body");
        let status = error.status;
        let said = |text: &str| message.to_lowercase().contains(text);
        let (text, kind, terminal_reason) = match status {
            401 if said("x-api-key") => (
                "Invalid API key · Fix external API key".to_owned(),
                "authentication_failed",
                "api_error",
            ),
            401 | 403 => (
                format!("Failed to authenticate. API Error: {status} {message}"),
                "authentication_failed",
                "api_error",
            ),
            429 => (
                format!("API Error: Request rejected (429) · {message}"),
                "rate_limit",
                "api_error",
            ),
            400 if said("prompt is too long") => {
                ("Prompt is too long".to_owned(), "invalid_request", "prompt_too_long")
            }
            400 if said("credit balance is too low") => {
                ("Credit balance is too low".to_owned(), "billing_error", "api_error")
            }
            413 => ("Request too large (max 32MB).".to_owned(), "invalid_request", "image_error"),
            500.. => (
                format!(
                    "API Error: {status} {message}. This is a server-side issue, usually \
                     temporary — try again in a moment."
                ),
                "server_error",
                "api_error",
            ),
            _ => (format!("API Error: {status} {message}"), "invalid_request", "api_error"),
        };
        let error_type = error.body["error"]["type"].clone();
        Self { text, kind, terminal_reason, status, error_type }
    }

    pub(super) fn line(&self, cli: &Cli) -> Value {
        let mut message =
            crate::testing::player::message(&Uuid::new_v4().to_string(), "<synthetic>");
        message["content"] = json!([{"type": "text", "text": self.text}]);
        message["stop_reason"] = "stop_sequence".into();
        message["stop_sequence"] = "".into();
        message["usage"] = usage(0);
        line(
            cli,
            "assistant",
            json!({
                "message": message,
                "parent_tool_use_id": null,
                "error": self.kind,
                "is_api_error_message": true,
                "api_error_status": self.status,
                "api_error_type": self.error_type,
            }),
        )
    }
}

/// The usage of some requests.
pub(super) fn usage(requests: u64) -> Value {
    json!({
        "input_tokens": requests * INPUT_TOKENS,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "output_tokens": requests * OUTPUT_TOKENS,
        "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0},
        "service_tier": "standard",
    })
}

/// What some requests cost.
#[expect(clippy::cast_precision_loss, reason = "nobody asks 2^52 times")]
pub(super) fn cost_usd(requests: u64) -> f64 {
    // $4 and $20 for a million tokens.
    requests as f64 * (INPUT_TOKENS as f64 * 4.0 + OUTPUT_TOKENS as f64 * 20.0) / 1e6
}

pub(super) fn model_usage(model: &str, requests: u64) -> Value {
    if requests == 0 {
        return json!({});
    }
    let mut usage = Map::new();
    usage.insert(
        model.to_owned(),
        json!({
            "inputTokens": requests * INPUT_TOKENS,
            "outputTokens": requests * OUTPUT_TOKENS,
            "cacheReadInputTokens": 0,
            "cacheCreationInputTokens": 0,
            "webSearchRequests": 0,
            "costUSD": cost_usd(requests),
            "contextWindow": 1_000_000,
            "maxOutputTokens": 128_000,
        }),
    );
    usage.into()
}

pub(super) fn result(cli: &Cli, fields: Value) -> Value {
    line(cli, "result", fields)
}
