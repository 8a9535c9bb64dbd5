//! Every example runs as the README says, without the CLI.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

/// Runs an example offline and gives what it prints.
#[expect(clippy::disallowed_methods, reason = "a test starts what a person would")]
fn run(name: &str, args: &[&str]) -> String {
    let output = Command::new(path(name)).arg("--offline").args(args).output().unwrap();
    printed(output)
}

/// Runs an example offline with `input` on stdin, and gives what it prints.
#[expect(clippy::disallowed_methods, reason = "a test starts what a person would")]
fn run_with_input(name: &str, input: &str) -> String {
    let mut command = Command::new(path(name));
    command.arg("--offline").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    printed(child.wait_with_output().unwrap())
}

/// Cargo builds examples beside the folder of the tests.
pub(crate) fn path(name: &str) -> PathBuf {
    let this = std::env::current_exe().unwrap();
    let path = this.parent().unwrap().parent().unwrap().join("examples").join(name);
    assert!(
        path.exists(),
        "{} is not built: `cargo test` does it, and `cargo test --test it` does not",
        path.display()
    );
    path
}

fn printed(output: Output) -> String {
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
fn calculator_shows_the_call_its_arguments_its_result_and_the_answer() {
    assert_eq!(
        run("calculator", &[]),
        "you     What is 2 + 3?\n\
         calls   mcp__byre__add {\"a\":2,\"b\":3}\n\
         result  5\n\
         claude  2 + 3 is 5.\n\
         hook    Stop hook feedback:\nSay goodbye before you stop.\n\
         claude  2 + 3 is 5. Goodbye!\n\
         answer  2 + 3 is 5. Goodbye!\n"
    );
}

#[test]
fn stop_hook_works_until_the_check_succeeds() {
    let text = run("stop_hook", &[]);
    assert_eq!(text.matches("does not succeed yet").count(), 2, "{text}");
    assert!(text.ends_with("check   succeeds\n"), "{text}");
}

#[test]
fn stop_hook_gives_up_after_some_tries() {
    let text = run("stop_hook", &["false"]);
    assert_eq!(text.matches("does not succeed yet").count(), 3, "{text}");
    assert!(text.ends_with("check   still fails\n"), "{text}");
}

#[test]
fn streaming_shows_text_once_and_the_call_between() {
    let text = run("streaming", &[]);
    assert_eq!(text.matches("Let me count them.").count(), 1, "{text}");
    assert!(text.contains("[calls mcp__byre__count_letters {\"word\":\"cow\"}]"), "{text}");
    assert!(text.contains("The word *cow* has 3 letters."), "{text}");
}

#[test]
fn structured_reads_the_answer_as_a_value() {
    assert_eq!(
        run("structured", &[]),
        "Lentil soup (35 minutes)\n- red lentils, 250 g\n- onion, 1\n"
    );
}

#[test]
fn permissions_asks_remembers_and_takes_no_for_an_answer() {
    let text = run_with_input("permissions", "1, 2\ny\nkeep that one\na\n");
    let lines = text.lines().map(str::trim).collect::<Vec<_>>();
    let results: Vec<_> = lines.iter().filter_map(|line| line.strip_prefix("result  ")).collect();
    assert_eq!(results.len(), 5, "{text}");
    assert!(results[0].contains("\"Which notes are old?\"=\"last year's, last week's\""), "{text}");
    assert!(results[1].starts_with("todo-2019 is gone"), "{text}");
    assert_eq!(results[2], "The user does not want that, and says: keep that one", "{text}");
    assert!(results[3].starts_with("todo-2020 is gone"), "{text}");
    // Nobody is asked about the last one, and the input has ended.
    assert!(results[4].starts_with("todo-2021 is gone"), "{text}");
    assert_eq!(text.matches("asks    Remove Note").count(), 3, "{text}");
}

#[test]
fn permissions_without_answers_means_no() {
    let text = run_with_input("permissions", "");
    assert_eq!(text.matches("The user said no. Don't try it again.").count(), 4, "{text}");
    assert!(text.contains("Nobody can answer questions in this session."), "{text}");
}

#[test]
fn guard_lets_the_agent_read_inside_its_folder_and_nothing_else() {
    let text = run("guard", &[]);
    let results: Vec<_> = text.lines().filter_map(|line| line.strip_prefix("result  ")).collect();
    assert_eq!(results[0], "Feed the cows.", "{text}");
    assert_eq!(results.len(), 4, "{text}");
    assert!(results[1].contains("/etc/hostname is out of bounds: stay in <folder>"), "{text}");
    assert!(results[2].contains("elsewhere.txt is out of bounds"), "{text}");
    assert!(results[3].contains(".env holds secrets"), "{text}");
    assert!(!text.contains("KEY=secret"), "{text}");
    assert!(text.ends_with("answer  I could read only the notes.\n"), "{text}");
}

#[test]
fn chat_streams_shows_tools_and_counts_the_cost() {
    let text = run_with_input("chat", "My cow is called Berta.\nWhat did I say?\n\n");
    assert_eq!(text.matches("I will remember that.").count(), 1, "{text}");
    assert!(text.contains("┌ mcp__byre__remember {\"name\":\"cow\""), "{text}");
    assert!(text.contains("└ kept\n"), "{text}");
    assert!(text.contains("└ She is called Berta.\n"), "{text}");
    assert!(text.contains("You said: She is called Berta."), "{text}");
    assert_eq!(text.matches("US dollars so far").count(), 2, "{text}");
}

/// A file of one test, which is not there yet.
fn new_file(name: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path.to_str().unwrap().to_owned()
}

fn results(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("result  ")).collect()
}

#[test]
fn orders_makes_its_database_once_and_keeps_what_the_tools_change() {
    let file = new_file("orders-new.sqlite");
    let first = run("orders", &[&file]);
    assert!(first.contains("version 1\n") && first.contains("version 2\n"), "{first}");
    let texts = results(&first);
    let found = r#"{"cancelled":null,"cents":480,"customer":"Ada","id":2,"item":"tea"}"#;
    assert!(texts[0].contains(found), "{first}");
    let cancelled = r#"{"cancelled":"does not want it any more","cents":480,"customer":"Ada","id":2,"item":"tea"}"#;
    assert_eq!(texts[1..], [cancelled, cancelled], "{first}");

    let second = run("orders", &[&file]);
    assert!(!second.contains("version"), "{second}");
    let texts = results(&second);
    assert!(texts[0].contains(cancelled), "{second}");
    assert_eq!(texts[1], "there is no order 2, or it was cancelled before", "{second}");
}

#[test]
fn orders_brings_an_old_database_up_to_date() {
    let file = new_file("orders-old.sqlite");
    let database = rusqlite::Connection::open(&file).unwrap();
    let old = "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer TEXT NOT NULL, item TEXT NOT NULL, cents INTEGER NOT NULL);
               INSERT INTO orders VALUES (2, 'Ada', 'bread', 310);
               PRAGMA user_version = 1;";
    database.execute_batch(old).unwrap();
    let text = run("orders", &[&file]);
    assert!(!text.contains("version 1\n") && text.contains("version 2\n"), "{text}");
    let found =
        r#"{"result":[{"cancelled":null,"cents":310,"customer":"Ada","id":2,"item":"bread"}]}"#;
    assert_eq!(results(&text)[0], found, "{text}");
    let version: u32 = database.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    assert_eq!(version, 2);
}

#[test]
fn web_fetch_keeps_its_limits() {
    let text = run("web_fetch", &[]);
    let texts = results(&text);
    let says = [
        "<p>Moo.</p>",
        "too many redirects",
        "302 Found",
        "[cut off here]",
        "did not finish within 5 s and was stopped",
        "this is image/png, and no text",
        "file: is not fetched, only http: and https:",
    ];
    assert_eq!(texts.len(), says.len(), "{text}");
    for (text, says) in texts.iter().zip(says) {
        assert!(text.ends_with(says), "{says}: {text}");
    }
}

#[test]
fn media_draws_a_chart_that_can_be_read_again() {
    let file = new_file("chart.png");
    let text = run("media", &[&file]);
    assert_eq!(
        results(&text),
        [
            "-4 is below 0, and bars only grow upwards",
            "A chart of 5 bars, 320 by 200 pixels:",
            "an image, image/png",
        ]
    );
    let decoder = png::Decoder::new(std::io::Cursor::new(fs::read(&file).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height, info.bit_depth), (320, 200, png::BitDepth::Eight));
    // The middle of each bar, from the left, for the values 3, 1, 4, 1 and 5.
    let height = |bar: usize| (0..200).filter(|y| pixels[y * 320 + bar * 64 + 32] == 1).count();
    assert_eq!([0, 1, 2, 3, 4].map(height), [120, 40, 160, 40, 200]);
}

#[test]
fn toolbox_is_offline_in_any_case() {
    assert!(run("toolbox", &[]).contains("Usage: toolbox <COMMAND>"));
    assert_eq!(
        run("toolbox", &["call", "greet", r#"{"name":"Ada","language":"de"}"#]),
        "Hallo, Ada!\n"
    );
}
