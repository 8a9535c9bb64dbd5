//! What may run without a question.

use byre::{ErrorKind, Event, PermissionMode, event::SystemEvent, testing::Script};
use serde_json::{Value, json};

use super::{Live, events, live};

/// Counts the cows.
#[byre::tool(register = false)]
async fn count() -> u32 {
    12
}

fn write(live_file: &str) -> Value {
    json!({"file_path": live_file, "content": "moo"})
}

/// Whether the last result of `tool` in the last request is an error.
fn was_denied(live: &Live, tool: &str) -> bool {
    let requests = live.requests();
    let request = requests.last().expect("the model was asked");
    request.result(tool).expect("the tool was called").is_error
}

#[tokio::test]
async fn tools_of_byre_run_and_others_are_denied() {
    let script = Script::new()
        .call("count", json!({}))
        .call("Bash", json!({"command": "touch made"}))
        .say("Done.");
    live(script, async |live| {
        let builder = live.builder().tools(byre::tools![count]);
        let mut session = builder.permission_mode(PermissionMode::Default).spawn().await.unwrap();
        let outcome = session.prompt("Go.").await.unwrap();
        assert!(!outcome.is_error());
        assert_eq!(live.requests()[1].result("count").unwrap().text, "12");
        assert!(was_denied(live, "Bash"), "{:?}", live.requests()[2].tool_results);
        assert!(!live.file("made").exists());
        let denials = &outcome.raw().to_value()["permission_denials"];
        assert_eq!(denials[0]["tool_name"], "Bash");
        assert_eq!(denials.as_array().unwrap().len(), 1, "{denials}");
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn the_mode_that_the_settings_choose_is_the_default() {
    let script = Script::new().call("count", json!({})).say("{result}");
    live(script, async |live| {
        let mut session = live.builder().tools(byre::tools![count]).spawn().await.unwrap();
        assert_eq!(session.prompt("Go.").await.unwrap().text(), "12");
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn tools_of_byre_run_in_every_mode_but_plan() {
    let modes =
        [PermissionMode::AcceptEdits, PermissionMode::BypassPermissions, PermissionMode::DontAsk];
    let script = modes
        .iter()
        .fold(Script::new(), |script, _| script.call("count", json!({})).say("{result}"));
    live(script, async |live| {
        for mode in modes {
            let builder = live.builder().tools(byre::tools![count]).permission_mode(mode);
            let mut session = builder.spawn().await.unwrap();
            let events = events(&mut session, "Go.").await;
            let init = events.iter().find_map(|event| match event {
                Event::System(SystemEvent::Init(init)) => Some(init.permission_mode.clone()),
                _ => None,
            });
            assert_eq!(init.as_deref(), Some(mode.as_str()));
            assert!(
                !was_denied(live, "count"),
                "{mode:?}: {:?}",
                live.requests().last().unwrap().tool_results
            );
            session.close().await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn only_tools_that_read_run_in_plan_mode() {
    /// Looks at the cows.
    #[byre::tool(register = false, read_only)]
    async fn look() -> &'static str {
        "they graze"
    }

    let script = Script::new().call("look", json!({})).call("count", json!({})).say("Done.");
    live(script, async |live| {
        let builder = live.builder().tools(byre::tools![count, look]);
        let mut session = builder.permission_mode(PermissionMode::Plan).spawn().await.unwrap();
        session.prompt("Go.").await.unwrap();
        assert_eq!(live.requests()[1].result("look").unwrap().text, "they graze");
        assert!(was_denied(live, "count"));
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_switch_of_the_mode_decides_the_next_call() {
    let file = "made.txt";
    let script =
        Script::new().call("Write", write(file)).say("No.").call("Write", write(file)).say("Yes.");
    live(script, async |live| {
        let builder = live.builder().permission_mode(PermissionMode::Default);
        let mut session = builder.spawn().await.unwrap();
        session.prompt("Write.").await.unwrap();
        assert!(was_denied(live, "Write"));
        let handle = session.handle();
        handle.set_permission_mode(PermissionMode::AcceptEdits).await.unwrap();
        session.prompt("Write.").await.unwrap();
        assert!(!was_denied(live, "Write"), "{:?}", live.requests().last().unwrap().tool_results);

        let bypass = handle.set_permission_mode(PermissionMode::BypassPermissions).await;
        assert_eq!(bypass.unwrap_err().kind(), ErrorKind::Refused, "the launch did not allow it");
        session.close().await.unwrap();
    })
    .await;
}
