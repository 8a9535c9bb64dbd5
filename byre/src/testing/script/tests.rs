use std::time::Duration;

use serde_json::json;

use super::*;

#[test]
fn a_script_survives_json() {
    let script = Script::new()
        .reply(
            Reply::say("a")
                .and_wait(Duration::from_millis(5))
                .and_more("b")
                .and_call("add", json!({"a": 1}))
                .and_hold(),
        )
        .reply(Reply::call_json("add", "{"))
        .reply(Reply::think("hm").and_say("c").and_cut())
        .reply(Reply::error(529, "busy").and_header("retry-after", "1"))
        .for_prompt("sub", Script::new().say("d"));
    let json = script.to_json().unwrap();
    let again = Script::from_json(&json).unwrap();
    assert_eq!(again.to_json().unwrap(), json);
    assert_eq!(
        json,
        concat!(
            r#"{"replies":[[{"say":"a"},{"wait_ms":5},{"more":"b"},"#,
            r#"{"call":{"name":"add","arguments":{"a":1}}},"hold"],"#,
            r#"[{"call_json":{"name":"add","json":"{"}}],"#,
            r#"[{"think":"hm"},{"say":"c"},"cut"],"#,
            r#"[{"error":{"status":529,"body":{"error":{"message":"busy","type":"overloaded_error"},"#,
            r#""type":"error"},"headers":[["retry-after","1"]]}}]],"#,
            r#""for_prompt":[["sub",{"replies":[[{"say":"d"}]]}]]}"#,
        )
    );
}

#[test]
fn a_function_can_not_become_json() {
    let script = Script::new().reply_with(|_| Reply::say("a"));
    let error = script.to_json().unwrap_err();
    assert_eq!(
        error.to_string(),
        "could not write the script as JSON: a reply of it is a function"
    );
    assert!(Script::new().for_prompt("x", script).to_json().is_err());
}

#[test]
fn json_that_is_no_script_is_refused_with_a_reason() {
    for json in ["", "[]", r#"{"replies":[[{"shout":"a"}]]}"#, r#"{"answers":[]}"#] {
        let error = Script::from_json(json).unwrap_err();
        assert!(error.to_string().starts_with("could not read the script: "), "{error}");
    }
}

#[test]
fn pieces_are_one_block() {
    assert_eq!(Reply::say_in(["a", "b"]), Reply::say("a").and_more("b"));
}
