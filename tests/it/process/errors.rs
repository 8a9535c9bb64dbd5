//! What an error says, and what it gives a program to decide by. What only the real CLI can say is among the
//! live tests.

use byre::{
    Error,
    event::{ResultSubtype, TerminalReason},
};

use super::*;

/// Writes a shell script with another process: one of the tests beside this may start a program while the file
/// is open.
fn script(path: &Path, text: &str) {
    let write = r#"printf '%s\n' "$1" >"$0" && chmod 755 "$0""#;
    assert!(output_of("sh", &["-c", write, path.to_str().unwrap(), text]).status.success());
}

/// The error of a CLI that is this shell script.
async fn error_of(text: &str) -> Error {
    static COUNT: AtomicUsize = AtomicUsize::new(0);

    let folder = Folder::new(&format!("error-{}", COUNT.fetch_add(1, Ordering::SeqCst)));
    script(&folder.path("claude"), text);
    in_time(plain(folder.path("claude")).spawn()).await.unwrap_err()
}

#[tokio::test]
async fn all_that_is_known_of_the_end_can_be_had() {
    let result = json!({
        "type": "result", "subtype": "error_during_execution", "is_error": true, "num_turns": 0,
        "errors": ["the API is gone", "for good"], "api_error_status": 529,
        "terminal_reason": "api_error", "startup_failure_reason": "org_verify_failed",
    });
    let error = error_of(&format!(
        "#!/bin/sh\nread line\necho 'a warning'\necho '{result}'\necho first >&2\necho last >&2\nexit 1"
    ))
    .await;
    assert_eq!(error.kind(), ErrorKind::Exited);
    assert_eq!(error.error_code(), Some("org_verify_failed"));
    let exit = error.exit().unwrap();
    assert_eq!((exit.code(), exit.signal()), (Some(1), None));
    assert_eq!(exit.stdout, ["a warning"]);
    assert_eq!(exit.stderr, "first\nlast");
    let result = exit.result.as_ref().unwrap();
    assert_eq!(result.subtype, ResultSubtype::ErrorDuringExecution);
    assert_eq!(result.errors, ["the API is gone", "for good"]);
    assert_eq!(result.text(), "the API is gone; for good");
    assert_eq!(result.api_error_status, Some(529));
    assert_eq!(result.terminal_reason, Some(TerminalReason::ApiError));
    assert_eq!(
        format!("{error:?}"),
        "could not start the session: the CLI ended after an error: the API is gone; for good\n  \
         result: error_during_execution, api_error, status 529 of the API\n  \
         stdout: a warning\n  stderr: first\n  stderr: last"
    );
}

#[tokio::test]
async fn the_signal_that_ended_it_can_be_had() {
    let error = error_of("#!/bin/sh\nkill -TERM $$").await;
    assert_eq!(error.exit().unwrap().signal(), Some(15));
    assert_eq!(error.exit().unwrap().code(), None);
    let text = error_of("#!/bin/sh\nkill -KILL $$").await.to_string();
    assert!(text.ends_with("somebody killed it: mostly the system, for want of memory"), "{text}");
}

#[tokio::test]
async fn ends_that_byre_knows_have_a_hint() {
    let end = |text: &str| format!("#!/bin/sh\nread line\necho '{text}' >&2\nexit 1");
    for (said, hint) in [
        (
            "Not logged in · Please run /login",
            "log in with `claude` once, or set ANTHROPIC_API_KEY",
        ),
        ("Invalid API key · Fix external API key", "log in with `claude` once"),
        ("--dangerously-skip-permissions cannot be used with root/sudo", "say `IS_SANDBOX=1`"),
        ("No conversation found with session ID: 8f3a", "not stored on this machine"),
        ("error: unknown option --await-initialize", "try `claude update`"),
        ("It looks like your version of Claude Code needs an update.", "try `claude update`"),
        ("ENOENT: no such file or directory, uv_cwd", "name another with `current_dir`"),
    ] {
        let text = error_of(&end(said)).await.to_string();
        assert!(text.contains(said) && text.contains(hint), "{text}");
    }
    for (reason, hint) in [
        ("cli_version_too_old", "the CLI is too old; try `claude update`"),
        ("bypass_root", "say `IS_SANDBOX=1`"),
        ("cwd_unavailable", "name another with `current_dir`"),
    ] {
        let result = json!({
            "type": "result", "subtype": "error_during_execution", "is_error": true,
            "startup_failure_reason": reason,
        });
        let error = error_of(&format!("#!/bin/sh\nread line\necho '{result}'\nexit 1")).await;
        assert_eq!(error.error_code(), Some(reason));
        assert!(error.to_string().ends_with(hint) || error.to_string().contains(hint), "{error}");
    }
}

#[tokio::test]
async fn a_script_that_does_not_find_its_program_says_so() {
    let error = error_of("#!/bin/sh\nexec no-such-node cli.js").await;
    assert_eq!(error.exit().unwrap().code(), Some(127));
    assert!(error.to_string().contains("is it on the PATH that the CLI gets?"), "{error}");

    let error = error_of("#!/no/such/node\n").await;
    assert_eq!(error.kind(), ErrorKind::Spawn);
    let text = error.to_string();
    assert!(text.contains("No such file or directory (os error 2)"), "{text}");
    assert!(text.ends_with("it is a script for /no/such/node, which does not exist"), "{text}");
}

/// Copies the stand-in with these bytes changed.
#[cfg(target_os = "linux")]
fn changed(folder: &Folder, change: impl FnOnce(&mut Vec<u8>)) -> PathBuf {
    let mut bytes = fs::read(env!("CARGO_BIN_EXE_fake-claude")).unwrap();
    change(&mut bytes);
    fs::write(folder.path("bytes"), bytes).unwrap();
    let (from, to) = (folder.path("bytes"), folder.path("claude"));
    let copy = r#"cat "$0" >"$1" && chmod 755 "$1""#;
    let args = ["-c", copy, from.to_str().unwrap(), to.to_str().unwrap()];
    assert!(output_of("sh", &args).status.success());
    to
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[tokio::test]
async fn a_binary_for_another_libc_says_so() {
    let folder = Folder::new("another-libc");
    let cli = changed(&folder, |bytes| {
        let at = bytes
            .windows(11)
            .position(|text| text == b"/ld-linux-x")
            .or_else(|| bytes.windows(10).position(|text| text == b"/ld-linux-"));
        let at = at.expect("the stand-in names its loader");
        bytes[at..at + 9].copy_from_slice(b"/ld-musl-");
    });
    let error = in_time(plain(cli).spawn()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Spawn);
    let text = error.to_string();
    assert!(text.contains("it needs the loader /lib") && text.contains("/ld-musl-"), "{text}");
    assert!(text.contains("the binary is built for another libc"), "{text}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_binary_for_another_processor_says_so() {
    let folder = Folder::new("another-processor");
    // The machine stands at byte 18; no processor has this number.
    let cli = changed(&folder, |bytes| bytes[18..20].fill(0xee));
    let error = in_time(plain(cli).spawn()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Spawn, "{error}");
    assert!(error.to_string().contains("is built for another processor"), "{error}");
}

#[test]
fn a_program_whose_folder_is_gone_is_told_so() {
    if !is_alone("errors::a_program_whose_folder_is_gone_is_told_so", &[]) {
        return;
    }
    let folder = Folder::new("gone-folder");
    env::set_current_dir(&folder.0).unwrap();
    fs::remove_dir(&folder.0).unwrap();
    let error = run(async { in_time(fake(&hello(), "").spawn()).await.unwrap_err() });
    assert_eq!(error.kind(), ErrorKind::Spawn);
    assert_eq!(
        error.to_string(),
        "could not start the CLI: the working directory of this program is gone; name another with \
         `current_dir`"
    );
    let elsewhere = fake(&hello(), "").current_dir(env::temp_dir());
    run(async { in_time(start(elsewhere).await.close()).await.unwrap() });
}

#[tokio::test]
async fn a_folder_that_goes_away_meanwhile_is_told_at_the_restart() {
    let folder = Folder::new("goes-away");
    fs::create_dir(folder.path("work")).unwrap();
    let mut session = start(fake(&hello(), "").current_dir(folder.path("work"))).await;
    in_time(session.prompt("Hi.")).await.unwrap();
    fs::remove_dir(folder.path("work")).unwrap();
    let error = in_time(session.restart()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Spawn);
    assert!(error.to_string().contains("does not exist or is not a directory"), "{error}");
    fs::create_dir(folder.path("work")).unwrap();
    in_time(session.restart()).await.unwrap();
    assert_eq!(in_time(session.prompt("Hi.")).await.unwrap().text(), "Hello.");
    in_time(session.close()).await.unwrap();
}
