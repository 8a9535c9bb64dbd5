//! What the model is offered, what becomes of its calls, and what it sees of their results.

use std::{
    collections::{BTreeMap, HashMap},
    path::PathBuf,
    sync::{
        LazyLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use byre::{
    Event, Json, Session,
    testing::{Reply, Script, SeenResult},
    tool::{Content, Tool},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::{
    sync::Barrier,
    time::{sleep, timeout},
};

use super::{Live, events, images::PIXEL, live};

/// Adds two integers.
///
/// Both may be *negative*.
#[byre::tool(register = false, title = "Sum", idempotent)]
async fn add(
    /// The first addend.
    a: i64,
    /// The second addend.
    #[arg(default = 1)]
    b: i64,
) -> i64 {
    a + b
}

async fn start(live: &Live, tools: Vec<Tool>) -> Session {
    live.builder().tools(tools).spawn().await.expect("the session starts")
}

/// What the model saw of each result, in the order in which they came.
pub(super) fn results(live: &Live) -> Vec<SeenResult> {
    live.requests().iter().flat_map(|request| request.tool_results.clone()).collect()
}

#[derive(Deserialize, JsonSchema)]
enum Colour {
    Brown,
    #[serde(rename = "black and white")]
    Pied,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is of interest")]
enum Fodder {
    /// Dried grass.
    Hay {
        bales: u8,
    },
    Silage,
}

/// A cow and her calves.
#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only its schema is of interest")]
struct Cow {
    name: String,
    calves: Vec<Cow>,
}

/// Needs nothing.
#[byre::tool(register = false, name = "no-arguments_0", read_only)]
async fn no_arguments() {}

/// Takes almost everything.
#[byre::tool(register = false, destructive = false, open_world)]
async fn everything(
    colour: Colour,
    fodder: Option<Fodder>,
    herd: Cow,
    names: HashMap<String, Vec<Cow>>,
    #[arg(default = 4)] legs: i8,
    sorted: BTreeMap<String, (u8, String)>,
    r#type: Option<f32>,
) {
    drop((colour, fodder, herd, names, legs, sorted, r#type));
}

/// Takes the rest.
#[byre::tool(register = false)]
async fn rest(anything: Value, path: PathBuf, wait: Option<Duration>, small: Option<[u8; 2]>) {
    drop((anything, path, wait, small));
}

/// Is described at length.
///
/// A first paragraph, whose lines
/// are joined; with "quotes", `code`, \ backslashes, <tags> & entities, über and 日本 and 🐄.
///
/// - one thing
/// - another
///
/// ```sh
/// byre --count   # and a comment
/// ```
///
/// | a | b |
/// |---|---|
/// | 1 | 2 |
#[byre::tool(register = false)]
async fn long() {}

/// Gives data, whose schema the model does not see.
#[byre::tool(register = false)]
async fn data() -> Json<BTreeMap<String, u8>> {
    Json(BTreeMap::new())
}

#[tokio::test]
async fn every_tool_is_offered_at_once_with_exactly_its_schema() {
    live(Script::new().say("Hello."), async |live| {
        let tools = byre::tools![no_arguments, rest, everything, long, data, add];
        let mut session = start(live, tools.clone()).await;
        let events = events(&mut session, "Hi.").await;
        assert!(!events.iter().any(|event| matches!(event, Event::Warning(_))), "{events:?}");

        let request = &live.requests()[0];
        for tool in &tools {
            let offered = request.tool(tool.name()).unwrap_or_else(|| panic!("{tool:?}"));
            assert_eq!(offered.name, format!("mcp__byre__{}", tool.name()));
            assert_eq!(offered.description, tool.description());
            assert_eq!(offered.input_schema, tool.input_schema(), "{tool:?}");
            assert!(!offered.defer_loading, "{tool:?}");
        }
        let names = request.tools.iter().filter_map(|t| t.name.strip_prefix("mcp__byre__"));
        let sorted = ["add", "data", "everything", "long", "no-arguments_0", "rest"];
        assert_eq!(names.collect::<Vec<_>>(), sorted, "the order is that of the prompt cache");
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn instructions_reach_the_model() {
    // As long as byre allows them to be.
    let texts = ["Count in dozens.".to_owned(), "x".repeat(4096), "🐄".repeat(2048)];
    let script = texts.iter().fold(Script::new(), |script, _| script.say("Hello."));
    live(script, async |live| {
        for text in texts {
            let builder = live.builder().tools(byre::tools![add]).instructions(&text);
            let mut session = builder.spawn().await.unwrap();
            session.prompt("Hi.").await.unwrap();
            let system = live.requests().last().unwrap().system.join("\n");
            assert!(system.contains(&text), "{system}");
            session.close().await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn servers_and_tools_with_odd_names_are_called_without_a_question() {
    #[byre::tool(register = false, name = "_-_")]
    /// Is called oddly.
    async fn odd() -> &'static str {
        "called"
    }

    let names = ["my server", "a.b/c:d", "сервер", "a__b", "-x-", "\"q\", mcp__z"];
    let script =
        names.iter().fold(Script::new(), |script, _| script.call("_-_", json!({})).say("{result}"));
    live(script, async |live| {
        for name in names {
            let builder = live.builder().tools(byre::tools![odd]).server_name(name);
            let mut session = builder.spawn().await.unwrap();
            let outcome = session.prompt("Go.").await.unwrap();
            assert_eq!(outcome.text(), "called", "{name:?}: {:?}", results(live).last());
            session.close().await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn calls_of_read_only_tools_overlap() {
    static BOTH: LazyLock<Barrier> = LazyLock::new(|| Barrier::new(3));

    /// Waits for the others.
    #[byre::tool(register = false, read_only)]
    async fn meet() -> Result<&'static str, &'static str> {
        let met = timeout(Duration::from_secs(20), BOTH.wait()).await;
        met.map_or(Err("nobody came"), |_| Ok("met"))
    }

    let script = Script::new()
        .call_all([("meet", json!({})), ("meet", json!({})), ("meet", json!({}))])
        .say("Done.");
    live(script, async |live| {
        let mut session = start(live, byre::tools![meet]).await;
        session.prompt("Go.").await.unwrap();
        let texts = results(live).into_iter().map(|result| result.text).collect::<Vec<_>>();
        assert_eq!(texts, ["met", "met", "met"]);
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn calls_of_other_tools_do_not_overlap() {
    static RUNNING: AtomicUsize = AtomicUsize::new(0);

    /// Says how many of it are running.
    #[byre::tool(register = false)]
    async fn alone() -> usize {
        let running = RUNNING.fetch_add(1, Ordering::SeqCst) + 1;
        sleep(Duration::from_millis(200)).await;
        RUNNING.fetch_sub(1, Ordering::SeqCst);
        running
    }

    let script = Script::new()
        .call_all([("alone", json!({})), ("alone", json!({})), ("alone", json!({}))])
        .say("Done.");
    live(script, async |live| {
        let mut session = start(live, byre::tools![alone]).await;
        session.prompt("Go.").await.unwrap();
        let texts = results(live).into_iter().map(|result| result.text).collect::<Vec<_>>();
        assert_eq!(texts, ["1", "1", "1"]);
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn the_model_reads_what_went_wrong() {
    /// Fails.
    #[byre::tool(register = false)]
    async fn fails() -> Result<(), String> {
        Err("the barn is closed".to_owned())
    }

    /// Fails and says nothing.
    #[byre::tool(register = false)]
    async fn fails_silently() -> Result<(), String> {
        Err(String::new())
    }

    /// Panics.
    #[byre::tool(register = false)]
    async fn panics() {
        panic!("out of hay");
    }

    let script = Script::new()
        .call("fails", json!({}))
        .call("fails_silently", json!({}))
        .call("panics", json!({}))
        .call("add", json!({"a": "two", "c": 3}))
        .call("add", json!({"a": 2}))
        .say("{result}");
    live(script, async |live| {
        let mut session = start(live, byre::tools![fails, fails_silently, panics, add]).await;
        let outcome = session.prompt("Go.").await.unwrap();
        assert_eq!(outcome.text(), "3", "the default takes the place of `b`");
        let seen = results(live).into_iter().map(|result| (result.is_error, result.text));
        let seen = seen.collect::<Vec<_>>();
        assert_eq!(seen[0], (true, "the barn is closed".to_owned()));
        assert_eq!(seen[1], (true, "the tool failed and gave no reason".to_owned()));
        assert_eq!(seen[2], (true, "the tool `panics` panicked: out of hay".to_owned()));
        let (is_error, text) = &seen[3];
        assert!(is_error, "{text}");
        assert!(text.starts_with("the arguments of `add` do not fit:"), "{text}");
        assert!(text.contains("`a`") && text.contains("`c`"), "both mistakes are told: {text}");
        assert_eq!(seen[4], (false, "3".to_owned()));
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn half_an_emoji_in_the_arguments_loses_no_call() {
    /// Says it again.
    #[byre::tool(register = false)]
    async fn echo(text: String) -> String {
        text
    }

    let half = r#"{"text":"a \ud83d cow, \ud83d\udc04"}"#;
    let script = Script::new().reply(Reply::call_json("echo", half)).say("{result}");
    live(script, async |live| {
        let mut session = start(live, byre::tools![echo]).await;
        let outcome = session.prompt("Go.").await.unwrap();
        assert_eq!(outcome.text(), "a \u{fffd} cow, \u{1f404}", "{:?}", results(live));
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn arguments_that_are_not_json_never_reach_a_tool() {
    let script = Script::new().reply(Reply::call_json("add", "{\"a\": 2,")).say("{result}");
    live(script, async |live| {
        let mut session = start(live, byre::tools![add]).await;
        let outcome = session.prompt("Go.").await.unwrap();
        assert!(outcome.text().contains("InputValidationError"), "{}", outcome.text());
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn data_is_seen_once_and_says_what_its_text_says() {
    #[derive(Serialize, JsonSchema)]
    struct Order {
        id: u32,
        open: bool,
    }

    /// Finds an order.
    #[byre::tool(register = false)]
    async fn order() -> Json<Order> {
        Json(Order { id: 7, open: true })
    }

    /// Lists numbers, which MCP does not take without an object around them.
    #[byre::tool(register = false)]
    async fn numbers() -> Json<[u32; 2]> {
        Json([1, 2])
    }

    let script =
        Script::new().call("order", json!({})).call("numbers", json!({})).say("It is open.");
    live(script, async |live| {
        let mut session = start(live, byre::tools![order, numbers]).await;
        session.prompt("Go.").await.unwrap();
        let texts = results(live).into_iter().map(|result| result.text).collect::<Vec<_>>();
        assert_eq!(texts, [r#"{"id":7,"open":true}"#, r#"{"result":[1,2]}"#]);
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn an_image_of_a_tool_reaches_the_model() {
    /// Draws.
    #[byre::tool(register = false)]
    async fn draw() -> Vec<Content> {
        vec![Content::text("A dot:"), Content::image(PIXEL, "image/png")]
    }

    let script = Script::new().call("draw", json!({})).say("Nice.");
    live(script, async |live| {
        let mut session = start(live, byre::tools![draw]).await;
        session.prompt("Go.").await.unwrap();
        let content = results(live)[0].content.clone();
        assert_eq!(content[0], json!({"type": "text", "text": "A dot:"}));
        assert_eq!(content[1]["type"], "image", "{content}");
        assert_eq!(content[1]["source"]["media_type"], "image/png", "{content}");
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn results_of_every_type_read_as_they_are_documented() {
    /// Says nothing.
    #[byre::tool(register = false)]
    async fn nothing() {}

    /// Says JSON.
    #[byre::tool(register = false)]
    async fn value() -> Value {
        json!({"a": ["x"]})
    }

    /// Says two things, with every kind of line break.
    #[byre::tool(register = false)]
    async fn two_texts() -> Vec<Content> {
        vec![Content::text("one\u{2028}\r\n"), Content::text("\u{1f404}\0")]
    }

    let script = ["nothing", "value", "two_texts"]
        .iter()
        .fold(Script::new(), |script, tool| script.call(*tool, json!({})))
        .say("Done.");
    live(script, async |live| {
        let mut session = start(live, byre::tools![nothing, value, two_texts]).await;
        session.prompt("Go.").await.unwrap();
        let results = results(live);
        assert_eq!(results[0].text, "(mcp__byre__nothing completed with no output)");
        assert_eq!(results[1].text, r#"{"a":["x"]}"#);
        assert_eq!(results[2].content[0]["text"], "one\u{2028}\r\n");
        assert_eq!(results[2].content[1]["text"], "\u{1f404}\0");
        assert!(results.iter().all(|result| !result.is_error), "{results:?}");
        session.close().await.unwrap();
    })
    .await;
}
