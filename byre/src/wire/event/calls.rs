//! The calls of tools, each with its result.

use serde_json::Value;

use super::{
    Agent, AssistantEvent, Event, SystemEvent, TerminalReason, ToolResult, ToolResultMeta,
    ToolUseMeta, UserEvent,
};

/// How many calls may run at once before the oldest is given up: far more than the CLI runs.
const MAX_RUNNING: usize = 4096;

/// A call of a tool, from its arguments to its result.
///
/// # Example
///
/// ```
/// fn show(call: &byre::event::ToolCall) -> String {
///     let result = call.result.as_ref().map_or("…".to_owned(), |result| result.text());
///     format!("{}({}) = {result}", call.name, call.input)
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ToolCall {
    /// The API's id of the call.
    pub id: String,
    /// The tool's name, `mcp__byre__add` for example. Empty where the call was not seen, only its
    /// result.
    pub name: String,
    /// The arguments.
    pub input: Value,
    /// The agent that calls.
    pub agent: Agent,
    /// The kind of that agent, if it is a subagent.
    pub subagent_type: Option<String>,
    /// What people call the tool, where the CLI says.
    pub meta: Option<ToolUseMeta>,
    /// What came of it; `None` while it runs, and if nothing did.
    pub result: Option<ToolResult>,
    /// What the tool gave back, before it was made text for the model; see
    /// [`UserEvent::tool_use_result`].
    pub output: Option<Value>,
    /// How the call came to its result.
    pub result_meta: Option<ToolResultMeta>,
}

/// What became of a call.
///
/// # Example
///
/// ```
/// use byre::event::ToolCallUpdate;
///
/// fn show(update: &ToolCallUpdate) {
///     match update {
///         ToolCallUpdate::Started(call) => println!("{} …", call.name),
///         ToolCallUpdate::Finished(call) => println!("{} done", call.name),
///         _ => {}
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ToolCallUpdate {
    /// The model asks for it.
    Started(ToolCall),
    /// Its result is there.
    Finished(ToolCall),
    /// Its agent has ended without a result of it.
    Abandoned(ToolCall),
}

/// Pairs the calls of tools with their results, by id, for all agents of a session.
///
/// Tools that the API runs by itself ([`ServerToolUse`](super::ServerToolUse)) are not among them.
///
/// # Example
///
/// ```
/// use byre::event::{ToolCallUpdate, ToolCalls};
///
/// # async fn run(session: &mut byre::Session) -> byre::Result<()> {
/// let mut calls = ToolCalls::default();
/// let mut turn = session.prompt("What is 2 + 3?");
/// while let Some(event) = turn.next().await {
///     for update in calls.push(&event?) {
///         if let ToolCallUpdate::Finished(call) = update {
///             println!("{} took {}", call.name, call.input);
///         }
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct ToolCalls {
    /// In the order of their start.
    running: Vec<ToolCall>,
}

impl ToolCalls {
    /// Looks at the next event, and tells what became of calls, in order.
    ///
    /// # Example
    ///
    /// ```
    /// # fn run(calls: &mut byre::event::ToolCalls, event: &byre::Event) {
    /// for update in calls.push(event) {
    ///     println!("{update:?}");
    /// }
    /// # }
    /// ```
    #[must_use = "the updates come only once"]
    pub fn push(&mut self, event: &Event) -> Vec<ToolCallUpdate> {
        match event {
            Event::Assistant(event) => self.start(event),
            Event::User(event) => self.finish(event),
            // A turn that goes on in the background has its calls still.
            Event::Result(result)
                if result.terminal_reason != Some(TerminalReason::BackgroundRequested) =>
            {
                self.abandon(|call| call.agent == Agent::Main)
            }
            Event::System(SystemEvent::TaskNotification(task)) if task.status.is_end() => {
                let agent = Agent::from(task.tool_use_id.as_deref());
                self.abandon(|call| agent != Agent::Main && call.agent == agent)
            }
            Event::ConversationReset(_) => self.abandon(|_| true),
            _ => Vec::new(),
        }
    }

    /// Returns the calls that run, in the order of their start.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::event::ToolCalls::default().running().count(), 0);
    /// ```
    pub fn running(&self) -> impl Iterator<Item = &ToolCall> {
        self.running.iter()
    }

    fn start(&mut self, event: &AssistantEvent) -> Vec<ToolCallUpdate> {
        let mut updates = Vec::new();
        for tool_use in event.tool_uses() {
            if self.running.iter().any(|call| call.id == tool_use.id) {
                continue;
            }
            if self.running.len() >= MAX_RUNNING {
                updates.push(ToolCallUpdate::Abandoned(self.running.remove(0)));
            }
            let meta = event.tool_use_meta.iter().find(|meta| meta.id == tool_use.id);
            let call = ToolCall {
                id: tool_use.id.clone(),
                name: tool_use.name.clone(),
                input: tool_use.input.clone(),
                agent: Agent::from(event.parent_tool_use_id.as_deref()),
                subagent_type: event.subagent_type.clone(),
                meta: meta.cloned(),
                ..ToolCall::default()
            };
            self.running.push(call.clone());
            updates.push(ToolCallUpdate::Started(call));
        }
        updates
    }

    fn finish(&mut self, event: &UserEvent) -> Vec<ToolCallUpdate> {
        // An echo of what this program has sent itself is not news.
        if event.is_replay {
            return Vec::new();
        }
        // The output belongs to the line, so it is known whose it is only where there is one result.
        let is_single = event.tool_results().count() == 1;
        let finished = event.tool_results().map(|result| {
            let id = &result.tool_use_id;
            let at = self.running.iter().position(|call| call.id == *id);
            let unseen = || ToolCall {
                id: id.clone(),
                agent: Agent::from(event.parent_tool_use_id.as_deref()),
                subagent_type: event.subagent_type.clone(),
                ..ToolCall::default()
            };
            let call = at.map_or_else(unseen, |at| self.running.remove(at));
            ToolCallUpdate::Finished(ToolCall {
                result: Some(result.clone()),
                output: event.tool_use_result.clone().filter(|_| is_single),
                result_meta: event.tool_result_meta.iter().find(|meta| meta.id == *id).cloned(),
                ..call
            })
        });
        finished.collect()
    }

    fn abandon(&mut self, is_over: impl Fn(&ToolCall) -> bool) -> Vec<ToolCallUpdate> {
        let over = self.running.extract_if(.., |call| is_over(call));
        over.map(ToolCallUpdate::Abandoned).collect()
    }
}
