//! Work that goes on beside a turn.

use std::sync::atomic::{AtomicUsize, Ordering};

use byre::{ErrorKind, Prompt, WhenBusy, event::Tasks, testing::Script};
use serde_json::json;
use tokio::sync::Notify;

use super::{Live, live};

static CALLS: AtomicUsize = AtomicUsize::new(0);

/// Counts its calls.
#[byre::tool(register = false)]
async fn count() -> usize {
    CALLS.fetch_add(1, Ordering::SeqCst) + 1
}

/// Takes a moment.
#[byre::tool(register = false)]
async fn slow() -> &'static str {
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    "done"
}

#[tokio::test]
async fn a_subagent_calls_tools_after_the_result_and_starts_a_turn_of_its_own() {
    let agent = json!({
        "description": "count", "prompt": "SUBTASK: count once", "subagent_type": "general-purpose",
    });
    let subtask = Script::new().call("count", json!({})).say("Counted {result}.");
    let script = Script::new()
        .call("Agent", agent)
        .say("Started.")
        .say("The subagent is done.")
        .for_prompt("SUBTASK", subtask);
    live(script, async |live: &Live| {
        let mut session = live.builder().tools(byre::tools![count]).spawn().await.unwrap();
        let first = session.prompt("Start a subagent.").await.unwrap();
        assert_eq!(first.text(), "Started.");
        let mut tasks = Tasks::default();
        let mut ended = 0;
        let mut turn = session.next_turn().await.unwrap().unwrap();
        while let Some(event) = turn.next().await {
            let task = tasks.push(&event.unwrap());
            ended += usize::from(task.is_some_and(|task| task.is_over()));
        }
        let second = turn.outcome().await.unwrap();
        assert_eq!(second.text(), "The subagent is done.");
        let origin = second.result().origin.as_ref().expect("nobody has asked for it");
        assert_eq!(origin.kind.as_str(), "task-notification");
        assert_eq!(CALLS.load(Ordering::SeqCst), 1);
        assert_eq!(tasks.running().count(), 0);
        assert!(ended <= 1, "the end of a task is told once");
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_queued_prompt_gets_a_turn_of_its_own() {
    let script = Script::new().call("slow", json!({})).say("First.").say("Second.");
    live(script, async |live: &Live| {
        let mut session = live.builder().tools(byre::tools![slow]).spawn().await.unwrap();
        let handle = session.handle();
        let mut turn = session.prompt("one");
        turn.next().await.unwrap().unwrap();
        let queued = handle.send(Prompt::new("two").when_busy(WhenBusy::Queue)).unwrap();
        assert_eq!(turn.outcome().await.unwrap().text(), "First.");
        let second = session.next_turn().await.unwrap().unwrap().await.unwrap();
        assert_eq!(second.text(), "Second.");
        assert_eq!(second.result().user_message_uuids, [queued]);
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_prompt_that_is_folded_in_is_answered_by_the_running_turn() {
    let script = Script::new().call("slow", json!({})).say("Both.");
    live(script, async |live: &Live| {
        let mut session = live.builder().tools(byre::tools![slow]).spawn().await.unwrap();
        let handle = session.handle();
        let mut turn = session.prompt("one");
        while live.requests().is_empty() {
            turn.next().await.unwrap().unwrap();
        }
        // The tool runs now, or is about to.
        let folded = handle.send("two").unwrap();
        let outcome = turn.outcome().await.unwrap();
        assert_eq!(outcome.text(), "Both.");
        assert_eq!(outcome.result().user_message_uuids.len(), 2);
        assert_eq!(outcome.result().user_message_uuids[1], folded);
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_turn_whose_prompt_somebody_else_withdraws_ends() {
    static STARTED: Notify = Notify::const_new();

    /// Never ends.
    #[byre::tool(register = false)]
    async fn hang() {
        STARTED.notify_one();
        std::future::pending::<()>().await;
    }

    let script = Script::new().call("hang", json!({})).say("Back.");
    live(script, async |live: &Live| {
        let mut session = live.builder().tools(byre::tools![hang]).spawn().await.unwrap();
        let handle = session.handle();
        handle.send("Something slow.").unwrap();
        STARTED.notified().await;
        let others = tokio::spawn(async move {
            // By then the CLI has read the prompt.
            tokio::time::sleep(std::time::Duration::from_millis(500)).await;
            handle.interrupt_and_cancel_queued().await
        });
        let prompt = Prompt::new("Never mind.").when_busy(WhenBusy::Queue);
        let error = session.prompt(prompt).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Prompt);
        assert_eq!(others.await.unwrap().unwrap().cancelled.len(), 1);
        assert_eq!(session.prompt("And now?").await.unwrap().text(), "Back.");
        session.close().await.unwrap();
    })
    .await;
}

/// The CLI names 64 prompts in a result at most, and not the one whose turn is waited for here.
#[tokio::test]
async fn a_turn_ends_also_when_its_result_can_not_name_all_prompts() {
    let script = Script::new().call("slow", json!({})).say("All.").say("Next.");
    live(script, async |live: &Live| {
        let mut session = live.builder().tools(byre::tools![slow]).spawn().await.unwrap();
        let handle = session.handle();
        handle.send("one").unwrap();
        while live.requests().is_empty() {
            session.next_event().await.unwrap().unwrap();
        }
        for n in 0..70 {
            handle.send(format!("more {n}")).unwrap();
        }
        let outcome = session.prompt("last").await.unwrap();
        assert_eq!(outcome.text(), "All.");
        assert_eq!(outcome.result().user_message_uuids.len(), 64);
        assert!(live.requests()[1].body.to_string().contains("last"));
        assert_eq!(session.prompt("And now?").await.unwrap().text(), "Next.");
        session.close().await.unwrap();
    })
    .await;
}
