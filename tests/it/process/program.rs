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
