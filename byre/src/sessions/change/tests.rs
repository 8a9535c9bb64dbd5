use std::{env, fs, path::PathBuf};

use super::*;

/// Appends a title to a file of this content, and compares what is in the file then.
fn check(content: &str, want: &str) {
    let path = file(content);
    append(&path, &TitleLine::new("T", "id")).unwrap();
    let got = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(got, want, "{content:?}");
}

fn file(content: &str) -> PathBuf {
    let path = env::temp_dir().join(format!("byre-{}.jsonl", uuid::Uuid::new_v4().simple()));
    fs::write(&path, content).unwrap();
    path
}

const TITLE: &str = r#"{"type":"custom-title","customTitle":"T","sessionId":"id"}"#;

#[test]
fn a_line_is_added_at_the_end() {
    check("{}\n", &format!("{{}}\n{TITLE}\n"));
    check("", &format!("{TITLE}\n"));
}

#[test]
fn half_a_line_stays_alone() {
    check("{}\n{\"type\":\"us", &format!("{{}}\n{{\"type\":\"us\n{TITLE}\n"));
}

#[test]
fn a_line_that_is_just_being_written_is_waited_for() {
    let path = file("{\"type\":");
    let writer = thread::spawn({
        let path = path.clone();
        move || {
            thread::sleep(LINE_STEP * 2);
            let mut file = OpenOptions::new().append(true).open(path).unwrap();
            file.write_all(b"\"user\"}\n").unwrap();
        }
    });
    append(&path, &TitleLine::new("T", "id")).unwrap();
    writer.join().unwrap();
    let got = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(got, format!("{{\"type\":\"user\"}}\n{TITLE}\n"));
}

#[test]
fn lines_of_several_writers_are_never_mixed() {
    let path = file("");
    let writers: Vec<_> = (0..4)
        .map(|writer| {
            let path = path.clone();
            thread::spawn(move || {
                for number in 0..100 {
                    let title = format!("{writer} {number} {}", "x".repeat(20_000));
                    append(&path, &TitleLine::new(&title, "id")).unwrap();
                }
            })
        })
        .collect();
    for writer in writers {
        writer.join().unwrap();
    }
    let text = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(text.lines().count(), 400);
    for line in text.lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
}

#[test]
fn a_file_that_has_gone_is_not_made_again() {
    let path = file("");
    fs::remove_file(&path).unwrap();
    let error = append(&path, &TitleLine::new("T", "id")).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
    assert!(!path.exists());
}

#[test]
fn a_tag_line_begins_as_the_cli_expects() {
    let line = serde_json::to_string(&TagLine::new("a\"b\nc", "id")).unwrap();
    assert_eq!(line, r#"{"type":"tag","tag":"a\"b\nc","sessionId":"id"}"#);
}

#[test]
fn tags_that_look_the_same_are_the_same() {
    let check = |tag: &str, want: &str| assert_eq!(clean_tag(tag), want, "{tag:?}");
    check("reviewed", "reviewed");
    check("  überprüft 👍\t", "überprüft 👍");
    check("u\u{308}ber", "über");
    check("ﬁnal", "final");
    check("Ｒ２", "R2");
    check("re\u{200b}vi\u{200d}ew\u{feff}ed", "reviewed");
    check("\u{202e}lat\u{2066}er\u{e000}", "later");
    check("a\u{0378}b", "ab");
    // What is left out can bring two others together, which then are one.
    check("e\u{200b}\u{301}", "é");
    check("\u{200b}\u{feff} \u{2060}", "");
}
