use serde_json::{Value, json};

use super::*;
use crate::hook::{StopInput, StopOutput};

/// Adds two integers.
#[byre::tool(register = false)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[byre::hook(register = false)]
async fn twice(_input: StopInput) -> StopOutput {
    StopOutput::block("again").at_most(2)
}

#[byre::hook(register = false)]
async fn fails(_input: StopInput) -> Result<StopOutput, String> {
    Err("no disk".to_owned())
}

#[byre::hook(register = false)]
async fn panics(_input: StopInput) {
    panic!("out of hay");
}

fn host() -> Host {
    let server = Server::new("byre".to_owned(), None, crate::tools![add]);
    let hooks = HookTable::new(crate::hooks![twice, fails, panics], &|_| Vec::new()).unwrap();
    Host::new(Arc::new(HashMap::from([("byre".to_owned(), server)])), hooks)
}

async fn ask(host: &Host, request: Value) -> Answer {
    let line =
        json!({"type": "control_request", "request_id": "r", "request": request}).to_string();
    let (_, request) = Request::parse(&line).unwrap();
    match request {
        Ok(request) => host.serve(&request).await,
        Err(answer) => answer,
    }
}

/// The payload of a success.
async fn payload(host: &Host, request: Value) -> Value {
    match ask(host, request.clone()).await {
        Answer::Success(payload) => serde_json::from_str(&payload).unwrap(),
        Answer::Mcp(message) => {
            json!({"mcp_response": serde_json::from_str::<Value>(&message).unwrap()})
        }
        other => panic!("{request} got {other:?}"),
    }
}

fn mcp(server: &str, message: &Value) -> Value {
    json!({"subtype": "mcp_message", "server_name": server, "message": message})
}

fn stop(hook: &str, input: &Value) -> Value {
    json!({"subtype": "hook_callback", "callback_id": hook, "input": input, "tool_use_id": "x"})
}

#[tokio::test]
async fn a_tool_is_called_through_its_server() {
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "add", "arguments": {"a": 2, "b": 3}}});
    assert_eq!(
        payload(&host(), mcp("byre", &call)).await,
        json!({"mcp_response": {
            "jsonrpc": "2.0", "id": 2, "result": {"content": [{"type": "text", "text": "5"}]},
        }})
    );
}

#[tokio::test]
async fn a_notification_is_acknowledged_with_success() {
    for server in ["byre", "unknown"] {
        let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(
            payload(&host(), mcp(server, &note)).await,
            json!({"mcp_response": {"jsonrpc": "2.0", "id": 0, "result": {}}})
        );
    }
}

#[tokio::test]
async fn an_unknown_server_is_an_error_inside_a_success() {
    let ping = json!({"jsonrpc": "2.0", "id": "p", "method": "ping"});
    assert_eq!(
        payload(&host(), mcp("stock", &ping)).await,
        json!({"mcp_response": {"jsonrpc": "2.0", "id": "p", "error": {
            "code": -32601, "message": "this host has no server \"stock\"",
        }}})
    );
}

#[tokio::test]
async fn a_hook_blocks_as_often_as_it_may_in_each_turn() {
    let host = host();
    let input = |prompt: &str, active: bool| {
        stop(
            "hook_0000",
            &json!({"hook_event_name": "Stop", "session_id": "s",
            "prompt_id": prompt, "stop_hook_active": active}),
        )
    };
    let block = json!({"decision": "block", "reason": "again"});
    for (prompt, active, want) in [
        ("p1", false, &block),
        ("p1", true, &block),
        ("p1", true, &json!({})),
        ("p2", false, &block),
        // Another hook has kept this turn going, so it counts on.
        ("p2", true, &block),
        ("p2", true, &json!({})),
        // Sent back by another hook, in a turn that this one has not seen.
        ("p3", true, &block),
    ] {
        assert_eq!(&payload(&host, input(prompt, active)).await, want, "{prompt} {active}");
    }
}

#[tokio::test]
async fn a_hook_that_fails_or_is_unknown_is_an_error() {
    let host = host();
    let input = json!({"hook_event_name": "Stop"});
    for (hook, want) in [("hook_0001", "no disk"), ("hook_0002", "out of hay"), ("x", "\"x\"")] {
        match ask(&host, stop(hook, &input)).await {
            Answer::Error { message, .. } => assert!(message.contains(want), "{message}"),
            other => panic!("{hook} got {other:?}"),
        }
    }
    let without_input = json!({"subtype": "hook_callback", "callback_id": "hook_0000"});
    assert!(matches!(ask(&host, without_input).await, Answer::Error { .. }));
}

#[tokio::test]
async fn what_byre_does_not_serve_is_refused_and_what_must_stay_silent_is() {
    let host = host();
    for subtype in ["side_question", "ui_copy", "new_in_the_next_version", ""] {
        let answer = ask(&host, json!({"subtype": subtype})).await;
        assert_eq!(answer, Answer::unsupported(subtype));
    }
    assert!(matches!(ask(&host, json!({"subtype": 7})).await, Answer::Error { .. }));
    assert!(matches!(ask(&host, json!({"subtype": "mcp_message"})).await, Answer::Error { .. }));
    for subtype in SILENT {
        assert_eq!(ask(&host, json!({"subtype": subtype})).await, Answer::Nothing);
    }
}

#[tokio::test]
async fn what_nobody_was_named_for_is_answered_with_no() {
    let host = host();
    let call = json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {}});
    let answer = payload(&host, call).await;
    assert_eq!(answer["behavior"], "deny");
    assert!(answer["message"].as_str().unwrap().starts_with("Nobody in this session can allow"));
    let elicitation = json!({"subtype": "elicitation", "mcp_server_name": "github"});
    assert_eq!(payload(&host, elicitation).await, json!({"action": "decline"}));
}
