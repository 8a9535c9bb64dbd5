use std::{env, fmt::Write as _, fs, time::Duration};

use serde_json::{Value, json};

use super::*;

/// Reads a file of this text.
fn read_text(text: &str) -> Result<SessionInfo, SkipReason> {
    let path = env::temp_dir().join(format!("byre-{}.jsonl", uuid::Uuid::new_v4().simple()));
    fs::write(&path, text).unwrap();
    let found = Found {
        id: "id".to_owned(),
        path: path.clone(),
        modified: SystemTime::UNIX_EPOCH,
        size: text.len() as u64,
    };
    let directory = PathBuf::from("/queried");
    let info = read(found, Some(&directory)).map_err(|skipped| skipped.reason);
    fs::remove_file(path).unwrap();
    info
}

fn read_lines(lines: &[Value]) -> Result<SessionInfo, SkipReason> {
    let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
    read_text(&lines.join("\n"))
}

fn user(text: impl Into<Value>) -> Value {
    json!({"type": "user", "uuid": "u", "message": {"role": "user", "content": text.into()}})
}

/// Compares the first prompt of a session with these lines.
fn check_prompt(lines: &[Value], want: Option<&str>) {
    let title = json!({"type": "custom-title", "customTitle": "T"});
    let info = read_lines(&[lines, &[title]].concat()).unwrap();
    assert_eq!(info.first_prompt.as_deref(), want, "{lines:?}");
}

/// Compares what is shown for a session with these lines, and its title.
fn check_summary(lines: &[Value], summary: &str, title: Option<&str>) {
    let info = read_lines(lines).unwrap();
    assert_eq!((info.summary.as_str(), info.title.as_deref()), (summary, title), "{lines:?}");
}

#[test]
fn a_session_tells_what_it_is() {
    let first = json!({
        "type": "user", "uuid": "a", "timestamp": "2026-12-01T02:17:51.770Z", "cwd": "/srv/app",
        "gitBranch": "main", "message": {"content": "Hello,\nyou."},
    });
    let last = json!({"type": "assistant", "uuid": "b", "cwd": "/elsewhere", "gitBranch": "hay"});
    let queued = json!({"type": "queue-operation", "content": "Hello,\nyou."});
    let info = read_lines(&[queued, first, last]).unwrap();
    assert_eq!(info.id, "id");
    assert_eq!(info.summary, "Hello, you.");
    assert_eq!(info.first_prompt.as_deref(), Some("Hello, you."));
    assert_eq!(info.cwd.as_deref(), Some("/srv/app".as_ref()));
    assert_eq!(info.git_branch.as_deref(), Some("hay"));
    let since = info.created.unwrap().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    assert_eq!(since, Duration::from_millis(1_796_091_471_770));
    assert_eq!((info.title, info.tag), (None, None));
}

#[test]
fn what_is_not_there_is_none() {
    let info = read_lines(&[user("Hello.")]).unwrap();
    assert_eq!(info.cwd.as_deref(), Some("/queried".as_ref()));
    assert_eq!((info.git_branch, info.created), (None, None));
    let odd = json!({"type": "user", "timestamp": "today", "message": {"content": "Hello."}});
    assert_eq!(read_lines(&[odd]).unwrap().created, None);
}

#[test]
fn the_first_prompt_is_what_a_person_wrote() {
    check_prompt(&[user("One."), user("Two.")], Some("One."));
    check_prompt(&[user(json!([{"type": "text", "text": "One."}]))], Some("One."));
    let image = json!([{"type": "image"}, {"type": "text", "text": "Look."}]);
    check_prompt(&[user(image)], Some("Look."));
    let result = json!([{"type": "tool_result", "tool_use_id": "t", "content": "5"}, {"type": "text", "text": "x"}]);
    check_prompt(&[user(result), user("Two.")], Some("Two."));
    for field in ["isMeta", "isCompactSummary"] {
        let mut line = user("One.");
        line[field] = true.into();
        check_prompt(&[line, user("Two.")], Some("Two."));
    }
    for text in [
        "<local-command-stdout>Compacted</local-command-stdout>",
        "<session-start-hook>x",
        "<tick>",
        "<goal>x",
        "[Request interrupted by user for tool use]",
        "<ide_opened_file>x</ide_opened_file>",
        "<ide_selection>x\ny</ide_selection>\n",
        "  \n ",
    ] {
        check_prompt(&[user(text), user("Two.")], Some("Two."));
        check_prompt(&[user(text)], None);
    }
    check_prompt(
        &[user("<ide_selection>x</ide_selection> What is this?")],
        Some("<ide_selection>x</ide_selection> What is this?"),
    );
}

#[test]
fn a_slash_command_is_the_first_prompt_only_where_there_is_no_other() {
    let command = user("<command-name>/compact</command-name>\n<command-args></command-args>");
    check_prompt(&[command.clone(), user("Two.")], Some("Two."));
    check_prompt(&[command], Some("/compact"));
}

#[test]
fn a_long_prompt_is_cut_between_characters() {
    check_prompt(&[user("é".repeat(200))], Some(&"é".repeat(200)));
    check_prompt(&[user("é".repeat(201))], Some(&format!("{}…", "é".repeat(200))));
    check_prompt(
        &[user(format!("{}   x", "y".repeat(198)))],
        Some(&format!("{}…", "y".repeat(198))),
    );
}

#[test]
fn what_is_shown_is_the_best_that_there_is() {
    let prompt = user("One.");
    let summary = json!({"type": "summary", "summary": "S"});
    let last = json!({"type": "last-prompt", "lastPrompt": "L"});
    let made_up = json!({"type": "ai-title", "aiTitle": "A"});
    let title = |title: &str| json!({"type": "custom-title", "customTitle": title});
    let mut lines = vec![prompt];
    check_summary(&lines, "One.", None);
    lines.push(summary);
    check_summary(&lines, "S", None);
    lines.push(last);
    check_summary(&lines, "L", None);
    lines.push(made_up);
    check_summary(&lines, "A", Some("A"));
    lines.push(title("T"));
    check_summary(&lines, "T", Some("T"));
    lines.push(title("U"));
    check_summary(&lines, "U", Some("U"));
    lines.push(title(""));
    check_summary(&lines, "A", Some("A"));
    // A field of that name elsewhere says nothing.
    check_summary(&[user("One."), json!({"type": "system", "summary": "x"})], "One.", None);
}

#[test]
fn the_last_tag_counts_and_an_empty_one_is_none() {
    let tag = |tag: &str| json!({"type": "tag", "tag": tag});
    let tag_of = |lines: &[Value]| read_lines(lines).unwrap().tag;
    assert_eq!(tag_of(&[user("x"), tag("a"), tag("b")]).as_deref(), Some("b"));
    assert_eq!(tag_of(&[user("x"), tag("a"), tag("")]), None);
    let input = json!({"content": [{"type": "tool_use", "id": "t", "name": "n", "input": {"type": "tag", "tag": "x"}}]});
    assert_eq!(
        tag_of(&[user("x"), json!({"type": "assistant", "message": input, "tag": "y"})]),
        None
    );
}

#[test]
fn files_that_are_no_conversations_are_told_apart() {
    let mut sidechain = user("x");
    sidechain["isSidechain"] = true.into();
    assert_eq!(read_lines(&[json!({"type": "mode"}), sidechain]), Err(SkipReason::Sidechain));
    assert_eq!(read_lines(&[json!({"type": "mode"})]), Err(SkipReason::NoConversation));
    assert_eq!(read_text("not\0 json\n\n{"), Err(SkipReason::NoConversation));
}

#[test]
fn both_ends_of_a_long_file_are_read() {
    let mut text = format!("{}\n", user("First."));
    for number in 0..3000 {
        writeln!(
            text,
            "{}",
            json!({"type": "attachment", "uuid": number, "gitBranch": "old", "x": "y".repeat(100)})
        )
        .unwrap();
    }
    // In the middle, where nobody looks.
    writeln!(text, "{}", json!({"type": "tag", "tag": "lost"})).unwrap();
    for number in 0..3000 {
        writeln!(
            text,
            "{}",
            json!({"type": "attachment", "uuid": number, "gitBranch": "new", "x": "y".repeat(100)})
        )
        .unwrap();
    }
    writeln!(text, "{}", json!({"type": "custom-title", "customTitle": "T"})).unwrap();
    let info = read_text(&text).unwrap();
    assert_eq!((info.title.as_deref(), info.tag), (Some("T"), None));
    assert_eq!(info.first_prompt.as_deref(), Some("First."));
    assert_eq!(info.git_branch.as_deref(), Some("new"));
    assert_eq!(info.size, text.len() as u64);
}

#[test]
fn more_is_read_where_lines_are_longer_than_that() {
    let mut first = user("First.");
    first["image"] = "x".repeat(300_000).into();
    let mut last = json!({"type": "assistant", "uuid": "b", "gitBranch": "hay"});
    last["image"] = "x".repeat(300_000).into();
    let info = read_lines(&[first, last]).unwrap();
    assert_eq!(info.first_prompt.as_deref(), Some("First."));
    assert_eq!(info.git_branch.as_deref(), Some("hay"));
}

#[test]
fn a_window_that_begins_with_a_line_keeps_that_line() {
    let line = format!("{}\n", "x".repeat(9));
    let path = env::temp_dir().join(format!("byre-{}", uuid::Uuid::new_v4().simple()));
    fs::write(&path, line.repeat(5)).unwrap();
    let mut file = File::open(&path).unwrap();
    for (window, want) in [(9, 0), (10, 1), (11, 1), (19, 1), (20, 2), (50, 5), (99, 5)] {
        let got = lines_at_end(&mut file, window).unwrap();
        assert_eq!(String::from_utf8(got).unwrap(), line.repeat(want), "the last {window} bytes");
        let got = lines_at_start(&mut file, window).unwrap();
        assert_eq!(String::from_utf8(got).unwrap(), line.repeat(want), "the first {window} bytes");
    }
    fs::remove_file(path).unwrap();
}
