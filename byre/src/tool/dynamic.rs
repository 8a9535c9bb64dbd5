//! Tools that are made while the program runs.

use std::{
    borrow::Cow,
    panic,
    sync::{Arc, OnceLock},
};

use serde_json::{Map, Value};

use super::{
    Body, Inner, IntoToolResult, Tool, ToolContext,
    def::{Hints, Limits, ToolFuture},
};
use crate::function::Location;

/// The function of a tool that was made while the program runs.
pub(super) type Handler = dyn Fn(Map<String, Value>, ToolContext) -> ToolFuture + Send + Sync;

impl Tool {
    /// Makes a tool from a name, a description, a JSON Schema of the arguments, and a function.
    ///
    /// For tools that are only known while the program runs: those of a configuration, a plugin, or another
    /// server. The schema has to be an object schema, in draft 2020-12; arguments that do not fit it never reach
    /// the function. What the CLI or the API would not take is refused by
    /// [`check`](crate::SessionBuilder::check), and where the tool is [added](crate::SessionHandle::add_tools).
    ///
    /// # Example
    ///
    /// ```
    /// use byre::tool::Tool;
    /// use serde_json::json;
    ///
    /// let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]});
    /// let greet = Tool::dynamic("greet", "Greets somebody.", schema, |arguments, _| async move {
    ///     format!("Hello, {}!", arguments["name"])
    /// });
    /// let builder = byre::Session::builder().tools([greet.read_only(true)]);
    /// ```
    #[track_caller]
    pub fn dynamic<F, R>(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: Value,
        handler: impl Fn(Map<String, Value>, ToolContext) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = R> + Send + 'static,
        R: IntoToolResult,
    {
        let handler = move |arguments, context| -> ToolFuture {
            let future = handler(arguments, context);
            Box::pin(async move { future.await.into_tool_result() })
        };
        let place = panic::Location::caller();
        Self(Arc::new(Inner {
            name: Cow::Owned(name.into()),
            title: None,
            description: Cow::Owned(description.into()),
            server: None,
            hints: Hints::NEW,
            limits: Limits::NEW,
            meta: Vec::new(),
            examples: Vec::new(),
            location: Location::new(place.file(), place.line(), ""),
            body: Body::Dynamic {
                input_schema: Arc::new(input_schema),
                output_schema: None,
                handler: Arc::new(handler),
            },
            permits: None,
            layers: Vec::new(),
            checker: OnceLock::new(),
            output_checker: OnceLock::new(),
        }))
    }
}
