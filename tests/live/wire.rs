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
