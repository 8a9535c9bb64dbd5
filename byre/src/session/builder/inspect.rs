//! What a builder tells about the session that it describes, without starting one.

use std::time::Duration;

use super::SessionBuilder;
use crate::{
    error::Result,
    function::state::States,
    hook::Hook,
    registry::mcp_server::McpServer,
    transport::process::{self, Said},
};

impl SessionBuilder {
    /// The servers of the session with their tools, both by name.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration) where the list itself is wrong, for two
    /// tools with one name for example.
    pub(crate) fn described_servers(&self) -> Result<Vec<McpServer>> {
        self.servers()
    }

    /// The hooks that the session would ask.
    pub(crate) fn asked_hooks(&self) -> Vec<Hook> {
        self.selection.hooks()
    }

    pub(crate) fn given_states(&self) -> &States {
        &self.states
    }

    /// Says whether the session would start no CLI.
    pub(crate) fn has_transport(&self) -> bool {
        self.transport.is_some()
    }

    /// Runs the CLI that the session would start, where and as the session would, with these arguments alone.
    ///
    /// # Errors
    ///
    /// Those of [`process::ask`].
    pub(crate) async fn ask_cli(&self, args: &[&str], limit: Duration) -> Result<Said> {
        process::ask(&self.launch, args, limit).await
    }
}
