//! Puts messages together while the model writes them.

use std::{borrow::Cow, mem};

use serde::Serialize;
use serde_json::Value;

use super::{
    Agent, AssistantEvent, ContentBlock, Delta, Event, Message, MessageStreamEvent, StopReason,
    StreamEvent, SystemEvent, Usage,
};

/// How many agents may write at once before the oldest is given up: far more than the CLI runs.
const MAX_OPEN: usize = 256;

/// What has changed about a message.
///
/// Serialises to `{"agent":null,"message_id":"msg_0","type":"text","index":0,"delta":"…",…}`.
///
/// # Example
///
/// ```
/// use byre::event::{Agent, Update};
///
/// fn is_main(update: &Update<'_>) -> bool {
///     *update.agent == Agent::Main
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Update<'a> {
    /// Who writes it.
    pub agent: &'a Agent,
    /// The API's id of the message; empty where the CLI did not say.
    pub message_id: &'a str,
    /// What has changed.
    #[serde(flatten)]
    pub change: Change<'a>,
}

/// What has changed about a message; part of an [`Update`].
///
/// Each message starts and finishes once, and so does each of its blocks; `index` counts the blocks from
/// 0.
///
/// # Example
///
/// ```
/// use byre::event::Change;
///
/// fn print(change: &Change<'_>) {
///     if let Change::Text { delta, .. } = change {
///         print!("{delta}");
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Change<'a> {
    /// The message starts.
    MessageStarted {
        /// The model that writes it.
        model: Option<&'a str>,
    },
    /// A block starts.
    BlockStarted {
        /// Which block.
        index: u64,
        /// What the block is: empty yet, but a tool call has its id and its name. Without partial
        /// messages, the whole block.
        block: &'a ContentBlock,
    },
    /// A text grows.
    Text {
        /// Which block.
        index: u64,
        /// By what.
        delta: &'a str,
        /// All of it so far.
        snapshot: &'a str,
    },
    /// A thought grows.
    Thinking {
        /// Which block.
        index: u64,
        /// By what.
        delta: &'a str,
        /// All of it so far.
        snapshot: &'a str,
    },
    /// The JSON text of a tool call's arguments grows.
    ToolInput {
        /// Which block.
        index: u64,
        /// By what.
        delta: &'a str,
        /// All of it so far; not whole yet, so mostly not valid JSON.
        snapshot: &'a str,
    },
    /// A block is finished.
    BlockFinished {
        /// Which block.
        index: u64,
        /// The block as the CLI sent it, or as far as it had come.
        block: Cow<'a, ContentBlock>,
        /// It is whole; `false` where it was cut off.
        is_complete: bool,
    },
    /// The message is finished.
    MessageFinished {
        /// Why the model stopped; `None` where it was cut off, and without partial messages.
        stop_reason: Option<&'a StopReason>,
        /// What the message took; without partial messages a first guess.
        usage: &'a Usage,
        /// It is whole; `false` where it was cut off.
        is_complete: bool,
    },
}

/// Puts messages together while the model writes them, for all agents of a session.
///
/// Fed with the events of a session, it tells what changes about messages, and nothing twice: what
/// the [`Assistant`](Event::Assistant) event repeats of the pieces before is the end of the block. Without
/// partial messages it tells the same, a block at a time.
///
/// It holds the messages that are being written, and no others.
///
/// # Example
///
/// ```
/// use byre::event::{Assembler, Change};
///
/// # async fn run(session: &mut byre::Session) -> byre::Result<()> {
/// let mut assembler = Assembler::default();
/// let mut turn = session.prompt("Tell me a story.");
/// while let Some(event) = turn.next().await {
///     for update in assembler.push(&event?) {
///         match update.change {
///             Change::Text { delta, .. } => print!("{delta}"),
///             Change::MessageFinished { .. } => println!(),
///             _ => {}
///         }
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Assembler {
    /// In the order of their start. Those that are over stay until the next event, since updates borrow
    /// from them.
    open: Vec<Open>,
}

/// A message that is being written.
#[derive(Clone, Debug, Default)]
struct Open {
    agent: Agent,
    id: String,
    model: Option<String>,
    /// It comes in pieces.
    is_streamed: bool,
    blocks: Vec<Block>,
    stop_reason: Option<StopReason>,
    usage: Usage,
    is_over: bool,
}

#[derive(Clone, Debug)]
struct Block {
    index: u64,
    start: ContentBlock,
    /// The text, thought, or JSON so far. Empty again once the block is finished.
    text: String,
    signature: String,
    citations: Vec<Value>,
    is_finished: bool,
    /// Its `assistant` event has come.
    is_confirmed: bool,
}

/// An [`Update`] that is yet to borrow what it tells, by the places of message and block.
enum Step<'a> {
    MessageStarted(usize),
    BlockStarted(usize, usize),
    BlockGrown(usize, usize, Kind, usize),
    BlockFinished(usize, usize, Cow<'a, ContentBlock>, bool),
    MessageFinished(usize, bool),
}

#[derive(Clone, Copy)]
enum Kind {
    Text,
    Thinking,
    ToolInput,
}

impl Assembler {
    /// Looks at the next event, and tells what has changed, in order.
    ///
    /// # Example
    ///
    /// ```
    /// # fn run(assembler: &mut byre::event::Assembler, event: &byre::Event) {
    /// for update in assembler.push(event) {
    ///     println!("{update:?}");
    /// }
    /// # }
    /// ```
    #[must_use = "the updates come only once"]
    pub fn push<'a>(&'a mut self, event: &'a Event) -> Vec<Update<'a>> {
        self.open.retain(|message| !message.is_over);
        let mut steps = Vec::new();
        match event {
            Event::Stream(event) => self.on_piece(event, &mut steps),
            Event::Assistant(event) => self.on_blocks(event, &mut steps),
            // A turn is over, and so is what the main agent writes.
            Event::Result(_) => self.end(&mut steps, |message| message.agent == Agent::Main),
            Event::System(SystemEvent::TaskNotification(task)) => {
                if let Some(call) = &task.tool_use_id {
                    let agent = Agent::Subagent(call.clone());
                    self.end(&mut steps, |message| message.agent == agent);
                }
            }
            Event::ConversationReset(_) => self.end(&mut steps, |_| true),
            _ => {}
        }
        let this = &*self;
        steps.into_iter().map(|step| this.update(step)).collect()
    }

    fn on_piece(&mut self, event: &StreamEvent, steps: &mut Vec<Step<'_>>) {
        let agent = event.parent_tool_use_id.as_deref();
        if let MessageStreamEvent::MessageStart(message) = &event.event {
            self.end(steps, |open| open.agent.parent_tool_use_id() == agent);
            self.start(agent, message, true, steps);
            return;
        }
        let Some(at) = self.find(agent) else {
            return; // Fed from the middle of a message: the rest of it makes no sense.
        };
        let message = &mut self.open[at];
        match &event.event {
            MessageStreamEvent::BlockStart { index, block } => {
                steps.push(Step::BlockStarted(at, message.add(*index, ContentBlock::clone(block))));
            }
            MessageStreamEvent::BlockDelta { index, delta } => {
                if let Some((block, kind, from)) = message.grow(*index, delta) {
                    steps.push(Step::BlockGrown(at, block, kind, from));
                }
            }
            MessageStreamEvent::BlockStop { index } => {
                let block = message.blocks.iter().position(|block| block.index == *index);
                if let Some(block) = block.filter(|block| !message.blocks[*block].is_finished) {
                    let whole = Cow::Owned(message.blocks[block].finish());
                    steps.push(Step::BlockFinished(at, block, whole, true));
                }
            }
            MessageStreamEvent::MessageDelta(delta) => {
                message.stop_reason.clone_from(&delta.delta.stop_reason);
                if let Some(usage) = &delta.usage {
                    message.usage.update(usage);
                }
            }
            MessageStreamEvent::MessageStop => self.finish(at, true, steps),
            _ => {}
        }
    }

    fn on_blocks<'a>(&mut self, event: &'a AssistantEvent, steps: &mut Vec<Step<'a>>) {
        let agent = event.parent_tool_use_id.as_deref();
        let id = event.message.id.as_deref().unwrap_or_default();
        let at = match self.find(agent) {
            Some(at) if self.open[at].id == id => at,
            found => {
                if let Some(at) = found {
                    let is_complete = !self.open[at].is_streamed;
                    self.finish(at, is_complete, steps);
                }
                self.start(agent, &event.message, false, steps)
            }
        };
        let message = &mut self.open[at];
        for content in &event.message.content {
            let block = match message.confirm(content) {
                // It was finished by `content_block_stop` before.
                Some(block) if message.blocks[block].is_finished => continue,
                Some(block) => block,
                None => {
                    let index = message.blocks.last().map_or(0, |block| block.index + 1);
                    let block = message.add(index, content.clone());
                    message.blocks[block].is_confirmed = true;
                    steps.push(Step::BlockStarted(at, block));
                    block
                }
            };
            message.blocks[block].close();
            let content = Cow::Borrowed(content);
            steps.push(Step::BlockFinished(at, block, content, !event.aborted));
        }
        if !message.is_streamed {
            message.stop_reason.clone_from(&event.message.stop_reason);
        }
    }

    fn find(&self, agent: Option<&str>) -> Option<usize> {
        let is_of = |open: &Open| !open.is_over && open.agent.parent_tool_use_id() == agent;
        self.open.iter().position(is_of)
    }

    fn start(
        &mut self,
        agent: Option<&str>,
        message: &Message,
        is_streamed: bool,
        steps: &mut Vec<Step<'_>>,
    ) -> usize {
        if self.open.len() >= MAX_OPEN
            && let Some(oldest) = self.open.iter().position(|open| !open.is_over)
        {
            self.finish(oldest, false, steps);
        }
        self.open.push(Open {
            agent: Agent::from(agent),
            id: message.id.clone().unwrap_or_default(),
            model: message.model.clone(),
            is_streamed,
            usage: message.usage.clone().unwrap_or_default(),
            ..Open::default()
        });
        let at = self.open.len() - 1;
        steps.push(Step::MessageStarted(at));
        at
    }

    /// Ends the messages that nothing more will come of. Those that came in pieces were cut off.
    fn end(&mut self, steps: &mut Vec<Step<'_>>, is_over: impl Fn(&Open) -> bool) {
        for at in 0..self.open.len() {
            if !self.open[at].is_over && is_over(&self.open[at]) {
                let is_complete = !self.open[at].is_streamed;
                self.finish(at, is_complete, steps);
            }
        }
    }

    fn finish(&mut self, at: usize, is_complete: bool, steps: &mut Vec<Step<'_>>) {
        let message = &mut self.open[at];
        message.is_over = true;
        for (place, block) in message.blocks.iter_mut().enumerate() {
            if !block.is_finished {
                let so_far = Cow::Owned(block.finish());
                steps.push(Step::BlockFinished(at, place, so_far, false));
            }
        }
        steps.push(Step::MessageFinished(at, is_complete));
    }

    fn update<'a>(&'a self, step: Step<'a>) -> Update<'a> {
        let (at, change) = match step {
            Step::MessageStarted(at) => {
                (at, Change::MessageStarted { model: self.open[at].model.as_deref() })
            }
            Step::BlockStarted(at, block) => {
                let Block { index, start, .. } = &self.open[at].blocks[block];
                (at, Change::BlockStarted { index: *index, block: start })
            }
            Step::BlockGrown(at, block, kind, from) => {
                let Block { index, text: snapshot, .. } = &self.open[at].blocks[block];
                let (index, delta) = (*index, &snapshot[from..]);
                let change = match kind {
                    Kind::Text => Change::Text { index, delta, snapshot },
                    Kind::Thinking => Change::Thinking { index, delta, snapshot },
                    Kind::ToolInput => Change::ToolInput { index, delta, snapshot },
                };
                (at, change)
            }
            Step::BlockFinished(at, block, content, is_complete) => {
                let index = self.open[at].blocks[block].index;
                (at, Change::BlockFinished { index, block: content, is_complete })
            }
            Step::MessageFinished(at, is_complete) => {
                let Open { stop_reason, usage, .. } = &self.open[at];
                let stop_reason = stop_reason.as_ref();
                (at, Change::MessageFinished { stop_reason, usage, is_complete })
            }
        };
        let Open { agent, id, .. } = &self.open[at];
        Update { agent, message_id: id, change }
    }
}

impl Open {
    fn add(&mut self, index: u64, start: ContentBlock) -> usize {
        self.blocks.push(Block {
            index,
            start,
            text: String::new(),
            signature: String::new(),
            citations: Vec::new(),
            is_finished: false,
            is_confirmed: false,
        });
        self.blocks.len() - 1
    }

    /// Adds to a block, and tells which, what of it, and from where. The block that grows is mostly the
    /// last one.
    fn grow(&mut self, index: u64, delta: &Delta) -> Option<(usize, Kind, usize)> {
        let at = self.blocks.iter().rposition(|block| block.index == index)?;
        let block = &mut self.blocks[at];
        if block.is_finished {
            return None;
        }
        let (kind, text) = match delta {
            Delta::Text(text) => (Kind::Text, text),
            Delta::Thinking(text) => (Kind::Thinking, text),
            Delta::ToolInput(text) => (Kind::ToolInput, text),
            Delta::Signature(signature) => {
                block.signature.push_str(signature);
                return None;
            }
            Delta::Citation(citation) => {
                block.citations.push(Value::clone(citation));
                return None;
            }
            Delta::Other(_) => return None,
        };
        let from = block.text.len();
        block.text.push_str(text);
        Some((at, kind, from))
    }

    /// Finds the block whose whole `content` is: the first one of its kind that it can be.
    fn confirm(&mut self, content: &ContentBlock) -> Option<usize> {
        let kind = mem::discriminant(content);
        let is_it = |block: &Block| !block.is_confirmed && mem::discriminant(&block.start) == kind;
        let at = self.blocks.iter().position(is_it)?;
        self.blocks[at].is_confirmed = true;
        Some(at)
    }
}

impl Block {
    /// Marks it as finished, and frees what it has held.
    fn close(&mut self) {
        self.is_finished = true;
        (self.text, self.signature, self.citations) = Default::default();
    }

    /// Finishes it with what has come so far.
    fn finish(&mut self) -> ContentBlock {
        let mut block = self.start.raw().to_value();
        let text = mem::take(&mut self.text);
        match self.start {
            ContentBlock::Text(_) => {
                block["text"] = text.into();
                if !self.citations.is_empty() {
                    block["citations"] = mem::take(&mut self.citations).into();
                }
            }
            ContentBlock::Thinking(_) => {
                block["thinking"] = text.into();
                block["signature"] = mem::take(&mut self.signature).into();
            }
            ContentBlock::ToolUse(_) | ContentBlock::ServerToolUse(_) => {
                // JSON that was cut off leaves the arguments empty.
                if let Ok(input) = serde_json::from_str::<Value>(&text) {
                    block["input"] = input;
                }
            }
            _ => {}
        }
        self.close();
        ContentBlock::from_value(&block)
    }
}

impl Usage {
    /// Takes over what a later count says. Counts only grow, and those that did not may be missing.
    pub(super) fn update(&mut self, later: &Self) {
        let grow = |count: &mut u64, later: u64| *count = later.max(*count);
        grow(&mut self.input_tokens, later.input_tokens);
        grow(&mut self.output_tokens, later.output_tokens);
        grow(&mut self.cache_creation_input_tokens, later.cache_creation_input_tokens);
        grow(&mut self.cache_read_input_tokens, later.cache_read_input_tokens);
        if later.server_tool_use.is_some() {
            self.server_tool_use.clone_from(&later.server_tool_use);
        }
        if later.output_tokens_details.is_some() {
            self.output_tokens_details.clone_from(&later.output_tokens_details);
        }
        if later.cache_creation.is_some() {
            self.cache_creation.clone_from(&later.cache_creation);
        }
    }
}
