//! Several servers in one session, and tools that come and go while it runs.

use byre::{McpServer, ToolContext, tool::Tool};
use serde_json::json;

use super::{live, tools::results};
use byre::testing::Script;

/// Counts the items of one kind.
#[byre::tool(register = false)]
async fn count(kind: String) -> usize {
    kind.len()
}

fn empty() -> serde_json::Value {
    json!({"type": "object", "properties": {}})
}

fn greet() -> Tool {
    Tool::dynamic("greet", "Greets somebody.", empty(), |_, _| async { "Hello!" })
}

#[tokio::test]
async fn each_server_has_its_tools_and_instructions_and_loads_them_as_it_says() {
    let script = Script::new().call("mcp__my_stock__count", json!({"kind": "cow"})).say("Three.");
    live(script, async |live| {
        let stock =
            McpServer::new("my.stock").tools(byre::tools![count]).instructions("In the singular.");
        let rare = McpServer::new("rare")
            .always_load(false)
            .tools([greet(), greet().with_name("wave").always_load(true)]);
        let builder = live.builder().tools([greet()]).server(stock).server(rare);
        let mut session = builder.spawn().await.unwrap();
        session.prompt("Count.").await.unwrap();
        session.close().await.unwrap();

        let request = &live.requests()[0];
        let offered: Vec<_> = request.tools.iter().map(|tool| tool.name.as_str()).collect();
        for name in ["mcp__byre__greet", "mcp__my_stock__count", "mcp__rare__wave"] {
            assert!(offered.contains(&name), "{name} is not among {offered:?}");
        }
        // Found by the CLI's own search only.
        let deferred =
            |name: &str| request.tools.iter().any(|tool| tool.name == name && !tool.defer_loading);
        assert!(!deferred("mcp__rare__greet"), "{offered:?}");
        let system = request.system.join("\n");
        assert!(system.contains("In the singular."), "{system}");
        assert_eq!(results(live)[0].text, "3");
    })
    .await;
}

#[tokio::test]
async fn a_tool_that_is_added_is_there_in_the_same_turn_and_runs_without_asking() {
    let script = Script::new()
        .call("mcp__byre__open", json!({}))
        .call("mcp__byre__greet", json!({}))
        .call("mcp__byre__close", json!({}))
        .call("mcp__byre__greet", json!({}))
        .say("Done.");
    live(script, async |live| {
        let open =
            Tool::dynamic("open", "Adds a tool.", empty(), |_, context: ToolContext| async move {
                context
                    .session()
                    .add_tools("byre", [greet()])
                    .await
                    .map_err(|error| error.to_string())
            });
        let close =
            Tool::dynamic("close", "Removes it.", empty(), |_, context: ToolContext| async move {
                let session = context.session();
                session.remove_tools("byre", ["greet"]).await.map_err(|error| error.to_string())
            });
        let mut session = live.builder().tools([open, close]).spawn().await.unwrap();
        session.prompt("Go.").await.unwrap();
        session.close().await.unwrap();

        let requests = live.requests();
        let offered =
            |at: usize| requests[at].tools.iter().any(|tool| tool.name == "mcp__byre__greet");
        assert!(!offered(0) && offered(1), "the model gets the tool with the next request");
        let results = results(live);
        assert_eq!(results[1].text, "Hello!");
        assert!(!results[1].is_error);
        assert!(results[3].is_error, "{results:?}");
    })
    .await;
}
