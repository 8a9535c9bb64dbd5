//! Several servers in one session, and tools that come and go while it runs, over the stand-in for the CLI.

use byre::{
    ErrorKind, McpServer, Session, State, ToolContext,
    testing::{Script, ScriptedCli},
    tool::Tool,
};
use serde_json::json;

/// Counts the items of one kind.
#[byre::tool(register = false)]
async fn count(kind: String) -> usize {
    kind.len()
}

/// Says by way of which server it was called.
#[byre::tool(register = false)]
async fn way(context: ToolContext) -> String {
    context.server().to_owned()
}

/// Needs something.
#[byre::tool(register = false)]
async fn needy(_state: State<u128>) {}

fn greet() -> Tool {
    let schema = json!({"type": "object", "properties": {"name": {"type": "string"}}});
    Tool::dynamic("greet", "Greets somebody.", schema, |arguments, _| async move {
        format!("Hello, {}!", arguments["name"].as_str().unwrap_or("you"))
    })
}

fn texts(recorder: &byre::testing::Recorder) -> Vec<String> {
    let requests = recorder.requests();
    let results = requests.iter().flat_map(|request| &request.tool_results);
    results.map(|result| result.text.clone()).collect()
}

#[tokio::test]
async fn each_server_serves_its_own_tools() {
    let script = Script::new()
        .call("mcp__byre__way", json!({}))
        .call("mcp__stock__way", json!({}))
        .call("mcp__stock__count", json!({"kind": "cow"}))
        .say("Done.");
    let cli = ScriptedCli::new(script);
    let recorder = cli.recorder();
    let stock = McpServer::new("stock").tools(byre::tools![count, way]).instructions("Singular.");
    let builder = Session::builder().tools(byre::tools![way]).hooks([]).server(stock);
    let mut session = builder.transport(cli).spawn().await.unwrap();
    session.prompt("Where are you?").await.unwrap();
    assert_eq!(texts(&recorder), ["byre", "stock", "3"]);
    session.close().await.unwrap();
}

#[tokio::test]
async fn one_server_can_serve_many_sessions_at_once() {
    let server = McpServer::new("stock").tools(byre::tools![count]);
    let session = |kind: &'static str| {
        let server = server.clone();
        async move {
            let script =
                Script::new().call("mcp__stock__count", json!({"kind": kind})).say("Done.");
            let cli = ScriptedCli::new(script);
            let recorder = cli.recorder();
            let builder = Session::builder().tools([]).hooks([]).server(server);
            let mut session = builder.transport(cli).spawn().await.unwrap();
            session.prompt("Count.").await.unwrap();
            session.close().await.unwrap();
            texts(&recorder)
        }
    };
    let (a, b) = tokio::join!(session("cow"), session("horse"));
    assert_eq!((a, b), (vec!["3".to_owned()], vec!["5".to_owned()]));
}

#[tokio::test]
async fn tools_come_and_go_while_the_session_runs() {
    let script = Script::new()
        .call("mcp__byre__open", json!({}))
        .call("mcp__byre__greet", json!({"name": "Berta"}))
        .call("mcp__byre__close", json!({}))
        .call("mcp__byre__greet", json!({"name": "Berta"}))
        .say("Done.");
    let schema = || json!({"type": "object", "properties": {}});
    let open = Tool::dynamic("open", "Adds a tool.", schema(), |_, context| async move {
        context.session().add_tools("byre", [greet()]).await.map_err(|error| error.to_string())
    });
    let close = Tool::dynamic("close", "Removes it.", schema(), |_, context| async move {
        let session = context.session();
        session.remove_tools("byre", ["greet"]).await.map_err(|error| error.to_string())
    });
    let cli = ScriptedCli::new(script);
    let recorder = cli.recorder();
    let builder = Session::builder().tools([open, close]).hooks([]).transport(cli);
    let mut session = builder.spawn().await.unwrap();
    let names = |session: &Session| -> Vec<String> {
        session.handle().tools("byre").iter().map(|tool| tool.name().to_owned()).collect()
    };
    assert_eq!(names(&session), ["close", "open"]);
    session.prompt("Go.").await.unwrap();
    let texts = texts(&recorder);
    assert_eq!(texts[1], "Hello, Berta!");
    assert!(texts[3].contains("No such tool available"), "{texts:?}");
    assert_eq!(names(&session), ["close", "open"]);
    session.close().await.unwrap();
}

#[tokio::test]
async fn what_can_not_be_added_or_removed_is_refused_and_changes_nothing() {
    let cli = ScriptedCli::new(Script::new());
    let builder = Session::builder().tools(byre::tools![count]).hooks([]).transport(cli);
    let session = builder.spawn().await.unwrap();
    let handle = session.handle();
    let no_object = Tool::dynamic("odd", "Odd.", json!({"type": "string"}), |_, _| async {});
    for (server, tools, want) in [
        ("stock", vec![greet()], "serves no MCP server \"stock\"; there are byre"),
        ("byre", byre::tools![count], "two tools are called \"count\""),
        ("byre", byre::tools![needy], "no state of type `u128`"),
        ("byre", vec![greet(), no_object], "not `\"type\": \"object\"` at its root"),
    ] {
        let error = handle.add_tools(server, tools).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Configuration);
        assert!(error.to_string().contains(want), "{error}");
    }
    let error = handle.remove_tools("byre", ["count", "sing"]).await.unwrap_err();
    assert!(error.to_string().contains("has no tool \"sing\""), "{error}");
    assert_eq!(handle.tools("byre").len(), 1);
    assert!(handle.tools("stock").is_empty());
    session.close().await.unwrap();
}

#[tokio::test]
async fn many_tasks_can_add_tools_at_once() {
    let cli = ScriptedCli::new(Script::new());
    let server = McpServer::new("many");
    let builder = Session::builder().tools([]).hooks([]).server(server).transport(cli);
    let session = builder.spawn().await.unwrap();
    let tasks: Vec<_> = (0..20)
        .map(|n| {
            let handle = session.handle();
            tokio::spawn(async move {
                handle.add_tools("many", [greet().with_name(format!("greet_{n}"))]).await
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    assert_eq!(session.handle().tools("many").len(), 20);
    session.close().await.unwrap();
}

#[test]
fn a_name_is_one_servers_only() {
    let other = byre::options::McpServerConfig::stdio("x");
    let builder = Session::builder().tools([]).hooks([]).server(McpServer::new("stock"));
    let error = builder.mcp_server("stock", other).check().unwrap_err().to_string();
    assert!(error.contains("\"stock\" is the name of a server of this program"), "{error}");
}
