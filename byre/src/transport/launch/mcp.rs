//! MCP servers: those of this program, and those that the CLI starts or dials.

use std::time::Duration;

use serde_json::{Map, Value};

use super::args::Args;
use crate::wire::{
    json::object,
    option::mcp::{McpServerConfig, OwnServer, SHORTEST_LIMIT},
};

/// MCP servers beside those of this program.
#[derive(Clone, Debug, Default)]
pub(crate) struct McpOptions {
    /// In the order given; the last of a name counts.
    pub(crate) servers: Vec<(String, McpServerConfig)>,
    pub(crate) strict: bool,
    /// How long a call of a tool of this program may take, where its server says nothing else.
    pub(crate) call_timeout: Option<Duration>,
}

impl McpOptions {
    /// Writes the flags; `own` are this program's servers.
    ///
    /// The others travel in `initialize`: everybody on the machine can read a command line, and their
    /// variables and headers are secrets.
    pub(super) fn write(&self, own: &[OwnServer], args: &mut Args) {
        if !own.is_empty() {
            args.flag("mcp-config", config_of(own));
        }
        args.switch("strict-mcp-config", self.strict);
    }

    /// Writes the fields of `initialize`.
    pub(super) fn initialize(&self, body: &mut Map<String, Value>) {
        if !self.servers.is_empty() {
            let servers = self.servers.iter();
            let servers = servers.map(|(name, config)| (name.clone(), config.to_value()));
            body.insert("mcpServers".to_owned(), object(servers).into());
        }
    }

    pub(super) fn faults(&self, faults: &mut Vec<String>) {
        if self.call_timeout.is_some_and(|time| time < SHORTEST_LIMIT) {
            faults.push("`call_timeout` must be a second or more; the CLI ignores less".to_owned());
        }
        for (name, config) in &self.servers {
            if name.is_empty() {
                faults.push("an MCP server has an empty name".to_owned());
            }
            if let Some(fault) = config.fault() {
                faults.push(format!("the MCP server {name:?} {fault}"));
            }
        }
    }
}

/// The value of `--mcp-config`: byre's servers, in their order, which decides the order of the tools.
fn config_of(own: &[OwnServer]) -> String {
    let servers = own
        .iter()
        .map(|server| format!("{}:{}", Value::from(server.name.as_str()), server.to_json()));
    format!("{{\"mcpServers\":{{{}}}}}", servers.collect::<Vec<_>>().join(","))
}
