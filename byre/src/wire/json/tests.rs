use super::*;

/// Tells `line` apart and compares the repaired text with `want`.
fn check_frame(line: &str, want: &str) {
    match Line::parse(line.as_bytes().to_vec()) {
        Some(Line::Frame { raw, .. }) => {
            assert_eq!(raw.as_str(), want, "line was {line}");
            assert!(raw.parse::<Value>().is_ok(), "line was {line}");
        }
        other => panic!("{line} became {other:?}"),
    }
}

#[test]
fn finds_the_type_wherever_it_stands() {
    let line = br#"{"duration_ms":1,"usage":{"type":"inner"},"type":"result"}"#.to_vec();
    assert!(matches!(Line::parse(line), Some(Line::Frame { kind, .. }) if kind == "result"));
}

#[test]
fn an_object_without_a_type_is_still_a_frame() {
    assert!(
        matches!(Line::parse(b"{}".to_vec()), Some(Line::Frame { kind, .. }) if kind.is_empty())
    );
}

#[test]
fn blank_lines_are_nothing_and_text_is_text() {
    assert!(Line::parse(b" \r".to_vec()).is_none());
    for text in ["[SandboxDebug] x", "{\"type\":\"resu", "[1,2]", "5", "null"] {
        let line = Line::parse(text.as_bytes().to_vec());
        assert!(matches!(&line, Some(Line::Text(kept)) if kept == text), "{text} became {line:?}");
    }
}

#[test]
fn carriage_return_and_byte_order_mark_are_cut() {
    check_frame("\u{feff}{\"type\":\"x\"}\r", "{\"type\":\"x\"}");
}

#[test]
fn lone_surrogates_become_the_replacement_character() {
    for lone in ["\\ud83d", "\\uD83D", "\\ude00", "\\uDE00"] {
        check_frame(
            &format!("{{\"type\":\"x\",\"t\":\"a{lone}b\"}}"),
            "{\"type\":\"x\",\"t\":\"a\\ufffdb\"}",
        );
    }
    check_frame("{\"t\":\"\\ud83d\\ud83d\\ude00\"}", "{\"t\":\"\\ufffd\\ud83d\\ude00\"}");
    check_frame("{\"t\":\"\\ud83d\\n\"}", "{\"t\":\"\\ufffd\\n\"}");
    check_frame("{\"t\":\"\\ud83d\"}", "{\"t\":\"\\ufffd\"}");
}

#[test]
fn pairs_and_things_that_only_look_like_surrogates_stay() {
    for text in [
        "{\"t\":\"\\ud83d\\ude00\"}",
        "{\"t\":\"\\\\ud83d\"}",
        "{\"t\":\"\\u00e9 \\ud83d\\ude00 é\"}",
    ] {
        check_frame(text, text);
    }
}

#[test]
fn bytes_that_are_not_utf8_do_not_lose_the_line() {
    let line = b"{\"type\":\"x\",\"t\":\"a\xffb\"}".to_vec();
    assert!(matches!(Line::parse(line), Some(Line::Frame { kind, .. }) if kind == "x"));
}

#[test]
fn deep_nesting_is_still_a_frame() {
    let deep = format!("{{\"type\":\"x\",\"d\":{}{}}}", "[".repeat(500), "]".repeat(500));
    let line = Line::parse(deep.into_bytes());
    assert!(matches!(line, Some(Line::Frame { kind, .. }) if kind == "x"));
}

#[test]
fn raw_serialises_to_what_was_sent() {
    let raw = Raw::new("{\"b\": 1.0,  \"a\":1e400}".to_owned());
    assert_eq!(serde_json::to_string(&raw).unwrap(), raw.as_str());
}
