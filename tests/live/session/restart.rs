//! The real CLI goes on with a conversation whose process is gone.

use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

use byre::{
    ErrorKind, Event,
    hook::{UserPromptSubmitInput, UserPromptSubmitOutput},
    testing::Script,
};
use serde_json::json;
use tokio::{
    sync::Notify,
    time::{sleep, timeout},
};

use super::{Traces, end::kill, live};

#[tokio::test]
async fn a_cli_that_is_killed_in_a_turn_is_restarted_and_the_model_sees_what_was_said() {
    static STARTED: Notify = Notify::const_new();
    static ASKED: AtomicUsize = AtomicUsize::new(0);

    /// Never ends.
    #[byre::tool(register = false)]
    async fn hang() {
        STARTED.notify_one();
        std::future::pending::<()>().await;
    }

    /// Adds two integers.
    #[byre::tool(register = false)]
    async fn add(a: i64, b: i64) -> i64 {
        a + b
    }

    #[byre::hook(register = false)]
    async fn count(_input: UserPromptSubmitInput) -> UserPromptSubmitOutput {
        ASKED.fetch_add(1, Ordering::SeqCst);
        UserPromptSubmitOutput::default()
    }

    let script = Script::new()
        .say("Noted.")
        .call("hang", json!({}))
        .call("add", json!({"a": 2, "b": 3}))
        .say("It is {result}.");
    live(script, async |live| {
        let builder = live.builder().tools(byre::tools![hang, add]).hooks(byre::hooks![count]);
        let mut session = builder.spawn().await.unwrap();
        session.prompt("The cow is called Augeas.").await.unwrap();
        let traces = Traces::of(live, &session);
        let (pid, folder) = (traces.cli, live.config_dir());
        tokio::spawn(async move {
            STARTED.notified().await;
            // The CLI stores what was said a little later.
            while !holds(&folder, "Start to milk.") {
                sleep(Duration::from_millis(50)).await;
            }
            kill(pid);
        });
        let error = session.prompt("Start to milk.").await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Exited);
        assert_eq!(error.exit().unwrap().signal(), Some(9));
        assert!(error.unfinished_prompt().is_some(), "{error}");
        let id = session.handle().session_id();
        assert_eq!(live.requests().len(), 2);

        session.restart().await.unwrap();
        assert_ne!(session.handle().pid(), Some(pid));
        // A turn that began by itself would be seen within this time.
        let event = timeout(Duration::from_secs(3), session.next_event()).await;
        assert!(event.is_err(), "{event:?}");
        assert_eq!(live.requests().len(), 2, "nothing runs again by itself");

        let outcome = session.prompt("How many cows?").await.unwrap();
        assert_eq!(outcome.text(), "It is 5.", "the tools are served again");
        assert_eq!(Some(outcome.session_id().to_owned()), id);
        assert_eq!(ASKED.load(Ordering::SeqCst), 3, "the hook is asked again");
        let requests = live.requests();
        assert_eq!(requests.len(), 4);
        let shown = requests[2].body["messages"].to_string();
        for text in ["The cow is called Augeas.", "Noted.", "How many cows?"] {
            assert_eq!(shown.matches(text).count(), 1, "{text:?} in {shown}");
        }
        // The CLI may not have stored it yet when it was killed.
        assert!(shown.matches("Start to milk.").count() <= 1, "{shown}");
        session.close().await.unwrap();
        traces.gone(Duration::from_secs(5)).await;
    })
    .await;
}

/// Says whether a file in this folder holds this text.
fn holds(folder: &Path, text: &str) -> bool {
    fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok).any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            holds(&path, text)
        } else {
            fs::read(path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(text))
        }
    })
}

#[tokio::test]
async fn a_prompt_that_the_cli_had_not_stored_is_not_sent_again_either() {
    static STARTED: Notify = Notify::const_new();

    /// Never ends.
    #[byre::tool(register = false)]
    async fn hang() {
        STARTED.notify_one();
        std::future::pending::<()>().await;
    }

    let script = Script::new().say("Noted.").call("hang", json!({})).say("None.");
    live(script, async |live| {
        let mut session = live.builder().tools(byre::tools![hang]).spawn().await.unwrap();
        session.prompt("The cow is called Augeas.").await.unwrap();
        let pid = session.handle().pid().unwrap();
        tokio::spawn(async move {
            STARTED.notified().await;
            kill(pid);
        });
        session.prompt("Start to milk.").await.unwrap_err();
        session.restart().await.unwrap();
        assert_eq!(session.prompt("How many cows?").await.unwrap().text(), "None.");
        let requests = live.requests();
        assert_eq!(requests.len(), 3);
        let shown = requests[2].body["messages"].to_string();
        assert!(shown.contains("Augeas"), "{shown}");
        assert!(shown.matches("Start to milk.").count() <= 1, "{shown}");
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_session_can_be_restarted_between_two_turns_and_before_the_first() {
    let script = Script::new().say("One.").say("Two.").say("Three.");
    live(script, async |live| {
        let mut session = live.builder().spawn().await.unwrap();
        session.restart().await.unwrap();
        assert_eq!(session.prompt("First.").await.unwrap().text(), "One.");
        session.restart().await.unwrap();
        // And again without a turn.
        session.restart().await.unwrap();
        assert_eq!(session.prompt("Second.").await.unwrap().text(), "Two.");
        let shown = live.requests()[1].body["messages"].to_string();
        assert!(shown.contains("First.") && shown.contains("One."), "{shown}");
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_fork_is_gone_on_with_and_not_forked_again() {
    let script = Script::new().say("One.").say("Two.").say("Three.");
    live(script, async |live| {
        let mut session = live.builder().spawn().await.unwrap();
        session.prompt("First.").await.unwrap();
        let first = session.handle().session_id().unwrap();
        session.close().await.unwrap();
        let builder = live.builder().resume(first.clone()).fork_session(true);
        let mut session = builder.spawn().await.unwrap();
        session.prompt("Second.").await.unwrap();
        let fork = session.handle().session_id().unwrap();
        assert_ne!(fork, first);
        session.restart().await.unwrap();
        assert_eq!(session.prompt("Third.").await.unwrap().session_id(), fork);
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn an_id_that_was_given_is_kept_over_a_death_before_the_first_turn() {
    let id = "6a4bb1ab-0c1a-4d52-8a85-1d0a4a9f9d3c";
    live(Script::new().say("One.").say("Two."), async |live| {
        let mut session = live.builder().session_id(id).spawn().await.unwrap();
        kill(session.handle().pid().unwrap());
        while let Some(Ok(_)) = session.next_event().await {}
        session.restart().await.unwrap();
        assert!(matches!(session.next_event().await, Some(Ok(Event::Warning(_)))));
        assert_eq!(session.prompt("Hi.").await.unwrap().session_id(), id);
        session.restart().await.unwrap();
        assert_eq!(session.prompt("Hi.").await.unwrap().session_id(), id);
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_session_in_a_worktree_goes_on_there() {
    let git = "git init -q . && git -c user.name=a -c user.email=a@example.com commit -q \
               --allow-empty -m one";
    let command = json!({"command": "pwd"});
    let script = Script::new()
        .call("Bash", command.clone())
        .say("{result}")
        .call("Bash", command)
        .say("{result}");
    live(script, async |live| {
        #[expect(clippy::disallowed_methods, reason = "a test does what a person would")]
        let made = std::process::Command::new("sh")
            .args(["-c", git])
            .current_dir(live.cli.work_dir())
            .status();
        assert!(made.unwrap().success());
        let builder = live.builder().bypass_permissions().worktree("nightly");
        let mut session = builder.spawn().await.unwrap();
        let first = session.prompt("Where?").await.unwrap().text().to_owned();
        assert!(first.contains("nightly"), "{first}");
        session.restart().await.unwrap();
        assert_eq!(session.prompt("Where?").await.unwrap().text(), first);
        session.close().await.unwrap();
    })
    .await;
}
