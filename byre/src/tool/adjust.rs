//! What can be changed of a tool that is there already.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use serde_json::Value;
use tokio::sync::Semaphore;

use super::{Body, Inner, Tool, ToolAnnotations, def::Hints};

/// A changed copy: what the program has registered stays as it is.
impl Tool {
    fn with(mut self, change: impl FnOnce(&mut Inner)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }

    /// Calls it by another name, of letters, digits, `_` and `-`.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(tool: byre::tool::Tool) {
    /// assert_eq!(tool.with_name("find").name(), "find");
    /// # }
    /// ```
    #[must_use]
    pub fn with_name(self, name: impl Into<String>) -> Self {
        let name = name.into();
        self.with(|tool| tool.name = name.into())
    }

    /// Has another server serve it than the session's own; see [`McpServer`](crate::McpServer).
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(tool: byre::tool::Tool) {
    /// assert_eq!(tool.for_server("stock").server(), Some("stock"));
    /// # }
    /// ```
    #[must_use]
    pub fn for_server(self, server: impl Into<String>) -> Self {
        let server = server.into();
        self.with(|tool| tool.server = Some(server.into()))
    }

    /// Tells the model something else about it, in up to 4096 characters.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(tool: byre::tool::Tool) {
    /// let tool = tool.with_description("Finds orders by customer.");
    /// # }
    /// ```
    #[must_use]
    pub fn with_description(self, description: impl Into<String>) -> Self {
        let description = description.into();
        self.with(|tool| tool.description = description.into())
    }

    /// Gives it a name for people.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(tool: byre::tool::Tool) {
    /// assert_eq!(tool.with_title("Find orders").title(), Some("Find orders"));
    /// # }
    /// ```
    #[must_use]
    pub fn with_title(self, title: impl Into<String>) -> Self {
        let title = title.into();
        self.with(|tool| tool.title = Some(title.into()))
    }

    /// Sets what the CLI is told about it, in place of all that it was told so far.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::tool::ToolAnnotations;
    ///
    /// # fn show(tool: byre::tool::Tool) {
    /// let mut annotations = ToolAnnotations::default();
    /// annotations.destructive_hint = Some(true);
    /// let tool = tool.with_annotations(annotations);
    /// # }
    /// ```
    #[must_use]
    pub fn with_annotations(self, annotations: ToolAnnotations) -> Self {
        self.with(|tool| {
            if let Some(title) = annotations.title {
                tool.title = Some(title.into());
            }
            tool.hints = Hints {
                read_only: annotations.read_only_hint,
                destructive: annotations.destructive_hint,
                idempotent: annotations.idempotent_hint,
                open_world: annotations.open_world_hint,
            };
        })
    }

    /// Says whether it changes nothing. The CLI calls several such tools at the same time, and others one after
    /// another.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(tool: byre::tool::Tool) {
    /// let tool = tool.read_only(true);
    /// assert_eq!(tool.annotations().read_only_hint, Some(true));
    /// # }
    /// ```
    #[must_use]
    pub fn read_only(self, read_only: bool) -> Self {
        self.with(|tool| tool.hints.read_only = Some(read_only))
    }

    /// Describes its structured results, by an object schema.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(tool: byre::tool::Tool) {
    /// let tool = tool.with_output_schema(serde_json::json!({"type": "object"}));
    /// # }
    /// ```
    #[must_use]
    pub fn with_output_schema(self, schema: Value) -> Self {
        self.with(|tool| match &mut tool.body {
            Body::Dynamic { output_schema, .. } => {
                *output_schema = Some(Arc::new(schema));
                tool.output_checker = OnceLock::new();
            }
            // The type of the function's result says what it is.
            Body::Function { .. } => (),
        })
    }

    /// Limits how long a call may take, the wait for its turn included. The model then reads that it was
    /// stopped, and the future is dropped.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(tool: byre::tool::Tool) {
    /// let tool = tool.timeout(std::time::Duration::from_secs(20));
    /// # }
    /// ```
    #[must_use]
    pub fn timeout(self, limit: Duration) -> Self {
        self.with(|tool| tool.limits.timeout = Some(limit))
    }

    /// Limits how many calls run at once, in all sessions together that serve this tool or a clone of it; 0 is
    /// taken for 1. Others wait for their turn.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(tool: byre::tool::Tool) {
    /// let one_at_a_time = tool.concurrency(1);
    /// # }
    /// ```
    #[must_use]
    pub fn concurrency(self, most: usize) -> Self {
        self.with(|tool| {
            tool.limits.concurrency = Some(most);
            tool.permits = Some(Arc::new(Semaphore::new(most.clamp(1, Semaphore::MAX_PERMITS))));
        })
    }

    /// Lets results of up to so many characters reach the model, in place of the CLI's about 50,000; from 1 to
    /// 500,000.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(tool: byre::tool::Tool) {
    /// let tool = tool.max_result_chars(200_000);
    /// # }
    /// ```
    #[must_use]
    pub fn max_result_chars(self, characters: u32) -> Self {
        self.with(|tool| tool.limits.max_result_chars = Some(characters))
    }

    /// Says whether it is in the prompt from the first turn, in place of what holds for its server. One that is
    /// not is found by the CLI's `ToolSearch`.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(tool: byre::tool::Tool) {
    /// let rarely_needed = tool.always_load(false);
    /// # }
    /// ```
    #[must_use]
    pub fn always_load(self, always: bool) -> Self {
        self.with(|tool| tool.limits.always_load = Some(always))
    }

    /// Adds an entry to its `_meta`, or changes one.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(tool: byre::tool::Tool) {
    /// let tool = tool.meta("example.com/team", "billing");
    /// # }
    /// ```
    #[must_use]
    pub fn meta(self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        let (key, value) = (key.into(), value.into());
        self.with(|tool| {
            tool.meta.retain(|(known, _)| *known != key);
            tool.meta.push((key.into(), value));
        })
    }

    /// Puts a layer around its calls; see [`layer`](super::layer).
    ///
    /// # Example
    ///
    /// ```
    /// use byre::tool::ToolService;
    /// use tower_layer::layer_fn;
    ///
    /// # fn show(tool: byre::tool::Tool) {
    /// let tool = tool.layer(layer_fn(|inner: ToolService| inner));
    /// # }
    /// ```
    #[cfg(feature = "tower")]
    #[must_use]
    pub fn layer<L>(self, layer: L) -> Self
    where
        L: tower_layer::Layer<crate::tool::ToolService>,
        L::Service: crate::tool::AroundCalls,
    {
        let layered = super::AroundCalls::into_layered(layer.layer(super::ToolService::default()));
        self.with(|tool| tool.layers.push(layered))
    }
}
