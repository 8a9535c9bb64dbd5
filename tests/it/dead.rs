//! A session that is over: every method of its handle fails at once, and says why.

use std::{
    fs,
    future::{Future, IntoFuture},
    path::{Path, PathBuf},
    pin::Pin,
    time::{Duration, SystemTime},
};

use byre::{
    Error, ErrorKind, PermissionMode, Session, SessionHandle, Transport,
    cli::McpCall,
    options::{McpServerConfig, SettingSource},
    testing::{Reply, Script, ScriptedCli},
};
use serde_json::json;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    time::Instant,
};

type Call = (&'static str, fn(SessionHandle) -> Pin<Box<dyn Future<Output = Option<Error>>>>);

/// Makes a table of calls, with what became of them.
macro_rules! calls {
    ($($name:ident($($arg:expr),*)),* $(,)?) => {
        &[$((stringify!($name), |handle| Box::pin(async move {
            handle.$name($($arg),*).await.err()
        })),)*]
    };
}

const CALLS: &[Call] = calls![
    add_tools("byre", byre::tools![]),
    apply_flag_settings(json!({})),
    background_task("toolu_1"),
    background_tasks(),
    cancel_async_message("0f6f2f0e-6f0a-4d43-9a86-2f4d0f0c7a11"),
    control("mcp_status", json!({})),
    end_session(),
    file_suggestions("main"),
    get_binary_version(),
    get_context_usage(),
    get_context_usage_summary(),
    get_hooks_listing(),
    get_session_cost(),
    get_settings(),
    get_task_output("b1"),
    get_usage(),
    interrupt(),
    interrupt_and_cancel_queued(),
    list_models(),
    list_permission_rules(),
    mcp_call(McpCall::new("docs", "search")),
    mcp_message("byre", json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})),
    mcp_read_resource("docs", "ui://docs"),
    mcp_reconnect("docs"),
    mcp_set_servers([("docs", McpServerConfig::stdio("docs"))]),
    mcp_status(),
    mcp_toggle("docs", true),
    read_file("notes.txt"),
    read_file_base64("notes.txt", 10),
    register_repo_root("sub"),
    reload_output_styles(),
    reload_plugins(),
    reload_skills(),
    rename_session("Nightly build"),
    remove_tools("byre", [""; 0]),
    reset_model(),
    rewind_files("0f6f2f0e-6f0a-4d43-9a86-2f4d0f0c7a11", true),
    seed_read_state("notes.txt", SystemTime::UNIX_EPOCH),
    set_has_subscribers(true),
    set_max_thinking_tokens(Some(1000)),
    set_mcp_permission_mode_override("docs", None),
    set_model("opus"),
    set_permission_mode(PermissionMode::Plan),
    set_thinking_display(None),
    stop_task("b1"),
    update_settings(SettingSource::User, json!({})),
];

/// What needs no CLI: the value is as before, or is what it is about.
const NO_CALLS: [&str; 7] =
    ["cli_info", "cli_version", "is_alive", "pid", "send", "session_id", "tools"];

/// Every method, with a CLI that never answers, so that waiting for one would show.
async fn check(
    how: &str,
    end: impl AsyncFnOnce(Session, tokio::io::DuplexStream),
    want: ErrorKind,
) {
    let (stdout, mut cli_writes) = tokio::io::duplex(64 * 1024);
    let (stdin, mut cli_reads) = tokio::io::duplex(64 * 1024);
    let builder = Session::builder()
        .tools([])
        .server(byre::McpServer::new("byre"))
        .hooks([])
        .idle_timeout(Duration::from_secs(5))
        .transport(Transport::new(stdout, stdin));
    let start = async {
        let line = BufReader::new(&mut cli_reads).lines().next_line().await.unwrap().unwrap();
        let request: serde_json::Value = serde_json::from_str(&line).unwrap();
        let answer = json!({"type": "control_response", "response": {
            "subtype": "success", "request_id": request["request_id"], "response": {},
        }});
        cli_writes.write_all(format!("{answer}\n").as_bytes()).await.unwrap();
    };
    let session = tokio::join!(builder.spawn(), start).0.unwrap();
    let handle = session.handle();
    end(session, cli_writes).await;

    let now = Instant::now();
    for (name, call) in CALLS {
        let error = call(handle.clone()).await;
        let error = error.unwrap_or_else(|| panic!("{name} does something after {how}"));
        assert_eq!(error.kind(), want, "{name} after {how}: {error}");
    }
    let error = handle.send("Hm?").unwrap_err();
    assert_eq!(error.kind(), want, "send after {how}: {error}");
    assert!(!handle.is_alive(), "after {how}");
    assert_eq!((handle.cli_version(), handle.pid(), handle.session_id()), (None, None, None));
    assert!(handle.cli_info().commands.is_empty() && handle.tools("byre").is_empty());
    assert_eq!(now.elapsed(), Duration::ZERO, "after {how}");
    drop(cli_reads);
}

#[tokio::test(start_paused = true)]
async fn every_method_of_a_handle_fails_at_once_when_the_session_is_over() {
    check(
        "the end of the CLI",
        async |mut session: Session, cli| {
            assert!(session.is_alive());
            drop(cli);
            assert_eq!(session.next_event().await.unwrap().unwrap_err().kind(), ErrorKind::Exited);
            assert!(!session.is_alive());
        },
        ErrorKind::Exited,
    )
    .await;
    check(
        "a limit of time",
        async |mut session: Session, cli| {
            let error = session.prompt("Hi.").await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Timeout);
            assert!(!session.is_alive());
            assert!(session.next_event().await.is_none());
            std::mem::forget((session, cli));
        },
        ErrorKind::Timeout,
    )
    .await;
    check(
        "close",
        async |session: Session, _cli| session.close().await.unwrap(),
        ErrorKind::Closed,
    )
    .await;
    check("drop", async |session: Session, _cli| drop(session), ErrorKind::Closed).await;
}

#[tokio::test(start_paused = true)]
async fn what_waits_when_the_cli_dies_fails_at_once() {
    let cli = ScriptedCli::new(Script::new().reply(Reply::hold()));
    let (stdout, cli_stdout) = tokio::io::duplex(64 * 1024);
    let (stdin, cli_stdin) = tokio::io::duplex(64 * 1024);
    let running = tokio::spawn(cli.servers::<&str>([]).run(cli_stdin, cli_stdout));
    let builder = Session::builder().tools([]).hooks([]).transport(Transport::new(stdout, stdin));
    let mut session = builder.spawn().await.unwrap();
    let turn = session.prompt("Hi.");
    let wait = tokio::spawn(async move { tokio::time::sleep(Duration::from_secs(1)).await });
    let start = Instant::now();
    let (outcome, ()) = tokio::join!(IntoFuture::into_future(turn), async {
        wait.await.unwrap();
        running.abort();
    });
    let error = outcome.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Exited);
    assert!(error.unfinished_prompt().is_some());
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

/// A method that is new in the library has to be in the tables above.
#[test]
fn the_table_has_every_method() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("byre/src/session");
    let parts = fs::read_dir(folder.join("handle")).unwrap();
    let files = parts.map(|entry| entry.unwrap().path()).chain([folder.join("handle.rs")]);
    let mut methods: Vec<_> = files.flat_map(methods).collect();
    methods.sort();
    let mut listed: Vec<_> = CALLS.iter().map(|(name, _)| *name).chain(NO_CALLS).collect();
    listed.sort_unstable();
    assert_eq!(methods, listed);
}

fn methods(file: PathBuf) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    let names = text.lines().filter_map(|line| {
        let rest = line.strip_prefix("    pub ")?;
        let rest = rest.strip_prefix("async ").unwrap_or(rest).strip_prefix("fn ")?;
        Some(rest.split(['(', '<']).next()?.to_owned())
    });
    names.collect()
}
