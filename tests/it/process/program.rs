//! What Linux does to the CLI when the program that has started it ends, and when only a thread of it does.

#![cfg(target_os = "linux")]

use super::*;

/// The processes that this one has started and not waited for.
fn children() -> Vec<u32> {
    let pid = |stat: &String| stat.split(' ').next().unwrap().parse().unwrap();
    system::children().iter().map(pid).collect()
}

#[test]
fn a_cli_ends_with_its_program_where_nothing_else_ends_it() {
    const TEST: &str = "a_cli_ends_with_its_program_where_nothing_else_ends_it";
    const HOST: &str = "BYRE_TEST_HOST";

    if let Some(file) = env::var_os(HOST) {
        return run(async {
            let session = start(fake(&hello(), "ignore-eof")).await;
            let cli = pid(&session);
            let others: Vec<_> = children().into_iter().filter(|&pid| pid != cli).collect();
            fs::write(&file, json!([cli, others]).to_string()).unwrap();
            std::future::pending::<()>().await;
        });
    }
    let folder = Folder::new("tied");
    let file = folder.path("pids");
    let mut host = command(env::current_exe().unwrap())
        .args([&format!("process::program::{TEST}"), "--exact"])
        .env(HOST, &file)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let told = || {
        let text = fs::read_to_string(&file).ok()?;
        serde_json::from_str::<(u32, Vec<u32>)>(&text).ok()
    };
    run(until("the session of the program runs", || told().is_some()));
    let (cli, others) = told().unwrap();
    // Without the shell that ends what a killed program leaves, only the system can.
    assert_eq!(others.len(), 1, "{others:?}");
    kill(others[0]);
    assert!(!system::remains(cli).is_empty());
    host.kill().unwrap();
    host.wait().unwrap();
    gone(cli);
}

/// The processes, but the CLI itself, that have this in their environment.
fn beside(cli: u32, text: &str) -> Vec<u32> {
    let has_text = |pid: &u32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(text)
    };
    let processes = fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    processes.filter(|pid| *pid != cli).filter(has_text).collect()
}

/// A session whose CLI has started a command in a session of its own, as the CLI does.
async fn with_a_command(folder: &Folder, misbehaviour: &str) -> (Session, u32, String) {
    let text = folder.path("dump.json").display().to_string();
    let builder = fake(&endless(), &format!("own-session,{misbehaviour}"));
    let session = start(builder.env("FAKE_CLAUDE_DUMP", &text)).await;
    let cli = pid(&session);
    until("the command runs", || beside(cli, &text).len() == 1).await;
    (session, cli, text)
}

#[tokio::test]
async fn a_cli_that_is_killed_does_not_leave_its_commands() {
    let folder = Folder::new("commands-of-a-killed-cli");
    let (mut session, cli, text) = with_a_command(&folder, "").await;
    kill(cli);
    let error = in_time(session.prompt("Hi.")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Exited);
    in_time(session.close()).await.unwrap();
    assert_eq!(beside(cli, &text), [0; 0]);
    assert_eq!(system::remains(cli), [""; 0]);
}

#[tokio::test]
async fn a_cli_that_refuses_to_end_does_not_leave_its_commands() {
    let folder = Folder::new("commands-of-a-cli-that-stays");
    let (session, cli, text) = with_a_command(&folder, "ignore-eof,ignore-term").await;
    drop(session);
    until("the command is gone", || beside(cli, &text).is_empty()).await;
}

#[tokio::test]
async fn a_cli_that_ends_by_itself_may_leave_something() {
    let folder = Folder::new("commands-left");
    let (session, cli, text) = with_a_command(&folder, "").await;
    in_time(session.close()).await.unwrap();
    assert_eq!(system::remains(cli), [""; 0]);
    let left = beside(cli, &text);
    assert_eq!(left.len(), 1, "{left:?}");
    kill(left[0]);
}

#[tokio::test]
async fn a_cli_outlives_the_thread_that_has_asked_for_it() {
    let runtime = tokio::runtime::Handle::current();
    let begin = move || runtime.block_on(start(fake(&hello(), "")));
    let begin = || thread::spawn(begin).join().unwrap();
    let mut session = tokio::task::spawn_blocking(begin).await.unwrap();
    let outcome = in_time(session.prompt("Hi.")).await.unwrap();
    assert_eq!(outcome.text(), "Hello.");
    in_time(session.close()).await.unwrap();
}

#[test]
fn a_start_that_is_given_up_leaves_nothing() {
    if !is_alone("program::a_start_that_is_given_up_leaves_nothing", &[]) {
        return;
    }
    run(async {
        // The shell that ends what a killed program leaves, and the thread, stay.
        in_time(start(fake(&hello(), "")).await.close()).await.unwrap();
        until("the shell is alone", || children().len() == 1).await;
        let files = system::open_files();
        for microseconds in [0, 100, 300, 1000, 3000, 10_000] {
            let spawn = fake(&endless(), "ignore-eof,ignore-term,hang-initialize").spawn();
            let time = Duration::from_micros(microseconds);
            assert!(tokio::time::timeout(time, spawn).await.is_err());
        }
        until("the CLIs are gone", || children().len() == 1).await;
        until("all files are closed", || system::open_files() <= files).await;
    });
}

#[test]
fn a_runtime_that_ends_while_sessions_start_leaves_nothing() {
    if !is_alone("program::a_runtime_that_ends_while_sessions_start_leaves_nothing", &[]) {
        return;
    }
    let begin = |builder: &mut Builder, pause: Duration| {
        let runtime = builder.enable_all().build().unwrap();
        for _ in 0..10 {
            runtime.spawn(async { fake(&endless(), "ignore-eof,ignore-term").spawn().await });
        }
        runtime.block_on(async { tokio::time::sleep(pause).await });
        runtime.shutdown_timeout(Duration::ZERO);
    };
    begin(&mut Builder::new_multi_thread(), Duration::from_secs(1));
    let gone = || run(until("only the shell is left", || children().len() == 1));
    gone();
    let (files, threads) = (system::open_files(), system::threads());
    for microseconds in [0, 200, 500, 1000, 2000, 4000, 8000] {
        begin(&mut Builder::new_multi_thread(), Duration::from_micros(microseconds));
        begin(&mut Builder::new_current_thread(), Duration::from_micros(microseconds));
    }
    gone();
    run(until("all is closed", || {
        // The runtime of this look has some of its own.
        system::open_files() <= files + 10 && system::threads() <= threads + 4
    }));
}

#[test]
fn a_runtime_without_io_is_told_of_and_leaves_nothing() {
    if !is_alone("program::a_runtime_without_io_is_told_of_and_leaves_nothing", &[]) {
        return;
    }
    let runtime = Builder::new_current_thread().enable_time().build().unwrap();
    let spawn = || runtime.block_on(fake(&endless(), "ignore-eof,ignore-term").spawn());
    assert!(catch_unwind(AssertUnwindSafe(spawn)).is_err());
    run(until("only the shell is left", || children().len() == 1));
}

/// What confines a thread, seccomp, Landlock, capabilities and namespaces, is handed on as its priority is.
#[test]
fn a_cli_has_what_the_thread_has_that_starts_its_session() {
    let nice = |session: &Session| {
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid(session))).unwrap();
        let (_, rest) = stat.rsplit_once(')').unwrap();
        rest.split_whitespace().nth(16).unwrap().parse::<i32>().unwrap()
    };
    let begin = move || {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let session = runtime.block_on(start(fake(&hello(), "")));
        let nice = nice(&session);
        runtime.block_on(in_time(session.close())).unwrap();
        nice
    };
    let before = begin();
    let confined = thread::spawn(move || {
        let thread = fs::read_link("/proc/thread-self").unwrap();
        let thread = thread.file_name().unwrap().to_str().unwrap().to_owned();
        let nicer = (before + 3).to_string();
        assert!(output_of("renice", &["-n", &nicer, "-p", &thread]).status.success());
        begin()
    });
    assert_eq!(confined.join().unwrap(), before + 3);
    assert_eq!(begin(), before);
}
