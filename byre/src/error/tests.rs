use super::*;
use crate::wire::event::ResultEvent;

fn result(text: &str) -> Box<ResultEvent> {
    Box::new(ResultEvent {
        errors: vec![text.to_owned()],
        is_error: true,
        ..ResultEvent::default()
    })
}

fn exit(stderr: &str, result: Option<&str>) -> Arc<Exit> {
    Arc::new(Exit {
        stderr: stderr.to_owned(),
        result: result.map(self::result),
        ..Exit::default()
    })
}

#[test]
fn says_action_reason_and_hint_in_one_line() {
    let error = Error::configuration("two tools are called \"add\"").hint("rename one");
    assert_eq!(
        error.to_string(),
        "could not configure the session: two tools are called \"add\"; rename one"
    );
}

#[test]
fn exit_names_the_last_line_of_stderr() {
    let error = Error::exited("start the session", exit("first\nlast words\n\n", None));
    assert_eq!(
        error.to_string(),
        "could not start the session: the CLI closed its end of the pipe, its last line on stderr: last words"
    );
}

#[test]
fn an_error_result_is_a_better_reason_than_the_exit_code() {
    let error = Error::exited(
        "finish the turn",
        exit("noise", Some("Reached maximum number of turns (2)")),
    );
    assert_eq!(
        error.to_string(),
        "could not finish the turn: the CLI ended after an error: \
         Reached maximum number of turns (2)"
    );
}

#[test]
fn a_session_that_is_gone_has_a_kind_of_its_own() {
    let kind = |stderr: &str, result| Error::exited("x", exit(stderr, result)).kind();
    let id = "No conversation found with session ID: 8f3a8990-6fca-4756-b667-0911376e0d4c";
    let title = "Error: --resume requires a valid session ID or session title when used with \
                 --print. Usage: claude -p --resume <session-id|title>. Provided value \"x\" is \
                 not a UUID and does not match any session title.";
    for text in [id, title] {
        assert_eq!(kind("", Some(text)), ErrorKind::SessionNotFound);
        assert_eq!(kind(&format!("a warning\n{text}\n"), None), ErrorKind::SessionNotFound);
    }
    // Somebody talks of it.
    assert_eq!(kind("", Some("it said: No conversation found")), ErrorKind::Exited);
}

#[test]
fn root_and_bypass_gets_a_hint() {
    let error = Error::exited(
        "start the session",
        exit("--dangerously-skip-permissions cannot be used with root/sudo privileges", None),
    );
    assert!(error.to_string().contains("IS_SANDBOX=1"), "{error}");
}

#[test]
fn debug_adds_cause_and_stderr_for_main() {
    let error = Error::io("write the transcript", io::Error::other("disk full"));
    assert_eq!(format!("{error:?}"), "could not write the transcript\n  because: disk full");
    let error = Error::exited("start the session", exit("one\ntwo", None));
    assert!(format!("{error:?}").ends_with("\n  stderr: one\n  stderr: two"), "{error:?}");
}
