//! L4: takes the CLI's control requests to the tools and hooks that they are for.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use serde::Deserialize;

use crate::{
    control::serve::{BoxFuture, Serve},
    function::surroundings::Surroundings,
    hook::{
        output::HookAnswer,
        param::{HookContext, HookRequest},
    },
    permission::desk::Desk,
    registry::HookTable,
    server::{Reply, Server},
    wire::{
        control::{Answer, Request},
        jsonrpc::{self, Message, ProtocolError},
    },
};

/// Requests that must stay unanswered by a host that does not know what to do with them: on a session
/// with several hosts, an answer would stand for the user's own.
///
/// Source: the TypeScript SDK 0.3.332.
const SILENT: [&str; 4] =
    ["remote_tool_call", "remote_plumbing_call", "remote_tools_probe", "remote_tools_reannounce"];

/// The servers of one session, by name.
pub(crate) type Servers = Arc<HashMap<String, Server>>;

/// Serves the tools and hooks of one session.
pub(crate) struct Host {
    servers: Servers,
    hooks: HookTable,
    blocks: Arc<BlockCounts>,
    desk: Arc<Desk>,
    surroundings: Surroundings,
}

impl Host {
    pub(crate) fn new(servers: Servers, hooks: HookTable) -> Self {
        Self {
            servers,
            hooks,
            blocks: Arc::default(),
            desk: Arc::default(),
            surroundings: Surroundings::default(),
        }
    }

    /// Asks people what only they can decide.
    pub(crate) fn with_desk(mut self, desk: Desk) -> Self {
        self.desk = Arc::new(desk);
        self
    }

    /// Says what the hooks are in.
    pub(crate) fn surroundings(mut self, surroundings: Surroundings) -> Self {
        self.surroundings = surroundings;
        self
    }

    fn on_mcp_message(&self, server: &str, message: &Message<'_>) -> BoxFuture<Answer> {
        let reply = match self.servers.get(server) {
            Some(server) => server.handle(message),
            None => unknown_server(server, message),
        };
        match reply {
            Reply::Now(response) => ready(Answer::Mcp(response)),
            Reply::Later(response) => {
                Box::pin(async move { response.await.map_or(Answer::Nothing, Answer::Mcp) })
            }
            // Left without an answer, the CLI would wait for 30 seconds.
            Reply::Acknowledged => {
                ready(Answer::Mcp("{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}".to_owned()))
            }
        }
    }

    fn on_hook_callback(&self, request: &Request<'_>) -> BoxFuture<Answer> {
        let id = &*request.callback_id;
        let Some(hook) = self.hooks.get(id) else {
            return ready(Answer::error(format!("there is no hook {id:?}")));
        };
        let Some(input) = request.input else {
            return ready(Answer::error("hook_callback without an input"));
        };
        let tool_use_id = request.tool_use_id.as_deref().map(str::to_owned);
        let context = HookContext::new(tool_use_id, self.surroundings.clone());
        let answer = hook.call(&HookRequest { input, context });
        let (id, input) = (id.to_owned(), input.get().to_owned());
        let blocks = Arc::clone(&self.blocks);
        Box::pin(async move {
            match answer.await {
                Ok(answer) => Answer::Success(blocks.limit(id, &input, answer).json.to_string()),
                Err(error) => Answer::error(error.to_string()),
            }
        })
    }
}

impl Serve for Host {
    fn serve(&self, request: &Request<'_>) -> BoxFuture<Answer> {
        match (&*request.subtype, &request.message) {
            ("mcp_message", Some(message)) => self.on_mcp_message(&request.server_name, message),
            ("mcp_message", None) => ready(Answer::error("mcp_message without a message")),
            ("hook_callback", _) => self.on_hook_callback(request),
            (silent, _) if SILENT.contains(&silent) => ready(Answer::Nothing),
            (other, _) => self
                .desk
                .serve(other, || request.body())
                .unwrap_or_else(|| ready(Answer::unsupported(other))),
        }
    }
}

fn ready(answer: Answer) -> BoxFuture<Answer> {
    Box::pin(std::future::ready(answer))
}

/// A message for a server that this session does not have is a JSON-RPC error where it wants an answer.
fn unknown_server(server: &str, message: &Message<'_>) -> Reply {
    let Some(id) = message.id() else { return Reply::Acknowledged };
    let error = ProtocolError::new(
        ProtocolError::METHOD_NOT_FOUND,
        format!("this host has no server {server:?}"),
    );
    Reply::Now(jsonrpc::error_response(Some(id), &error))
}

/// How often each hook has sent the agent back to work in the turn at hand.
#[derive(Default)]
struct BlockCounts(Mutex<HashMap<String, (TurnKey, u32)>>);

/// Tells turns, and the agents in them, apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
struct TurnKey {
    #[serde(default)]
    prompt_id: Option<String>,
    #[serde(default)]
    agent_id: Option<String>,
    /// The agent ends its turn for the first time.
    #[serde(default)]
    stop_hook_active: bool,
}

impl TurnKey {
    fn of(input: &str) -> Self {
        serde_json::from_str(input).unwrap_or_default()
    }

    /// Says whether `self` is in the turn that `earlier` was in.
    fn continues(&self, earlier: &Self) -> bool {
        self.stop_hook_active
            && self.prompt_id == earlier.prompt_id
            && self.agent_id == earlier.agent_id
    }
}

impl BlockCounts {
    /// Lets the agent stop after all when the hook has blocked as often in this turn as it may.
    fn limit(&self, hook: String, input: &str, answer: HookAnswer) -> HookAnswer {
        let Some(at_most) = answer.at_most else { return answer };
        let turn = TurnKey::of(input);
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = counts.entry(hook).or_default();
        if !turn.continues(&entry.0) {
            entry.1 = 0;
        }
        entry.0 = turn;
        if entry.1 >= at_most {
            tracing::info!(at_most, "a hook has blocked as often as it may in this turn");
            return HookAnswer { json: serde_json::json!({}), at_most: None };
        }
        entry.1 += 1;
        answer
    }
}

#[cfg(test)]
mod tests;
