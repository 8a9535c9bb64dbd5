//! What the rest relies on: the real CLI, the Messages API and the harness work together.

use byre::testing::{MessagesApi, Script};
use serde_json::json;

use crate::harness::start;

const BYPASS: [&str; 3] =
    ["--permission-mode", "bypassPermissions", "--allow-dangerously-skip-permissions"];

#[tokio::test]
async fn a_tool_is_offered_at_once_called_and_its_result_comes_back() {
    let script = Script::new().call("add", json!({"a": 2, "b": 3})).say("2 + 3 is {result}.");
    let api = MessagesApi::start(script).await.unwrap();
    let (_process, mut host) = start(&api, &BYPASS);

    host.control("h1", json!({"subtype": "initialize"})).await;
    host.prompt("please add 2 and 3").await;
    let result = host.until_result().await;
    host.close().await;

    assert_eq!(result["result"], "2 + 3 is 5.", "{:#?}", host.trace());
    assert_eq!(result["is_error"], false);
    let requests = api.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0].prompt, "please add 2 and 3");
    let tool = requests[0].tool("add").expect("`alwaysLoad` offers the tool at once");
    assert_eq!(tool.name, "mcp__byre__add");
    assert_eq!(tool.input_schema["properties"]["a"]["type"], "integer");
    assert!(!tool.defer_loading);
    assert_eq!(requests[1].result("add").unwrap().text, "5");
    assert_eq!(requests[1].result("add").unwrap().name, "mcp__byre__add");
    assert_eq!(api.side_requests(), []);
}

#[tokio::test]
async fn a_subagent_plays_its_own_script_and_checks_use_up_nothing() {
    let task =
        json!({"description": "count", "prompt": "Count the files.", "run_in_background": false});
    let script = Script::new()
        .call("Agent", task)
        .say("It said: {result}")
        .say("Still the main script.")
        .for_prompt(
            "Count the files",
            Script::new().call("add", json!({"a": 3, "b": 4})).say("{result}"),
        );
    let api = MessagesApi::start(script).await.unwrap();
    let (_process, mut host) = start(&api, &BYPASS);

    host.control("h1", json!({"subtype": "initialize"})).await;
    host.prompt("please count").await;
    let first = host.until_result().await;
    host.control("h2", json!({"subtype": "set_model", "model": "claude-of-tomorrow"})).await;
    host.until(|line| line["response"]["request_id"] == "h2").await;
    host.prompt("and?").await;
    let second = host.until_result().await;
    host.close().await;

    assert!(first["result"].as_str().unwrap().contains("\n  7\n"), "{first}");
    assert_eq!(second["result"], "Still the main script.");
    assert_eq!(api.side_requests().len(), 1, "the CLI tries a model that it does not know");
    assert_eq!(api.requests().len(), 5);
}

#[tokio::test]
async fn a_request_without_a_stream_is_part_of_the_conversation() {
    // The CLI asks again without a stream when it meets this error.
    let api =
        MessagesApi::start(Script::new().error(404, "no stream").say("Whole.")).await.unwrap();
    let (_process, mut host) = start(&api, &BYPASS);
    host.control("h1", json!({"subtype": "initialize"})).await;
    host.prompt("go").await;
    let result = host.until_result().await;
    host.close().await;
    assert_eq!(result["result"], "Whole.");
    assert!(!api.requests()[1].stream);
}
