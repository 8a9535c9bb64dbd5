//! What can stand around calls: logging, limits, approval, caches.
//!
//! A layer sees a [`ToolCall`] before the function does, and the result before the model does. With byre's
//! feature `tower`, any `tower::Layer` is one: see `Tool::layer`, `McpServer::layer`
//! and `SessionBuilder::layer`. Of several, the one given first is outermost;
//! those of the session are around those of a server, and these around those of a tool.

use std::{collections::VecDeque, fmt, sync::Arc};

use serde_json::Value;
use tokio::sync::Semaphore;

use super::{CallToolResult, Tool, ToolContext, def::ToolFuture, run::to_raw};

/// One call of a tool, on its way through the layers.
///
/// # Example
///
/// ```
/// use byre::tool::ToolCall;
///
/// fn describe(call: &ToolCall) -> String {
///     format!("{}({})", call.tool().name(), call.arguments())
/// }
/// ```
#[derive(Clone)]
pub struct ToolCall {
    tool: Tool,
    arguments: Value,
    context: ToolContext,
    /// The layers that it has not been through.
    rest: VecDeque<Layered>,
    /// Those of the server.
    permits: Option<Arc<Semaphore>>,
}

impl ToolCall {
    pub(super) fn new(
        tool: Tool,
        arguments: Value,
        context: ToolContext,
        layers: VecDeque<Layered>,
        permits: Option<Arc<Semaphore>>,
    ) -> Self {
        Self { tool, arguments, context, rest: layers, permits }
    }

    /// Returns the tool that is called.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(call: &byre::tool::ToolCall) {
    /// let harmless = call.tool().annotations().read_only_hint == Some(true);
    /// # }
    /// ```
    #[must_use]
    pub fn tool(&self) -> &Tool {
        &self.tool
    }

    /// Returns the arguments as the model gave them: nothing is checked before the function's turn.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(call: &byre::tool::ToolCall) {
    /// println!("{}", call.arguments()["customer"]);
    /// # }
    /// ```
    #[must_use]
    pub fn arguments(&self) -> &Value {
        &self.arguments
    }

    /// Returns the arguments, to change them.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(call: &mut byre::tool::ToolCall) {
    /// call.arguments_mut()["limit"] = 20.into();
    /// # }
    /// ```
    pub fn arguments_mut(&mut self) -> &mut Value {
        &mut self.arguments
    }

    /// Returns what the call is in: its session, its ids, its cancellation.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(call: &byre::tool::ToolCall) {
    /// println!("{:?}", call.context().tool_use_id());
    /// # }
    /// ```
    #[must_use]
    pub fn context(&self) -> &ToolContext {
        &self.context
    }

    /// Goes on to the next layer, or to the function after the last.
    pub(crate) fn next(mut self) -> ToolFuture {
        if let Some(layer) = self.rest.pop_front() {
            return (layer.0)(self);
        }
        match to_raw(&self.arguments) {
            Ok(arguments) => {
                self.tool.bounded(Some(&arguments), &self.context, self.permits.as_ref())
            }
            Err(error) => Box::pin(std::future::ready(CallToolResult::error(error))),
        }
    }
}

impl fmt::Debug for ToolCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCall")
            .field("tool", &self.tool)
            .field("context", &self.context)
            .finish_non_exhaustive()
    }
}

/// A layer with what is in it.
///
/// Not public API.
#[doc(hidden)]
#[derive(Clone)]
#[expect(missing_debug_implementations, reason = "a function has none")]
pub struct Layered(Arc<dyn Fn(ToolCall) -> ToolFuture + Send + Sync>);

#[cfg(feature = "tower")]
pub use with_tower::{AroundCalls, ToolService};
#[cfg(feature = "tower")]
mod with_tower {
    use std::{
        convert::Infallible,
        error::Error,
        future::poll_fn,
        sync::Arc,
        task::{Context, Poll},
    };

    use tower_service::Service;

    use super::{Layered, ToolCall};
    use crate::{
        function::{BoxFuture, CatchUnwind},
        tool::{CallToolResult, def::ToolFuture},
    };

    /// What is in a layer: the layers further in, and at last the tool's function.
    ///
    /// It never fails: what goes wrong is a [`CallToolResult`] with `is_error`. It is always ready.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::tool::ToolService;
    /// use tower_layer::layer_fn;
    ///
    /// let nothing = layer_fn(|inner: ToolService| inner);
    /// let builder = byre::Session::builder().layer(nothing);
    /// ```
    #[derive(Clone, Debug, Default)]
    #[non_exhaustive]
    pub struct ToolService {}

    impl Service<ToolCall> for ToolService {
        type Response = CallToolResult;
        type Error = Infallible;
        type Future = BoxFuture<Result<CallToolResult, Infallible>>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
            Poll::Ready(Ok(()))
        }

        fn call(&mut self, call: ToolCall) -> Self::Future {
            Box::pin(async move { Ok(call.next().await) })
        }
    }

    /// The service of a layer that can stand around calls of tools: it answers a [`ToolCall`] with a
    /// [`CallToolResult`], and is `Clone + Send + Sync`, since every call has one of its own. An error of it,
    /// whatever can become a boxed one, is told to the model.
    ///
    /// A service is one by its bounds; nobody has to implement this.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::tool::{AroundCalls, ToolService};
    ///
    /// fn check<S: AroundCalls>() {}
    ///
    /// check::<ToolService>();
    /// ```
    #[diagnostic::on_unimplemented(
        message = "`{Self}` can't stand around calls of tools",
        label = "no service that takes a `byre::tool::ToolCall`",
        note = "it has to be `Service<ToolCall, Response = CallToolResult> + Clone + Send + Sync + 'static`, with a \
                future that is `Send` and an error that becomes a `Box<dyn Error + Send + Sync>`"
    )]
    pub trait AroundCalls {
        /// Not public API.
        #[doc(hidden)]
        fn into_layered(self) -> Layered;
    }

    #[diagnostic::do_not_recommend]
    impl<S> AroundCalls for S
    where
        S: Service<ToolCall, Response = CallToolResult> + Clone + Send + Sync + 'static,
        S::Error: Into<Box<dyn Error + Send + Sync>>,
        S::Future: Send,
    {
        fn into_layered(self) -> Layered {
            let service = self;
            Layered(Arc::new(move |call| answered(service.clone(), call)))
        }
    }

    /// Calls the service, whose errors and panics are for the model to read.
    fn answered<S>(mut service: S, call: ToolCall) -> ToolFuture
    where
        S: Service<ToolCall, Response = CallToolResult> + Send + 'static,
        S::Error: Into<Box<dyn Error + Send + Sync>>,
        S::Future: Send,
    {
        let name = call.tool().name().to_owned();
        let answer = CatchUnwind::new(Box::pin(async move {
            if let Err(error) = poll_fn(|cx| service.poll_ready(cx)).await {
                return CallToolResult::error(error.into().to_string());
            }
            let called = service.call(call).await;
            called.unwrap_or_else(|error| CallToolResult::error(error.into().to_string()))
        }));
        Box::pin(async move {
            answer.await.unwrap_or_else(|panic| {
                tracing::error!(tool = name, "a layer around a tool panicked: {panic}");
                CallToolResult::error(format!("a layer around the tool `{name}` panicked: {panic}"))
            })
        })
    }
}
