//! Every example runs as the README says, without the CLI.

use std::{path::PathBuf, process::Command};

/// Runs an example offline and gives what it prints.
#[expect(clippy::disallowed_methods, reason = "a test starts what a person would")]
fn run(name: &str, args: &[&str]) -> String {
    // Cargo builds examples beside the folder of the tests.
    let this = std::env::current_exe().unwrap();
    let folder: PathBuf = this.parent().unwrap().parent().unwrap().join("examples");
    let output = Command::new(folder.join(name)).arg("--offline").args(args).output().unwrap();
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
