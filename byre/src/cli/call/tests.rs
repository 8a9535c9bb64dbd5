use std::{fs, path::PathBuf};

use super::{arguments, call};
use crate::{
    Json, McpServer, ToolContext,
    cli::report::Report,
    function::state::States,
    tool::{CallToolResult, Content, Tool},
};

/// Calls `tool` with these arguments.
async fn run(tool: &Tool, json: &str, out: Option<&PathBuf>) -> Report {
    let (states, server) = (States::default(), McpServer::new("byre"));
    call(&states, &server, tool, &arguments(json).await.unwrap(), out).await
}

/// Adds two integers.
#[byre::tool(register = false)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Shows what a tool can.
#[byre::tool(register = false)]
async fn show(context: ToolContext) -> Vec<Content> {
    assert_eq!(context.tool_use_id(), None);
    vec![
        Content::text("a dot:"),
        Content::image(b"\x89PNG", "image/png"),
        Content::audio(b"RIFF.", "audio/wav"),
        Content::resource_link("https://example.com", "more"),
    ]
}

/// Gives data.
#[byre::tool(register = false)]
async fn data() -> Json<Vec<u8>> {
    Json(vec![1, 2])
}

/// Gives nothing.
#[byre::tool(register = false)]
async fn rest() {}

/// Panics.
#[byre::tool(register = false)]
async fn stumble() -> String {
    panic!("over a cow")
}

/// Gives an image that is none.
#[byre::tool(register = false)]
async fn garble() -> CallToolResult {
    CallToolResult::new([Content::Image {
        data: "%".to_owned(),
        mime_type: "image/png".to_owned(),
    }])
}

fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("byre-call-{}-{name}", std::process::id()))
}

#[tokio::test]
async fn the_result_is_what_the_model_would_see() {
    let report = run(&byre::tools![add][0], r#"{"a": 2, "b": 40}"#, None).await;
    assert_eq!((report.out().as_str(), report.err().as_str(), report.code), ("42", "", 0));
    assert_eq!(run(&byre::tools![data][0], "{}", None).await.out(), r#"{"result":[1,2]}"#);
    let nothing = "(mcp__byre__rest completed with no output)";
    assert_eq!(run(&byre::tools![rest][0], "null", None).await.out(), nothing);
}

#[tokio::test]
async fn an_error_is_shown_as_the_model_reads_it_and_fails() {
    let report = run(&byre::tools![add][0], r#"{"a": "x", "bb": 1}"#, None).await;
    assert!(report.out().contains("`bb`: unknown; did you mean `b`?"), "{report:?}");
    assert_eq!(report.code, 1);
    assert_eq!(report.err(), "(the model is told that the call failed)");
    let report = run(&byre::tools![add][0], "[1, 2]", None).await;
    assert_eq!(report.out(), "the arguments of `add` must be an object, not a list");
    assert_eq!(report.code, 1);
    let report = run(&byre::tools![stumble][0], "{}", None).await;
    assert_eq!(report.out(), "the tool `stumble` panicked: over a cow");
    assert_eq!(report.code, 1);
}

#[tokio::test]
async fn what_is_no_text_is_told_by_kind_and_size() {
    let report = run(&byre::tools![show][0], "{}", None).await;
    assert_eq!(
        report.out(),
        "a dot:\n\
         [image/png, 4 bytes]\n\
         [Audio from byre] Binary content (audio/wav, 6 bytes)\n\
         [Resource link: more] https://example.com"
    );
    let report = run(&byre::tools![garble][0], "{}", None).await;
    assert!(report.out().starts_with("[image/png, whose base64 is broken: "), "{report:?}");
}

#[tokio::test]
async fn the_first_piece_of_bytes_can_be_saved() {
    let path = file("dot.png");
    let report = run(&byre::tools![show][0], "{}", Some(&path)).await;
    assert_eq!(fs::read(&path).unwrap(), b"\x89PNG");
    fs::remove_file(&path).unwrap();
    assert_eq!(report.err(), format!("saved 4 bytes as {}", path.display()));
    assert_eq!(report.code, 0);
}

#[tokio::test]
async fn what_can_not_be_saved_is_a_failure_and_writes_nothing() {
    let path = file("nothing");
    let report = run(&byre::tools![data][0], "{}", Some(&path)).await;
    assert_eq!(report.err(), "error: there is no image, sound or file in the result to save");
    assert_eq!(report.code, 1);
    let report = run(&byre::tools![garble][0], "{}", Some(&path)).await;
    assert!(report.err().starts_with("error: could not read the base64"), "{report:?}");
    assert!(!path.exists());
    let path = file("no-such-folder").join("dot.png");
    let report = run(&byre::tools![show][0], "{}", Some(&path)).await;
    assert!(report.err().starts_with("error: could not write"), "{report:?}");
    assert_eq!(report.code, 1);
}

#[tokio::test]
async fn arguments_reach_the_tool_as_they_were_written() {
    assert_eq!(arguments(" {\"n\": 1.50e0}\n").await.unwrap().get(), "{\"n\": 1.50e0}");
    let error = arguments("{a: 1}").await.unwrap_err();
    assert!(error.starts_with("the arguments are no JSON: "), "{error}");
    assert!(arguments("").await.is_err());
}
