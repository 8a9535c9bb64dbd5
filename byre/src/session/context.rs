//! What tools and hooks can do to the session that they are in.

use std::any::Any;

use serde_json::{Value, json};

use super::handle::{SessionHandle, Setup};
use crate::{
    ToolContext,
    control::link::Link,
    function::surroundings::{Around, Surroundings},
    hook::param::HookContext,
    wire::answer::info::CliInfo,
};

impl Around for SessionHandle {
    fn notify(&self, server: &str, method: &str, params: Value) {
        let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        self.link().request_without_answer(
            "mcp_message",
            json!({"server_name": server, "message": message}),
        );
    }

    fn session_id(&self) -> Option<String> {
        Self::session_id(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn session(surroundings: &Surroundings) -> SessionHandle {
    let session = surroundings.session();
    let handle = session.and_then(|session| session.as_any().downcast_ref().cloned());
    handle.unwrap_or_else(|| {
        SessionHandle::new(Link::detached(), Setup::default(), CliInfo::default())
    })
}

impl ToolContext {
    /// Returns the session that calls the tool. In a test without a session, it is one that is over.
    ///
    /// # Example
    ///
    /// ```
    /// # async fn show(context: byre::ToolContext) -> byre::Result<()> {
    /// context.session().send("By the way, it is late.")?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn session(&self) -> SessionHandle {
        session(self.surroundings())
    }
}

impl HookContext {
    /// Returns the session that asks the hook.
    ///
    /// # Example
    ///
    /// ```
    /// # async fn show(context: byre::HookContext) -> byre::Result<()> {
    /// context.session().set_model("haiku").await?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn session(&self) -> SessionHandle {
        session(self.surroundings())
    }
}
