//! A session that is given up, over real pipes: nothing is left behind.

use byre::Clock;

use super::*;

#[tokio::test]
async fn a_turn_that_takes_too_long_ends_the_cli_and_what_it_started() {
    let builder = fake(&endless(), "ignore-eof,ignore-term,grandchild,stderr-flood");
    let mut session = start(builder.turn_timeout(Duration::from_secs(1))).await;
    let (pid, began) = (pid(&session), Instant::now());
    let error = in_time(session.prompt("Go.")).await.unwrap_err();
    let told = began.elapsed();
    assert!(told >= Duration::from_secs(1), "{told:?}");
    assert_eq!(error.kind(), ErrorKind::Timeout);
    let timeout = error.timeout().unwrap();
    assert_eq!(timeout.clock, Clock::Turn);
    let heard = timeout.last_heard.as_ref().unwrap();
    assert!(["assistant", "system/init"].contains(&&*heard.line), "{heard:?}");
    assert!(error.exit().unwrap().stderr.starts_with("xxx"), "what the CLI said is there");
    assert_eq!(error.exit().unwrap().status, None, "it has not ended yet");
    // It refuses every step, so the error must have come before the last one.
    assert!(!system::remains(pid).is_empty() || cfg!(not(target_os = "linux")));
    assert!(!session.is_alive());
    let took = gone_beside(pid).await;
    assert!(took < Duration::from_secs(14), "{took:?}");
    in_time(session.close()).await.unwrap();
}

#[tokio::test]
async fn a_cli_that_is_stopped_is_given_up_for_its_silence() {
    let builder = fake(&hello(), "grandchild").idle_timeout(Duration::from_secs(1));
    let mut session = start(builder).await;
    let pid = pid(&session);
    assert!(command("kill").args(["-STOP", &pid.to_string()]).status().unwrap().success());
    let error = in_time(session.prompt("Hi.")).await.unwrap_err();
    assert_eq!(error.timeout().unwrap().clock, Clock::Idle);
    drop(session);
    // A stopped process hears neither the end of its stdin nor SIGTERM.
    let took = gone_beside(pid).await;
    assert!(took < Duration::from_secs(14), "{took:?}");
}

#[tokio::test]
async fn a_cli_that_never_starts_is_ended() {
    let folder = Folder::new("never-starts");
    let builder = fake(&hello(), "hang-initialize,grandchild,stderr-flood")
        .env("FAKE_CLAUDE_DUMP", folder.path("dump.json"))
        .spawn_timeout(Duration::from_secs(1));
    let error = in_time(builder.spawn()).await.unwrap_err();
    assert_eq!(error.timeout().unwrap().clock, Clock::Spawn);
    assert!(error.exit().unwrap().stderr.starts_with("xxx"), "what the CLI said is there");
    let pid = folder.dump().await["pid"].as_u64().unwrap().try_into().unwrap();
    assert!(gone_beside(pid).await < Duration::from_secs(14));
}

/// Whether all of the program stood still or one thread of it, lines wait in the pipe that nobody could read.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_program_that_stood_still_does_not_take_it_for_silence_of_the_cli() {
    let limit = Duration::from_secs(1);
    let mut reply = Reply::say("Once");
    for _ in 0..30 {
        reply = reply.and_wait(limit / 10).and_say("upon");
    }
    let builder = fake(&Script::new().reply(reply), "").idle_timeout(limit);
    let mut session = start(builder).await;
    let mut turn = session.prompt("Go.");
    in_time(turn.next()).await.unwrap().unwrap();
    let blocker = tokio::spawn(async move { thread::sleep(limit * 3 / 2) });
    in_time(turn).await.unwrap();
    blocker.await.unwrap();
}

/// Each time it looks, it comes too late to be sure.
#[tokio::test]
async fn a_program_that_blocks_again_and_again_notices_silence_all_the_same() {
    let builder = fake(&endless(), "").idle_timeout(Duration::from_millis(500));
    let mut session = start(builder).await;
    let blocker = tokio::spawn(async {
        loop {
            thread::sleep(Duration::from_millis(250));
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    });
    let error = in_time(session.prompt("Go.")).await.unwrap_err();
    blocker.abort();
    assert_eq!(error.timeout().unwrap().clock, Clock::Idle);
}
