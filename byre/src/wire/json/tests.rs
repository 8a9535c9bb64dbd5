use super::*;

/// Tells `line` apart and compares the repaired text with `want`.
fn check_frame(line: &str, want: &str) {
    match Line::parse(line.as_bytes().to_vec()) {
        Some(Line::Frame(raw)) => {
            assert_eq!(raw.as_str(), want, "line was {line}");
            assert!(raw.parse::<Value>().is_ok(), "line was {line}");
        }
        other => panic!("{line} became {other:?}"),
    }
}

/// The `type` of a line that is an object.
fn kind(line: Vec<u8>) -> String {
    match Line::parse(line) {
        Some(Line::Frame(raw)) => kind_of(raw.as_str()).into_owned(),
        other => panic!("it became {other:?}"),
    }
}

/// All ways to read lines tell them apart alike.
#[test]
fn many_lines_at_once_are_the_same_as_one_by_one() {
    let describe = |line: Line| match line {
        Line::Frame(raw) => format!("frame {raw}"),
        Line::Text(text) => format!("text {text}"),
    };
    let good: &[u8] = b"{\"type\":\"a\"}\r\n\n  \n\xef\xbb\xbf{\"type\":\"b\"}\nnot json\n{\"type\":\"c\",\"d\n{} ";
    let surrogate: &[u8] = b"{\"t\":\"\\ud83d\"}\n{\"t\":\"\\ud83d\\ude00\"}\n";
    let bytes: &[u8] = b"{\"t\":\"a\xffb\"}\n{\"t\":1}";
    for lines in [good, surrogate, bytes, &[good, b"\n", bytes].concat()] {
        let mut together = Vec::new();
        Line::glance_at_all(lines, |line| together.push(describe(line)));
        let each = lines.split(|&byte| byte == b'\n');
        let each = each.filter_map(|line| Line::glance(line.to_vec()).map(describe));
        assert_eq!(together, each.collect::<Vec<_>>());
    }
}

#[test]
fn what_is_kept_keeps_only_itself() {
    let mut lines = Vec::new();
    Line::glance_at_all(b"{\"a\":1}\n{\"b\":2}\n{\"c\":3}", |line| lines.push(line));
    for (line, want) in lines.into_iter().zip(["{\"a\":1}", "{\"b\":2}", "{\"c\":3}"]) {
        let Line::Frame(raw) = line else { panic!("{line:?}") };
        assert_eq!((raw.line.len(), raw.as_str()), (23, want));
        let raw = raw.on_its_own();
        assert_eq!((raw.line.len(), raw.as_str()), (7, want));
    }
}

#[test]
fn finds_the_type_wherever_it_stands() {
    let line = br#"{"duration_ms":1,"usage":{"type":"inner"},"type":"result"}"#.to_vec();
    assert_eq!(kind(line), "result");
}

#[test]
fn an_object_without_a_type_is_still_a_frame() {
    assert_eq!(kind(b"{}".to_vec()), "");
    assert_eq!(kind(b"{\"type\":5}".to_vec()), "");
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
fn a_glance_takes_a_whole_message_at_its_word_and_nothing_else() {
    let glance = |text: &str| match Line::glance(text.as_bytes().to_vec()) {
        Some(Line::Frame(raw)) => raw.as_str() == text.trim(),
        _ => false,
    };
    for kind in ["stream_event", "control_request", "assistant", "user"] {
        // It is read by whoever gets it.
        assert!(glance(&format!("{{\"type\":\"{kind}\",\"a\":]}}\r")), "{kind}");
        assert!(!glance(&format!("{{\"type\":\"{kind}\",\"a\":[")), "{kind} is cut short");
        assert!(
            !glance(&format!("{{\"type\":\"{kind}s\",\"a\":]}}")),
            "{kind} with another letter"
        );
    }
    assert!(!glance("{\"type\":\"result\",\"a\":]}"));
    assert!(glance("{\"a\":1,\"type\":\"user\"}"));
    assert!(!glance("{\"a\":],\"type\":\"user\"}"));
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
    assert_eq!(kind(line), "x");
}

#[test]
fn deep_nesting_is_still_a_frame() {
    let deep = format!("{{\"type\":\"x\",\"d\":{}{}}}", "[".repeat(500), "]".repeat(500));
    assert_eq!(kind(deep.into_bytes()), "x");
}

#[test]
fn raw_serialises_to_what_was_sent() {
    let raw = Raw::new("{\"b\": 1.0,  \"a\":1e400}".to_owned());
    assert_eq!(serde_json::to_string(&raw).unwrap(), raw.as_str());
}

#[test]
fn a_field_of_another_shape_does_not_hide_the_others() {
    let text = r#"{"odd":{"a":1},"nul\u006c":null,"count":3,"new":[]}"#;
    let fields = Fields::of(text).unwrap();
    assert_eq!(fields.lenient::<String>("odd"), "");
    assert_eq!(fields.lenient::<Option<u64>>("null"), None);
    assert_eq!(fields.lenient::<u64>("count"), 3);
    assert!(!fields.lenient::<bool>("missing"));
}

#[test]
fn a_field_that_is_there_twice_is_an_error_and_so_is_what_is_no_object() {
    let fields = Fields::of(r#"{"a":1,"b":2,"\u0061":3}"#).unwrap();
    assert_eq!(fields.finish(fields.lenient::<u64>("b")).unwrap(), 2);
    assert!(fields.finish(fields.lenient::<u64>("a")).is_err());
    for text in ["[]", "null", "\"a\"", "{", "{} {}"] {
        assert!(Fields::of(text).is_err(), "{text}");
    }
}
