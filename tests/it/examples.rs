//! Every example runs as the README says, without the CLI.

use std::{
    io::Write,
    path::PathBuf,
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
fn path(name: &str) -> PathBuf {
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
