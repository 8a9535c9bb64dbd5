use serde_json::json;

use super::*;

fn line(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn an_id_goes_back_exactly_as_it_came() {
    for id in ["\"a\\u0041\"", "7", "\"6b16-1096\""] {
        let asked = format!("{{\"request_id\":{id},\"request\":{{\"subtype\":\"x\"}}}}");
        let (id_read, request) = Request::parse(&asked).unwrap();
        assert_eq!(request.unwrap().subtype, "x");
        let answer = line(|out| Answer::Success("{\"n\":1}".to_owned()).write_line(&id_read, out));
        assert_eq!(
            answer,
            format!(
                "{{\"type\":\"control_response\",\"response\":{{\"subtype\":\"success\",\
                 \"request_id\":{id},\"response\":{{\"n\":1}}}}}}\n"
            )
        );
    }
}

#[test]
fn a_request_without_id_or_body_is_no_request() {
    assert!(Request::parse("{\"request\":{}}").is_none());
    assert!(Request::parse("{\"request_id\":\"a\"}").is_none());
}

/// A field `message` need not be one of JSON-RPC, and one that is broken is its server's business.
#[test]
fn a_message_of_another_shape_does_not_cost_the_request() {
    for message in ["\"Hi\"", "5", "[1]", "{\"id\":1,\"id\":2,\"method\":\"x\"}"] {
        let line = format!(
            "{{\"type\":\"control_request\",\"request_id\":\"a\",\"request\":{{\"subtype\":\"elicitation\",\"message\":{message},\"server_name\":\"s\"}}}}"
        );
        let request = Request::parse(&line).unwrap().1.unwrap();
        assert_eq!((&*request.subtype, &*request.server_name), ("elicitation", "s"), "{message}");
        assert!(matches!(request.message, Some(Message::Malformed { .. })), "{message}");
        assert!(request.body().contains(&format!("\"message\":{message}")), "{}", request.body());
    }
    let line = "{\"type\":\"control_request\",\"request_id\":\"a\",\"request\":{\"message\":\"Hi\",\"tool_use_id\":7}}";
    let Some((_, Err(Answer::Error { message, .. }))) = Request::parse(line) else { panic!() };
    assert!(message.contains("integer `7`"), "the reason is the field that is wrong: {message}");
}

#[test]
fn an_error_answer_is_one_line_of_json() {
    let id = RequestId::nth(1);
    let text = line(|out| Answer::error("two\nlines \"quoted\"").write_line(&id, out));
    assert_eq!(text.matches('\n').count(), 1);
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["response"]["error"], "two\nlines \"quoted\"");
    assert_eq!(value["response"]["request_id"], "byre-1");
    assert!(value["response"].get("error_code").is_none());

    let text = line(|out| Answer::unsupported("new_thing").write_line(&id, out));
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["response"]["error_code"], "unsupported_request");
}

#[test]
fn nothing_is_written_for_a_withdrawn_request() {
    assert_eq!(line(|out| Answer::Nothing.write_line(&RequestId::nth(1), out)), "");
}

#[test]
fn a_request_carries_its_subtype_once() {
    let id = RequestId::nth(3);
    let text =
        line(|out| write_request(&id, "set_model", json!({"model": "opus", "subtype": "x"}), out));
    assert_eq!(
        text,
        "{\"type\":\"control_request\",\"request_id\":\"byre-3\",\
         \"request\":{\"subtype\":\"set_model\",\"model\":\"opus\"}}\n"
    );
    let text = line(|out| write_cancel(&id, out));
    assert_eq!(text, "{\"type\":\"control_cancel_request\",\"request_id\":\"byre-3\"}\n");
}

#[test]
fn answers_are_read_with_or_without_a_payload() {
    let id = RequestId::nth(2);
    let read = |body: &str| {
        parse_response(&format!("{{\"response\":{{\"request_id\":\"byre-2\",{body}}}}}")).unwrap()
    };
    assert_eq!(read("\"subtype\":\"success\""), (id.clone(), Outcome::Success(Value::Null)));
    assert_eq!(
        read("\"subtype\":\"success\",\"response\":{\"model\":\"m\"}"),
        (id.clone(), Outcome::Success(json!({"model": "m"})))
    );
    assert_eq!(
        read("\"subtype\":\"error\",\"error\":\"no\",\"error_code\":\"invalid_mode\""),
        (id, Outcome::Error { message: "no".to_owned(), code: Some("invalid_mode".to_owned()) })
    );
}

#[test]
fn an_odd_answer_is_an_answer_all_the_same() {
    let read = |body: &str| {
        let line = format!("{{\"response\":{{\"request_id\":\"byre-2\",{body}}}}}");
        let (id, outcome) = parse_response(&line).unwrap();
        assert_eq!(id, RequestId::nth(2));
        outcome
    };
    assert_eq!(
        read("\"subtype\":\"error\",\"error\":\"no\",\"error_code\":404"),
        Outcome::Error { message: "no".to_owned(), code: None }
    );
    assert_eq!(read("\"subtype\":[],\"response\":1"), Outcome::Success(json!(1)));
    for payload in [format!("{}{}", "[".repeat(200), "]".repeat(200)), "1e999".to_owned()] {
        let Outcome::Error { message, .. } = read(&format!("\"response\":{payload}")) else {
            panic!("{payload} was read");
        };
        assert!(message.starts_with("the answer can't be read"), "{message}");
    }
}

#[test]
fn a_cancel_names_its_request() {
    let cancel = parse_cancel("{\"type\":\"control_cancel_request\",\"request_id\":\"c-9\"}");
    assert_eq!(cancel, Some(RequestId("\"c-9\"".into())));
}

#[test]
fn a_request_that_cannot_be_read_is_answered_with_the_reason() {
    for request in ["5", "{\"subtype\":[]}", "{\"subtype\":\"x\",\"server_name\":7}"] {
        let line = format!("{{\"request_id\":7,\"request\":{request}}}");
        let (id, answer) = Request::parse(&line).unwrap();
        assert_eq!(id, RequestId("7".into()));
        let Err(Answer::Error { message, .. }) = answer else { panic!("{request}: {answer:?}") };
        assert!(message.starts_with("the request can't be read: "), "{message}");
    }
}

#[test]
fn a_json_rpc_message_is_wrapped() {
    let id = RequestId::nth(1);
    let text = line(|out| Answer::Mcp("{\"id\":1}".to_owned()).write_line(&id, out));
    let value: Value = serde_json::from_str(text.strip_suffix('\n').unwrap()).unwrap();
    assert_eq!(value["response"]["response"], json!({"mcp_response": {"id": 1}}));
    assert_eq!(value["response"]["request_id"], "byre-1");
}
