//! Tools: plain functions that the model can call.
//!
//! [`#[byre::tool]`](macro@crate::tool) makes a tool from a function. This module has what goes in
//! and out of one: [`IntoToolResult`] for what a function may return, [`ToolError`] for what it may fail
//! with, [`image`], [`audio`], [`resource`], [`Content`] and [`CallToolResult`] for results beyond text, and
//! [`Tool`] to look at what was made.
//!
//! # What is sent
//!
//! In debug builds, data that does not fit the tool's [output schema](Tool::output_schema) becomes an error that
//! says so: `Serialize` and `JsonSchema` of a type differ then. Results that are longer than what the CLI shows
//! to the model, and images of a kind or size that the model can't see, are warned of by `tracing`, with the
//! name and the place of the tool.
//!
//! # Arguments
//!
//! A tool runs only with arguments that its schema allows. Whatever the schema says counts, also what serde
//! knows nothing of: `range`, `length` and `pattern` of schemars, and the formats `date-time`, `date`, `time`,
//! `duration`, `uuid`, `email`, `uri`, `uri-reference`, `hostname`, `ipv4`, `ipv6` and `json-pointer`. A
//! pattern means what it means in JavaScript; one that looks around, refers back to a group or asks for a
//! property of Unicode is not checked. All that does not fit is told to the model in one answer:
//!
//! ```text
//! the arguments of `find_orders` do not fit:
//! - `customer`: expected an integer from 1 to 99999, got the number 0
//! - `since`: expected a date like `2026-11-30`, got the string "yesterday"
//! - `items[2].price`: missing (a number)
//! - `limt`: unknown; did you mean `limit`?
//! ```
//!
//! Where the schema leaves no doubt about what a model meant, its slips are mended, and traced at info level:
//! a list or an object that came as a string of JSON, a number or a boolean that came as a string, and `null`
//! for a property that may be absent. A schema that allows a string gets the string.
//!
//! All numbers come through JavaScript, which rounds integers beyond 2^53. So an integer beyond ±(2^53 - 1) is
//! refused where the schema wants an integer, and the model is told to send a string of digits, which is read
//! exactly. The schema of `i128` and `u128` says so from the start; those two can't be part of an untagged or
//! internally tagged enum or of a flattened struct, for which serde has no integers of 128 bits.

// L4: knows `wire` and `function`. It must not know who calls a tool, or over what.

mod adjust;
mod arguments;
pub mod audio;
mod call;
pub(crate) mod check;
pub(crate) mod context;
pub(crate) mod def;
mod dynamic;
mod error;
pub(crate) mod fields;
pub mod image;
pub mod layer;
mod listing;
mod nearest;
pub(crate) mod parameters;
mod reader;
mod repair;
pub mod resource;
mod result;
#[doc(hidden)]
pub(crate) mod returned;
pub(crate) mod run;
pub(crate) mod schema;
mod sent;
mod wording;

use std::{
    borrow::Cow,
    fmt,
    sync::{Arc, OnceLock},
};

use serde_json::Value;
use tokio::sync::Semaphore;

#[cfg(feature = "tower")]
pub use self::layer::{AroundCalls, ToolService};
pub use self::{
    context::LogLevel,
    def::{IntoTools, ToolSet},
    error::{ForModel, ToolError},
    layer::ToolCall,
    resource::resource_link,
    result::{IntoToolResult, Json},
};
pub use crate::function::Location;
pub use crate::wire::mcp::{CallToolResult, Content, ResourceContents, ToolAnnotations};
use crate::{
    function::state::Need,
    tool::{
        check::Checker,
        context::ToolContext,
        def::{Hints, Instance, Limits, RegisteredTool, ToolDef, ToolFuture},
        layer::Layered,
        parameters::{InputSchema, Parameters},
    },
};

/// The largest `max_result_chars` that the CLI honours.
///
/// Source: seen with CLI 2.1.332, where 800,000 characters with a limit of 1,000,000 were cut at this.
const MOST_CHARS: u32 = 500_000;

/// A function that the model can call, with all that the model is told about it.
///
/// Cheap to clone. Made by [`#[byre::tool]`](macro@crate::tool), and named by
/// [`tools!`](crate::tools).
///
/// # Example
///
/// ```
/// /// Adds two integers.
/// #[byre::tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # fn main() {
/// let [add] = &byre::tools![add][..] else { unreachable!() };
/// assert_eq!(add.name(), "add");
/// assert_eq!(add.description(), "Adds two integers.");
/// # }
/// ```
#[derive(Clone)]
pub struct Tool(Arc<Inner>);

#[derive(Clone)]
struct Inner {
    name: Cow<'static, str>,
    title: Option<Cow<'static, str>>,
    description: Cow<'static, str>,
    server: Option<Cow<'static, str>>,
    hints: Hints,
    limits: Limits,
    meta: Vec<(Cow<'static, str>, Value)>,
    examples: Vec<Value>,
    location: Location,
    body: Body,
    /// Where there is a limit to how many calls run at once. Clones of a tool share it.
    permits: Option<Arc<Semaphore>>,
    /// From the outside in.
    layers: Vec<Layered>,
    /// The schema of the arguments, compiled by the first call.
    checker: OnceLock<Arc<Accepted>>,
    /// The output schema, compiled; `None` where there is none.
    output_checker: OnceLock<Option<Arc<Checker>>>,
}

/// Which arguments a tool takes.
struct Accepted {
    checker: Checker,
    /// Other names of parameters, of which the schema does not speak, each with the one in the schema.
    aliases: Vec<(&'static str, String)>,
}

/// Where the schema and the function come from.
#[derive(Clone)]
enum Body {
    Function {
        call: fn(&mut Parameters) -> Option<ToolFuture>,
        output_schema: fn() -> Option<Value>,
        /// What the function is a method of.
        instance: Option<Instance>,
    },
    Dynamic {
        input_schema: Arc<Value>,
        output_schema: Option<Arc<Value>>,
        handler: Arc<dynamic::Handler>,
    },
}

impl Tool {
    pub(crate) fn from_def(def: &ToolDef, instance: Option<Instance>) -> Self {
        let Limits { concurrency, .. } = def.limits;
        Self(Arc::new(Inner {
            name: def.name.into(),
            title: def.title.map(Cow::Borrowed),
            description: def.description.into(),
            server: def.server.map(Cow::Borrowed),
            hints: def.hints,
            limits: def.limits,
            meta: (def.meta)().into_iter().map(|(key, value)| (key.into(), value)).collect(),
            examples: (def.examples)(),
            location: def.location,
            body: Body::Function { call: def.call, output_schema: def.output_schema, instance },
            permits: concurrency
                .map(|most| Arc::new(Semaphore::new(most.clamp(1, Semaphore::MAX_PERMITS)))),
            layers: Vec::new(),
            checker: OnceLock::new(),
            output_checker: OnceLock::new(),
        }))
    }

    /// Returns the name, without that of the server.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(tool: &byre::tool::Tool) {
    /// println!("the model calls it mcp__byre__{}", tool.name());
    /// # }
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns the name for people, if it has one.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(tool: &byre::tool::Tool) {
    /// println!("{}", tool.title().unwrap_or(tool.name()));
    /// # }
    /// ```
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.0.title.as_deref()
    }

    /// Returns what the model is told about it.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(tool: &byre::tool::Tool) {
    /// assert!(tool.description().len() <= 4096, "the CLI cuts off the rest");
    /// # }
    /// ```
    #[must_use]
    pub fn description(&self) -> &str {
        &self.0.description
    }

    /// Returns what the CLI is told about it.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(tool: &byre::tool::Tool) {
    /// let parallel = tool.annotations().read_only_hint == Some(true);
    /// # }
    /// ```
    #[must_use]
    pub fn annotations(&self) -> ToolAnnotations {
        let Hints { read_only, destructive, idempotent, open_world } = self.0.hints;
        ToolAnnotations {
            title: self.title().map(str::to_owned),
            read_only_hint: read_only,
            destructive_hint: destructive,
            idempotent_hint: idempotent,
            open_world_hint: open_world,
        }
    }

    /// Returns the JSON Schema of the arguments, in draft 2020-12; always of type `object`.
    ///
    /// # Example
    ///
    /// ```
    /// /// Greets somebody.
    /// #[byre::tool]
    /// async fn greet(
    ///     /// Whom to greet.
    ///     name: String,
    /// ) -> String {
    ///     format!("Hello, {name}!")
    /// }
    ///
    /// # fn main() {
    /// assert_eq!(
    ///     byre::tools![greet][0].input_schema(),
    ///     serde_json::json!({
    ///         "type": "object",
    ///         "properties": {"name": {"type": "string", "description": "Whom to greet."}},
    ///         "required": ["name"],
    ///         "additionalProperties": false,
    ///     })
    /// );
    /// # }
    /// ```
    #[must_use]
    pub fn input_schema(&self) -> Value {
        match &self.0.body {
            Body::Function { .. } => serde_json::to_value(self.schema()).unwrap_or_default(),
            Body::Dynamic { input_schema, .. } => Value::clone(input_schema),
        }
    }

    /// Returns the JSON Schema of [`CallToolResult::structured_content`], if the tool returns data:
    /// [`Json`], or a type of one's own with `Serialize` and `JsonSchema`; always of type `object`.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(tool: &byre::tool::Tool) {
    /// assert!(tool.output_schema().is_none_or(|schema| schema["type"] == "object"));
    /// # }
    /// ```
    #[must_use]
    pub fn output_schema(&self) -> Option<Value> {
        match &self.0.body {
            Body::Function { output_schema, .. } => output_schema(),
            Body::Dynamic { output_schema, .. } => output_schema.as_deref().cloned(),
        }
    }

    /// Returns the name of the server that it asks for, if it does; else the session's serves it.
    ///
    /// # Example
    ///
    /// ```
    /// /// Counts the items of one kind.
    /// #[byre::tool(server = "stock")]
    /// async fn count(kind: String) -> usize {
    ///     kind.len()
    /// }
    ///
    /// # fn main() {
    /// assert_eq!(byre::tools![count][0].server(), Some("stock"));
    /// # }
    /// ```
    #[must_use]
    pub fn server(&self) -> Option<&str> {
        self.0.server.as_deref()
    }

    /// Returns where its attribute stands.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(tool: &byre::tool::Tool) {
    /// println!("{}", tool.location());
    /// # }
    /// ```
    #[must_use]
    pub fn location(&self) -> Location {
        self.0.location
    }

    pub(crate) fn limits(&self) -> Limits {
        self.0.limits
    }

    pub(crate) fn examples(&self) -> &[Value] {
        &self.0.examples
    }

    fn permits(&self) -> Option<&Arc<Semaphore>> {
        self.0.permits.as_ref()
    }

    fn layers(&self) -> &[Layered] {
        &self.0.layers
    }

    /// Returns the types of which it needs a value from the program.
    pub(crate) fn needs(&self) -> Vec<Need> {
        let mut parameters = Parameters::describe();
        let _ = self.pass(&mut parameters);
        parameters.needs()
    }

    /// Returns what is wrong with its parameters, examples and limits; each goes on from "the tool `add` …".
    pub(crate) fn faults(&self) -> Vec<String> {
        let mut parameters = Parameters::describe();
        let _ = self.pass(&mut parameters);
        let mut faults = parameters.faults();
        let checker = Checker::of_schema(&self.input_schema());
        for example in self.examples() {
            for problem in checker.problems(example) {
                faults.push(format!("has an example that does not fit: {problem}"));
            }
        }
        if self.limits().max_result_chars.is_some_and(|most| !(1..=MOST_CHARS).contains(&most)) {
            faults.push(format!(
                "has a `max_result_chars` that the CLI does not take; it must be from 1 to {MOST_CHARS}"
            ));
        }
        if self.limits().timeout.is_some_and(|limit| limit.is_zero()) {
            faults.push("has a `timeout` of 0, so that no call would ever end well".to_owned());
        }
        faults
    }

    /// Goes through the parameters of the function, and gives the call if all of them are there.
    fn pass(&self, parameters: &mut Parameters) -> Option<ToolFuture> {
        match &self.0.body {
            Body::Function { call, instance, .. } => {
                parameters.set_instance(instance.clone());
                call(parameters)
            }
            Body::Dynamic { handler, .. } => {
                let (arguments, context) = parameters.take_all()?;
                Some(handler(arguments, context))
            }
        }
    }

    fn schema(&self) -> InputSchema {
        let mut parameters = Parameters::describe();
        parameters.add_examples(self.examples());
        // In this mode no parameter is there, so the function is not called.
        let _ = self.pass(&mut parameters);
        parameters.schema()
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tool({} at {})", self.name(), self.location())
    }
}

/// Returns every tool that registered itself, in no order.
pub(crate) fn registered() -> Vec<Tool> {
    inventory::iter::<RegisteredTool>.into_iter().map(|tool| tool.0.get()).collect()
}

/// Names tools by the paths of their functions, as a `Vec` of [`Tool`].
///
/// For sessions that are to serve these tools and no others, and for tools that do not register
/// themselves (`#[byre::tool(register = false)]`).
///
/// # Example
///
/// ```
/// mod notes {
///     /// Searches the notes.
///     #[byre::tool]
///     pub async fn search(words: String) -> String {
///         format!("nothing about {words}")
///     }
/// }
///
/// /// Adds two integers.
/// #[byre::tool]
/// async fn add(a: i64, b: i64) -> i64 {
///     a + b
/// }
///
/// # fn main() {
/// let tools = byre::tools![add, notes::search];
/// assert_eq!(tools.iter().map(|tool| tool.name()).collect::<Vec<_>>(), ["add", "search"]);
/// # }
/// ```
#[macro_export]
macro_rules! tools {
    ($($tool:ty),* $(,)?) => {
        ::std::vec::Vec::<$crate::tool::Tool>::from([
            $(<$tool as $crate::__private::ToolFn>::tool()),*
        ])
    };
}

#[cfg(test)]
mod tests;
