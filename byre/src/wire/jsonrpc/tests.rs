use super::*;

fn kind(text: &str) -> &'static str {
    match Message::parse(text) {
        Message::Request { .. } => "request",
        Message::Notification { .. } => "notification",
        Message::Response => "response",
        Message::Malformed { .. } => "malformed",
    }
}

#[test]
fn tells_the_four_kinds_apart() {
    for (text, want) in [
        (r#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#, "request"),
        (r#"{"method":"ping","id":"x","params":{}}"#, "request"),
        (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "notification"),
        (r#"{"jsonrpc":"2.0","id":"srv0","result":{}}"#, "response"),
        (r#"{"jsonrpc":"2.0","id":"srv0","error":{"code":1,"message":"m"}}"#, "response"),
        (r#"{"jsonrpc":"2.0","id":1}"#, "malformed"),
        (r#"{"id":{"a":1},"method":"ping"}"#, "malformed"),
        (r"[1]", "malformed"),
        (r"{", "malformed"),
    ] {
        assert_eq!(kind(text), want, "{text}");
    }
}

#[test]
fn what_can_t_be_read_is_told_to_the_one_who_asked() {
    for (text, want) in [
        (r#"{"id":3,"method":"tools/list","params":1e999}"#, Some("3")),
        (r#"{"id":"a","method":5}"#, Some("\"a\"")),
        (r#"{"id":3,"method":"x","method":"y"}"#, Some("3")),
        (r#"{"id":3,"id":4,"method":"x"}"#, None),
        (r#"{"id":null,"method":5}"#, None),
    ] {
        let Message::Malformed { id } = Message::parse(text) else { panic!("{text}") };
        assert_eq!(id.as_ref().map(|id| &*id.0), want, "{text}");
    }
}

#[test]
fn an_answer_keeps_the_id_and_its_type() {
    for id in ["2", "\"2\"", "12345678901234567890"] {
        let text = format!("{{\"id\":{id},\"method\":\"ping\"}}");
        let Message::Request { id: parsed, .. } = Message::parse(&text) else { panic!("{text}") };
        assert_eq!(
            response(&parsed, "{}"),
            format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{}}}}")
        );
    }
}

#[test]
fn an_error_has_no_result_and_escapes_its_text() {
    let error = ProtocolError::new(ProtocolError::METHOD_NOT_FOUND, "no \"such\"\nmethod");
    let value: Value = serde_json::from_str(&error_response(None, &error)).unwrap();
    assert_eq!(
        value,
        serde_json::json!({
            "jsonrpc": "2.0",
            "id": null,
            "error": {"code": -32601, "message": "no \"such\"\nmethod"},
        })
    );
}
