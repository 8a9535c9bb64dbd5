//! What is said of results before they are sent.

use std::{
    fmt,
    fmt::Write as _,
    sync::{Arc, Mutex},
};

use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use tracing::{
    Event, Level, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
    subscriber::with_default,
};

use super::*;
use crate::tool::run::Around;

/// Keeps what is said at the level of warnings and errors, a line each.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        write!(self.0, " {}={value:?}", field.name()).unwrap();
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::WARN
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(event.metadata().level().to_string());
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Calls a tool as its server does, and returns what was logged besides.
fn run(tool: &Tool, arguments: &Value) -> (CallToolResult, Vec<String>) {
    let log = Log::default();
    let result = with_default(log.clone(), || {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let arguments = to_raw_value(arguments).unwrap();
        runtime.block_on(tool.run(Some(&arguments), &context(), &Around::default()))
    });
    let lines = log.0.lock().unwrap().clone();
    (result, lines)
}

/// A tool that returns what `make` makes.
fn returning(make: impl Fn() -> CallToolResult + Send + Sync + 'static) -> Tool {
    let handler = move |_, _| std::future::ready(make());
    Tool::dynamic("give", "Gives.", json!({"type": "object"}), handler)
}

#[test]
fn the_detail_of_an_error_is_logged_with_the_name_of_the_tool() {
    /// Fails.
    #[byre::tool(register = false)]
    async fn fails(loud: bool) -> Result<u8, ToolError> {
        let error = ToolError::new("try later");
        Err(if loud { error.detail("10.0.0.7 refuses") } else { error })
    }

    let tool = only(crate::tools![fails]);
    let (result, lines) = run(&tool, &json!({"loud": true}));
    assert_eq!(result.text(), "try later");
    let [line] = &lines[..] else { panic!("one line, not {lines:?}") };
    assert!(line.starts_with("WARN"), "{line}");
    for part in ["tool=\"fails\"", "detail=\"10.0.0.7 refuses\"", "try later", "sent.rs:"] {
        assert!(line.contains(part), "{part} in {line}");
    }
    let (_, lines) = run(&tool, &json!({"loud": false}));
    assert!(lines.is_empty(), "{lines:?}");
}

/// Something whose schema and whose data differ.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only in the schema")]
struct Odd {
    count: u32,
    right: bool,
}

impl Serialize for Odd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([("right", true)])
    }
}

#[cfg(debug_assertions)]
#[test]
fn what_does_not_fit_the_output_schema_is_an_error_in_debug_builds() {
    /// Counts.
    #[byre::tool(register = false)]
    async fn odd() -> Odd {
        Odd { count: 1, right: true }
    }

    let (result, lines) = run(&only(crate::tools![odd]), &json!({}));
    assert!(result.is_error, "{}", result.text());
    assert!(result.structured_content.is_none());
    let [line] = &lines[..] else { panic!("one line, not {lines:?}") };
    assert!(line.starts_with("ERROR"), "{line}");
    for part in ["the result of a tool does not fit", "tool=\"odd\"", "count", "sent.rs:"] {
        assert!(line.contains(part), "{part} in {line}");
    }
    assert!(result.text().contains("\n- `count`: missing"), "{}", result.text());
}

#[cfg(debug_assertions)]
#[test]
fn a_schema_without_data_is_a_mistake_as_well() {
    struct Promise(bool);

    impl IntoToolResult for Promise {
        fn into_tool_result(self) -> CallToolResult {
            let mut result = CallToolResult::new([Content::text("here")]);
            result.structured_content = self.0.then(|| json!({"a": 1}));
            result
        }

        fn output_schema() -> Option<Value> {
            Some(json!({"type": "object", "required": ["a"]}))
        }
    }

    /// Promises.
    #[byre::tool(register = false)]
    async fn promise(keep: bool) -> Promise {
        Promise(keep)
    }

    let tool = only(crate::tools![promise]);
    let (result, _) = run(&tool, &json!({"keep": false}));
    assert_eq!(
        result,
        CallToolResult::error(
            "the result of `promise` does not fit its output schema, which is a mistake in the tool and not in \
             the call:\n- there is no structured content"
        )
    );
    let (result, lines) = run(&tool, &json!({"keep": true}));
    assert!(!result.is_error && lines.is_empty(), "{result:?} {lines:?}");
}

#[test]
fn a_failure_is_not_held_to_the_output_schema() {
    /// Fails.
    #[byre::tool(register = false)]
    async fn fails() -> Result<Odd, String> {
        Err("no".to_owned())
    }

    let (result, lines) = run(&only(crate::tools![fails]), &json!({}));
    assert_eq!(result, CallToolResult::error("no"));
    assert!(lines.is_empty(), "{lines:?}");
}

/// Says whether a result is warned of, in one line that names what can be done.
fn is_warned_of(tool: &Tool) -> bool {
    let (_, lines) = run(tool, &json!({}));
    match &lines[..] {
        [] => false,
        [line] => {
            assert!(line.starts_with("WARN"), "{line}");
            assert!(line.contains("tool=\"give\"") && line.contains("chars="), "{line}");
            true
        }
        lines => panic!("one line, not {lines:?}"),
    }
}

/// A tool that returns a text of this many characters.
fn long(chars: usize) -> Tool {
    returning(move || CallToolResult::new([Content::text("x".repeat(chars))]))
}

#[test]
fn a_result_that_the_cli_would_cut_is_warned_of() {
    assert!(!is_warned_of(&long(50_000)));
    assert!(is_warned_of(&long(50_001)));
    let (_, lines) = run(&long(60_000), &json!({}));
    assert!(lines[0].contains("chars=60000") && lines[0].contains("max_result_chars"), "{lines:?}");

    // The tool's own limit takes the place of the CLI's, whether it is higher or lower.
    assert!(!is_warned_of(&long(60_000).max_result_chars(60_000)));
    assert!(is_warned_of(&long(60_001).max_result_chars(60_000)));
    assert!(is_warned_of(&long(11).max_result_chars(10)));
    assert!(is_warned_of(&long(500_001).max_result_chars(1_000_000)));
}

#[test]
fn what_is_counted_is_what_the_model_sees() {
    // Bytes are not characters, and JavaScript counts some characters twice.
    let texts = |text: &'static str, times: usize| {
        returning(move || {
            CallToolResult::new([Content::text(text.repeat(times)), Content::text("")])
        })
    };
    assert!(!is_warned_of(&texts("ä", 50_000)));
    assert!(!is_warned_of(&texts("𝄞", 25_000)));
    assert!(is_warned_of(&texts("𝄞", 25_001)));
    // Several texts come together.
    let two = || {
        CallToolResult::new([Content::text("x".repeat(30_000)), Content::text("y".repeat(30_000))])
    };
    assert!(is_warned_of(&returning(two)));
    // Data stands in the place of the text.
    let data = |data: usize, text: usize| {
        returning(move || {
            let mut result = CallToolResult::new([Content::text("x".repeat(text))]);
            result.structured_content = Some(json!({"data": "x".repeat(data)}));
            result
        })
    };
    assert!(is_warned_of(&data(60_000, 0)));
    assert!(!is_warned_of(&data(0, 60_000)));
}

#[test]
fn an_error_that_the_cli_would_cut_is_warned_of() {
    let fails = |chars: usize| returning(move || CallToolResult::error("x".repeat(chars)));
    assert!(!is_warned_of(&fails(10_000)));
    assert!(is_warned_of(&fails(10_001)));
    // No limit of the tool changes that.
    assert!(is_warned_of(&fails(10_001).max_result_chars(60_000)));
}

#[test]
fn images_that_the_model_can_not_see_are_warned_of() {
    for (image, want) in [
        (Content::image(b"x", "image/png"), None),
        (Content::image(b"<svg/>", "image/svg+xml"), Some("PNG, JPEG, GIF or WebP")),
        (Content::image(vec![0; 4_000_000], "image/png"), Some("5 MB")),
    ] {
        let (_, lines) = run(&returning(move || CallToolResult::new([image.clone()])), &json!({}));
        match (want, &lines[..]) {
            (None, []) => (),
            (Some(want), [line]) => assert!(line.contains(want), "{line}"),
            _ => panic!("{want:?}, not {lines:?}"),
        }
    }
}
