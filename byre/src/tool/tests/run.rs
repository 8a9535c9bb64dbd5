//! What stands around calls: limits, layers, spans; and tools that are made while the program runs.

use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::time::sleep;

use super::*;
use crate::tool::run::Around;

/// Calls a tool as its server does.
async fn run(tool: &Tool, arguments: Value, around: &Around) -> CallToolResult {
    let arguments = to_raw_value(&arguments).unwrap();
    tool.run(Some(&arguments), &context(), around).await
}

fn dynamic<F: Future<Output = R> + Send + 'static, R: IntoToolResult>(
    handler: impl Fn(Map<String, Value>, ToolContext) -> F + Send + Sync + 'static,
) -> Tool {
    let schema = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
    });
    Tool::dynamic("greet", "Greets somebody.", schema, handler)
}

fn named() -> Value {
    json!({"name": "Berta"})
}

#[tokio::test]
async fn a_tool_made_at_run_time_is_described_and_called_like_any_other() {
    let tool = dynamic(|arguments, context| async move {
        format!("Hello, {}, from {}!", arguments["name"].as_str().unwrap(), context.server())
    });
    let tool = tool.read_only(true).with_title("Greet").max_result_chars(9).always_load(false);
    let tool = tool.meta("example.com/team", "hay").meta("example.com/team", "milk");
    assert_eq!(run(&tool, named(), &Around::default()).await.text(), "Hello, Berta, from byre!");
    assert_eq!(
        serde_json::from_str::<Value>(&tool.definition()).unwrap(),
        json!({
            "name": "greet",
            "title": "Greet",
            "description": "Greets somebody.",
            "inputSchema": {
                "type": "object",
                "properties": {"name": {"type": "string"}},
                "required": ["name"],
            },
            "annotations": {"title": "Greet", "readOnlyHint": true},
            "_meta": {
                "example.com/team": "milk",
                "anthropic/maxResultSizeChars": 9,
                "anthropic/alwaysLoad": false,
            },
        })
    );
    assert!(tool.location().to_string().contains("tests/run.rs:"), "{}", tool.location());
}

#[tokio::test]
async fn a_change_makes_another_tool_and_leaves_the_first() {
    let [add] = [only(crate::tools![add])];
    let changed = add.clone().with_name("plus").with_description("Sums up.");
    assert_eq!((changed.name(), changed.description()), ("plus", "Sums up."));
    assert_eq!((add.name(), add.description()), ("add", "Adds two integers."));
    assert_eq!(changed.input_schema(), add.input_schema());
    assert_eq!(call(&changed, r#"{"a":1,"b":2}"#).await.text(), "3");
}

#[tokio::test(start_paused = true)]
async fn a_call_that_takes_too_long_is_dropped_and_answered() {
    struct Dropped(Arc<AtomicUsize>);

    impl Drop for Dropped {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    let drops = Arc::new(AtomicUsize::new(0));
    let of_tool = Arc::clone(&drops);
    let tool = dynamic(move |_, _| {
        let guard = Dropped(Arc::clone(&of_tool));
        async move {
            sleep(Duration::from_secs(60)).await;
            drop(guard);
        }
    });
    let begun = tokio::time::Instant::now();
    let result = run(&tool.timeout(Duration::from_millis(2500)), named(), &Around::default()).await;
    assert_eq!(begun.elapsed(), Duration::from_millis(2500));
    assert!(result.is_error);
    assert_eq!(result.text(), "the tool `greet` did not finish within 2.5 s and was stopped");
    assert_eq!(drops.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_told_of_its_limit_may_clean_up() {
    let cleaned = Arc::new(AtomicUsize::new(0));
    let of_tool = Arc::clone(&cleaned);
    let tool = dynamic(move |_, context: ToolContext| {
        let cleaned = Arc::clone(&of_tool);
        async move {
            context.cancellation().cancelled().await;
            sleep(Duration::from_secs(1)).await;
            cleaned.fetch_add(1, Ordering::SeqCst);
        }
    });
    let result = run(&tool.timeout(Duration::from_secs(2)), named(), &Around::default()).await;
    assert!(result.is_error);
    sleep(Duration::from_secs(2)).await;
    assert_eq!(cleaned.load(Ordering::SeqCst), 1);
}

/// Runs ten calls at once, and returns how many of them ran at the same time at most.
async fn most_at_once(limit: impl Fn(Tool) -> (Tool, Around)) -> usize {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let seen = Arc::clone(&most);
    let (tool, around) = limit(dynamic(move |_, _| {
        let (now, most) = (Arc::clone(&now), Arc::clone(&most));
        async move {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            sleep(Duration::from_millis(100)).await;
            now.fetch_sub(1, Ordering::SeqCst);
        }
    }));
    let calls: Vec<_> = (0..10)
        .map(|_| {
            // A clone, as every session has one.
            let (tool, around) = (tool.clone(), around.clone());
            tokio::spawn(async move { run(&tool, named(), &around).await })
        })
        .collect();
    for call in calls {
        assert!(!call.await.unwrap().is_error);
    }
    seen.load(Ordering::SeqCst)
}

#[tokio::test(start_paused = true)]
async fn only_so_many_calls_of_a_tool_or_a_server_run_at_once() {
    assert_eq!(most_at_once(|tool| (tool, Around::default())).await, 10);
    assert_eq!(most_at_once(|tool| (tool.concurrency(3), Around::default())).await, 3);
    assert_eq!(most_at_once(|tool| (tool.concurrency(0), Around::default())).await, 1);
    let of_server = crate::McpServer::new("x").concurrency(2).around;
    assert_eq!(most_at_once(|tool| (tool, of_server.clone())).await, 2);
    assert_eq!(most_at_once(|tool| (tool.concurrency(1), of_server.clone())).await, 1);
}

#[tokio::test(start_paused = true)]
async fn the_wait_for_its_turn_counts() {
    let tool = dynamic(|_, _| sleep(Duration::from_secs(3)))
        .concurrency(1)
        .timeout(Duration::from_secs(4));
    let around = Around::default();
    let (first, second) = tokio::join!(run(&tool, named(), &around), run(&tool, named(), &around));
    assert!(!first.is_error);
    assert!(second.is_error, "{second:?}");
    // The permit of the call that was stopped is free again.
    assert!(!run(&tool, named(), &around).await.is_error);
}

#[cfg(feature = "tower")]
mod tower {
    use std::{
        convert::Infallible,
        task::{Context, Poll},
    };

    use tower_layer::{Layer, layer_fn};
    use tower_service::Service;

    use super::*;
    use crate::{
        Session,
        function::BoxFuture,
        tool::{ToolCall, ToolService},
    };

    /// Notes that it was passed, on the way in and on the way out.
    #[derive(Clone)]
    struct Note<S> {
        inner: S,
        name: &'static str,
        log: Arc<Mutex<Vec<String>>>,
    }

    impl<S> Service<ToolCall> for Note<S>
    where
        S: Service<ToolCall, Response = CallToolResult, Error = Infallible>,
        S::Future: Send + 'static,
    {
        type Response = CallToolResult;
        type Error = Infallible;
        type Future = BoxFuture<Result<CallToolResult, Infallible>>;

        fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
            self.inner.poll_ready(cx)
        }

        fn call(&mut self, mut call: ToolCall) -> Self::Future {
            let (name, log) = (self.name, Arc::clone(&self.log));
            log.lock().unwrap().push(format!("{name} {}", call.arguments()["name"]));
            call.arguments_mut()["name"] = name.into();
            let inner = self.inner.call(call);
            Box::pin(async move {
                let result = inner.await;
                log.lock().unwrap().push(format!("{name} out"));
                result
            })
        }
    }

    fn note(
        name: &'static str,
        log: &Arc<Mutex<Vec<String>>>,
    ) -> impl Layer<ToolService, Service = Note<ToolService>> + use<> {
        let log = Arc::clone(log);
        layer_fn(move |inner| Note { inner, name, log: Arc::clone(&log) })
    }

    fn echo() -> Tool {
        dynamic(|arguments, _| async move { arguments["name"].as_str().unwrap().to_owned() })
    }

    #[tokio::test]
    async fn layers_go_from_the_session_to_the_tool_and_the_first_is_outermost() {
        let log = Arc::new(Mutex::new(Vec::new()));
        let tool = echo().layer(note("tool 1", &log)).layer(note("tool 2", &log));
        let server = crate::McpServer::new("byre").tools([tool]).layer(note("server", &log));
        let cli = crate::testing::ScriptedCli::new(
            crate::testing::Script::new().call("mcp__byre__greet", named()).say("Done."),
        );
        let builder = Session::builder().tools([]).hooks([]).server(server);
        let builder = builder.layer(note("session", &log)).transport(cli);
        let mut session = builder.spawn().await.unwrap();
        session.prompt("Greet.").await.unwrap();
        session.close().await.unwrap();
        assert_eq!(
            *log.lock().unwrap(),
            [
                "session \"Berta\"",
                "server \"session\"",
                "tool 1 \"server\"",
                "tool 2 \"tool 1\"",
                "tool 2 out",
                "tool 1 out",
                "server out",
                "session out",
            ]
        );
    }

    /// Never lets a call through.
    #[derive(Clone)]
    struct Closed;

    impl Service<ToolCall> for Closed {
        type Response = CallToolResult;
        type Error = Box<dyn std::error::Error + Send + Sync>;
        type Future = BoxFuture<Result<CallToolResult, Self::Error>>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
            Poll::Ready(Err("too much to do".into()))
        }

        fn call(&mut self, _: ToolCall) -> Self::Future {
            panic!("it was not ready")
        }
    }

    #[derive(Clone)]
    struct Panics;

    impl Service<ToolCall> for Panics {
        type Response = CallToolResult;
        type Error = Infallible;
        type Future = BoxFuture<Result<CallToolResult, Infallible>>;

        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
            Poll::Ready(Ok(()))
        }

        fn call(&mut self, _: ToolCall) -> Self::Future {
            panic!("no hay")
        }
    }

    #[tokio::test]
    async fn a_layer_that_fails_or_panics_is_an_error_for_the_model() {
        let tool = echo().layer(layer_fn(|_: ToolService| Closed));
        let result = run(&tool, named(), &Around::default()).await;
        assert_eq!((result.is_error, result.text().as_str()), (true, "too much to do"));

        let tool = echo().layer(layer_fn(|_: ToolService| Panics));
        let result = run(&tool, named(), &Around::default()).await;
        assert!(result.is_error);
        assert_eq!(result.text(), "a layer around the tool `greet` panicked: no hay");
    }

    #[tokio::test]
    async fn arguments_are_checked_after_the_layers() {
        let log = Arc::new(Mutex::new(Vec::new()));
        let add = only(crate::tools![add]).layer(note("layer", &log));
        let result = run(&add, json!({"a": 1, "b": 2}), &Around::default()).await;
        assert!(result.is_error && result.text().contains("`name`: unknown"), "{result:?}");
        // A layer may leave a call to itself.
        let add = only(crate::tools![add]).layer(layer_fn(|inner: ToolService| inner));
        assert_eq!(run(&add, json!({"a": 1, "b": 2}), &Around::default()).await.text(), "3");
    }
}

mod spans {
    use std::{
        collections::BTreeMap,
        fmt::{self, Write as _},
    };

    use tracing::{
        Event, Level, Metadata, Subscriber,
        field::{Field, Visit},
        span::{Attributes, Id, Record},
        subscriber::with_default,
    };

    use super::*;

    /// Keeps the fields of the one span, and what is said in it.
    #[derive(Clone)]
    struct Collect {
        level: Level,
        seen: Arc<Mutex<Seen>>,
    }

    #[derive(Default)]
    struct Seen {
        fields: BTreeMap<String, String>,
        events: Vec<String>,
        entered: usize,
    }

    impl Visit for Seen {
        fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
            self.fields.insert(field.name().to_owned(), format!("{value:?}"));
        }
    }

    struct Text(String);

    impl Visit for Text {
        fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
            let _ = write!(self.0, "{}={value:?} ", field.name());
        }
    }

    impl Subscriber for Collect {
        fn enabled(&self, metadata: &Metadata<'_>) -> bool {
            *metadata.level() <= self.level
        }

        fn new_span(&self, span: &Attributes<'_>) -> Id {
            span.record(&mut *self.seen.lock().unwrap());
            Id::from_u64(1)
        }

        fn record(&self, _: &Id, values: &Record<'_>) {
            values.record(&mut *self.seen.lock().unwrap());
        }

        fn record_follows_from(&self, _: &Id, _: &Id) {}

        fn event(&self, event: &Event<'_>) {
            let mut text = Text(String::new());
            event.record(&mut text);
            self.seen.lock().unwrap().events.push(text.0);
        }

        fn enter(&self, _: &Id) {
            self.seen.lock().unwrap().entered += 1;
        }

        fn exit(&self, _: &Id) {}
    }

    /// What is traced of one call, at a level.
    fn traced(level: Level, tool: &Tool, polls_to_the_end: bool) -> Seen {
        let collect = Collect { level, seen: Arc::default() };
        let seen = Arc::clone(&collect.seen);
        with_default(collect, || {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let arguments = to_raw_value(&json!({"name": "secret"})).unwrap();
            let meta = to_raw_value(&json!({"claudecode/toolUseId": "toolu_1"})).unwrap();
            let context = ToolContext::new("byre", Some(&meta), Surroundings::default());
            let call = tool.run(Some(&arguments), &context, &Around::default());
            if polls_to_the_end {
                runtime.block_on(call);
            }
        });
        Arc::into_inner(seen).unwrap().into_inner().unwrap()
    }

    #[test]
    fn a_call_has_a_span_with_its_ids_and_its_end() {
        let ok = dynamic(|_, _| async {});
        let fails = dynamic(|_, _| async { Err::<(), _>("no hay") });
        for (tool, polls, outcome) in
            [(&ok, true, "ok"), (&fails, true, "error"), (&ok, false, "cancelled")]
        {
            let seen = traced(Level::INFO, tool, polls);
            assert_eq!(seen.fields["tool"], "\"greet\"");
            assert_eq!(seen.fields["server"], "\"byre\"");
            assert_eq!(seen.fields["tool_use_id"], "\"toolu_1\"");
            assert_eq!(seen.fields["outcome"], format!("{outcome:?}"));
            assert!(seen.fields["duration_ms"].parse::<u64>().is_ok(), "{:?}", seen.fields);
            assert!(seen.entered > 0);
            // Arguments may hold anything, so they are told at the debug level only.
            assert!(!format!("{:?}{:?}", seen.fields, seen.events).contains("secret"));
        }
        let seen = traced(Level::DEBUG, &ok, true);
        assert!(seen.events[0].contains("secret"), "{:?}", seen.events);
    }
}
