//! The tool calls of one message of the model: their order, their hooks, their results.

use std::{
    collections::VecDeque,
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use serde_json::{Value, json};

use super::{
    engine::Cli,
    hooks::{self, Said},
    lines,
    mcp::Server,
    peer::{Answer, Withdrawal},
};
use crate::seen::seen;

/// The tool that the CLI adds when the host wants a value instead of text.
const STRUCTURED_OUTPUT: &str = "StructuredOutput";

/// The calls of one message that are not over.
#[derive(Default)]
pub(super) struct Calls {
    waiting: VecDeque<Call>,
    running: Vec<Running>,
    finished: VecDeque<Finished>,
}

/// A call of the model.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) id: String,
    /// The model's name for the tool.
    pub(super) name: String,
    pub(super) input: Value,
    /// What every hook input has.
    pub(super) hook_input: Value,
    read_only: bool,
}

struct Running {
    id: String,
    read_only: bool,
    future: Pin<Box<dyn Future<Output = Finished> + Send>>,
}

/// A call that is over.
#[derive(Debug)]
pub(super) struct Finished {
    /// The `tool_result` block for the model.
    pub(super) block: Value,
    /// `tool_use_result`: the same for the host.
    pub(super) for_host: Value,
    pub(super) meta: Option<Value>,
    /// What goes into `permission_denials`, if the call was not allowed.
    pub(super) denial: Option<Value>,
    /// A hook wants the turn to end.
    pub(super) stops_turn: bool,
    /// The value that the turn answers with.
    pub(super) structured_output: Option<Value>,
    /// The host has denied it and interrupted the turn.
    pub(super) interrupts: bool,
}

impl Call {
    pub(super) fn new(cli: &Cli, block: &Value, hook_input: Value) -> Self {
        let text = |key: &str| block[key].as_str().unwrap_or_default().to_owned();
        let name = text("name");
        let read_only = cli.tool(&name).is_some_and(|(_, tool)| tool.read_only);
        Self { id: text("id"), name, input: block["input"].clone(), hook_input, read_only }
    }
}

impl Calls {
    pub(super) fn push(&mut self, call: Call) {
        self.waiting.push_back(call);
    }

    /// Starts every call whose turn it is. Requests to the host are written before this returns.
    pub(super) async fn start(&mut self, cli: &Arc<Cli>) {
        // Read-only calls run together; any other one runs alone, in its place.
        while let Some(call) = self.waiting.front()
            && self.running.iter().all(|running| running.read_only && call.read_only)
            && let Some(call) = self.waiting.pop_front()
        {
            self.running.push(Running {
                id: call.id.clone(),
                read_only: call.read_only,
                future: Box::pin(run(Arc::clone(cli), call)),
            });
            poll_fn(|cx| {
                self.poll(cx);
                Poll::Ready(())
            })
            .await;
        }
    }

    /// Waits for the next call that is over, or gives `None` if all are.
    pub(super) async fn next(&mut self) -> Option<Finished> {
        poll_fn(|cx| {
            self.poll(cx);
            match self.finished.pop_front() {
                Some(finished) => Poll::Ready(Some(finished)),
                None if self.running.is_empty() => Poll::Ready(None),
                None => Poll::Pending,
            }
        })
        .await
    }

    pub(super) fn is_empty(&self) -> bool {
        self.running.is_empty() && self.finished.is_empty()
    }

    fn poll(&mut self, cx: &mut Context<'_>) {
        let mut index = 0;
        while index < self.running.len() {
            match self.running[index].future.as_mut().poll(cx) {
                Poll::Ready(finished) => {
                    self.running.remove(index);
                    self.finished.push_back(finished);
                }
                Poll::Pending => index += 1,
            }
        }
    }

    /// Stops all calls, and gives what the model is told about those that are not over.
    pub(super) fn abort(&mut self) -> Vec<Finished> {
        const WAS_RUNNING: &str = " Correction to the text above: this call was stopped while running, not refused \
             before it ran. It may have run in part or in full, and its changes may have been \
             written. No permission prompt was involved. Work it started elsewhere (a remote \
             command, a background process) may still be running, so check before starting the \
             same work again. The instruction to stop and wait still stands.";
        let rejected = |id: &str, text: String| Finished {
            block: json!({
                "type": "tool_result", "content": text, "is_error": true, "tool_use_id": id,
            }),
            for_host: "User rejected tool use".into(),
            meta: Some(json!({"id": id, "non_execution_kind": "user-rejected"})),
            denial: None,
            stops_turn: false,
            structured_output: None,
            interrupts: false,
        };
        let mut aborted: Vec<_> = self.finished.drain(..).collect();
        // Dropping a running call withdraws what it asked the host for.
        aborted.extend(
            self.running
                .drain(..)
                .map(|running| rejected(&running.id, format!("{REJECTED}{WAS_RUNNING}"))),
        );
        aborted.extend(self.waiting.drain(..).map(|call| rejected(&call.id, REJECTED.to_owned())));
        aborted
    }
}

const REJECTED: &str = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. \
     if it was a file edit, the new_string was NOT written to the file). STOP what you are doing and wait for \
     the user to tell you how to proceed.";

/// Runs one call, with its hooks around it.
async fn run(cli: Arc<Cli>, mut call: Call) -> Finished {
    if call.name == STRUCTURED_OUTPUT
        && let Some(schema) = cli.settings().json_schema
    {
        return structured_output(call, &schema);
    }
    if call.name == QUESTION && cli.config.permission_prompts {
        return question(&cli, &call).await;
    }
    let Some((server, tool)) = cli.tool(&call.name) else {
        let text = format!("Error: No such tool available: {}", call.name);
        let wrapped = format!("<tool_use_error>{text}</tool_use_error>");
        return Finished { meta: None, ..failed(&call, &wrapped, text) };
    };
    let mut is_allowed = is_allowed(&cli, &call.name);
    let mut stops_turn = false;
    let mut decided_by = json!({"source": "config", "reason_type": "mode"});
    for said in ask(&cli, &call, &server, "PreToolUse", json!({})).await {
        let output = match said {
            Said::Output(output) => output,
            Said::Failed => continue,
            Said::Refused => return denied_by_hook(&call, "the hook gave no answer"),
        };
        let specific = &output["hookSpecificOutput"];
        stops_turn |= output["continue"] == false;
        if specific["permissionDecision"] == "deny" || output["decision"] == "block" {
            let reason = specific["permissionDecisionReason"].as_str();
            let reason = reason.or(output["reason"].as_str()).unwrap_or("Blocked by hook");
            return denied_by_hook(&call, reason);
        }
        if specific["permissionDecision"] == "allow" {
            is_allowed = true;
            decided_by = json!({"source": "hook", "reason_type": "hook"});
        }
        if specific["updatedInput"].is_object() {
            call.input = specific["updatedInput"].clone();
        }
    }
    if !is_allowed {
        if !cli.config.permission_prompts {
            return not_allowed(&cli, &call);
        }
        let rule = json!({
            "type": "addRules",
            "rules": [{"toolName": call.name}],
            "behavior": "allow",
            "destination": "localSettings",
        });
        let fields = json!({
            "mcp_server": {"name": server.name, "source": "sdk"},
            "display_name": lines::display_name(&tool.name),
            "permission_suggestions": [rule],
        });
        match ask_permission(&cli, &call, fields).await {
            Ok(input) => call.input = input.unwrap_or(call.input),
            Err(no) => return no.into_finished(&call),
        }
        decided_by = json!({"source": "user_temporary"});
    }
    let request = server.call(&tool, &call.input, &call.id);
    let mut in_flight = InFlight { server: Arc::clone(&server), id: Some(request.id) };
    let answer = request.result().await;
    in_flight.id = None;
    let mut finished = finished(&call, &server.name, answer);
    finished.stops_turn = stops_turn;
    decided_by["decision"] = "accept".into();
    finished.meta = Some(json!({"id": call.id, "permission_decision": decided_by}));
    after(&cli, &call, &server, &mut finished).await;
    finished
}

/// Takes the value that the turn is to answer with. The real CLI checks the whole schema; this looks only
/// for what must be there.
fn structured_output(call: Call, schema: &Value) -> Finished {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if let Some(missing) = required.into_iter().find(|key| call.input.get(key).is_none()) {
        let text = format!(
            "Output does not match required schema: must have required property '{missing}'"
        );
        return failed(&call, &text, format!("Error: {text}"));
    }
    let content = json!("Structured output provided successfully");
    Finished {
        block: json!({"tool_use_id": call.id, "type": "tool_result", "content": content}),
        for_host: content,
        meta: None,
        denial: None,
        stops_turn: false,
        structured_output: Some(call.input),
        interrupts: false,
    }
}

/// Asks the hooks for a call that ran.
async fn after(cli: &Arc<Cli>, call: &Call, server: &Server, finished: &mut Finished) {
    let (event, fields) = if finished.block["is_error"] == true {
        let error = &finished.block["content"];
        ("PostToolUseFailure", json!({"error": error, "is_interrupt": false, "duration_ms": 1}))
    } else {
        ("PostToolUse", json!({"tool_response": finished.for_host, "duration_ms": 1}))
    };
    for said in ask(cli, call, server, event, fields).await {
        let Said::Output(output) = said else { continue };
        finished.stops_turn |= output["continue"] == false;
        let specific = &output["hookSpecificOutput"];
        for key in ["updatedMCPToolOutput", "updatedToolOutput"] {
            if event == "PostToolUse" && !specific[key].is_null() {
                finished.block["content"] = specific[key].clone();
                finished.for_host = specific[key].clone();
            }
        }
    }
}

async fn ask(
    cli: &Arc<Cli>,
    call: &Call,
    server: &Server,
    event: &str,
    fields: Value,
) -> Vec<Said> {
    let callbacks = cli.settings().hooks.callbacks(event, Some(&call.name));
    let mut input = call.hook_input.clone();
    input["hook_event_name"] = event.into();
    input["tool_name"] = call.name.as_str().into();
    input["tool_input"] = call.input.clone();
    input["tool_use_id"] = call.id.as_str().into();
    input["mcp_server"] = json!({"name": server.name, "source": "sdk"});
    if let (Value::Object(input), Value::Object(fields)) = (&mut input, fields) {
        input.extend(fields);
    }
    hooks::ask(&cli.peer, callbacks, &input, Some(&call.id)).await
}

fn is_allowed(cli: &Cli, name: &str) -> bool {
    let settings = cli.settings();
    if settings.permission_mode == "bypassPermissions" {
        return true;
    }
    let Some(rules) = settings.allowed_tools else { return true };
    rules.iter().any(|rule| {
        let server = rule.strip_suffix("__*").unwrap_or(rule);
        let of_server = name.strip_prefix(server).is_some_and(|rest| rest.starts_with("__"));
        name == *rule || of_server && server.starts_with("mcp__")
    })
}

/// The built-in tool that asks the user, which only runs through the host.
const QUESTION: &str = "AskUserQuestion";

/// Has a question of the model answered.
async fn question(cli: &Arc<Cli>, call: &Call) -> Finished {
    let fields = json!({"display_name": QUESTION, "requires_user_interaction": true});
    let input = match ask_permission(cli, call, fields).await {
        Ok(input) => input.unwrap_or_else(|| call.input.clone()),
        Err(no) => return no.into_finished(call),
    };
    let questions = input["questions"].as_array().cloned().unwrap_or_default();
    let answered = questions.iter().filter_map(|question| {
        let question = question["question"].as_str()?;
        let answer = input["answers"][question].as_str()?;
        let notes = input["annotations"][question]["notes"].as_str();
        let notes = notes.map(|notes| format!(" notes: {notes}")).unwrap_or_default();
        Some(format!("\"{question}\"=\"{answer}\"{notes}"))
    });
    // Source: the text of CLI 2.1.332.
    let text = format!(
        "The user answered: {}. Read the answers carefully — they may request clarification, changes, or \
         that you not proceed — and follow what they actually say.",
        answered.collect::<Vec<_>>().join(", ")
    );
    let decision = json!({"decision": "accept", "source": "user_temporary"});
    Finished {
        block: json!({"type": "tool_result", "content": text, "tool_use_id": call.id}),
        for_host: input,
        meta: Some(json!({"id": call.id, "permission_decision": decision})),
        denial: None,
        stops_turn: false,
        interrupts: false,
        structured_output: None,
    }
}

/// What the host says when it does not allow a call.
struct No {
    reason: String,
    /// The turn ends too.
    interrupts: bool,
}

impl No {
    fn into_finished(self, call: &Call) -> Finished {
        if self.interrupts {
            let meta = json!({"id": call.id, "non_execution_kind": "user-rejected"});
            return Finished {
                meta: Some(meta),
                for_host: "User rejected tool use".into(),
                interrupts: true,
                ..denied(call, REJECTED, "user-rejected", &Value::Null)
            };
        }
        let decision = json!({"decision": "reject", "source": "user_reject"});
        denied(call, &self.reason, "permission-rule", &decision)
    }
}

/// Asks the host for permission, with `fields` besides those of every call: gives the input that it wants
/// instead, or why it says no.
async fn ask_permission(cli: &Arc<Cli>, call: &Call, fields: Value) -> Result<Option<Value>, No> {
    let mut request = json!({
        "subtype": "can_use_tool",
        "tool_name": call.name,
        "input": call.input,
        "tool_use_id": call.id,
    });
    if let (Value::Object(request), Value::Object(fields)) = (&mut request, fields) {
        request.extend(fields);
    }
    let pending = cli.peer.request(&request);
    let withdrawal = Withdrawal::new(&cli.peer, &pending);
    let answer = pending.await;
    withdrawal.disarm();
    let no = |reason: String| No { reason, interrupts: false };
    let answer =
        answer.map_err(|error| no(format!("Tool permission request failed: Error: {error}")))?;
    let input = answer.get("updatedInput");
    match (answer["behavior"].as_str(), answer["message"].as_str()) {
        (Some("allow"), _) if input.is_none_or(Value::is_object) => {
            cli.update_permissions(answer["updatedPermissions"].as_array().unwrap_or(&Vec::new()));
            Ok(input.cloned())
        }
        (Some("deny"), Some(message)) => {
            Err(No { reason: message.to_owned(), interrupts: answer["interrupt"] == true })
        }
        _ => Err(no("The canUseTool callback returned an invalid permission result.".to_owned())),
    }
}

fn denied_by_hook(call: &Call, reason: &str) -> Finished {
    let text = format!("PreToolUse:{} hook error: {reason}", call.name);
    let decision = json!({"decision": "reject", "source": "hook", "reason_type": "hook"});
    denied(call, &text, "permission-rule", &decision)
}

fn not_allowed(cli: &Cli, call: &Call) -> Finished {
    let text = format!(
        "Claude requested permissions to use {}, but you haven't granted it yet.",
        call.name
    );
    let fields = json!({"tool_name": call.name, "tool_use_id": call.id, "message": text});
    cli.peer.send(&lines::system(cli, "permission_denied", fields));
    denied(call, &text, "user-rejected", &json!({"decision": "reject", "source": "config"}))
}

fn denied(call: &Call, text: &str, kind: &str, decision: &Value) -> Finished {
    Finished {
        meta: Some(json!({
            "id": call.id, "non_execution_kind": kind, "permission_decision": decision,
        })),
        denial: Some(json!({
            "tool_name": call.name, "tool_use_id": call.id, "tool_input": call.input,
        })),
        ..failed(call, text, format!("Error: {text}"))
    }
}

fn failed(call: &Call, text: &str, for_host: String) -> Finished {
    Finished {
        block: json!({
            "type": "tool_result", "content": text, "is_error": true, "tool_use_id": call.id,
        }),
        for_host: for_host.into(),
        meta: None,
        denial: None,
        stops_turn: false,
        structured_output: None,
        interrupts: false,
    }
}

/// Turns the answer to `tools/call` into what the model sees.
fn finished(call: &Call, server: &str, answer: Answer) -> Finished {
    let result = match answer {
        Ok(result) => result,
        Err(text) => return failed(call, &text, format!("Error: {text}")),
    };
    let content = match seen(server, &call.name, &result) {
        Ok(content) => content,
        Err(text) => return failed(call, &text, format!("Error: {text}")),
    };
    let structured = &result["structuredContent"];
    let for_host = match &content {
        Value::String(text) if structured.is_object() => {
            json!({"content": text, "structuredContent": structured})
        }
        // It was empty, and for the host it stays so.
        Value::String(_) => result["content"].as_array().cloned().unwrap_or_default().into(),
        blocks => blocks.clone(),
    };
    Finished {
        block: json!({"tool_use_id": call.id, "type": "tool_result", "content": content}),
        for_host,
        meta: None,
        denial: None,
        stops_turn: false,
        structured_output: None,
        interrupts: false,
    }
}

/// A call that the host works on, cancelled when it is dropped without an answer.
struct InFlight {
    server: Arc<Server>,
    id: Option<u64>,
}

impl Drop for InFlight {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            let params = json!({"requestId": id, "reason": "AbortError: remote-cancel"});
            drop(self.server.notify("notifications/cancelled", Some(params)));
        }
    }
}
