use super::*;

fn request(results: &[&str]) -> ModelRequest {
    let results: Vec<_> = results
        .iter()
        .map(|text| json!({"type": "tool_result", "tool_use_id": "t", "content": text}))
        .collect();
    ModelRequest::from_body(json!({
        "model": "m",
        "messages": [{"role": "user", "content": "go"}, {"role": "user", "content": results}],
        "tools": [{"name": "mcp__byre__add"}],
    }))
}

/// Lists the blocks of each reply to `results`.
fn blocks(script: Script, results: &[&str]) -> Vec<Value> {
    let beats = Player::new(script).next(&request(results)).beats;
    let blocks = beats.into_iter().filter_map(|beat| match beat {
        Beat::Block(block) => Some(block),
        _ => None,
    });
    blocks.collect()
}

fn text(script: &str, results: &[&str]) -> String {
    let blocks = blocks(Script::new().say(script), results);
    blocks[0]["text"].as_str().unwrap().to_owned()
}

#[test]
fn placeholders_become_results() {
    for (script, results, want) in [
        ("{result}", &["5"][..], "5"),
        ("{result}", &["5", "6"], "6"),
        ("{result:0}, {result:1}.", &["5", "6"], "5, 6."),
        ("{result:7} {result:x} {results} {", &["5"], "{result:7} {result:x} {results} {"),
        ("{result}", &[], "{result}"),
        ("{result}", &["{result}"], "{result}"),
        ("{result:0", &["5"], "{result:0"),
    ] {
        assert_eq!(text(script, results), want, "{script} with {results:?}");
    }
}

#[test]
fn placeholders_work_in_arguments_too() {
    let script = Script::new().call("add", json!({"a": ["{result}", 1], "b": {"c": "{result:0}"}}));
    let blocks = blocks(script, &["5"]);
    assert_eq!(blocks[0]["input"], json!({"a": ["5", 1], "b": {"c": "5"}}));
    assert_eq!(blocks[0]["name"], "mcp__byre__add");
}

#[test]
fn arguments_are_streamed_as_they_are_and_read_as_well_as_can_be() {
    for (json, input) in [
        (r#"{"a":"\ud83d"}"#, json!({"a": "\u{fffd}"})),
        (r#"{"a":1,"a":2}"#, json!({"a": 2})),
        ("{\"a\":", json!({})),
    ] {
        let script = Script::new().reply(Reply::call_json("add", json));
        let beats = Player::new(script).next(&request(&[])).beats;
        let is_delta = |beat: &Beat| matches!(beat, Beat::Event(event) if event["delta"]["partial_json"] == json);
        assert!(beats.iter().any(is_delta), "{beats:?}");
        let is_block = |beat: &Beat| matches!(beat, Beat::Block(block) if block["input"] == input);
        assert!(beats.iter().any(is_block), "{beats:?}");
    }
}

#[test]
fn a_script_that_has_run_out_says_so() {
    assert_eq!(blocks(Script::new(), &[])[0]["text"], NO_MORE);
}

#[test]
fn ids_are_unique() {
    let calls = [("add", json!({})), ("add", json!({}))];
    let script = Script::new().call_all(calls.clone()).call_all(calls);
    let mut player = Player::new(script);
    let mut ids = Vec::new();
    for _ in 0..2 {
        let answer = player.next(&request(&[]));
        ids.push(answer.id);
        ids.extend(answer.beats.into_iter().filter_map(|beat| match beat {
            Beat::Block(block) => Some(block["id"].as_str()?.to_owned()),
            _ => None,
        }));
    }
    let count = ids.len();
    assert_eq!(count, 6);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

#[test]
fn a_reply_is_streamed_as_the_api_streams_it() {
    let reply = Reply::say_in(["I ", "add."]).and_call("add", json!({"a": 1}));
    let answer = Player::new(Script::new().reply(reply)).next(&request(&[]));
    let trace: Vec<_> = answer
        .beats
        .iter()
        .map(|beat| match beat {
            Beat::Event(event) => event["type"].as_str().unwrap().to_owned(),
            Beat::Block(block) => format!("block {}", block["type"].as_str().unwrap()),
            other => format!("{other:?}"),
        })
        .collect();
    let want = [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
        "block text",
        "content_block_stop",
        "content_block_start",
        "content_block_delta",
        "block tool_use",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ];
    assert_eq!(trace, want);
    assert!(answer.beats.contains(&Beat::Event(json!({
        "type": "message_delta",
        "delta": {"stop_reason": "tool_use", "stop_sequence": null},
        "usage": {"output_tokens": OUTPUT_TOKENS},
    }))));
}

#[test]
fn a_reply_can_depend_on_the_request() {
    let script = Script::new().reply_with(|request| Reply::say(&request.prompt));
    assert_eq!(blocks(script, &[])[0]["text"], "go");
}

#[test]
fn other_conversations_have_their_own_replies() {
    let script = Script::new().say("main").for_prompt("count", Script::new().say("seven"));
    let mut player = Player::new(script);
    let ask = |player: &mut Player, prompt: &str| {
        let messages = json!([{"role": "user", "content": prompt}]);
        let request = ModelRequest::from_body(json!({"messages": messages}));
        let beats = player.next_of_other(&request).beats;
        beats.into_iter().find_map(|beat| match beat {
            Beat::Block(block) => Some(block["text"].as_str()?.to_owned()),
            _ => None,
        })
    };
    assert_eq!(ask(&mut player, "please count").as_deref(), Some("seven"));
    assert_eq!(ask(&mut player, "please count").as_deref(), Some(NO_MORE));
    assert_eq!(ask(&mut player, "else").as_deref(), Some("There is nothing to do."));
}
