use std::{io::Cursor, path::Path};

use super::{super::skipped::SkipReason, read_from};

/// Reads a file of these bytes with lines of at most 100, and gives the `uuid`s, and the lines that were
/// skipped with their reasons.
fn check(file: &[u8], uuids: &[&str], skipped: &[(u64, SkipReason)]) {
    let (entries, left) = read_from(Cursor::new(file), Path::new("x.jsonl"), 100).unwrap();
    let got: Vec<_> = entries.iter().map(super::Entry::uuid).collect();
    let text = String::from_utf8_lossy(file);
    assert_eq!(got, uuids, "{text}");
    let left: Vec<_> = left.into_iter().map(|s| (s.line.unwrap(), s.reason)).collect();
    assert_eq!(left, skipped, "{text}");
}

#[test]
fn lines_are_read_with_and_without_an_end() {
    check(b"", &[], &[]);
    check(b"{\"uuid\":\"a\"}\n\n  \r\n{\"uuid\":\"b\"}\r\n", &["a", "b"], &[]);
    check(b"{\"uuid\":\"a\"}\n{\"uuid\":\"b\"}", &["a", "b"], &[]);
}

#[test]
fn a_line_that_is_cut_short_is_told_apart_from_a_bad_one() {
    check(b"{\"uuid\":\"a\"}\n{\"uuid\":\"b", &["a"], &[(2, SkipReason::CutShort)]);
    check(
        b"{\"uuid\":\"b\n{\"uuid\":\"a\"}\nnull\n[1]\n",
        &["a"],
        &[(1, SkipReason::NotJson), (3, SkipReason::NotJson), (4, SkipReason::NotJson)],
    );
}

#[test]
fn a_line_that_is_too_long_hides_no_other() {
    let long = format!("{{\"uuid\":\"{}\"}}", "x".repeat(200));
    let file = format!("{{\"uuid\":\"a\"}}\n{long}\n{{\"uuid\":\"b\"}}\n{long}");
    let skipped = [(2, SkipReason::TooLong), (4, SkipReason::TooLong)];
    check(file.as_bytes(), &["a", "b"], &skipped);
    // The line break does not count.
    let fits = format!("{{\"uuid\":\"{}\"}}\n", "x".repeat(89));
    assert_eq!(fits.len(), 101);
    check(fits.as_bytes(), &[&"x".repeat(89)], &[]);
}

#[test]
fn text_that_is_no_unicode_is_read_with_replacement_characters() {
    check(b"{\"uuid\":\"\xff\"}\n", &["\u{fffd}"], &[]);
    check(b"{\"uuid\":\"\\ud83d\"}\n", &["\u{fffd}"], &[]);
}

#[test]
fn fields_of_another_shape_count_as_absent() {
    check(
        br#"{"uuid":"a","message":7,"isMeta":"x","timestamp":{},"compactMetadata":[]}"#,
        &["a"],
        &[],
    );
    check(b"{\"uuid\":7,\"type\":null}\n", &[""], &[]);
}
