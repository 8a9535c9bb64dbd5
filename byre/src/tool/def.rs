//! What `#[byre::tool]` writes beside a function, and `#[byre::toolset]` in an `impl` block.

use std::sync::Arc;
use std::{any::Any, fmt, sync::OnceLock, time::Duration};

use serde_json::Value;

use super::{CallToolResult, Location, Tool, parameters::Parameters};
use crate::function::BoxFuture;

/// Everything about one tool, as a constant: data, and plain functions for what is not constant.
///
/// Not public API.
#[doc(hidden)]
#[derive(Debug)]
pub struct ToolDef {
    pub name: &'static str,
    pub title: Option<&'static str>,
    pub description: &'static str,
    /// The name of the server that it is for, if not that of the session.
    pub server: Option<&'static str>,
    pub hints: Hints,
    pub limits: Limits,
    /// What stands in its `_meta`, by key.
    pub meta: fn() -> Vec<(&'static str, Value)>,
    /// Arguments as a model might give them.
    pub examples: fn() -> Vec<Value>,
    pub location: Location,
    pub output_schema: fn() -> Option<Value>,
    /// Goes through the parameters in their order, and gives the call if all of them are there.
    pub call: fn(&mut Parameters) -> Option<ToolFuture>,
}

impl ToolDef {
    /// What a tool is without any argument of the attribute. Generated code says only what differs.
    pub const NEW: Self = Self {
        name: "",
        title: None,
        description: "",
        server: None,
        hints: Hints::NEW,
        limits: Limits::NEW,
        meta: Vec::new,
        examples: Vec::new,
        location: Location::new("", 0, ""),
        output_schema: || None,
        call: |_| None,
    };
}

/// The annotations, as a constant.
///
/// Not public API.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Hints {
    pub read_only: Option<bool>,
    pub destructive: Option<bool>,
    pub idempotent: Option<bool>,
    pub open_world: Option<bool>,
}

impl Hints {
    pub const NEW: Self =
        Self { read_only: None, destructive: None, idempotent: None, open_world: None };
}

/// What bounds a call and its result, as a constant.
///
/// Not public API.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long a call may take, from the moment on that it runs.
    pub timeout: Option<Duration>,
    /// How many calls may run at once, in all sessions of the program together.
    pub concurrency: Option<usize>,
    /// How many characters of a result reach the model, where the CLI's own limit is not wanted.
    pub max_result_chars: Option<u32>,
    /// Whether the tool is in the prompt from the first turn, where it is not as its server is.
    pub always_load: Option<bool>,
}

impl Limits {
    pub const NEW: Self =
        Self { timeout: None, concurrency: None, max_result_chars: None, always_load: None };
}

/// A call that runs.
///
/// Not public API.
#[doc(hidden)]
pub type ToolFuture = BoxFuture<CallToolResult>;

/// The tool of a function. There is one for the whole program, so that its limits are one as well.
///
/// Not public API.
#[doc(hidden)]
pub struct StaticTool {
    def: ToolDef,
    tool: OnceLock<Tool>,
}

impl StaticTool {
    #[must_use]
    pub const fn new(def: ToolDef) -> Self {
        Self { def, tool: OnceLock::new() }
    }

    pub fn get(&self) -> Tool {
        self.tool.get_or_init(|| Tool::from_def(&self.def, None)).clone()
    }
}

impl fmt::Debug for StaticTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.def.fmt(f)
    }
}

/// A tool that registered itself.
///
/// Not public API.
#[doc(hidden)]
#[derive(Debug)]
pub struct RegisteredTool(pub &'static StaticTool);

inventory::collect!(RegisteredTool);

/// What `tools!` asks of a path.
///
/// Not public API.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a function with `#[byre::tool]`",
    note = "`tools!` takes paths of functions that have `#[byre::tool]`"
)]
pub trait ToolFn {
    fn tool() -> Tool;
}

/// The value on which the methods of a set are called.
///
/// Not public API.
#[doc(hidden)]
pub type Instance = Arc<dyn Any + Send + Sync>;

/// A value that calls may use from any thread, at once.
///
/// Not public API: a value is one by its `Send` and `Sync`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a set of tools",
    label = "calls use it from any thread, several at once",
    note = "it must be `Send + Sync + 'static`: put what changes into a `Mutex`, and use `Arc` for `Rc`"
)]
pub trait Shared {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> Shared for T {}

/// Asks whether the value of a set is shared.
///
/// Not public API: for generated code.
#[doc(hidden)]
pub trait CheckShared: Shared {}

/// Takes it for granted: a bound with a lifetime of its own is not checked where it is written.
///
/// Not public API: for generated code.
#[doc(hidden)]
pub trait AssumeShared<'a>: Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> AssumeShared<'_> for T {}

/// A value with methods that are tools. Made by [`#[byre::toolset]`](macro@crate::toolset).
///
/// [`McpServer::tools`](crate::McpServer::tools) and [`SessionBuilder::tools`](crate::SessionBuilder::tools)
/// take such a value, or an `Arc` of one, which may serve many sessions at once.
///
/// # Example
///
/// ```
/// use std::sync::Arc;
///
/// use byre::tool::ToolSet;
///
/// struct Warehouse;
///
/// #[byre::toolset]
/// impl Warehouse {
///     /// Counts the items of one kind.
///     #[tool(read_only)]
///     async fn count(&self, kind: String) -> usize {
///         kind.len()
///     }
/// }
///
/// # fn main() {
/// let warehouse = Arc::new(Warehouse);
/// assert_eq!(warehouse.into_tools()[0].name(), "count");
/// # }
/// ```
pub trait ToolSet: Send + Sync + 'static {
    /// Returns its tools, in the order of its methods.
    fn into_tools(self: Arc<Self>) -> Vec<Tool>;
}

/// Something that is a list of tools, or has one: an iterator of [`Tool`], a [`ToolSet`], or an `Arc` of one.
///
/// `Kind` tells the three apart, and is never written.
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
/// let server = byre::McpServer::new("sums").tools(byre::tools![add]);
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list of tools",
    label = "neither a list of `byre::tool::Tool` nor a value with `#[byre::toolset]`",
    note = "use `byre::tools![…]` for functions, or put `#[byre::toolset]` on an `impl` block"
)]
pub trait IntoTools<Kind> {
    /// Returns the tools.
    fn into_tools(self) -> Vec<Tool>;
}

/// Not public API.
#[doc(hidden)]
#[derive(Debug)]
pub struct OfList;

/// Not public API.
#[doc(hidden)]
#[derive(Debug)]
pub struct OfSet;

/// Not public API.
#[doc(hidden)]
#[derive(Debug)]
pub struct OfShared;

#[diagnostic::do_not_recommend]
impl<I: IntoIterator<Item = Tool>> IntoTools<OfList> for I {
    fn into_tools(self) -> Vec<Tool> {
        self.into_iter().collect()
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToolSet> IntoTools<OfSet> for T {
    fn into_tools(self) -> Vec<Tool> {
        ToolSet::into_tools(Arc::new(self))
    }
}

#[diagnostic::do_not_recommend]
impl<T: ToolSet> IntoTools<OfShared> for Arc<T> {
    fn into_tools(self) -> Vec<Tool> {
        ToolSet::into_tools(self)
    }
}
