//! L4: the MCP server that hosts byre's tools, one JSON-RPC message at a time.
//!
//! Source: MCP 2025-11-25, and what CLI 2.1.332 was seen to send.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock},
};

use serde_json::json;
use tokio::sync::oneshot;

use crate::{
    control::serve::BoxFuture,
    function::{state::States, surroundings::Surroundings},
    tool::{Tool, context::ToolContext, run::Around},
    wire::{
        jsonrpc::{self, Id, Message, ProtocolError},
        mcp::{self, CallToolResult},
        params::Params,
    },
};

/// What becomes of a message.
pub(crate) enum Reply {
    /// The JSON-RPC answer, at once.
    Now(String),
    /// The JSON-RPC answer, when the tool is done; `None` if the call was cancelled meanwhile.
    Later(BoxFuture<Option<String>>),
    /// It wants no answer of its own, only to be acknowledged.
    Acknowledged,
}

/// One MCP server of one session.
pub(crate) struct Server {
    /// Every call has it too.
    name: Arc<str>,
    instructions: Option<String>,
    /// Changes while the session runs. A call under way keeps its tool.
    table: RwLock<Arc<Table>>,
    calls: Arc<Calls>,
    around: Around,
    surroundings: Surroundings,
}

/// The tools of a server.
#[derive(Default)]
struct Table {
    tools: BTreeMap<String, Tool>,
    /// The answer to `tools/list`. Made once: it is the same from call to call and from run to run.
    list: String,
}

impl Table {
    fn new(list: Vec<Tool>) -> Self {
        // One by one: to collect them would sort them first, by code that is long to compile.
        let mut tools = BTreeMap::new();
        for tool in list {
            tools.insert(tool.name().to_owned(), tool);
        }
        let definitions = tools.values().map(Tool::definition).collect::<Vec<_>>();
        Self { list: format!("{{\"tools\":[{}]}}", definitions.join(",")), tools }
    }
}

impl Server {
    /// Makes a server with `tools`, which are listed by name.
    pub(crate) fn new(name: String, instructions: Option<String>, tools: Vec<Tool>) -> Self {
        Self {
            name: name.into(),
            instructions,
            table: RwLock::new(Arc::new(Table::new(tools))),
            calls: Arc::default(),
            around: Around::default(),
            surroundings: Surroundings::default(),
        }
    }

    /// Says what the calls are in.
    pub(crate) fn surroundings(mut self, surroundings: Surroundings) -> Self {
        self.surroundings = surroundings;
        self
    }

    /// Says what is around the calls.
    pub(crate) fn around(mut self, around: Around) -> Self {
        self.around = around;
        self
    }

    /// What the program shares with the tools.
    pub(crate) fn states(&self) -> &States {
        self.surroundings.states()
    }

    /// The tools, by name.
    pub(crate) fn tools(&self) -> Vec<Tool> {
        self.table().tools.values().cloned().collect()
    }

    /// Puts other tools in place of those that it has. Calls that run go on.
    ///
    /// `change` gets the tools, and is asked again where somebody else has changed them meanwhile.
    pub(crate) fn change_tools<E>(
        &self,
        change: impl Fn(Vec<Tool>) -> Result<Vec<Tool>, E>,
    ) -> Result<(), E> {
        loop {
            let before = self.table();
            let tools = change(before.tools.values().cloned().collect())?;
            // Code of the user runs while the schemas are made, so not under the lock.
            let after = Arc::new(Table::new(tools));
            let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
            if Arc::ptr_eq(&table, &before) {
                *table = after;
                return Ok(());
            }
        }
    }

    fn table(&self) -> Arc<Table> {
        Arc::clone(&self.table.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Handles one message.
    pub(crate) fn handle(&self, message: &Message<'_>) -> Reply {
        match message {
            Message::Request { id, method, params } => self.on_request(id, method, params),
            Message::Notification { method, params } => {
                if method == "notifications/cancelled"
                    && let Some(id) = params.request_id()
                {
                    self.calls.cancel(&Id::from_raw(id));
                }
                Reply::Acknowledged
            }
            // The CLI answers a request of the server. byre's server makes none.
            Message::Response => Reply::Acknowledged,
            Message::Malformed { id } => {
                let error = ProtocolError::new(
                    ProtocolError::INVALID_REQUEST,
                    "this is no JSON-RPC 2.0 request, notification or response",
                );
                Reply::Now(jsonrpc::error_response(id.as_ref(), &error))
            }
        }
    }

    fn on_request(&self, id: &Id, method: &str, params: &Params<'_>) -> Reply {
        let answer = match method {
            "initialize" => Ok(self.initialize(params)),
            "ping" => Ok("{}".to_owned()),
            "tools/list" => Ok(self.table().list.clone()),
            "tools/call" => match self.call(id, params) {
                Ok(reply) => return reply,
                Err(error) => Err(error),
            },
            other => Err(ProtocolError::new(
                ProtocolError::METHOD_NOT_FOUND,
                format!("the server {:?} has no method {other:?}", self.name),
            )),
        };
        Reply::Now(match answer {
            Ok(result) => jsonrpc::response(id, &result),
            Err(error) => jsonrpc::error_response(Some(id), &error),
        })
    }

    /// Answers `initialize`. It comes again when the CLI connects anew; ids start over then, so whatever
    /// still runs belongs to nobody.
    fn initialize(&self, params: &Params<'_>) -> String {
        self.calls.cancel_all();
        let mut result = json!({
            "protocolVersion": mcp::negotiate_version(&params.protocol_version()),
            "capabilities": {"tools": {"listChanged": true}},
            "serverInfo": {"name": &*self.name, "version": env!("CARGO_PKG_VERSION")},
        });
        if let Some(instructions) = &self.instructions {
            result["instructions"] = instructions.as_str().into();
        }
        result.to_string()
    }

    fn call(&self, id: &Id, params: &Params<'_>) -> Result<Reply, ProtocolError> {
        let invalid = |text: String| ProtocolError::new(ProtocolError::INVALID_PARAMS, text);
        let name = params.tool_name().map_err(|problem| {
            invalid(format!("the parameters of tools/call do not fit: {problem}"))
        })?;
        let table = self.table();
        let tool = table
            .tools
            .get(&*name)
            .ok_or_else(|| invalid(format!("the server {:?} has no tool {name:?}", self.name)))?;
        let (guard, cancelled) = Calls::register(&self.calls, id.clone())
            .ok_or_else(|| invalid("a request with this id is running already".to_owned()))?;
        let context =
            ToolContext::new(Arc::clone(&self.name), params.meta, self.surroundings.clone());
        let result = context.cancellable(tool.run(params.arguments, &context, &self.around));
        let id = id.clone();
        Ok(Reply::Later(Box::pin(async move {
            let _guard = guard;
            tokio::select! {
                biased;
                // Fails only when the server itself is gone, and nobody is left to answer then.
                _ = cancelled => None,
                result = result => Some(respond(&id, &result)),
            }
        })))
    }
}

/// Writes an answer. Results are made of strings and JSON values, which always can be written.
fn respond(id: &Id, result: &CallToolResult) -> String {
    jsonrpc::response_with(id, result).unwrap_or_else(|error| {
        let result = json!({
            "content": [{"type": "text", "text": format!("the result can't be sent: {error}")}],
            "isError": true,
        });
        jsonrpc::response(id, &result.to_string())
    })
}

/// The calls that are running.
#[derive(Default)]
struct Calls(Mutex<Running>);

#[derive(Default)]
struct Running {
    /// By JSON-RPC id, with a number of our own: the CLI may use an id again while the call that had it
    /// before is still on its way out.
    by_id: HashMap<Id, (u64, oneshot::Sender<()>)>,
    count: u64,
}

impl Calls {
    /// Enters a call, or gives `None` if its id is taken. It leaves when the guard is dropped.
    fn register(calls: &Arc<Self>, id: Id) -> Option<(CallGuard, oneshot::Receiver<()>)> {
        let (cancel, cancelled) = oneshot::channel();
        let mut running = calls.lock();
        if running.by_id.contains_key(&id) {
            return None;
        }
        running.count += 1;
        let number = running.count;
        running.by_id.insert(id.clone(), (number, cancel));
        Some((CallGuard { calls: Arc::clone(calls), id, number }, cancelled))
    }

    /// Drops the future of a call, if it is running.
    fn cancel(&self, id: &Id) {
        if let Some((_, cancel)) = self.lock().by_id.remove(id) {
            // Fails if the call has just ended.
            let _ = cancel.send(());
        }
    }

    fn cancel_all(&self) {
        for (_, (_, cancel)) in self.lock().by_id.drain() {
            let _ = cancel.send(());
        }
    }

    /// No code of the user runs under the lock, so it is never poisoned half-way.
    fn lock(&self) -> MutexGuard<'_, Running> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct CallGuard {
    calls: Arc<Calls>,
    id: Id,
    number: u64,
}

impl Drop for CallGuard {
    fn drop(&mut self) {
        let mut running = self.calls.lock();
        if running.by_id.get(&self.id).is_some_and(|(number, _)| *number == self.number) {
            running.by_id.remove(&self.id);
        }
    }
}

#[cfg(test)]
mod tests;
