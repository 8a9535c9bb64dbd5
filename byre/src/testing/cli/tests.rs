mod host;

use std::time::Duration;

use serde_json::{Value, json};

use self::host::{Host, connected, hello, said, tools};
use super::*;
use crate::testing::{Reply, Script};

#[tokio::test]
async fn the_handshake_starts_before_initialize_is_answered() {
    let mut host = Host::new(ScriptedCli::new(Script::new()));
    let first = host.expect("control_request initialize").await;
    assert_eq!(first["request"]["message"]["id"], 0);
    host.control("init", json!({"subtype": "initialize"})).await;
    let answer = host.expect("control_response").await;
    assert_eq!(answer["response"]["request_id"], "init");
    assert_eq!(answer["response"]["response"]["claude_code_version"], "2.1.332");
    assert!(answer["response"]["response"].get("hooks_applied").is_none());
    host.respond(&first, hello()).await;
    host.answer("control_request notifications/initialized", json!({})).await;
    let list = host.expect("control_request tools/list").await;
    assert_eq!(list["request"]["message"]["id"], 1);
    host.respond(&list, json!({"tools": tools()})).await;
    assert_eq!(host.close().await.code, 0);
}

#[tokio::test]
async fn a_call_goes_to_the_host_and_its_result_to_the_model() {
    let script = Script::new()
        .reply(Reply::say("I will.").and_call("change", json!({"a": 1})))
        .say("It said {result}.");
    let cli = ScriptedCli::new(script);
    let recorder = cli.recorder();
    let mut host = Host::connected(cli, Value::Null).await;
    host.prompt("go").await;
    let init = host.expect("system init").await;
    assert_eq!(init["mcp_servers"][0]["status"], "connected");
    assert!(init["tools"].as_array().unwrap().contains(&json!("mcp__byre__change")));
    let text = host.expect("assistant text").await;
    let call = host.expect("assistant tool_use").await;
    assert_eq!(text["message"]["id"], call["message"]["id"], "one line for each block");
    let request = host.expect("control_request tools/call change").await;
    let params = &request["request"]["message"]["params"];
    assert_eq!(params["_meta"]["claudecode/toolUseId"], call["message"]["content"][0]["id"]);
    assert_eq!(params["_meta"]["progressToken"], request["request"]["message"]["id"]);
    host.respond(&request, said("yes")).await;
    let result = host.expect("user tool_result").await;
    assert_eq!(result["tool_use_result"], json!([{"type": "text", "text": "yes"}]));
    host.expect("assistant text").await;
    let result = host.expect("result success completed").await;
    assert_eq!(result["result"], "It said yes.");
    assert_eq!(result["num_turns"], 2);
    let outcome = host.close().await;
    assert_eq!((outcome.code, outcome.error), (0, None));
    assert_eq!(recorder.received(), outcome.received);
    assert_eq!(recorder.requests()[1].result("change").unwrap().text, "yes");
    assert!(recorder.requests()[0].tool("look").is_some());
}

#[tokio::test]
async fn read_only_calls_overlap_and_others_run_alone() {
    let calls =
        [("look", json!({})), ("look", json!({})), ("change", json!({})), ("look", json!({}))];
    let mut host = connected(Script::new().call_all(calls).say("Done.")).await;
    host.prompt("go").await;
    host.expect_all(&["system init", "assistant tool_use"]).await;
    let first = host.expect("control_request tools/call look").await;
    host.expect("assistant tool_use").await;
    let second = host.expect("control_request tools/call look").await;
    host.expect_all(&["assistant tool_use", "assistant tool_use"]).await;
    host.respond(&second, said("2")).await;
    host.expect("user tool_result").await;
    host.respond(&first, said("1")).await;
    host.expect("user tool_result").await;
    host.answer("control_request tools/call change", said("3")).await;
    host.expect("user tool_result").await;
    host.answer("control_request tools/call look", said("4")).await;
    host.expect_all(&["user tool_result", "assistant text"]).await;
    assert_eq!(host.expect("result success completed").await["num_turns"], 5);
    host.close().await;
}

#[tokio::test]
async fn a_stop_hook_that_blocks_leads_to_one_more_reply() {
    let hooks = json!({"Stop": [{"matcher": null, "hookCallbackIds": ["stop"]}]});
    let script = Script::new().say("Done.").say("Really done.");
    let mut host = Host::connected(ScriptedCli::new(script), hooks).await;
    host.prompt("go").await;
    host.expect_all(&["system init", "assistant text"]).await;
    let hook = host.expect("control_request Stop").await;
    assert_eq!(hook["request"]["callback_id"], "stop");
    assert_eq!(hook["request"]["input"]["stop_hook_active"], false);
    assert_eq!(hook["request"]["input"]["last_assistant_message"], "Done.");
    host.respond_with(&hook, json!({"decision": "block", "reason": "test it"})).await;
    let feedback = host.expect("user text").await;
    assert_eq!(feedback["message"]["content"][0]["text"], "Stop hook feedback:\ntest it");
    assert_eq!(feedback["isSynthetic"], true);
    host.expect_all(&["system notification", "assistant text"]).await;
    let hook = host.expect("control_request Stop").await;
    assert_eq!(hook["request"]["input"]["stop_hook_active"], true);
    host.respond_with(&hook, json!({})).await;
    assert_eq!(host.expect("result success completed").await["result"], "Really done.");
    host.close().await;
}

#[tokio::test]
async fn an_interrupt_cancels_the_running_call() {
    let script =
        Script::new().call_all([("change", json!({})), ("change", json!({}))]).say("Back.");
    let mut host = connected(script).await;
    host.prompt("go").await;
    host.expect_all(&["system init", "assistant tool_use"]).await;
    let call = host.expect("control_request tools/call change").await;
    host.expect("assistant tool_use").await;
    host.control("stop", json!({"subtype": "interrupt"})).await;
    let cancelled = host.expect("control_request notifications/cancelled").await;
    let params = &cancelled["request"]["message"]["params"];
    assert_eq!(params["requestId"], call["request"]["message"]["id"]);
    assert_eq!(params["reason"], "AbortError: remote-cancel");
    assert_eq!(
        host.expect("control_response").await["response"]["response"],
        json!({"still_queued": []})
    );
    host.expect_all(&["user tool_result", "user tool_result", "user text"]).await;
    let result = host.expect("result error_during_execution aborted_tools").await;
    assert_eq!(result["is_error"], true);
    assert!(result.get("result").is_none());
    // Too late, and ignored.
    host.respond(&call, said("late")).await;
    host.prompt("still there?").await;
    host.expect_all(&["system init", "assistant text", "result success completed"]).await;
    assert_eq!(host.close().await.code, 0);
}

#[tokio::test]
async fn an_interrupt_withdraws_a_hook() {
    let hooks =
        json!({"PreToolUse": [{"matcher": "mcp__byre__change", "hookCallbackIds": ["pre"]}]});
    let script = Script::new().call("change", json!({}));
    let mut host = Host::connected(ScriptedCli::new(script), hooks).await;
    host.prompt("go").await;
    host.expect_all(&["system init", "assistant tool_use"]).await;
    let hook = host.expect("control_request PreToolUse").await;
    host.control("stop", json!({"subtype": "interrupt"})).await;
    let cancel = host.expect("control_cancel_request").await;
    assert_eq!(cancel["request_id"], hook["request_id"]);
    host.expect_all(&["control_response", "user tool_result", "user text"]).await;
    host.expect("result error_during_execution aborted_tools").await;
    assert_eq!(host.close().await.code, 1, "the last result was an error");
}

#[tokio::test]
async fn an_interrupt_of_a_text_keeps_what_was_written() {
    let script = Script::new().reply(Reply::say("I am ab").and_more("out to").and_hold());
    let cli = ScriptedCli::new(script).include_partial_messages(true);
    let mut host = Host::connected(cli, Value::Null).await;
    host.prompt("go").await;
    host.expect_all(&[
        "system init",
        "system status",
        "stream_event message_start",
        "stream_event content_block_start",
        "stream_event content_block_delta",
        "stream_event content_block_delta",
    ])
    .await;
    host.control("stop", json!({"subtype": "interrupt"})).await;
    host.expect("control_response").await;
    let text = host.expect("assistant text").await;
    assert_eq!(text["message"]["content"][0]["text"], "I am about to");
    host.expect_all(&[
        "user text",
        "stream_event content_block_stop",
        "stream_event message_delta",
        "stream_event message_stop",
        "result error_during_execution aborted_streaming",
    ])
    .await;
    host.close().await;
}

#[tokio::test]
async fn messages_that_wait_become_one_turn() {
    let script =
        Script::new().reply(Reply::wait(Duration::from_millis(100)).and_say("One.")).say("Two.");
    let cli = ScriptedCli::new(script);
    let recorder = cli.recorder();
    let mut host = Host::connected(cli, Value::Null).await;
    for (number, text) in ["one", "two", "three"].into_iter().enumerate() {
        let uuid = format!("u{number}");
        let message = json!({"role": "user", "content": text});
        host.send(json!({"type": "user", "uuid": uuid, "message": message})).await;
        host.expect("command_lifecycle queued").await;
        if number == 0 {
            host.expect_all(&["command_lifecycle started", "system init"]).await;
        }
    }
    host.expect("assistant text").await;
    let first = host.expect("result success completed").await;
    assert_eq!(first["user_message_uuids"], json!(["u0"]));
    host.expect_all(&[
        "command_lifecycle completed",
        "command_lifecycle started",
        "command_lifecycle started",
        "system init",
        "assistant text",
    ])
    .await;
    let second = host.expect("result success completed").await;
    assert_eq!(second["user_message_uuids"], json!(["u1", "u2"]));
    assert_eq!(second["result_index"], 1);
    assert!(second["total_cost_usd"].as_f64() > first["total_cost_usd"].as_f64());
    host.close().await;
    assert_eq!(recorder.requests()[1].prompt, "two\nthree");
}

#[tokio::test]
async fn lists_are_read_to_the_last_page_and_again_when_they_change() {
    let mut host = Host::new(ScriptedCli::new(Script::new().say("One.").say("Two.")));
    host.answer("control_request initialize", hello()).await;
    host.answer("control_request notifications/initialized", json!({})).await;
    let page = |tool: usize| json!([tools()[tool]]);
    host.answer("control_request tools/list", json!({"tools": page(0), "nextCursor": "c2"})).await;
    let second = host.expect("control_request tools/list").await;
    assert_eq!(second["request"]["message"]["params"], json!({"cursor": "c2"}));
    host.respond(&second, json!({"tools": page(1)})).await;
    host.prompt("go").await;
    host.expect_all(&["system init", "assistant text", "result success completed"]).await;
    host.control("status", json!({"subtype": "mcp_status"})).await;
    let status = host.expect("control_response").await;
    let servers = &status["response"]["response"]["mcpServers"];
    assert_eq!(servers[0]["tools"][1], json!({"name": "look", "annotations": {"readOnly": true}}));
    let changed = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
    host.control("m", json!({"subtype": "mcp_message", "server_name": "byre", "message": changed}))
        .await;
    let answer = host.expect("control_response").await;
    assert!(answer["response"].get("response").is_none(), "{answer}");
    host.answer("control_request tools/list", json!({"tools": []})).await;
    host.prompt("go").await;
    let init = host.expect("system init").await;
    assert!(!init["tools"].to_string().contains("mcp__"), "{init}");
    host.close().await;
}

#[tokio::test]
async fn one_bad_schema_hides_all_tools() {
    let mut host = Host::new(ScriptedCli::new(Script::new().say("Hello.")));
    host.answer("control_request initialize", hello()).await;
    host.answer("control_request notifications/initialized", json!({})).await;
    let tools = json!([tools()[0], {"name": "bad", "inputSchema": {"anyOf": []}}]);
    for _ in 0..4 {
        host.answer("control_request tools/list", json!({"tools": tools})).await;
    }
    host.prompt("go").await;
    let init = host.expect("system init").await;
    assert_eq!(init["mcp_servers"][0]["status"], "connected");
    assert!(!init["tools"].to_string().contains("mcp__"), "{init}");
    host.close().await;
}

#[tokio::test]
async fn tools_that_are_not_allowed_are_denied() {
    let script = Script::new().call("change", json!({})).say("{result}");
    let cli = ScriptedCli::new(script).allowed_tools(["mcp__byre__look"]);
    let mut host = Host::connected(cli, Value::Null).await;
    host.prompt("go").await;
    host.expect_all(&[
        "system init",
        "assistant tool_use",
        "system permission_denied",
        "user tool_result",
        "assistant text",
    ])
    .await;
    let result = host.expect("result success completed").await;
    assert_eq!(result["permission_denials"][0]["tool_name"], "mcp__byre__change");
    host.close().await;
}

#[tokio::test]
async fn the_host_is_asked_for_permission() {
    let script = (0..4).fold(Script::new(), |script, _| script.call("change", json!({"a": 1})));
    let cli = ScriptedCli::new(script.say("{result}")).permission_prompts(true);
    let mut host = Host::connected(cli, Value::Null).await;
    host.prompt("go").await;
    host.expect_all(&["system init", "assistant tool_use"]).await;
    let ask = host.expect("control_request can_use_tool").await;
    assert_eq!(ask["request"]["tool_name"], "mcp__byre__change");
    host.respond_with(&ask, json!({"behavior": "allow", "updatedInput": {"a": 2}})).await;
    let call = host.expect("control_request tools/call change").await;
    assert_eq!(call["request"]["message"]["params"]["arguments"], json!({"a": 2}));
    host.respond(&call, said("2")).await;
    host.expect_all(&["user tool_result", "assistant tool_use"]).await;
    let ask = host.expect("control_request can_use_tool").await;
    host.respond_with(&ask, json!({"behavior": "deny", "message": "not that one"})).await;
    let result = host.expect("user tool_result").await;
    assert_eq!(result["message"]["content"][0]["content"], "not that one");
    host.expect("assistant tool_use").await;
    let ask = host.expect("control_request can_use_tool").await;
    let rules = &ask["request"]["permission_suggestions"];
    host.respond_with(&ask, json!({"behavior": "allow", "updatedPermissions": rules})).await;
    host.answer("control_request tools/call change", said("3")).await;
    host.expect_all(&["user tool_result", "assistant tool_use"]).await;
    host.answer("control_request tools/call change", said("4")).await;
    host.expect_all(&["user tool_result", "assistant text"]).await;
    let result = host.expect("result success completed").await;
    assert_eq!(result["permission_denials"].as_array().unwrap().len(), 1);
    host.close().await;
}

#[tokio::test]
async fn an_error_of_the_api_is_a_success_that_is_an_error() {
    let mut host = connected(Script::new().error(529, "Overloaded")).await;
    host.prompt("go").await;
    host.expect("system init").await;
    let message = host.expect("assistant text").await;
    assert_eq!(message["error"], "server_error");
    let result = host.expect("result success api_error").await;
    assert_eq!(result["is_error"], true);
    assert_eq!(result["api_error_status"], 529);
    assert_eq!(host.close().await.code, 1);
}

#[tokio::test]
async fn control_requests_change_what_the_next_turn_says() {
    let mut host = connected(Script::new().say("Hello.")).await;
    host.control("m", json!({"subtype": "set_model", "model": "sonnet"})).await;
    let answer = host.expect("control_response").await;
    assert_eq!(answer["response"]["response"], json!({"model": "claude-sonnet-5-5"}));
    host.control("p", json!({"subtype": "set_permission_mode", "mode": "plan"})).await;
    host.expect_all(&["control_response", "system status"]).await;
    host.control("i", json!({"subtype": "interrupt"})).await;
    host.expect("control_response").await;
    host.control("x", json!({"subtype": "nosuch"})).await;
    let error = host.expect("control_response").await;
    assert_eq!(error["response"]["error_code"], "unsupported_request");
    host.prompt("go").await;
    let init = host.expect("system init").await;
    assert_eq!(init["model"], "claude-sonnet-5-5");
    assert_eq!(init["permissionMode"], "plan");
    host.close().await;
}

#[tokio::test]
async fn lines_that_the_real_cli_dies_of_end_the_stand_in() {
    for line in [
        "no json",
        "null",
        r#"{"type":"user"}"#,
        r#"{"type":"user","message":{"role":"assistant"}}"#,
        r#"{"type":"control_request","request_id":"1"}"#,
        r#"{"type":"keep_alive"}{"type":"keep_alive"}"#,
    ] {
        let mut host = Host::new(ScriptedCli::new(Script::new()));
        host.write(&format!("{line}\n")).await;
        while host.next().await.is_some() {}
        let outcome = host.run.await.unwrap();
        assert_eq!(outcome.code, 1, "{line}");
        assert!(outcome.error.unwrap().starts_with("Error"), "{line}");
    }
}

#[tokio::test]
async fn lines_that_mean_nothing_are_ignored() {
    let mut host = connected(Script::new().say("Hello.")).await;
    for line in [
        "",
        "5",
        "[1]",
        "{}",
        r#"{"type":"keep_alive"}"#,
        r#"{"type":"nosuch"}"#,
        r#"{"type":"control_response","response":{"subtype":"success","request_id":"nobody"}}"#,
        r#"{"type":"control_response"}"#,
    ] {
        host.write(&format!("{line}\n")).await;
    }
    host.prompt("go").await;
    host.expect_all(&["system init", "assistant text", "result success completed"]).await;
    assert_eq!(host.close().await.code, 0);
}

#[tokio::test]
async fn an_answer_that_the_real_cli_drops_ends_the_stand_in() {
    let mut host = connected(Script::new().call("change", json!({}))).await;
    host.prompt("go").await;
    host.expect_all(&["system init", "assistant tool_use"]).await;
    let call = host.expect("control_request tools/call change").await;
    host.respond_with(&call, json!({"mcp_response": {"jsonrpc": "2.0", "id": 99, "result": {}}}))
        .await;
    assert!(host.next().await.is_none());
    let outcome = host.run.await.unwrap();
    assert_eq!(outcome.code, 1);
    assert!(outcome.error.unwrap().contains("drops in silence"));
}

#[tokio::test]
async fn the_end_of_stdin_fails_the_running_call_and_ends_the_turn() {
    let mut host = connected(Script::new().call("change", json!({})).say("{result}")).await;
    host.prompt("go").await;
    host.expect_all(&["system init", "assistant tool_use"]).await;
    host.expect("control_request tools/call change").await;
    host.stdin = None;
    host.expect_all(&["user tool_result", "assistant text"]).await;
    let result = host.expect("result success completed").await;
    assert!(result["result"].as_str().unwrap().contains("interrupted"), "{result}");
    assert!(host.next().await.is_none());
    assert_eq!(host.run.await.unwrap().code, 0);
}

#[tokio::test]
async fn a_stand_in_that_is_dropped_leaves_no_task() {
    let mut host = Host::new(ScriptedCli::new(Script::new()));
    host.expect("control_request initialize").await;
    host.run.abort();
    assert!(host.next().await.is_none(), "its stdout is closed");
}

#[tokio::test]
async fn a_prompt_that_waits_can_be_withdrawn_and_one_that_runs_can_not() {
    let cli = ScriptedCli::new(Script::new().say("First.").say("Never said.")).servers::<&str>([]);
    let mut host = Host::new(cli);
    let withdraw = |uuid: &str| json!({"subtype": "cancel_async_message", "message_uuid": uuid});
    let prompt = |uuid: &str| json!({"type": "user", "message": {"role": "user", "content": "go"}, "uuid": uuid});
    // In one write, so that all of it is read before a turn begins.
    let request = json!({"type": "control_request", "request_id": "c", "request": withdraw("a")});
    host.write(&format!("{}\n{request}\n", prompt("a"))).await;
    host.expect("command_lifecycle queued").await;
    host.expect("command_lifecycle cancelled").await;
    let answer = host.expect("control_response").await;
    assert_eq!(answer["response"]["response"], json!({"cancelled": true, "message_uuid": "a"}));

    host.send(prompt("b")).await;
    while host.next().await.unwrap()["type"] != "result" {}
    host.expect("command_lifecycle completed").await;
    host.control("d", withdraw("b")).await;
    let answer = host.expect("control_response").await;
    assert_eq!(answer["response"]["response"], json!({"cancelled": false}));
    let outcome = host.close().await;
    assert_eq!((outcome.code, outcome.error), (0, None));
}
