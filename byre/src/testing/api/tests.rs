use std::time::Duration;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

use super::*;
use crate::testing::Reply;

/// Sends one request and reads the response to its end.
async fn exchange(api: &MessagesApi, method: &str, path: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(api.address).await.unwrap();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = Vec::new();
    // A connection that breaks is an end too.
    let _ = timeout(Duration::from_secs(10), stream.read_to_end(&mut response)).await.unwrap();
    String::from_utf8(response).unwrap()
}

async fn post(api: &MessagesApi, body: Value) -> String {
    exchange(api, "POST", "/v1/messages?beta=true", &body.to_string()).await
}

fn ask(stream: bool) -> Value {
    json!({
        "model": "m",
        "stream": stream,
        "messages": [{"role": "user", "content": "go"}],
        "tools": [{"name": "mcp__byre__add", "input_schema": {"type": "object"}}],
    })
}

#[tokio::test]
async fn replies_are_streamed_as_events() {
    let script =
        Script::new().reply(Reply::say_in(["Hel", "lo."]).and_call("add", json!({"a": 1})));
    let api = MessagesApi::start(script).await.unwrap();
    let response = post(&api, ask(true)).await;
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    assert!(response.contains("content-type: text/event-stream"));
    let mut events: Vec<_> =
        response.lines().filter_map(|line| line.strip_prefix("event: ")).collect();
    events.dedup();
    assert_eq!(events.first(), Some(&"message_start"));
    assert_eq!(events.last(), Some(&"message_stop"));
    assert!(response.contains(r#""text":"Hel""#));
    assert!(response.contains(r#""name":"mcp__byre__add""#));
    assert_eq!(api.requests().len(), 1);
    assert_eq!(api.requests()[0].prompt, "go");
}

#[tokio::test]
async fn replies_come_whole_if_that_is_asked_for() {
    let script = Script::new().reply(Reply::say("Hello.").and_call("add", json!({"a": 1})));
    let api = MessagesApi::start(script).await.unwrap();
    let response = post(&api, ask(false)).await;
    let (_, body) = response.split_once("\r\n\r\n").unwrap();
    let message: Value = serde_json::from_str(body).unwrap();
    assert_eq!(message["content"][0], json!({"type": "text", "text": "Hello."}));
    assert_eq!(message["content"][1]["input"], json!({"a": 1}));
    assert_eq!(message["stop_reason"], "tool_use");
}

#[tokio::test]
async fn checks_on_the_side_use_up_nothing() {
    let api = MessagesApi::start(Script::new().say("Hello.")).await.unwrap();
    let check = json!({"max_tokens": 1, "messages": [{"role": "user", "content": "Hi"}]});
    let response = post(&api, check).await;
    assert!(response.contains(r#""text":"ok""#), "{response}");
    assert!(post(&api, ask(true)).await.contains("Hello."));
    assert_eq!(api.side_requests().len(), 1);
    assert_eq!(api.requests().len(), 1);
}

#[tokio::test]
async fn subagents_play_their_own_script() {
    let script = Script::new().say("main").for_prompt("count", Script::new().say("seven"));
    let api = MessagesApi::start(script).await.unwrap();
    let mut body = ask(true);
    body["system"] = json!([{"type": "text", "text": "x: cc_is_subagent=true;"}]);
    body["messages"] = json!([{"role": "user", "content": "please count"}]);
    assert!(post(&api, body).await.contains("seven"));
    assert!(post(&api, ask(true)).await.contains("main"));
}

#[tokio::test]
async fn errors_have_their_status_body_and_headers() {
    let reply = Reply::error(529, "busy").and_header("retry-after", "7");
    let api = MessagesApi::start(Script::new().reply(reply)).await.unwrap();
    let response = post(&api, ask(true)).await;
    assert!(response.starts_with("HTTP/1.1 529"), "{response}");
    assert!(response.contains("retry-after: 7"));
    assert!(response.contains("overloaded_error"));
}

#[tokio::test]
async fn a_connection_can_break_in_the_middle() {
    let api = MessagesApi::start(Script::new().reply(Reply::say("Hel").and_cut())).await.unwrap();
    let response = post(&api, ask(true)).await;
    assert!(response.contains("Hel"), "{response}");
    assert!(!response.contains("message_stop"));
    assert!(!response.ends_with("0\r\n\r\n"), "the body must not look complete");
}

#[tokio::test]
async fn other_requests_are_harmless() {
    let api = MessagesApi::start(Script::new()).await.unwrap();
    for (method, path, body, want) in [
        ("POST", "/v1/messages/count_tokens", "x".repeat(400), r#"{"input_tokens":100}"#),
        ("GET", "/", String::new(), "{}"),
        ("POST", "/v1/other", String::new(), "{}"),
        ("POST", "/v1/messages", "no json".to_owned(), "invalid_request_error"),
    ] {
        let response = exchange(&api, method, path, &body).await;
        assert!(response.contains(want), "{method} {path}: {response}");
    }
    assert!(exchange(&api, "HEAD", "/", "").await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn a_server_that_is_dropped_breaks_held_connections() {
    let api = MessagesApi::start(Script::new().reply(Reply::say("Hel").and_hold())).await.unwrap();
    let mut stream = TcpStream::connect(api.address).await.unwrap();
    let body = ask(true).to_string();
    let request = format!(
        "POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut byte = [0];
    stream.read_exact(&mut byte).await.unwrap();
    let address = api.address;
    drop(api);
    let mut rest = Vec::new();
    let _ = timeout(Duration::from_secs(10), stream.read_to_end(&mut rest)).await.unwrap();
    assert!(TcpStream::connect(address).await.is_err(), "nobody listens any more");
}
