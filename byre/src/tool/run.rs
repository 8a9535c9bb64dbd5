//! A call from its start to its end: the layers around it, its span, and the limits of its tool.

use std::{
    borrow::Cow,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::{Duration, Instant},
};

use serde_json::{Value, value::RawValue, value::to_raw_value};
use tokio::sync::Semaphore;
use tracing::{Span, field};

use super::{
    CallToolResult, Tool,
    context::ToolContext,
    def::ToolFuture,
    layer::{Layered, ToolCall},
    sent,
};
use crate::wire::tokens;

/// What a server, or a session, puts around the calls of all its tools.
#[derive(Clone, Default)]
pub(crate) struct Around {
    /// From the outside in.
    pub(crate) layers: Vec<Layered>,
    /// Where there is a limit to how many calls run at once.
    pub(crate) permits: Option<Arc<Semaphore>>,
}

impl Tool {
    /// Calls the function as its server does: inside the layers of the session, the server and the tool, in a
    /// span, and bounded by the limits of both.
    ///
    /// Never panics, neither now nor when it is polled. Dropping the future drops the function's.
    pub(crate) fn run(
        &self,
        arguments: Option<&RawValue>,
        context: &ToolContext,
        around: &Around,
    ) -> ToolFuture {
        let span = self.span(context);
        if span.is_disabled() {
            return self.looked_at(self.layered(arguments, context, around));
        }
        let call = span.in_scope(|| {
            let shown = arguments.map_or("{}", RawValue::get);
            tracing::debug!(arguments = %tokens::hide(shown), "a call begins");
            self.looked_at(self.layered(arguments, context, around))
        });
        Box::pin(Traced { call: Some(call), span, begun: Instant::now() })
    }

    /// Looks at what the layers give, which is what is sent.
    fn looked_at(&self, call: ToolFuture) -> ToolFuture {
        let tool = self.clone();
        Box::pin(async move { sent::looked_at(&tool, call.await) })
    }

    fn span(&self, context: &ToolContext) -> Span {
        let span = tracing::info_span!(
            "tool_call",
            tool = self.name(),
            server = context.server(),
            tool_use_id = field::Empty,
            session_id = field::Empty,
            duration_ms = field::Empty,
            outcome = field::Empty,
        );
        if !span.is_disabled() {
            span.record("tool_use_id", context.tool_use_id());
            span.record("session_id", context.surroundings().session_id());
        }
        span
    }

    fn layered(
        &self,
        arguments: Option<&RawValue>,
        context: &ToolContext,
        around: &Around,
    ) -> ToolFuture {
        if around.layers.is_empty() && self.layers().is_empty() {
            return self.bounded(arguments, context, around.permits.as_ref());
        }
        let json = arguments.map_or("{}", RawValue::get);
        let arguments = match serde_json::from_str(json) {
            Ok(Value::Null) => Value::Object(serde_json::Map::new()),
            Ok(arguments) => arguments,
            // Nested too deeply, which the call itself tells the model.
            Err(_) => return self.call(arguments, context),
        };
        let layers = around.layers.iter().chain(self.layers()).cloned().collect();
        ToolCall::new(self.clone(), arguments, context.clone(), layers, around.permits.clone())
            .next()
    }

    /// Calls the function once there is room for one more call, and for no longer than it may take.
    pub(super) fn bounded(
        &self,
        arguments: Option<&RawValue>,
        context: &ToolContext,
        of_server: Option<&Arc<Semaphore>>,
    ) -> ToolFuture {
        let (timeout, of_tool) = (self.limits().timeout, self.permits());
        if timeout.is_none() && of_tool.is_none() && of_server.is_none() {
            return self.call(arguments, context);
        }
        let (tool, context) = (self.clone(), context.clone());
        let arguments = arguments.map(ToOwned::to_owned);
        let permits: Vec<_> = of_tool.into_iter().chain(of_server).cloned().collect();
        let waiting = context.clone();
        let call = Box::pin(async move {
            // In this order, a call that waits for its tool keeps no other tool of the server waiting. Nobody
            // closes them, so there is no error.
            let mut held = Vec::new();
            for permits in permits {
                held.extend(permits.acquire_owned().await);
            }
            tool.call(arguments.as_deref(), &context).await
        });
        match timeout {
            None => call,
            Some(limit) => self.within(limit, call, &waiting),
        }
    }

    /// Answers for a call that takes longer than `limit`, which has to be before the CLI gives it up.
    fn within(&self, limit: Duration, call: ToolFuture, context: &ToolContext) -> ToolFuture {
        let tool = self.clone();
        let call = context.cancellable(call);
        Box::pin(async move {
            tokio::time::timeout(limit, call).await.unwrap_or_else(|_| {
                let seconds = limit.as_secs_f64();
                tracing::warn!(tool = tool.name(), seconds, "a call took too long and was dropped");
                CallToolResult::error(format!(
                    "the tool `{}` did not finish within {seconds} s and was stopped",
                    tool.name()
                ))
            })
        })
    }
}

/// Writes the arguments of a call, which layers may have changed.
pub(super) fn to_raw(arguments: &Value) -> Result<Box<RawValue>, Cow<'static, str>> {
    to_raw_value(arguments).map_err(|error| error.to_string().into())
}

/// A call in its span, which learns how the call ended.
struct Traced {
    /// `None` once it is done.
    call: Option<ToolFuture>,
    span: Span,
    begun: Instant,
}

impl Traced {
    fn end(&self, outcome: &str) {
        let milliseconds = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.span.record("duration_ms", milliseconds);
        self.span.record("outcome", outcome);
        self.span
            .in_scope(|| tracing::debug!(outcome, duration_ms = milliseconds, "a call has ended"));
    }
}

impl Future for Traced {
    type Output = CallToolResult;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<CallToolResult> {
        let this = &mut *self;
        let Some(call) = &mut this.call else { return Poll::Pending };
        let span = this.span.clone();
        let polled = span.in_scope(|| call.as_mut().poll(cx));
        if let Poll::Ready(result) = &polled {
            this.end(if result.is_error { "error" } else { "ok" });
            span.in_scope(|| this.call = None);
        }
        polled
    }
}

impl Drop for Traced {
    fn drop(&mut self) {
        if let Some(call) = self.call.take() {
            self.end("cancelled");
            let span = self.span.clone();
            span.in_scope(|| drop(call));
        }
    }
}
