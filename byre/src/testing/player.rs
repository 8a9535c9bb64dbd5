//! Takes a script apart, reply by reply, into what the API would send.

use std::{collections::VecDeque, time::Duration};

use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    reply::{ApiError, Part, Reply},
    request::ModelRequest,
    script::{Script, Step},
};
use crate::wire::json::replace_lone_surrogates;

/// What a model without a reply says.
const NO_MORE: &str = "the script has no more replies";

/// What every reply is said to have cost: with the prices of `claude-opus-5-5`, $0.00014.
pub(crate) const INPUT_TOKENS: u64 = 10;
pub(crate) const OUTPUT_TOKENS: u64 = 5;

/// Plays a [`Script`]: gives the next reply to each request.
#[derive(Debug)]
pub(crate) struct Player {
    main: VecDeque<Step>,
    others: Vec<(String, VecDeque<Step>)>,
    /// Makes ids differ between the processes of one conversation.
    prefix: String,
    count: usize,
}

/// One step of an answer of the API, in the order in which the API streams it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Beat {
    /// An event of the stream.
    Event(Value),
    /// A block is complete. Comes before its `content_block_stop`, because that is when the CLI
    /// reports it.
    Block(Value),
    Wait(Duration),
    Hold,
    Cut,
    Error(ApiError),
}

/// One answer of the API.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Answer {
    /// The id of the message.
    pub(crate) id: String,
    pub(crate) beats: Vec<Beat>,
}

impl Player {
    pub(crate) fn new(script: Script) -> Self {
        let others =
            script.others.into_iter().map(|(text, script)| (text, script.replies.into())).collect();
        let mut prefix = Uuid::new_v4().simple().to_string();
        prefix.truncate(8);
        Self { main: script.replies.into(), others, prefix, count: 0 }
    }

    /// Answers a request of the main conversation.
    pub(crate) fn next(&mut self, request: &ModelRequest) -> Answer {
        let step = self.main.pop_front();
        self.answer(request, step)
    }

    /// Answers a request of any other conversation, of a subagent for example.
    pub(crate) fn next_of_other(&mut self, request: &ModelRequest) -> Answer {
        let step =
            match self.others.iter_mut().find(|(text, _)| request.first_prompt.contains(text)) {
                Some((_, replies)) => replies.pop_front(),
                None => Some(Step::Data(Reply::say("There is nothing to do."))),
            };
        self.answer(request, step)
    }

    /// Answers a request on the side, which expects nothing in particular.
    pub(crate) fn neutral(&mut self, request: &ModelRequest) -> Answer {
        self.answer(request, Some(Step::Data(Reply::say("ok"))))
    }

    fn answer(&mut self, request: &ModelRequest, step: Option<Step>) -> Answer {
        let reply = match step {
            Some(Step::Data(reply)) => reply,
            Some(Step::With(reply)) => reply(request),
            None => Reply::say(NO_MORE),
        };
        let number = self.count;
        self.count += 1;
        let mut stream = Stream {
            id: format!("msg_{}_{number}", self.prefix),
            call_prefix: format!("toolu_{}_{number}", self.prefix),
            beats: Vec::new(),
            open_text: None,
            blocks: 0,
            calls: false,
        };
        for part in reply.parts {
            stream.play(part, request);
        }
        stream.finish(&request.model);
        Answer { id: stream.id, beats: stream.beats }
    }
}

/// Turns the parts of a reply into the events of a stream.
struct Stream {
    id: String,
    call_prefix: String,
    beats: Vec<Beat>,
    /// The text block that further pieces belong to.
    open_text: Option<String>,
    blocks: usize,
    calls: bool,
}

impl Stream {
    fn play(&mut self, part: Part, request: &ModelRequest) {
        match part {
            Part::Say(text) => {
                self.close_text();
                self.start(&request.model, &json!({"type": "text", "text": ""}));
                self.open_text = Some(String::new());
                self.text(&fill(&text, request));
            }
            Part::More(text) if self.open_text.is_some() => self.text(&fill(&text, request)),
            Part::More(text) => self.play(Part::Say(text), request),
            Part::Think(text) => {
                let text = fill(&text, request);
                let empty = json!({"type": "thinking", "thinking": "", "signature": ""});
                let signature = "c2NyaXB0ZWQ=";
                self.close_text();
                self.start(&request.model, &empty);
                self.delta(&json!({"type": "thinking_delta", "thinking": text}));
                self.delta(&json!({"type": "signature_delta", "signature": signature}));
                self.stop(json!({"type": "thinking", "thinking": text, "signature": signature}));
            }
            Part::Call { name, arguments } => {
                let input = fill_all(arguments, request);
                self.call(request, &name, &input.to_string(), &input);
            }
            Part::CallJson { name, json } => {
                let input = serde_json::from_str(&replace_lone_surrogates(json.clone()));
                self.call(request, &name, &json, &input.unwrap_or_else(|_| json!({})));
            }
            Part::WaitMs(ms) => self.beats.push(Beat::Wait(Duration::from_millis(ms))),
            Part::Hold => self.beats.push(Beat::Hold),
            Part::Cut => self.beats.push(Beat::Cut),
            Part::Error(error) => self.beats.push(Beat::Error(error)),
        }
    }

    fn call(&mut self, request: &ModelRequest, tool: &str, json: &str, input: &Value) {
        self.close_text();
        let name = request.resolve(tool);
        let id = format!("{}_{}", self.call_prefix, self.blocks);
        let block =
            |input: &Value| json!({"type": "tool_use", "id": id, "name": name, "input": input});
        self.calls = true;
        self.start(&request.model, &block(&json!({})));
        self.delta(&json!({"type": "input_json_delta", "partial_json": json}));
        self.stop(block(input));
    }

    /// Ends the message, unless the reply ended otherwise.
    fn finish(&mut self, model: &str) {
        if let Some(Beat::Error(_) | Beat::Cut | Beat::Hold) = self.beats.last() {
            return;
        }
        self.close_text();
        self.start_message(model);
        let reason = if self.calls { "tool_use" } else { "end_turn" };
        self.event(json!({
            "type": "message_delta",
            "delta": {"stop_reason": reason, "stop_sequence": null},
            "usage": {"output_tokens": OUTPUT_TOKENS},
        }));
        self.event(json!({"type": "message_stop"}));
    }

    fn start_message(&mut self, model: &str) {
        if !self.beats.iter().any(|beat| matches!(beat, Beat::Event(_))) {
            self.event(json!({"type": "message_start", "message": message(&self.id, model)}));
        }
    }

    fn start(&mut self, model: &str, block: &Value) {
        self.start_message(model);
        let index = self.blocks;
        self.event(json!({"type": "content_block_start", "index": index, "content_block": block}));
    }

    fn text(&mut self, text: &str) {
        if let Some(open) = &mut self.open_text {
            open.push_str(text);
        }
        self.delta(&json!({"type": "text_delta", "text": text}));
    }

    fn delta(&mut self, delta: &Value) {
        let index = self.blocks;
        self.event(json!({"type": "content_block_delta", "index": index, "delta": delta}));
    }

    fn close_text(&mut self) {
        if let Some(text) = self.open_text.take() {
            self.stop(json!({"type": "text", "text": text}));
        }
    }

    fn stop(&mut self, block: Value) {
        self.beats.push(Beat::Block(block));
        let index = self.blocks;
        self.event(json!({"type": "content_block_stop", "index": index}));
        self.blocks += 1;
    }

    fn event(&mut self, event: Value) {
        self.beats.push(Beat::Event(event));
    }
}

/// The message that a stream starts with: no content yet.
pub(crate) fn message(id: &str, model: &str) -> Value {
    json!({
        "id": id,
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": null,
        "stop_sequence": null,
        "usage": {
            "input_tokens": INPUT_TOKENS,
            "output_tokens": 1,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        },
    })
}

/// Puts results of tools in the place of `{result}` and `{result:0}`.
fn fill(text: &str, request: &ModelRequest) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("{result") {
        filled.push_str(&rest[..at]);
        rest = &rest[at..];
        let value = rest.find('}').and_then(|end| {
            let result = match &rest["{result".len()..end] {
                "" => request.tool_results.last(),
                index => request.tool_results.get(index.strip_prefix(':')?.parse::<usize>().ok()?),
            };
            Some((result?.text.as_str(), end + 1))
        });
        let (text, len) = value.unwrap_or(("{", 1));
        filled.push_str(text);
        rest = &rest[len..];
    }
    filled.push_str(rest);
    filled
}

fn fill_all(value: Value, request: &ModelRequest) -> Value {
    match value {
        Value::String(text) => fill(&text, request).into(),
        Value::Array(items) => items.into_iter().map(|item| fill_all(item, request)).collect(),
        Value::Object(fields) => {
            fields.into_iter().map(|(key, value)| (key, fill_all(value, request))).collect()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests;
