//! The CLI's process: `fake-claude` over real pipes, and how sessions end.

#![allow(clippy::unwrap_used)] // helpers too: a test that fails panics

mod clocks;
mod errors;
mod long;
mod program;
mod restart;
mod sigpipe;

use std::{
    env, fs,
    future::{Future, IntoFuture},
    io::Read,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use byre::{
    ErrorKind, Event, Session, SessionBuilder,
    hook::{StopInput, StopOutput},
    testing::{Reply, Script},
};
use serde_json::{Value, json};
use tokio::{
    runtime::{Builder, Runtime},
    task::JoinSet,
};

/// What is still not there after this time hangs.
const LIMIT: Duration = Duration::from_secs(30);

/// For what takes no step towards the end by force: far below the five seconds of each of these.
const SOON: Duration = Duration::from_millis(2500);

/// Adds two integers.
#[byre::tool(register = false, read_only)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// Returns a long text.
#[byre::tool(register = false, read_only)]
async fn text_of(bytes: usize) -> String {
    "x".repeat(bytes)
}

/// Lets the agent stop when it has been told to go on once.
#[byre::hook(register = false)]
async fn once_more(input: StopInput) -> StopOutput {
    if input.stop_hook_active { StopOutput::allow() } else { StopOutput::block("Say goodbye.") }
}

/// A session with `fake-claude`, which plays `script` and misbehaves as told.
fn fake(script: &Script, misbehaviour: &str) -> SessionBuilder {
    plain(env!("CARGO_BIN_EXE_fake-claude"))
        .env("FAKE_CLAUDE_SCRIPT", script.to_json().unwrap())
        .env("FAKE_CLAUDE_MISBEHAVE", misbehaviour)
}

/// A session with one of the shell scripts beside this file.
fn shell(name: &str) -> SessionBuilder {
    plain(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/process").join(name))
}

fn plain(cli: impl Into<PathBuf>) -> SessionBuilder {
    Session::builder().cli_path(cli).tools(byre::tools![add, text_of]).hooks([])
}

fn hello() -> Script {
    Script::new().say("Hello.").say("Hello again.")
}

/// A turn that does not end by itself.
fn endless() -> Script {
    Script::new().reply(Reply::say("Once upon a time").and_hold())
}

async fn start(builder: SessionBuilder) -> Session {
    in_time(builder.spawn()).await.unwrap()
}

async fn in_time<T>(future: impl IntoFuture<Output = T>) -> T {
    tokio::time::timeout(LIMIT, future).await.expect("it hangs")
}

/// Starts a turn that does not end by itself, and reads on until it runs.
async fn begin(session: &mut Session) -> byre::Turn<'_> {
    let mut turn = session.prompt("Tell me a story.");
    loop {
        let event = in_time(turn.next()).await.unwrap().unwrap();
        if matches!(event, Event::System(_)) {
            return turn;
        }
    }
}

fn pid(session: &Session) -> u32 {
    session.handle().pid().unwrap()
}

/// A folder of its own for one test, gone when the test is.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path.canonicalize().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// What the stand-in wrote about itself, once it has.
    async fn dump(&self) -> Value {
        let path = self.path("dump.json");
        until("the stand-in starts", || path.exists()).await;
        serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + LIMIT;
    while !is_so() {
        assert!(Instant::now() < deadline, "it never happens that {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// What the system knows about processes.
#[cfg(target_os = "linux")]
mod system {
    use std::fs;

    /// What is left of the CLI with this pid and of what it started: empty once it is reaped and they
    /// have ended.
    pub(super) fn remains(pid: u32) -> Vec<String> {
        let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            name.parse::<u32>().ok()
        });
        let stats = processes.filter_map(|process| {
            // Fails if the process has just ended.
            let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
            let (_, rest) = stat.rsplit_once(')')?;
            let mut fields = rest.split_whitespace();
            let (state, group) = (fields.next()?, fields.nth(1)?.parse::<u32>().ok()?);
            // Whoever inherits the grandchildren reaps them, or does not.
            let is_left = process == pid || (group == pid && state != "Z");
            is_left.then_some(stat)
        });
        stats.collect()
    }

    /// What this process has started and not waited for.
    pub(super) fn children() -> Vec<String> {
        let stats = fs::read_dir("/proc").unwrap().filter_map(|entry| {
            // Fails for what is no process, and if it has just ended.
            fs::read_to_string(entry.ok()?.path().join("stat")).ok()
        });
        let own = std::process::id().to_string();
        let is_child = |stat: &String| {
            let fields = stat.rsplit_once(')').map(|(_, rest)| rest.split_whitespace());
            fields.and_then(|mut fields| fields.nth(1)) == Some(own.as_str())
        };
        stats.filter(is_child).collect()
    }

    /// How many files this process has open.
    pub(super) fn open_files() -> usize {
        fs::read_dir("/proc/self/fd").unwrap().count()
    }

    /// How many threads this process has.
    pub(super) fn threads() -> usize {
        fs::read_dir("/proc/self/task").unwrap().count()
    }

    /// How much memory this process has, in kB.
    pub(super) fn resident_kb() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub(super) fn remains(_pid: u32) -> Vec<String> {
        Vec::new()
    }

    pub(super) fn children() -> Vec<String> {
        Vec::new()
    }

    pub(super) fn open_files() -> usize {
        0
    }

    pub(super) fn threads() -> usize {
        0
    }

    pub(super) fn resident_kb() -> u64 {
        0
    }
}

/// Waits, without a runtime's help, until the CLI and all that it started are gone, and gives how long
/// that took.
fn gone(pid: u32) -> Duration {
    let start = Instant::now();
    loop {
        let left = system::remains(pid);
        if left.is_empty() {
            return start.elapsed();
        }
        assert!(start.elapsed() < LIMIT, "still there: {left:?}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// The same beside a runtime that goes on.
async fn gone_beside(pid: u32) -> Duration {
    let start = Instant::now();
    until("the CLI and what it started are gone", || system::remains(pid).is_empty()).await;
    start.elapsed()
}

#[expect(clippy::disallowed_methods, reason = "these are no CLIs")]
pub(crate) fn command(program: impl AsRef<std::ffi::OsStr>) -> std::process::Command {
    std::process::Command::new(program)
}

/// Kills the CLI from outside, as a system without memory does.
fn kill(pid: u32) {
    assert!(command("kill").args(["-9", &pid.to_string()]).status().unwrap().success());
}

/// Says whether this is a process that runs nothing but `test`, and runs one if not: for what depends on
/// the environment and the open files of the whole process.
fn is_alone(test: &str, variables: &[(&str, &str)]) -> bool {
    const MARK: &str = "BYRE_TEST_ALONE";

    if env::var_os(MARK).is_some() {
        return true;
    }
    let output = command(env::current_exe().unwrap())
        .args([&format!("process::{test}"), "--exact", "--nocapture"])
        .env(MARK, "1")
        .envs(variables.iter().copied())
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    false
}

fn run<T>(future: impl Future<Output = T>) -> T {
    Runtime::new().unwrap().block_on(future)
}

// Over real pipes.

#[tokio::test]
async fn a_turn_with_a_tool_and_a_stop_hook_crosses_real_pipes() {
    let script =
        Script::new().call("add", json!({"a": 2, "b": 3})).say("It is {result}.").say("Goodbye.");
    let mut session = start(fake(&script, "").hooks(byre::hooks![once_more])).await;
    let mut turn = session.prompt("What is 2 + 3?");
    let mut texts = Vec::new();
    while let Some(event) = in_time(turn.next()).await {
        if let Event::Assistant(message) = event.unwrap() {
            texts.push(message.text());
        }
    }
    texts.retain(|text| !text.is_empty());
    assert_eq!(texts, ["It is 5.", "Goodbye."]);
    assert_eq!(turn.outcome().await.unwrap().text(), "Goodbye.");
    in_time(session.close()).await.unwrap();
}

#[test]
fn the_cli_gets_its_arguments_folder_and_environment() {
    let host = [
        ("CLAUDECODE", "1"),
        ("CLAUDE_CODE_SESSION_ID", "8f3a8990-6fca-4756-b667-0911376e0d4c"),
        ("CLAUDE_CODE_MESSAGING_TOKEN", "of the session outside"),
        ("NODE_OPTIONS", "--inspect"),
        ("DEBUG", "*"),
        ("FROM_HOST", "host"),
        ("OVERRIDDEN", "host"),
        ("REMOVED", "host"),
    ];
    if !is_alone("the_cli_gets_its_arguments_folder_and_environment", &host) {
        return;
    }
    let folder = Folder::new("arguments");
    let builder = fake(&hello(), "")
        .env("FAKE_CLAUDE_DUMP", folder.path("dump.json"))
        .current_dir(&folder.0)
        .model("opus")
        .commit_identity("Robot", "robot@example.com")
        .env("OVERRIDDEN", "program")
        .env("DEBUG", "program")
        .env_remove("REMOVED");
    let dump = run(async {
        in_time(start(builder).await.close()).await.unwrap();
        folder.dump().await
    });
    let args: Vec<_> =
        dump["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
    assert_eq!(
        args[1..],
        [
            "--output-format=stream-json",
            "--input-format=stream-json",
            "--verbose",
            "--model=opus",
            r#"--mcp-config={"mcpServers":{"byre":{"type":"sdk","name":"byre","alwaysLoad":true}}}"#,
            "--allowedTools=mcp__byre",
        ]
    );
    assert_eq!(dump["cwd"], json!(folder.0));
    let env = |name: &str| dump["env"].get(name).and_then(Value::as_str);
    assert_eq!(env("CLAUDECODE"), None);
    assert_eq!(env("CLAUDE_CODE_SESSION_ID"), None);
    assert_eq!(env("CLAUDE_CODE_MESSAGING_TOKEN"), None);
    assert_eq!(env("NODE_OPTIONS"), None);
    assert_eq!(env("REMOVED"), None);
    assert_eq!(env("FROM_HOST"), Some("host"));
    assert_eq!(env("OVERRIDDEN"), Some("program"));
    assert_eq!(env("DEBUG"), Some("program"), "what the program sets is not left out");
    assert_eq!(env("PWD"), folder.0.to_str());
    assert_eq!(env("GIT_AUTHOR_NAME"), Some("Robot"));
    assert_eq!(env("GIT_COMMITTER_EMAIL"), Some("robot@example.com"));
}

#[test]
fn paths_that_are_relative_are_the_programs_own() {
    if !is_alone("paths_that_are_relative_are_the_programs_own", &[]) {
        return;
    }
    let folder = Folder::new("relative");
    fs::hard_link(env!("CARGO_BIN_EXE_fake-claude"), folder.path("claude")).unwrap();
    fs::create_dir(folder.path("work")).unwrap();
    env::set_current_dir(&folder.0).unwrap();
    for name in ["claude", "./claude"] {
        let builder = fake(&hello(), "")
            .cli_path(name)
            .env("FAKE_CLAUDE_DUMP", folder.path("dump.json"))
            .current_dir("work");
        let dump = run(async {
            in_time(start(builder).await.close()).await.unwrap();
            folder.dump().await
        });
        assert_eq!(dump["env"]["PWD"], json!(folder.path("work")));
        assert_eq!(dump["cwd"], json!(folder.path("work")));
    }
}

#[tokio::test]
async fn what_the_cli_writes_may_come_in_pieces_and_among_other_lines() {
    for misbehaviour in ["", "split", "garbage", "split,garbage"] {
        let script = Script::new().call("add", json!({"a": 2, "b": 3})).say("It is {result}. 🐄");
        let mut session = start(fake(&script, misbehaviour)).await;
        let outcome = in_time(session.prompt("2 + 3?")).await.unwrap();
        assert_eq!(outcome.text(), "It is 5. 🐄", "{misbehaviour}");
        in_time(session.close()).await.unwrap();
    }
}

#[tokio::test]
async fn a_megabyte_on_stderr_blocks_nothing() {
    let lines = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&lines);
    let builder = fake(&hello(), "stderr-flood").stderr(move |line| {
        assert_eq!(line, "x".repeat(1023));
        let count = counter.fetch_add(1, Ordering::SeqCst);
        assert!(!count.is_multiple_of(2), "the handler has a bad day");
    });
    let mut session = start(builder).await;
    assert_eq!(in_time(session.prompt("Hi.")).await.unwrap().text(), "Hello.");
    in_time(session.close()).await.unwrap();
    assert_eq!(lines.load(Ordering::SeqCst), 1024);
}

#[tokio::test]
async fn lines_of_stderr_are_whole_and_have_an_end() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&lines);
    let builder =
        shell("writes-odd-lines").stderr(move |line| seen.lock().unwrap().push(line.to_owned()));
    let error = in_time(builder.spawn()).await.unwrap_err();
    let long = "x".repeat(64 * 1024);
    let lines = lines.lock().unwrap();
    // One of 100,000 bytes in two parts, one that was written in two pieces, and one without a line break.
    let want = [&long[..], &long[..100_000 - long.len()], "in pieces", "the end"];
    assert!(*lines == want, "{:?}", lines.iter().map(String::len).collect::<Vec<_>>());
    let stderr = &error.exit().unwrap().stderr;
    assert!(stderr.ends_with("in pieces\nthe end"), "{error:?}");
    // The last 8 KiB, and no line that is only begun.
    assert!(stderr.len() <= 8 * 1024, "{}", stderr.len());
}

#[tokio::test]
async fn megabytes_go_both_ways_at_once() {
    const SIZE: usize = 5 * 1024 * 1024;
    let call = |bytes: usize| ("text_of", json!({"bytes": bytes}));
    let script =
        Script::new().call_all([call(SIZE), call(SIZE / 4), call(SIZE / 5)]).say("Received.");
    let mut session = start(fake(&script, "")).await;
    let handle = session.handle();
    let mut turn = session.prompt("x".repeat(SIZE));
    let mut results = Vec::new();
    while let Some(event) = in_time(turn.next()).await {
        match event.unwrap() {
            // The calls are being answered: both sides write now.
            Event::Assistant(_) if results.is_empty() => {
                handle.send("y".repeat(SIZE / 5)).unwrap();
            }
            Event::User(user) => {
                results.extend(user.tool_results().map(|result| result.text().len()));
            }
            _ => {}
        }
    }
    results.sort_unstable();
    assert_eq!(results, [SIZE / 5, SIZE / 4, SIZE]);
    in_time(session.close()).await.unwrap();
}

// The end, in order.

#[tokio::test]
async fn closing_lets_the_cli_end_by_itself_and_leaves_no_zombie() {
    for misbehaviour in ["", "grandchild"] {
        let mut session = start(fake(&hello(), misbehaviour)).await;
        in_time(session.prompt("Hi.")).await.unwrap();
        let (pid, handle) = (pid(&session), session.handle());
        let start = Instant::now();
        in_time(session.close()).await.unwrap();
        assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
        assert!(gone_beside(pid).await < SOON);
        assert!(!handle.is_alive());
        let error = in_time(handle.interrupt()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Closed);
    }
}

#[tokio::test]
async fn a_cli_that_stays_when_stdin_ends_is_told_to_end_after_five_seconds() {
    let session = start(fake(&hello(), "ignore-eof,grandchild")).await;
    let (pid, start) = (pid(&session), Instant::now());
    in_time(session.close()).await.unwrap();
    assert!((4..8).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
    assert!(gone_beside(pid).await < SOON);
}

/// Closing does not hurry: 10 seconds for a CLI that refuses. One that is broken has one second a step.
#[tokio::test]
async fn a_cli_that_closes_its_stdout_and_refuses_to_end_is_killed() {
    let start = Instant::now();
    let error = in_time(shell("closes-stdout").spawn()).await.unwrap_err();
    assert!((1..4).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
    assert_eq!(error.kind(), ErrorKind::Exited);
    assert_eq!(error.exit().unwrap().status, None, "it is byre that killed it");
    assert_eq!(
        error.to_string(),
        "could not start the session: the CLI closed its end of the pipe, its last line on stderr: \
         the pipe is gone"
    );
}

#[tokio::test]
async fn a_cli_that_writes_without_end_is_ended_all_the_same() {
    // It answers nothing, so that starting it takes as long as one waits.
    let folder = Folder::new("without-end");
    let builder = shell("never-stops-writing").env("PID_FILE", folder.path("pid"));
    let spawn = tokio::time::timeout(Duration::from_millis(500), builder.spawn());
    assert!(spawn.await.is_err());
    let pid = fs::read_to_string(folder.path("pid")).unwrap().trim().parse().unwrap();
    let took = gone_beside(pid).await;
    assert!(took < Duration::from_secs(13), "{took:?}");
}

// The end, by accident.

/// Whatever happens to a session in `body`, its CLI and what that started are gone soon.
async fn check_gone<F: Future<Output = ()>>(
    what: &str,
    misbehaviour: &str,
    body: impl FnOnce(SessionBuilder) -> F,
) {
    let folder = Folder::new(&format!("gone-{}", what.replace(' ', "-")));
    let builder = fake(&endless(), &format!("grandchild,{misbehaviour}"))
        .env("FAKE_CLAUDE_DUMP", folder.path("dump.json"));
    in_time(body(builder)).await;
    let pid = folder.dump().await["pid"].as_u64().unwrap().try_into().unwrap();
    let took = gone_beside(pid).await;
    assert!(took < SOON, "{what}: {took:?}");
}

#[tokio::test]
async fn a_dropped_session_ends_the_cli_and_what_it_started() {
    check_gone("dropped", "", async |builder| drop(start(builder).await)).await;
    check_gone("dropped in a turn", "", async |builder| {
        let mut session = start(builder).await;
        drop(begin(&mut session).await);
    })
    .await;
}

#[tokio::test]
async fn a_cancelled_future_ends_the_cli_and_what_it_started() {
    const SHORT: Duration = Duration::from_millis(300);
    check_gone("cancelled spawn", "hang-initialize", async |builder| {
        assert!(tokio::time::timeout(SHORT, builder.spawn()).await.is_err());
    })
    .await;
    check_gone("cancelled prompt", "", async |builder| {
        let mut session = start(builder).await;
        assert!(tokio::time::timeout(SHORT, session.prompt("Go.")).await.is_err());
    })
    .await;
    check_gone("cancelled close", "", async |builder| {
        let close = start(builder).await.close();
        assert!(tokio::time::timeout(Duration::from_millis(1), close).await.is_err());
    })
    .await;
}

#[tokio::test]
async fn a_panic_ends_the_cli_and_what_it_started() {
    check_gone("panic", "", async |builder| {
        let mut session = start(builder).await;
        let task = tokio::spawn(async move {
            let _turn = begin(&mut session).await;
            panic!("the program has a bad day");
        });
        assert!(task.await.unwrap_err().is_panic());
    })
    .await;
}

#[test]
fn a_runtime_that_ends_takes_the_cli_and_what_it_started_with_it() {
    for mut builder in [Builder::new_current_thread(), Builder::new_multi_thread()] {
        let runtime = builder.enable_all().build().unwrap();
        let misbehaviour = "ignore-eof,ignore-term,grandchild";
        let mut session = runtime.block_on(start(fake(&endless(), misbehaviour)));
        let pid = pid(&session);
        let turn = runtime.block_on(begin(&mut session));
        drop(runtime);
        assert!(gone(pid) < SOON);
        // Outside a runtime, and after its end.
        drop(turn);
        let handle = session.handle();
        assert!(!handle.is_alive());
        assert_eq!(handle.send("Hi.").unwrap_err().kind(), ErrorKind::Closed);
        let closed = run(async { tokio::time::timeout(LIMIT, session.close()).await });
        closed.expect("it hangs").unwrap();
    }
}

#[test]
fn a_program_that_panics_in_block_on_takes_the_cli_with_it() {
    let pid_of = Mutex::new(None);
    let program = catch_unwind(AssertUnwindSafe(|| {
        run(async {
            let session = start(fake(&hello(), "ignore-eof,ignore-term,grandchild")).await;
            *pid_of.lock().unwrap() = Some(pid(&session));
            panic!("the program has a bad day");
        })
    }));
    assert!(program.is_err());
    let pid = pid_of.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).unwrap();
    assert!(gone(pid) < SOON);
}

#[test]
fn a_program_that_is_killed_takes_the_cli_and_what_it_started_with_it() {
    const TEST: &str = "a_program_that_is_killed_takes_the_cli_and_what_it_started_with_it";
    const HOST: &str = "BYRE_TEST_HOST";

    if let Some(file) = env::var_os(HOST) {
        return run(async {
            let session = start(fake(&hello(), "ignore-eof,ignore-term,grandchild")).await;
            let ended = start(fake(&hello(), "grandchild")).await;
            in_time(ended.close()).await.unwrap();
            fs::write(&file, pid(&session).to_string()).unwrap();
            std::future::pending::<()>().await;
        });
    }
    let folder = Folder::new("killed");
    let file = folder.path("pid");
    let mut host = command(env::current_exe().unwrap())
        .args([&format!("process::{TEST}"), "--exact"])
        .env(HOST, &file)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let told = || fs::read_to_string(&file).ok().and_then(|text| text.parse::<u32>().ok());
    run(until("the session of the program runs", || told().is_some()));
    let pid = told().unwrap();
    assert!(!system::remains(pid).is_empty());
    host.kill().unwrap();
    host.wait().unwrap();
    gone(pid);
}

// The end, by the CLI.

#[tokio::test]
async fn a_cli_that_ends_at_the_start_fails_it_at_once() {
    let start = Instant::now();
    let error = in_time(fake(&hello(), "exit-at-start=3").spawn()).await.unwrap_err();
    assert!(start.elapsed() < SOON);
    assert_eq!(error.kind(), ErrorKind::Exited);
    let exit = error.exit().unwrap();
    assert_eq!(exit.status.unwrap().code(), Some(3));
    assert_eq!(exit.stderr, "fake-claude: asked to end at the start");
    assert_eq!(
        error.to_string(),
        "could not start the session: the CLI ended with exit status: 3, its last line on stderr: \
         fake-claude: asked to end at the start"
    );
}

#[tokio::test]
async fn another_user_runs_the_cli_where_this_one_may_say_so() {
    // In a folder that every user may enter, and written by another process: one of the tests beside this may
    // start a program while the file is open.
    let path = env::temp_dir().join(format!("byre-run-as-{}", std::process::id()));
    let write =
        r#"printf '#!/bin/sh\necho $(id -u) $(id -g) >&2; exit 3\n' >"$0" && chmod 755 "$0""#;
    assert!(output_of("sh", &["-c", write, path.to_str().unwrap()]).status.success());
    let result = in_time(plain(&path).run_as(65533, 65534).current_dir("/").spawn()).await;
    fs::remove_file(path).unwrap();
    let error = result.unwrap_err();
    if output_of("id", &["-u"]).stdout == b"0\n" {
        assert_eq!(error.exit().unwrap().stderr, "65533 65534");
    } else {
        assert_eq!(error.kind(), ErrorKind::Spawn, "{error}");
    }
}

fn output_of(program: &str, args: &[&str]) -> std::process::Output {
    command(program).args(args).output().unwrap()
}

#[tokio::test]
async fn a_cli_that_ends_in_a_turn_fails_it_and_every_later_call_at_once() {
    for misbehaviour in ["exit-at-line=8", "exit-at-line=8,grandchild"] {
        let script = Script::new().call("add", json!({"a": 1, "b": 1})).reply(Reply::hold());
        let mut session = start(fake(&script, misbehaviour)).await;
        let (pid, handle) = (pid(&session), session.handle());
        let error = in_time(session.prompt("Go.")).await.unwrap_err();
        let seen = Instant::now();
        assert_eq!(error.kind(), ErrorKind::Exited, "{error}");
        assert_eq!(error.exit().unwrap().status.unwrap().code(), Some(3));
        assert!(!handle.is_alive());
        for error in [
            in_time(session.prompt("Go on.")).await.unwrap_err(),
            in_time(handle.interrupt()).await.unwrap_err(),
            handle.send("Go on.").unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::Exited, "{error}");
        }
        assert!(in_time(session.next_event()).await.is_none());
        in_time(session.close()).await.unwrap();
        assert!(seen.elapsed() < Duration::from_millis(500), "{:?}", seen.elapsed());
        assert!(gone_beside(pid).await < SOON);
        assert_eq!(handle.send("Hm?").unwrap_err().kind(), ErrorKind::Exited, "the reason stays");
    }
}

#[tokio::test]
async fn a_process_left_behind_delays_the_error_by_less_than_a_second() {
    let mut session = start(fake(&endless(), "grandchild,ignore-eof")).await;
    let (pid, handle) = (pid(&session), session.handle());
    let turn = begin(&mut session).await;
    kill(pid);
    let killed = Instant::now();
    let (turn, request) =
        in_time(async { tokio::join!(turn.into_future(), handle.interrupt()) }).await;
    assert!(killed.elapsed() < Duration::from_secs(1), "{:?}", killed.elapsed());
    assert_eq!(request.unwrap_err().kind(), ErrorKind::Exited);
    let error = turn.unwrap_err();
    assert!(error.to_string().contains("SIGKILL"), "{error}");
    assert!(gone_beside(pid).await < SOON);
}

#[tokio::test]
async fn a_process_left_behind_that_writes_without_end_delays_nothing() {
    let start = Instant::now();
    let error = in_time(shell("leaves-a-writer").spawn()).await.unwrap_err();
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    assert_eq!(error.kind(), ErrorKind::Exited);
    assert_eq!(error.exit().unwrap().status.unwrap().code(), Some(4));
    assert_eq!(error.exit().unwrap().stderr, "out of memory");
}

#[tokio::test]
async fn a_cli_that_closes_its_stdin_is_ended_and_the_program_goes_on() {
    let mut session = start(shell("closes-stdin")).await;
    let (pid, start) = (pid(&session), Instant::now());
    let error = in_time(session.prompt("Hi.")).await.unwrap_err();
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    assert_eq!(error.kind(), ErrorKind::Exited);
    assert_eq!(
        error.to_string(),
        "could not finish the turn: the CLI closed its end of the pipe and wrote nothing to stderr; the \
         prompt was sent, may have been carried out in part, and is not sent again"
    );
    assert!(gone_beside(pid).await < SOON);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_transcript_that_cannot_be_written_delays_no_error_and_is_waited_for_by_close() {
    let folder = Folder::new("transcript");
    let pipe = folder.path("pipe");
    assert!(command("mkfifo").arg(&pipe).status().unwrap().success());
    // For both, so that opening it waits for nobody.
    let mut reader = fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
    let mut session = start(fake(&endless(), "").transcript(&pipe)).await;
    let pid = pid(&session);
    let turn = session.prompt("x".repeat(1024 * 1024)).into_future();
    let (turn, took) = in_time(async {
        let killed = async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            kill(pid);
            Instant::now()
        };
        let (turn, killed) = tokio::join!(turn, killed);
        (turn, killed.elapsed())
    })
    .await;
    assert_eq!(turn.unwrap_err().kind(), ErrorKind::Exited);
    assert!(took < Duration::from_secs(1), "{took:?}");
    let read = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&read);
    thread::spawn(move || {
        let mut chunk = vec![0; 64 * 1024];
        while let Ok(bytes @ 1..) = reader.read(&mut chunk) {
            count.fetch_add(bytes, Ordering::SeqCst);
        }
    });
    in_time(session.close()).await.unwrap();
    let read = read.load(Ordering::SeqCst);
    // The pipe holds 64 KiB, and as much may have been read and not been counted yet.
    assert!(read >= (1024 - 64 - 64) * 1024, "{read} bytes had been read when `close` was done");
}

// What can't be started.

#[tokio::test]
async fn what_cannot_be_started_says_why() {
    let folder = Folder::new("not-started");
    let missing = folder.path("claude");
    let error = plain(&missing).spawn().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CliNotFound);
    assert_eq!(
        error.to_string(),
        format!(
            "could not find the `claude` CLI: the path given to the builder is {}, which is not \
             a file",
            missing.display()
        )
    );
    fs::write(&missing, "#!/bin/sh\n").unwrap();
    let error = plain(&missing).spawn().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Spawn);
    assert_eq!(
        error.to_string(),
        format!(
            "could not start {}: Permission denied (os error 13); is the file executable?",
            missing.display()
        )
    );
    let nowhere = folder.path("nowhere");
    let error = fake(&hello(), "").current_dir(&nowhere).spawn().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Spawn);
    assert_eq!(
        error.to_string(),
        format!(
            "could not start the CLI: the working directory {} does not exist or is not a directory",
            nowhere.display()
        )
    );
}

/// One argument may have 128 KiB on Linux. Nothing that grows stands there but settings and rules.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_command_line_that_is_too_long_is_told_as_that() {
    let rules = (0..20_000).map(|n| format!("Bash(make target-{n})"));
    let error = fake(&hello(), "").allowed_tools(rules).spawn().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Spawn);
    let source = std::error::Error::source(&error).unwrap();
    let os = source.downcast_ref::<std::io::Error>().unwrap();
    assert_eq!(os.kind(), std::io::ErrorKind::ArgumentListTooLong);
    let text = error.to_string();
    assert!(text.contains("move large settings into a file"), "{text}");
    assert!(text.len() < 1000, "the command line is not repeated");
    // What a program makes long goes another way.
    let builder = fake(&hello(), "").append_system_prompt("x".repeat(1_000_000));
    let mut session = start(builder).await;
    assert_eq!(in_time(session.prompt("y".repeat(1_000_000))).await.unwrap().text(), "Hello.");
    in_time(session.close()).await.unwrap();
}

#[test]
fn an_environment_can_be_the_programs_own() {
    let host = [("FROM_HOST", "host"), ("ANTHROPIC_API_KEY", "sk-from-host")];
    if !is_alone("an_environment_can_be_the_programs_own", &host) {
        return;
    }
    let folder = Folder::new("cleared");
    let builder = plain(env!("CARGO_BIN_EXE_fake-claude"))
        .env_clear()
        .env("FAKE_CLAUDE_DUMP", folder.path("dump.json"))
        .env("OWN", "program");
    let dump = run(async {
        in_time(start(builder).await.close()).await.unwrap();
        folder.dump().await
    });
    let mut names: Vec<_> = dump["env"].as_object().unwrap().keys().collect();
    // What the loader of a test, and a tool that measures coverage, may add.
    names.retain(|name| !name.starts_with("LD_") && !name.starts_with("LLVM_"));
    assert_eq!(
        names,
        ["BYRE_CLI", "CLAUDE_CODE_SDK_READS_SESSION_STATE", "FAKE_CLAUDE_DUMP", "OWN"]
    );
}

// Many at once.

#[test]
fn a_hundred_sessions_at_once_leave_nothing_open() {
    if !is_alone("a_hundred_sessions_at_once_leave_nothing_open", &[]) {
        return;
    }
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let folder = Arc::new(Folder::new("hundred"));
    // Opens what the runtime keeps.
    runtime.block_on(one_of_many(0, Arc::clone(&folder)));
    let before = (system::open_files(), system::threads());
    let tasks = || runtime.metrics().num_alive_tasks();
    let hundred = || {
        runtime.block_on(async {
            let mut sessions = JoinSet::new();
            for n in 0..100 {
                sessions.spawn(one_of_many(n, Arc::clone(&folder)));
            }
            sessions.join_all().await;
            until("all files are closed", || system::open_files() <= before.0).await;
            until("all threads have ended", || system::threads() <= before.1).await;
            until("all tasks have ended", || tasks() == 0).await;
        });
        system::resident_kb()
    };
    // The allocator keeps some megabytes. What is more would be something of the sessions, 40 kB of each.
    let (first, _, third) = (hundred(), hundred(), hundred());
    assert!(third < first + 8000, "{first} kB, then {third} kB");
}

#[test]
fn sessions_that_do_not_start_leave_nothing_open() {
    if !is_alone("sessions_that_do_not_start_leave_nothing_open", &[]) {
        return;
    }
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let fail = async || {
        in_time(fake(&hello(), "exit-at-start=3").spawn()).await.unwrap_err();
        plain("/no/such/cli").spawn().await.unwrap_err();
        fake(&hello(), "").current_dir("/no/such/folder").spawn().await.unwrap_err();
        let hangs = fake(&hello(), "hang-initialize,grandchild").spawn();
        assert!(tokio::time::timeout(Duration::from_millis(300), hangs).await.is_err());
        // What ends the CLIs when this program is killed stays.
        until("all processes have ended", || system::children().len() <= 1).await;
    };
    runtime.block_on(async {
        // Opens what the runtime keeps.
        fail().await;
        let before = (system::open_files(), system::threads());
        for _ in 0..10 {
            fail().await;
        }
        until("all files are closed", || system::open_files() <= before.0).await;
        until("all threads have ended", || system::threads() <= before.1).await;
    });
}

async fn one_of_many(n: i64, folder: Arc<Folder>) {
    let script = Script::new().call("add", json!({"a": n, "b": 1})).say("{result}");
    let transcript = folder.path(&format!("{n}.jsonl"));
    let mut session = start(fake(&script, "grandchild").transcript(transcript)).await;
    let pid = pid(&session);
    let outcome = in_time(session.prompt("Go.")).await.unwrap();
    assert_eq!(outcome.text(), (n + 1).to_string());
    match n % 3 {
        0 => in_time(session.close()).await.unwrap(),
        1 => drop(session),
        _ => kill(pid),
    }
    gone_beside(pid).await;
}
