//! Nothing is left of a session.

use std::time::Duration;

use byre::{
    ErrorKind,
    testing::{Reply, Script},
};
use serde_json::json;
use tokio::{sync::Notify, time::timeout};

use super::{gone, live, processes};

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
        let pid = session.handle().pid().unwrap();
        tokio::select! {
            outcome = session.prompt("Start.") => panic!("it ended: {outcome:?}"),
            () = STARTED.notified() => {}
        }
        assert!(!processes(pid).is_empty());
        drop(session);
        gone(pid, END).await;
    })
    .await;
}

#[test]
fn a_runtime_that_ends_takes_the_cli_with_it() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let pid = runtime.block_on(async {
        let mut pid = None;
        live(Script::new(), async |live| {
            let session = live.builder().spawn().await.unwrap();
            pid = session.handle().pid();
            std::mem::forget(session);
        })
        .await;
        pid.unwrap()
    });
    assert!(!processes(pid).is_empty());
    drop(runtime);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(gone(pid, Duration::from_secs(5)));
}

#[tokio::test]
async fn what_a_tool_of_the_cli_started_ends_with_it() {
    let command = "sleep 300 & echo started; wait";
    let script = Script::new().call("Bash", json!({"command": command, "timeout": 200_000}));
    live(script, async |live| {
        let mut session = live.builder().bypass_permissions().spawn().await.unwrap();
        let pid = session.handle().pid().unwrap();
        let turn = timeout(Duration::from_secs(3), session.prompt("Start.")).await;
        assert!(turn.is_err(), "{turn:?}");
        println!("{:#?}", processes(pid));
        drop(session);
        gone(pid, END).await;
    })
    .await;
}

#[tokio::test]
async fn a_cli_that_is_killed_fails_the_turn_at_once() {
    hanging_tool!();

    live(Script::new().call("hang", json!({})), async |live| {
        let mut session = live.builder().tools(byre::tools![hang]).spawn().await.unwrap();
        let pid = session.handle().pid().unwrap();
        tokio::spawn(async move {
            STARTED.notified().await;
            kill(pid);
        });
        let error = timeout(END, session.prompt("Start.")).await.unwrap().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Exited);
        assert!(error.to_string().contains("signal: 9"), "{error}");
        gone(pid, Duration::from_secs(2)).await;
    })
    .await;
}

#[expect(clippy::disallowed_methods, reason = "a test does what a person would")]
fn kill(pid: u32) {
    let status = std::process::Command::new("kill").args(["-9", &pid.to_string()]).status();
    assert!(status.expect("run `kill`").success());
}
