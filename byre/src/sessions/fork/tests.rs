use std::collections::HashMap;

use serde_json::{Value, json};

use super::{super::entry::Entry, Fields, copy};

fn entry(line: &str) -> Entry {
    Entry::parse(line.as_bytes().to_vec()).unwrap().unwrap()
}

#[test]
fn fields_keep_their_order_and_their_spelling() {
    let line = r#"{"z":1.0,"a":1e2,"m":{"y":1,"b":"\u00e9"},"big":123456789012345678901234567890}"#;
    let mut fields = Fields::of(&entry(line)).unwrap();
    assert_eq!(fields.to_string(), line);
    fields.set("a", &json!("x"));
    fields.set("new \"one\"", &json!([1]));
    fields.retain(|name| name != "m");
    assert_eq!(
        fields.to_string(),
        r#"{"z":1.0,"a":"x","big":123456789012345678901234567890,"new \"one\"":[1]}"#
    );
    fields.retain(|_| false);
    assert_eq!(fields.to_string(), "{}");
}

#[test]
fn ids_are_renamed_everywhere_but_in_what_was_said() {
    let line = r#"{"a":"old","b":{"c":["x","old"],"d":7},"e":"old one","message":{"content":"old"},"toolUseResult":"old"}"#;
    let mut fields = Fields::of(&entry(line)).unwrap();
    fields.rename_ids(&HashMap::from([("old".to_owned(), "new".to_owned())]));
    let want = r#"{"a":"new","b":{"c":["x","new"],"d":7},"e":"old one","message":{"content":"old"},"toolUseResult":"old"}"#;
    assert_eq!(fields.to_string(), want);
}

#[test]
fn a_copy_names_its_entries_and_where_they_are_from() {
    let lines = [
        r#"{"type":"mode","mode":"normal","sessionId":"s"}"#,
        r#"{"parentUuid":null,"type":"user","uuid":"a","timestamp":"2026-12-01T00:00:00.000Z","sessionId":"s","turnAttributionKey":"a","slug":"x","teamName":null}"#,
        r#"{"parentUuid":"a","type":"progress","uuid":"p","sessionId":"s"}"#,
        r#"{"parentUuid":"p","isSidechain":true,"type":"user","uuid":"q","sessionId":"s"}"#,
        r#"{"parentUuid":"q","type":"assistant","uuid":"b","timestamp":"2026-12-01T00:00:01.000Z","requestRef":"r","sessionId":"s"}"#,
        r#"{"parentUuid":"b","type":"user","uuid":"c","sourceToolAssistantUUID":"q","sessionId":"s"}"#,
        r#"{"type":"content-replacement","sessionId":"s","replacements":[{"toolUseId":"t","replacement":"x"}]}"#,
    ];
    let entries = lines.map(entry);
    let text = copy(&entries, None, "s", "t", "T").unwrap();
    let got: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(got.len(), 5, "{text}");
    let [a, b, c, replacement, title] = &got[..] else { unreachable!() };
    assert!(text.starts_with("{\"parentUuid\":null,\"type\":\"user\","), "{text}");
    assert_eq!(a["forkedFrom"], json!({"sessionId": "s", "messageUuid": "a"}));
    assert_eq!(a["turnAttributionKey"], a["uuid"]);
    assert!(a.get("slug").is_none() && a.get("teamName").is_none());
    assert_eq!(a["timestamp"], "2026-12-01T00:00:00.000Z");
    assert_eq!(b["parentUuid"], a["uuid"], "over what is not copied");
    assert_eq!((&b["requestRef"], &b["requestSessionId"]), (&json!("r"), &json!("s")));
    assert_eq!(c["parentUuid"], b["uuid"]);
    assert!(c.get("sourceToolAssistantUUID").is_none());
    assert!(c["timestamp"].as_str().unwrap() > "2020", "the present time");
    for entry in &got {
        assert_eq!(entry["sessionId"], "t");
    }
    assert_eq!(replacement["replacements"][0]["toolUseId"], "t");
    assert_eq!(title["customTitle"], "T");
}

#[test]
fn a_copy_ends_where_it_was_told_to() {
    let entries = [
        r#"{"parentUuid":null,"type":"user","uuid":"a"}"#,
        r#"{"parentUuid":"a","type":"assistant","uuid":"b"}"#,
        r#"{"parentUuid":"b","type":"user","uuid":"c"}"#,
    ]
    .map(entry);
    let lines = |up_to| copy(&entries, up_to, "s", "t", "T").map(|text| text.lines().count());
    assert_eq!(lines(None), Some(4));
    assert_eq!(lines(Some("c")), Some(4));
    assert_eq!(lines(Some("b")), Some(3));
    assert_eq!(lines(Some("nowhere")), None);
    assert_eq!(copy(&[], None, "s", "t", "T"), None);
}

#[test]
fn parents_that_go_in_a_circle_end() {
    let entries = [
        r#"{"parentUuid":"q","type":"progress","uuid":"p"}"#,
        r#"{"parentUuid":"p","type":"progress","uuid":"q"}"#,
        r#"{"parentUuid":"q","type":"user","uuid":"a"}"#,
    ]
    .map(entry);
    let text = copy(&entries, None, "s", "t", "T").unwrap();
    assert!(text.starts_with("{\"parentUuid\":null,"), "{text}");
}
