//! One turn after the other: what the model says, what the tools answer, how it ends.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::time::{self, Instant};
use uuid::Uuid;

use super::{
    end::{End, Refusal},
    engine::{Cli, Prompt},
    hooks::{self, Said},
    lines::{self, ApiFailure},
    tools::{Call, Calls, Finished},
};
use crate::testing::{
    player::{Beat, Player},
    request::ModelRequest,
};

/// So often in one turn a `Stop` hook is obeyed. Source: CLI 2.1.332.
const STOP_BLOCKS: usize = 8;

/// The conversation, over all turns.
pub(super) struct Conversation {
    pub(super) cli: Arc<Cli>,
    player: Player,
    /// The messages, as the API has them.
    history: Vec<Value>,
    pub(super) results: u64,
    /// How often the model has answered.
    pub(super) requests: u64,
    pub(super) last_was_error: bool,
}

/// One turn. Not part of the future that plays it, so that an interrupt finds it as it is.
pub(super) struct Turn {
    pub(super) prompts: Vec<String>,
    /// Messages that came while the turn ran, and that it took up.
    pub(super) folded: Vec<String>,
    prompt_id: String,
    pub(super) started: Instant,
    /// How many lines stood in the user's place, which `num_turns` counts.
    pub(super) user_lines: u64,
    pub(super) requests: u64,
    pub(super) denials: Vec<Value>,
    /// What the model said last.
    pub(super) text: String,
    pub(super) stop_reason: Value,
    calls: Calls,
    /// The results of the calls of this message, in the order in which they came.
    tool_results: Vec<Value>,
    message: Message,
    is_asking_stop_hooks: bool,
}

/// The message that the model writes.
#[derive(Default)]
struct Message {
    id: String,
    is_open: bool,
    block: Option<u64>,
    /// The text of the block that is not complete.
    text: String,
}

impl Conversation {
    pub(super) fn new(cli: Arc<Cli>, player: Player) -> Self {
        Self { cli, player, history: Vec::new(), results: 0, requests: 0, last_was_error: false }
    }

    /// Plays one turn, unless it is interrupted.
    pub(super) async fn turn(&mut self, prompts: Vec<Prompt>) {
        let cli = Arc::clone(&self.cli);
        let mut turn = Turn::new(&prompts);
        for uuid in &turn.prompts {
            cli.peer.send(&lines::lifecycle(&cli, uuid, "started"));
        }
        let end = tokio::select! {
            biased;
            id = cli.queue.interrupt() => {
                // The calls first: the host hears of them before the interrupt is answered.
                let aborted = turn.calls.abort();
                cli.answer_interrupt(&id);
                self.interrupted(&mut turn, aborted)
            }
            end = self.play(&mut turn, &prompts) => end,
        };
        self.finish(&turn, &end);
    }

    async fn play(&mut self, turn: &mut Turn, prompts: &[Prompt]) -> End {
        let refusal = self.take_prompts(turn, prompts).await;
        self.cli.has_played.store(true, Ordering::Relaxed);
        self.send(&lines::init(&self.cli));
        if let Some(refusal) = refusal {
            return refusal;
        }
        let mut blocks = 0;
        loop {
            if let Some(end) = self.reply(turn).await {
                return end;
            }
            if !turn.tool_results.is_empty() {
                self.flush_tool_results(turn);
                self.fold(turn);
                continue;
            }
            let Some(feedback) = self.ask_stop_hooks(turn, blocks > 0).await else {
                return End::Stopped("stop_hook_prevented");
            };
            if feedback.is_empty() {
                return End::Completed;
            }
            for text in feedback {
                self.say_as_user(turn, &text, json!({"isSynthetic": true}));
            }
            blocks += 1;
            if blocks > STOP_BLOCKS {
                let text = format!(
                    "A hook blocked the turn from ending {blocks} consecutive times—overriding \
                     and ending turn."
                );
                self.send_informational(&text, json!({}));
                self.send_notification("stop-hook-block-cap", &text);
                turn.text.clear();
                return End::Completed;
            }
            if blocks == 1 {
                self.send_notification("stop-hook-error", "stop hook problem · ctrl+o to see");
            }
        }
    }

    /// Shows the prompts to the hooks and, if they agree, to the model.
    async fn take_prompts(&mut self, turn: &mut Turn, prompts: &[Prompt]) -> Option<End> {
        let content = join(prompts);
        let text = plain_text(&content);
        let callbacks = self.cli.settings().hooks.callbacks("UserPromptSubmit", None);
        let mut input = self.hook_input(turn, "UserPromptSubmit");
        input["prompt"] = text.as_str().into();
        for said in hooks::ask(&self.cli.peer, callbacks, &input, None).await {
            if let Some(refusal) = Refusal::read(&said, &text) {
                return Some(End::Refused(refusal));
            }
        }
        match content {
            Value::Array(blocks) => {
                for block in blocks {
                    self.remember("user", block);
                }
            }
            text => self.remember("user", json!({"type": "text", "text": text})),
        }
        None
    }

    /// Plays one reply of the model, and waits for the tools that it calls.
    async fn reply(&mut self, turn: &mut Turn) -> Option<End> {
        let request = self.model_request();
        self.cli.recorder.request(&request);
        if self.cli.config.partial_messages {
            self.send_system("status", json!({"status": "requesting"}));
        }
        let answer = self.player.next(&request);
        turn.message = Message { id: answer.id, ..Message::default() };
        turn.text.clear();
        let mut call = None;
        for beat in answer.beats {
            match beat {
                Beat::Event(event) => {
                    let is_stop = event["type"] == "content_block_stop";
                    self.stream(turn, &event);
                    if is_stop && let Some(call) = call.take() {
                        turn.calls.push(call);
                        turn.calls.start(&self.cli).await;
                    }
                }
                Beat::Block(block) => {
                    self.send(&lines::assistant(&self.cli, &turn.message.id, &block));
                    turn.message.text.clear();
                    if let Some(text) = block["text"].as_str() {
                        text.clone_into(&mut turn.text);
                    }
                    if block["type"] == "tool_use" {
                        let input = self.hook_input(turn, "");
                        call = Some(Call::new(&self.cli, &block, input));
                    }
                    self.remember("assistant", block);
                }
                Beat::Wait(pause) => self.pause(turn, pause).await,
                Beat::Hold => self.pause(turn, Duration::MAX).await,
                Beat::Cut => break,
                Beat::Error(error) => {
                    return Some(End::ApiError(Box::new(ApiFailure::new(&error))));
                }
            }
        }
        self.count_request(turn);
        let mut stops = false;
        let mut value = None;
        while let Some(mut finished) = turn.calls.next().await {
            stops |= finished.stops_turn;
            value = finished.structured_output.take().or(value);
            if finished.interrupts {
                let mut aborted = vec![finished];
                aborted.extend(turn.calls.abort());
                return Some(self.interrupted(turn, aborted));
            }
            self.finish_call(turn, finished).await;
        }
        match value {
            Some(value) => Some(End::Structured(value)),
            None => stops.then_some(End::Stopped("hook_stopped")),
        }
    }

    /// Lets time pass in the middle of a message. Tools that were called run on.
    async fn pause(&mut self, turn: &mut Turn, pause: Duration) {
        let until = time::sleep(pause);
        let mut until = std::pin::pin!(until);
        loop {
            let is_running = !turn.calls.is_empty();
            tokio::select! {
                () = &mut until => return,
                Some(finished) = turn.calls.next(), if is_running => {
                    self.finish_call(turn, finished).await;
                }
            }
        }
    }

    /// Notes an event of the stream, and passes it on if the host wants to see it.
    fn stream(&mut self, turn: &mut Turn, event: &Value) {
        let message = &mut turn.message;
        match event["type"].as_str().unwrap_or_default() {
            "message_start" => message.is_open = true,
            "content_block_start" => message.block = event["index"].as_u64(),
            "content_block_delta" => {
                message.text.push_str(event["delta"]["text"].as_str().unwrap_or_default());
            }
            "content_block_stop" => message.block = None,
            "message_delta" => turn.stop_reason = event["delta"]["stop_reason"].clone(),
            "message_stop" => message.is_open = false,
            _ => {}
        }
        if self.cli.config.partial_messages {
            self.send(&lines::stream_event(&self.cli, &turn.message.id, event));
        }
    }

    async fn finish_call(&mut self, turn: &mut Turn, finished: Finished) {
        self.send_result_of_call(turn, finished);
        turn.calls.start(&self.cli).await;
    }

    fn send_result_of_call(&mut self, turn: &mut Turn, finished: Finished) {
        let mut fields = json!({"tool_use_result": finished.for_host});
        if let Some(meta) = finished.meta {
            fields["tool_result_meta"] = json!([meta]);
        }
        self.send(&lines::user(&self.cli, &finished.block, fields));
        turn.user_lines += 1;
        turn.denials.extend(finished.denial);
        turn.tool_results.push(finished.block);
    }

    /// Puts the results of a whole message into the conversation, once the message is complete.
    fn flush_tool_results(&mut self, turn: &mut Turn) {
        for block in turn.tool_results.drain(..) {
            self.remember("user", block);
        }
    }

    /// Takes up messages that came while tools ran.
    fn fold(&mut self, turn: &mut Turn) {
        for prompt in self.cli.queue.take_for_running_turn() {
            if let Some(uuid) = prompt.uuid {
                self.send(&lines::lifecycle(&self.cli, &uuid, "started"));
                turn.folded.push(uuid);
            }
            let text = format!(
                "The user sent a new message while you were working:\n{}",
                plain_text(&prompt.content)
            );
            self.remember("user", json!({"type": "text", "text": text}));
        }
    }

    /// Asks the `Stop` hooks: `None` ends the turn, texts go to the model.
    async fn ask_stop_hooks(&mut self, turn: &mut Turn, is_active: bool) -> Option<Vec<String>> {
        let callbacks = self.cli.settings().hooks.callbacks("Stop", None);
        let mut input = self.hook_input(turn, "Stop");
        input["stop_hook_active"] = is_active.into();
        input["last_assistant_message"] = turn.text.as_str().into();
        input["background_tasks"] = json!([]);
        input["session_crons"] = json!([]);
        let mut feedback = Vec::new();
        turn.is_asking_stop_hooks = true;
        let said = hooks::ask(&self.cli.peer, callbacks, &input, None).await;
        turn.is_asking_stop_hooks = false;
        for said in said {
            let Said::Output(output) = said else { continue };
            if output["continue"] == false {
                return None;
            }
            if output["decision"] == "block" {
                let reason = output["reason"].as_str().unwrap_or("Blocked by hook");
                feedback.push(format!("Stop hook feedback:\n{reason}"));
            }
            if let Some(text) = output["hookSpecificOutput"]["additionalContext"].as_str() {
                feedback.push(text.to_owned());
            }
        }
        Some(feedback)
    }

    fn hook_input(&self, turn: &Turn, event: &str) -> Value {
        let config = &self.cli.config;
        json!({
            "session_id": config.session_id,
            "transcript_path": format!("{}/{}.jsonl", config.cwd, config.session_id),
            "cwd": config.cwd,
            "prompt_id": turn.prompt_id,
            "permission_mode": self.cli.settings().permission_mode,
            "effort": {"level": "medium"},
            "hook_event_name": event,
        })
    }

    /// Ends a turn in the middle.
    fn interrupted(&mut self, turn: &mut Turn, aborted: Vec<Finished>) -> End {
        if turn.is_asking_stop_hooks {
            return End::Completed;
        }
        let was_writing = turn.message.is_open || aborted.is_empty();
        for finished in aborted {
            self.send_result_of_call(turn, finished);
        }
        self.flush_tool_results(turn);
        if !was_writing {
            self.say_as_user(turn, "[Request interrupted by user for tool use]", json!({}));
            return End::Interrupted("aborted_tools");
        }
        if !turn.message.text.is_empty() {
            let block = json!({"type": "text", "text": turn.message.text});
            let mut line = lines::assistant(&self.cli, &turn.message.id, &block);
            line["aborted"] = true.into();
            self.send(&line);
            self.remember("assistant", block);
        }
        self.say_as_user(turn, "[Request interrupted by user]", json!({}));
        if turn.message.is_open {
            self.count_request(turn);
            if let Some(index) = turn.message.block {
                self.stream(turn, &json!({"type": "content_block_stop", "index": index}));
            }
            let delta = json!({"stop_reason": null, "stop_sequence": null});
            self.stream(turn, &json!({"type": "message_delta", "delta": delta}));
            self.stream(turn, &json!({"type": "message_stop"}));
        }
        End::Interrupted("aborted_streaming")
    }

    /// Says something to the model in the user's place.
    fn say_as_user(&mut self, turn: &mut Turn, text: &str, fields: Value) {
        let block = json!({"type": "text", "text": text});
        self.send(&lines::user(&self.cli, &block, fields));
        turn.user_lines += 1;
        self.remember("user", block);
    }

    /// Makes the request that the real CLI would send to the API.
    fn model_request(&self) -> ModelRequest {
        let tools: Vec<_> = self
            .cli
            .servers
            .iter()
            .flat_map(|server| server.state().tools)
            .map(|tool| {
                json!({
                    "name": tool.full_name,
                    "description": tool.description,
                    "input_schema": tool.schema,
                })
            })
            .collect();
        ModelRequest::from_body(json!({
            "model": self.cli.settings().model,
            "stream": true,
            "messages": self.history,
            "tools": tools,
        }))
    }

    fn count_request(&mut self, turn: &mut Turn) {
        self.requests += 1;
        turn.requests += 1;
    }

    /// Adds a block to the conversation.
    fn remember(&mut self, role: &str, block: Value) {
        match self.history.last_mut() {
            Some(last) if last["role"] == role => {
                if let Some(blocks) = last["content"].as_array_mut() {
                    blocks.push(block);
                }
            }
            _ => self.history.push(json!({"role": role, "content": [block]})),
        }
    }

    pub(super) fn send(&self, line: &Value) {
        self.cli.peer.send(line);
    }

    fn send_system(&self, subtype: &str, fields: Value) {
        self.send(&lines::system(&self.cli, subtype, fields));
    }

    pub(super) fn send_informational(&self, text: &str, mut fields: Value) {
        fields["content"] = text.into();
        fields["level"] = "warning".into();
        self.send_system("informational", fields);
    }

    fn send_notification(&self, key: &str, text: &str) {
        let fields = json!({"key": key, "text": text, "priority": "immediate"});
        self.send_system("notification", fields);
    }
}

impl Turn {
    fn new(prompts: &[Prompt]) -> Self {
        Self {
            prompts: prompts.iter().filter_map(|prompt| prompt.uuid.clone()).collect(),
            folded: Vec::new(),
            prompt_id: Uuid::new_v4().to_string(),
            started: Instant::now(),
            user_lines: 0,
            requests: 0,
            denials: Vec::new(),
            text: String::new(),
            stop_reason: Value::Null,
            calls: Calls::default(),
            tool_results: Vec::new(),
            message: Message::default(),
            is_asking_stop_hooks: false,
        }
    }
}

/// Joins prompts that are one turn: texts by a line break, blocks as they are.
fn join(prompts: &[Prompt]) -> Value {
    if prompts.iter().all(|prompt| !prompt.content.is_array()) {
        let texts: Vec<_> = prompts.iter().map(|prompt| plain_text(&prompt.content)).collect();
        return texts.join("\n").into();
    }
    let blocks = prompts.iter().flat_map(|prompt| match &prompt.content {
        Value::Array(blocks) => blocks.clone(),
        content => vec![json!({"type": "text", "text": plain_text(content)})],
    });
    blocks.collect()
}

fn plain_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts: Vec<_> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}
