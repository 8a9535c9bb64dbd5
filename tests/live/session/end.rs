//! Nothing is left of a session.

use std::{fs, path::Path, time::Duration};

use byre::{
    ErrorKind, Session,
    testing::{Reply, Script},
};
use serde_json::json;
use tokio::{
    sync::Notify,
    time::{sleep, timeout},
};

use super::{Live, Traces, live};

/// How long the end of a session may take: five seconds until SIGTERM, five more until SIGKILL.
const END: Duration = Duration::from_secs(12);

/// Makes a tool that runs for ever and says when it starts.
macro_rules! hanging_tool {
    () => {
        static STARTED: Notify = Notify::const_new();

        /// Never ends.
        #[byre::tool(register = false)]
        async fn hang() {
            STARTED.notify_one();
            std::future::pending::<()>().await;
        }
    };
}

#[tokio::test]
async fn a_session_dropped_while_a_tool_runs_leaves_no_process() {
    hanging_tool!();

    // The model never answers either, so the CLI has to be told to end.
    live(Script::new().call("hang", json!({})).reply(Reply::hold()), async |live| {
        let mut session = live.builder().tools(byre::tools![hang]).spawn().await.unwrap();
        let traces = Traces::of(live, &session);
        tokio::select! {
            outcome = session.prompt("Start.") => panic!("it ended: {outcome:?}"),
            () = STARTED.notified() => {}
        }
        assert!(!traces.processes().is_empty());
        drop(session);
        traces.gone(END).await;
    })
    .await;
}

#[test]
fn a_runtime_that_ends_takes_the_cli_with_it() {
    let mut traces = None;
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(live(Script::new(), async |live| {
        let session = live.builder().spawn().await.unwrap();
        traces = Some(Traces::of(live, &session));
        std::mem::forget(session);
    }));
    let traces = traces.unwrap();
    assert!(!traces.processes().is_empty());
    drop(runtime);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(traces.gone(Duration::from_secs(5)));
}

/// The model runs a command that does not end.
fn command() -> Script {
    Script::new().call("Bash", json!({"command": "touch started; tail -f /dev/null; true"}))
}

/// A session in which that command runs.
async fn in_a_command(live: &Live) -> (Session, Traces) {
    let mut session = live.builder().bypass_permissions().spawn().await.unwrap();
    let traces = Traces::of(live, &session);
    let started = async {
        while !live.file("started").exists() {
            sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::select! {
        outcome = session.prompt("Start.") => panic!("it ended: {outcome:?}"),
        () = started => {}
    }
    (session, traces)
}

#[tokio::test]
async fn what_the_cli_started_ends_with_it() {
    live(command(), async |live| {
        let (session, traces) = in_a_command(live).await;
        drop(session);
        traces.gone(END).await;
    })
    .await;
}

/// The CLI puts a command in a session of its own, and is in no state to end it.
#[tokio::test]
async fn the_command_of_a_cli_that_is_killed_ends_too() {
    for signal in ["-KILL", "-STOP"] {
        live(command(), async |live| {
            let (session, traces) = in_a_command(live).await;
            let status = program("kill").args([signal, &traces.cli.to_string()]).status();
            assert!(status.unwrap().success());
            if signal == "-STOP" {
                assert!(traces.processes().len() > 1, "{:?}", traces.processes());
            }
            // One that is stopped heeds nothing but SIGKILL.
            drop(session);
            traces.gone(END).await;
        })
        .await;
    }
}

#[test]
fn a_program_that_is_killed_takes_the_cli_and_its_command_with_it() {
    const TEST: &str =
        "session::end::a_program_that_is_killed_takes_the_cli_and_its_command_with_it";
    const HOST: &str = "BYRE_TEST_HOST";

    let runtime = tokio::runtime::Runtime::new().unwrap();
    if let Some(file) = std::env::var_os(HOST) {
        return runtime.block_on(live(command(), async |live| {
            let mut session = live.builder().bypass_permissions().spawn().await.unwrap();
            let Traces { cli, folder } = Traces::of(live, &session);
            let started = async {
                while !live.file("started").exists() {
                    sleep(Duration::from_millis(20)).await;
                }
                fs::write(&file, json!([cli, folder]).to_string()).unwrap();
                std::future::pending::<()>().await;
            };
            tokio::select! {
                outcome = session.prompt("Start.") => panic!("it ended: {outcome:?}"),
                () = started => {}
            }
        }));
    }
    let folder = std::env::temp_dir().join(format!("byre-killed-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("cli");
    let mut host = program(std::env::current_exe().unwrap())
        .args([TEST, "--exact"])
        .env(HOST, &file)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let (cli, place) = loop {
        let text = fs::read_to_string(&file).unwrap_or_default();
        match serde_json::from_str::<(u32, String)>(&text) {
            Ok(told) => break told,
            Err(_) => assert!(host.try_wait().unwrap().is_none(), "the program ended"),
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let traces = Traces { cli, folder: place };
    assert!(traces.processes().len() > 1, "{:?}", traces.processes());
    host.kill().unwrap();
    host.wait().unwrap();
    runtime.block_on(traces.gone(END));
    // A program that is killed leaves its folders, of which that of the work is one of several.
    for left in [&*folder, Path::new(&traces.folder).parent().unwrap()] {
        fs::remove_dir_all(left).unwrap();
    }
}

#[tokio::test]
async fn a_cli_that_is_killed_fails_the_turn_at_once() {
    hanging_tool!();

    live(Script::new().call("hang", json!({})), async |live| {
        let mut session = live.builder().tools(byre::tools![hang]).spawn().await.unwrap();
        let traces = Traces::of(live, &session);
        let pid = traces.cli;
        tokio::spawn(async move {
            STARTED.notified().await;
            kill(pid);
        });
        let error = timeout(END, session.prompt("Start.")).await.unwrap().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Exited);
        assert!(error.to_string().contains("signal: 9"), "{error}");
        traces.gone(Duration::from_secs(2)).await;
    })
    .await;
}

pub(super) fn kill(pid: u32) {
    let status = program("kill").args(["-9", &pid.to_string()]).status();
    assert!(status.expect("run `kill`").success());
}

#[expect(clippy::disallowed_methods, reason = "a test does what a person would")]
fn program(path: impl AsRef<std::ffi::OsStr>) -> std::process::Command {
    std::process::Command::new(path)
}
