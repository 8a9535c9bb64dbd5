//! How long the real CLI may take.

use std::time::Duration;

use byre::{
    Clock,
    testing::{Reply, Script},
};
use serde_json::json;
use tokio::time::{Instant, sleep, timeout};

use super::{Traces, live};

/// How long the end of a session may take: five seconds until SIGTERM, five more until SIGKILL.
const END: Duration = Duration::from_secs(12);

/// Settings with a hook of the start that runs this command.
fn at_start(command: &str) -> serde_json::Value {
    json!({"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": command}]}]}})
}

#[tokio::test]
async fn a_hook_of_the_start_that_prints_holds_the_limit_off() {
    let command = "for n in 1 2 3 4 5 6 7 8 9 10 11 12; do echo $n; sleep 1; done";
    live(Script::new().say("Hello."), async |live| {
        let start = Instant::now();
        let builder = live.builder().settings(at_start(command));
        let mut session = builder.spawn_timeout(Duration::from_secs(9)).spawn().await.unwrap();
        assert!(start.elapsed() > Duration::from_secs(11), "the hook ran");
        assert_eq!(session.prompt("Hi.").await.unwrap().text(), "Hello.");
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_hook_of_the_start_that_says_nothing_reaches_the_limit() {
    live(Script::new(), async |live| {
        let builder = live.builder().settings(at_start("sleep 50"));
        let error = builder.spawn_timeout(Duration::from_secs(8)).spawn().await.unwrap_err();
        let timeout = error.timeout().unwrap();
        assert_eq!(timeout.clock, Clock::Spawn);
        assert_eq!(timeout.last_heard.as_ref().unwrap().line, "system/hook_started");
        Traces::of_folder(live).gone(END).await;
    })
    .await;
}

#[tokio::test]
async fn a_model_that_never_answers_is_given_up_and_the_cli_is_ended() {
    live(Script::new().reply(Reply::hold()), async |live| {
        let limit = Duration::from_secs(4);
        let mut session = live.builder().idle_timeout(limit).spawn().await.unwrap();
        let traces = Traces::of(live, &session);
        let error = timeout(Duration::from_secs(30), session.prompt("Hi.")).await.unwrap();
        let error = error.unwrap_err();
        let timeout = error.timeout().unwrap();
        assert_eq!((timeout.clock, timeout.limit), (Clock::Idle, limit));
        assert!(timeout.last_heard.as_ref().unwrap().ago >= limit);
        assert!(!session.is_alive());
        traces.gone(END).await;
    })
    .await;
}

#[tokio::test]
async fn a_tool_of_ours_may_take_longer_than_silence() {
    /// Takes its time.
    #[byre::tool(register = false)]
    async fn ponder() -> &'static str {
        sleep(Duration::from_secs(9)).await;
        "42"
    }

    live(Script::new().call("ponder", json!({})).say("{result}"), async |live| {
        let builder = live.builder().tools(byre::tools![ponder]);
        let builder = builder.idle_timeout(Duration::from_secs(6));
        let mut session = builder.spawn().await.unwrap();
        assert_eq!(session.prompt("Think.").await.unwrap().text(), "42");
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_turn_that_takes_too_long_is_given_up_with_its_commands() {
    let command = json!({"command": "touch started; tail -f /dev/null; true"});
    live(Script::new().call("Bash", command), async |live| {
        let builder = live.builder().bypass_permissions();
        let mut session = builder.turn_timeout(Duration::from_secs(8)).spawn().await.unwrap();
        let traces = Traces::of(live, &session);
        let error = session.prompt("Start.").await.unwrap_err();
        assert_eq!(error.timeout().unwrap().clock, Clock::Turn);
        assert!(live.file("started").exists());
        traces.gone(END).await;
    })
    .await;
}
