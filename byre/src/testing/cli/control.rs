//! Control requests of the host.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::{
    engine::{Cli, Ended},
    hooks::Hooks,
    lines,
};
use crate::testing::lock;

const MODES: [&str; 6] = ["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"];

impl Cli {
    /// Answers a control request. Interrupts are answered by the turn that they end.
    pub(super) fn control(&self, id: &Value, request: &Value) -> Option<Ended> {
        let answer = match request["subtype"].as_str().unwrap_or_default() {
            "initialize" => self.initialize(id, request),
            "interrupt" => {
                self.queue.push_interrupt(id.clone());
                return None;
            }
            "cancel_async_message" => self.withdraw(id, &request["message_uuid"]),
            "set_model" => self.set_model(id, request),
            "set_permission_mode" => return self.set_permission_mode(id, request),
            "mcp_message" => self.mcp_message(id, request),
            "mcp_status" => lines::success(id, Some(self.mcp_status())),
            "get_binary_version" => {
                lines::success(id, Some(json!({"version": lines::VERSION, "buildTime": null})))
            }
            // What these do can't be seen in a stand-in.
            "stop_task"
            | "set_max_thinking_tokens"
            | "apply_flag_settings"
            | "set_has_subscribers"
            | "seed_read_state" => lines::success(id, None),
            "end_session" => {
                self.peer.send(&lines::success(id, None));
                return Some(Ended::AsAsked);
            }
            other => {
                let error = format!("Unsupported control request subtype: {other}");
                lines::error(id, &error, Some("unsupported_request"))
            }
        };
        self.peer.send(&answer);
        None
    }

    fn initialize(&self, id: &Value, request: &Value) -> Value {
        let hooks = &request["hooks"];
        if !hooks.is_null() {
            match Hooks::read(hooks) {
                Ok(hooks) => lock(&self.settings).hooks = hooks,
                Err(error) => return lines::error(id, &error, None),
            }
        }
        if request["jsonSchema"].is_object() {
            lock(&self.settings).json_schema = Some(request["jsonSchema"].clone());
        }
        let mut line = lines::initialized(self, id, !hooks.is_null());
        // It starts no servers of others and heeds no settings, and says that it has, as a session that plays a
        // script needs no more.
        for (field, applied) in [
            ("mcpServers", "mcp_servers_applied"),
            ("settings", "settings_applied"),
            ("managedSettings", "managed_settings_applied"),
        ] {
            if request[field].is_object() {
                line["response"]["response"][applied] = true.into();
            }
        }
        line
    }

    /// Takes a prompt out of the queue, if it is still there.
    fn withdraw(&self, id: &Value, uuid: &Value) -> Value {
        let Some(uuid) = uuid.as_str() else {
            return lines::error(id, "cancel_async_message: message_uuid must be a string", None);
        };
        let answer = if self.queue.withdraw(uuid) {
            self.peer.send(&lines::lifecycle(self, uuid, "cancelled"));
            json!({"cancelled": true, "message_uuid": uuid})
        } else {
            json!({"cancelled": false})
        };
        lines::success(id, Some(answer))
    }

    fn set_model(&self, id: &Value, request: &Value) -> Value {
        let asked = request["model"].as_str().unwrap_or("default");
        let model = resolve_model(asked);
        let shown = if asked == model { model.clone() } else { format!("{asked} ({model})") };
        let before = std::mem::replace(&mut lock(&self.settings).model, model.clone());
        if before != model && self.has_played.load(Ordering::Relaxed) {
            self.peer.send(&lines::local_output(self, &format!("Set model to `{shown}`")));
        }
        lines::success(id, Some(json!({"model": model})))
    }

    fn set_permission_mode(&self, id: &Value, request: &Value) -> Option<Ended> {
        let mode = request["mode"].as_str().unwrap_or_default();
        if MODES.contains(&mode) {
            mode.clone_into(&mut lock(&self.settings).permission_mode);
            self.peer.send(&lines::success(id, Some(json!({"mode": mode}))));
            let status = json!({"status": null, "permissionMode": mode});
            self.peer.send(&lines::system(self, "status", status));
        } else {
            let error = format!("Cannot set permission mode: must be one of {}", MODES.join(", "));
            self.peer.send(&lines::error(id, &error, Some("invalid_mode")));
        }
        None
    }

    /// Takes an MCP message of the host. The answer is the same for anything.
    fn mcp_message(&self, id: &Value, request: &Value) -> Value {
        let server = self.servers.iter().find(|server| request["server_name"] == server.name);
        if let Some(server) = server
            && request["message"]["method"] == "notifications/tools/list_changed"
        {
            self.spawn_list(server);
        }
        lines::success(id, None)
    }

    fn mcp_status(&self) -> Value {
        let servers: Vec<_> = self
            .servers
            .iter()
            .map(|server| {
                let state = server.state();
                let mut status = json!({
                    "name": server.name,
                    "status": state.status,
                    "transport": "sdk",
                    "scope": "dynamic",
                    "source": "sdk",
                });
                if state.status == "connected" {
                    status["serverInfo"] = state.info;
                    status["tools"] = state
                        .tools
                        .iter()
                        .map(|tool| {
                            let annotations =
                                if tool.read_only { json!({"readOnly": true}) } else { json!({}) };
                            json!({"name": tool.name, "annotations": annotations})
                        })
                        .collect();
                }
                status
            })
            .collect();
        json!({"mcpServers": servers})
    }
}

/// Finds the model that a short name means.
pub(super) fn resolve_model(name: &str) -> String {
    match name {
        "default" | "opus" => "claude-opus-5-5",
        "haiku" => "claude-haiku-5-5",
        "sonnet" => "claude-sonnet-5-5",
        other => other,
    }
    .to_owned()
}
