use super::{examine, login};
use crate::{
    Session, State, Transport,
    hook::{PreToolUseInput, PreToolUseOutput, StopInput},
};

/// Adds two integers.
#[byre::tool(register = false)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Greets in the language of the house.
#[byre::tool(register = false)]
async fn greet(State(word): State<&'static str>, State(_): State<u8>) -> String {
    format!("{word}!")
}

#[byre::hook(register = false)]
async fn watch(input: StopInput, State(_): State<u16>) {
    drop(input);
}

#[byre::hook(register = false, matcher = "Bash|Write")]
async fn guard(_input: PreToolUseInput) -> PreToolUseOutput {
    PreToolUseOutput::deny("no")
}

#[byre::hook(register = false, tool = add)]
async fn guard_add(_input: PreToolUseInput) -> PreToolUseOutput {
    PreToolUseOutput::deny("no")
}

fn transport() -> Transport {
    Transport::new(tokio::io::empty(), tokio::io::sink())
}

#[tokio::test]
async fn all_is_well_where_nothing_is_missing() {
    let session = Session::builder()
        .tools(byre::tools![add, greet])
        .hooks(byre::hooks![guard, guard_add, watch])
        .state("Hi")
        .state(1_u8)
        .state(1_u16)
        .transport(transport());
    let report = examine(&session).await;
    assert_eq!(
        report.out(),
        "\
ok   claude   not started: the session has a transport of its own
ok   tools    2 on the server `byre`: add, greet
ok   states   3: &str, u16, u8
ok   hooks    3: guard at PreToolUse of Bash|Write, guard_add at PreToolUse of add, watch at Stop
ok   check    nothing would be refused"
    );
    assert_eq!((report.err().as_str(), report.code), ("", 0));
}

#[tokio::test]
async fn everything_that_would_be_refused_is_told_at_once() {
    let session = Session::builder()
        .tools(byre::tools![greet])
        .hooks(byre::hooks![guard_add, watch])
        .state("Hi")
        .instructions("x".repeat(5000))
        .resume("a")
        .continue_conversation(true)
        .transport(transport());
    let report = examine(&session).await;
    let out = report.out();
    assert_eq!(report.code, 1);
    assert!(out.contains("\nBAD  states   missing, of 3: u16, u8\n"), "{out}");
    let refused = out.lines().filter(|line| line.starts_with("BAD  check    ")).collect::<Vec<_>>();
    assert_eq!(refused.len(), 4, "{out}");
    for (line, says) in refused.iter().zip(["resume", "4096", "type `u16`", "hook `guard_add`"]) {
        assert!(line.contains(says), "{says}: {line}");
    }
}

#[tokio::test]
async fn tools_that_can_not_be_listed_do_not_hide_the_rest() {
    let session = Session::builder()
        .tools(byre::tools![add, add])
        .hooks(byre::hooks![watch])
        .transport(transport());
    let report = examine(&session).await;
    let out = report.out();
    assert!(out.contains("?    tools    can't be listed, see below\n"), "{out}");
    assert!(out.contains("ok   hooks    1: watch at Stop\n"), "{out}");
    assert!(out.contains("BAD  check    could not configure the session: two tools"), "{out}");
    assert_eq!(report.code, 1);
}

#[tokio::test]
async fn a_cli_that_is_not_there_is_told_with_what_to_do() {
    let session = Session::builder().tools(byre::tools![add]).hooks([]).cli_path("/no/such/claude");
    let report = examine(&session).await;
    let says = "BAD  claude   could not find the `claude` CLI: the path given to the builder is \
                /no/such/claude, which is not a file\nok   tools    1 on the server `byre`: add\n";
    assert!(report.out().starts_with(says), "{report:?}");
    assert_eq!(report.code, 1);
}

#[test]
fn a_login_is_known_by_its_kind_and_nothing_else_of_it_is_shown() {
    let says = |json: &str| login(json).map(|(_, text)| text);
    let by_key = r#"{"loggedIn": true, "authMethod": "api_key", "apiProvider": "firstParty",
                     "apiKeySource": "ANTHROPIC_API_KEY", "email": "ada@example.com"}"#;
    assert_eq!(says(by_key).unwrap(), "api_key, firstParty, ANTHROPIC_API_KEY");
    let cloud = r#"{"loggedIn": true, "authMethod": "third_party", "apiProvider": "bedrock"}"#;
    assert_eq!(says(cloud).unwrap(), "third_party, bedrock");
    assert!(
        says(r#"{"loggedIn": false, "authMethod": "none"}"#).unwrap().starts_with("not logged")
    );
    assert_eq!(says("error: unknown command 'auth'"), None);
    assert_eq!(says("{}"), None);
}

/// A session with one of the scripts that stand in for a CLI which misbehaves.
#[cfg(unix)]
fn misbehaving(script: &str) -> crate::SessionBuilder {
    let scripts = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/it/process");
    Session::builder()
        .tools(byre::tools![add])
        .hooks([])
        .cli_path(scripts.join(script))
        .env("PID_FILE", "/dev/null")
}

#[cfg(unix)]
#[tokio::test(start_paused = true)]
async fn a_cli_that_does_not_answer_is_not_waited_for_without_end() {
    let report = examine(&misbehaving("closes-stdout")).await;
    let says = "BAD  version  could not run `claude --version`: it has not ended within 30 s\n";
    assert!(report.out().contains(says), "{report:?}");
    assert_eq!(report.code, 1);
}

#[cfg(unix)]
#[tokio::test]
async fn a_cli_that_says_too_much_is_not_listened_to_any_longer() {
    let report = examine(&misbehaving("never-stops-writing")).await;
    assert!(
        report.out().contains("BAD  version  none: `claude --version` ended with"),
        "{report:?}"
    );
    assert!(report.out().len() < 2000, "{report:?}");
}
