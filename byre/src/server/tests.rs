use serde_json::Value;

use super::*;
use crate::wire::mcp::PROTOCOL_VERSIONS;

/// Adds two integers.
#[byre::tool(register = false, read_only)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Never ends.
#[byre::tool(register = false)]
async fn hang() {
    std::future::pending::<()>().await;
}

fn server() -> Server {
    Server::new("byre".to_owned(), Some("Add.".to_owned()), crate::tools![add, hang])
}

/// What the server answers to `message`, or `None` if it only acknowledges it.
async fn answer(server: &Server, message: Value) -> Option<Value> {
    let text = match server.handle(&Message::parse(&message.to_string())) {
        Reply::Now(text) => text,
        Reply::Later(text) => text.await?,
        Reply::Acknowledged => return None,
    };
    assert!(!text.contains('\n'), "{text}");
    Some(serde_json::from_str(&text).unwrap())
}

/// Compares the answer to a request with `want`, and the id and version with what they must be.
async fn check(method: &str, params: Value, want: Value) {
    for id in [json!(7), json!("seven")] {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let answer = answer(&server(), request).await.unwrap();
        let mut expected = json!({"jsonrpc": "2.0", "id": id});
        for (key, value) in want.as_object().unwrap() {
            expected[key] = value.clone();
        }
        assert_eq!(answer, expected, "{method}");
    }
}

#[tokio::test]
async fn initialize_answers_every_version_it_speaks_and_else_the_newest() {
    for asked in PROTOCOL_VERSIONS.into_iter().chain(["1999-01-01"]) {
        let version = if asked == "1999-01-01" { "2025-11-25" } else { asked };
        check(
            "initialize",
            json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": {}}),
            json!({"result": {
                "protocolVersion": version,
                "capabilities": {"tools": {"listChanged": true}},
                "serverInfo": {"name": "byre", "version": env!("CARGO_PKG_VERSION")},
                "instructions": "Add.",
            }}),
        )
        .await;
    }
}

#[tokio::test]
async fn a_call_gives_its_result() {
    check(
        "tools/call",
        json!({"name": "add", "arguments": {"a": 2, "b": 3}}),
        json!({
            "result": {"content": [{"type": "text", "text": "5"}]},
        }),
    )
    .await;
}

#[tokio::test]
async fn ping_is_answered() {
    check("ping", Value::Null, json!({"result": {}})).await;
}

#[tokio::test]
async fn arguments_that_do_not_fit_are_a_result() {
    let params = json!({"name": "add", "arguments": {"a": "x", "b": 3}});
    let request = json!({"id": 1, "method": "tools/call", "params": params});
    let answer = answer(&server(), request).await.unwrap();
    assert_eq!(answer["result"]["isError"], true);
    assert!(answer.get("error").is_none());
}

#[tokio::test]
async fn what_the_server_does_not_have_is_an_error_with_its_code() {
    check("resources/list", json!({}), json!({
        "error": {"code": -32601, "message": "the server \"byre\" has no method \"resources/list\""},
    }))
    .await;
    check(
        "tools/call",
        json!({"name": "sub"}),
        json!({
            "error": {"code": -32602, "message": "the server \"byre\" has no tool \"sub\""},
        }),
    )
    .await;
    for params in [json!({}), json!({"name": 7}), Value::Null] {
        let request = json!({"id": 1, "method": "tools/call", "params": params});
        let answer = answer(&server(), request).await.unwrap();
        assert_eq!(answer["error"]["code"], -32602, "{params}");
    }
}

#[tokio::test]
async fn a_malformed_message_is_an_error_and_the_server_lives() {
    let server = server();
    let malformed = answer(&server, json!({"jsonrpc": "2.0", "id": 3})).await.unwrap();
    assert_eq!(malformed["error"]["code"], -32600);
    assert_eq!(malformed["id"], 3);
    let malformed = answer(&server, json!([1, 2])).await.unwrap();
    assert_eq!(malformed["id"], Value::Null);
    assert!(answer(&server, json!({"id": 1, "method": "ping"})).await.is_some());
}

#[tokio::test]
async fn notifications_and_answers_want_no_answer() {
    let server = server();
    for message in [
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}),
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled"}),
        json!({"jsonrpc": "2.0", "method": "notifications/never_heard_of"}),
        json!({"jsonrpc": "2.0", "id": "srv-1", "result": {}}),
    ] {
        assert_eq!(answer(&server, message.clone()).await, None, "{message}");
    }
}

#[tokio::test]
async fn a_cancelled_call_is_dropped_and_not_answered() {
    let server = server();
    let call = |id| json!({"id": id, "method": "tools/call", "params": {"name": "hang"}});
    let Reply::Later(first) = server.handle(&Message::parse(&call(1).to_string())) else {
        panic!("not a call")
    };
    let Reply::Later(second) = server.handle(&Message::parse(&call(2).to_string())) else {
        panic!("not a call")
    };
    let cancel =
        json!({"method": "notifications/cancelled", "params": {"requestId": 1, "reason": "x"}});
    assert_eq!(answer(&server, cancel).await, None);
    assert_eq!(first.await, None);
    // Only the call that was named. A new handshake gives up all that is left.
    let again = answer(&server, call(2)).await.unwrap();
    assert_eq!(again["error"]["message"], "a request with this id is running already");
    answer(&server, json!({"id": 0, "method": "initialize"})).await.unwrap();
    assert_eq!(second.await, None);
    let Reply::Later(third) = server.handle(&Message::parse(&call(2).to_string())) else {
        panic!("the id is free")
    };
    drop(third);
    assert!(server.calls.lock().by_id.is_empty());
}

#[tokio::test]
async fn a_call_that_ends_late_does_not_take_a_later_one_with_its_id_along() {
    let server = server();
    let call = json!({"id": 1, "method": "tools/call", "params": {
        "name": "add", "arguments": {"a": 2, "b": 3},
    }});
    let Reply::Later(old) = server.handle(&Message::parse(&call.to_string())) else {
        panic!("not a call")
    };
    // The CLI connects anew, and counts from the beginning.
    answer(&server, json!({"id": 0, "method": "initialize"})).await.unwrap();
    let Reply::Later(new) = server.handle(&Message::parse(&call.to_string())) else {
        panic!("not a call")
    };
    assert_eq!(old.await, None);
    assert!(new.await.unwrap().contains("\"5\""));
    assert!(server.calls.lock().by_id.is_empty());
}

#[tokio::test]
async fn the_list_is_the_same_every_time_byte_for_byte() {
    let list = |server: &Server| match server
        .handle(&Message::parse("{\"id\":1,\"method\":\"tools/list\"}"))
    {
        Reply::Now(text) => text,
        _ => panic!("not answered"),
    };
    assert_eq!(list(&server()), list(&server()));
    assert_eq!(
        list(&server()),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[\
         {\"name\":\"add\",\"description\":\"Adds two integers.\",\"inputSchema\":{\
         \"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"},\"b\":{\"type\":\"integer\"}},\
         \"required\":[\"a\",\"b\"],\"additionalProperties\":false},\
         \"annotations\":{\"readOnlyHint\":true}},\
         {\"name\":\"hang\",\"description\":\"Never ends.\",\"inputSchema\":{\
         \"type\":\"object\",\"properties\":{},\"required\":[],\"additionalProperties\":false}}]}}"
    );
}

mod orders;
