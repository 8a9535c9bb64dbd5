//! Turns that are stopped, or that nobody waits for any more.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use byre::{
    Session,
    testing::{ModelRequest, Reply, Script},
};
use serde_json::json;
use tokio::{
    sync::Notify,
    time::{Instant, timeout},
};

use super::{Live, live, recorded};

/// Sets a flag when it is dropped: when the future that holds it is.
struct Flag(&'static AtomicBool);

impl Drop for Flag {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Makes a tool that runs for ever, and says when it starts and that it was dropped.
macro_rules! hanging_tool {
    () => {
        static STARTED: Notify = Notify::const_new();
        static DROPPED: AtomicBool = AtomicBool::new(false);

        /// Never ends.
        #[byre::tool(register = false)]
        async fn hang() {
            let _flag = Flag(&DROPPED);
            STARTED.notify_one();
            std::future::pending::<()>().await;
        }
    };
}

/// Prompts, and expects that nothing of what came before is in the way.
async fn is_usable(live: &Live, session: &mut Session, text: &str) {
    let before = live.requests().len();
    let start = Instant::now();
    let outcome = session.prompt("And now?").await.expect("the session goes on");
    assert_eq!((outcome.text(), outcome.is_error()), (text, false));
    assert_eq!(live.requests().len(), before + 1, "the turn that was left asks no more");
    assert_eq!(live.requests()[before].prompt, "And now?", "a prompt of its own");
    assert!(start.elapsed() < Duration::from_secs(10), "took {:?}", start.elapsed());
}

#[tokio::test]
async fn interrupting_a_tool_drops_it_and_ends_the_turn() {
    hanging_tool!();

    live(Script::new().call("hang", json!({})).say("Yes?"), async |live| {
        let mut session = live.builder().tools(byre::tools![hang]).spawn().await.unwrap();
        let handle = session.handle();
        let interrupt = tokio::spawn(async move {
            STARTED.notified().await;
            handle.interrupt().await
        });
        let outcome = session.prompt("Start.").await.unwrap();
        interrupt.await.unwrap().unwrap();
        assert!(outcome.is_error());
        assert_eq!(*outcome.result().terminal_reason.as_ref().unwrap(), "aborted_tools");
        assert!(!outcome.text().is_empty(), "says something: {:?}", outcome.raw());
        assert!(DROPPED.load(Ordering::SeqCst));
        is_usable(live, &mut session, "Yes?").await;
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_tool_can_interrupt_its_own_turn() {
    use std::sync::OnceLock;

    static HANDLE: OnceLock<byre::SessionHandle> = OnceLock::new();

    /// Has enough.
    #[byre::tool(register = false)]
    async fn enough() -> &'static str {
        HANDLE.get().unwrap().interrupt().await.unwrap();
        "never read"
    }

    live(Script::new().call("enough", json!({})).say("Yes?"), async |live| {
        let mut session = live.builder().tools(byre::tools![enough]).spawn().await.unwrap();
        HANDLE.set(session.handle()).unwrap();
        let outcome = session.prompt("Start.").await.unwrap();
        assert_eq!(*outcome.result().terminal_reason.as_ref().unwrap(), "aborted_tools");
        is_usable(live, &mut session, "Yes?").await;
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn interrupting_the_model_while_it_writes_ends_the_turn() {
    let script = Script::new().reply(Reply::say("Once upon a time").and_hold()).say("Yes?");
    live(script, async |live| {
        let builder = live.builder().include_partial_messages(true);
        let mut session = builder.spawn().await.unwrap();
        let handle = session.handle();
        let mut turn = session.prompt("Tell me a story.");
        while turn.next().await.unwrap().unwrap().text_delta().is_none() {}
        handle.interrupt().await.unwrap();
        let outcome = turn.outcome().await.unwrap();
        assert!(outcome.is_error());
        assert_eq!(*outcome.result().terminal_reason.as_ref().unwrap(), "aborted_streaming");
        is_usable(live, &mut session, "Yes?").await;
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn interrupting_nothing_does_nothing() {
    live(Script::new().say("Yes?"), async |live| {
        let mut session = live.builder().spawn().await.unwrap();
        session.handle().interrupt().await.unwrap();
        is_usable(live, &mut session, "Yes?").await;
        session.handle().interrupt().await.unwrap();
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_turn_dropped_while_a_tool_runs_leaves_a_clean_session() {
    hanging_tool!();

    live(Script::new().call("hang", json!({})).say("Yes?"), async |live| {
        let builder = live.builder().tools(byre::tools![hang]);
        let mut session = builder.transcript(live.file("record.jsonl")).spawn().await.unwrap();
        tokio::select! {
            outcome = session.prompt("Start.") => panic!("it ended: {outcome:?}"),
            () = STARTED.notified() => {}
        }
        is_usable(live, &mut session, "Yes?").await;
        assert!(DROPPED.load(Ordering::SeqCst));
        session.close().await.unwrap();
        check_that_results_name_their_prompts(live);
    })
    .await;
}

#[tokio::test]
async fn a_turn_dropped_while_the_model_writes_leaves_a_clean_session() {
    let script = Script::new().reply(Reply::say("Once upon a time").and_hold()).say("Yes?");
    live(script, async |live| {
        let builder = live.builder().include_partial_messages(true);
        let mut session = builder.transcript(live.file("record.jsonl")).spawn().await.unwrap();
        let mut turn = session.prompt("Tell me a story.");
        while turn.next().await.unwrap().unwrap().text_delta().is_none() {}
        drop(turn);
        is_usable(live, &mut session, "Yes?").await;
        session.close().await.unwrap();
        check_that_results_name_their_prompts(live);
    })
    .await;
}

/// Drops a turn at the event whose state or subtype is `moment`, or before any event.
async fn drop_at(moment: Option<&str>) {
    // The CLI reads the prompt, waits for the tools, and begins; the model may be asked or not.
    let reply = |request: &ModelRequest| {
        if request.prompt.ends_with("And now?") { Reply::say("Yes?") } else { Reply::hold() }
    };
    live(Script::new().reply_with(reply).reply_with(reply), async |live| {
        let builder = live.builder().tools(byre::tools![idle]);
        let mut session = builder.spawn().await.expect("the session starts");
        let mut turn = session.prompt("Start.");
        if let Some(moment) = moment {
            loop {
                let event = turn.next().await.expect("an event").expect("the session goes on");
                let line = event.raw().to_value();
                if line["state"] == moment || line["subtype"] == moment {
                    break;
                }
            }
        } else {
            assert!(timeout(Duration::ZERO, turn.next()).await.is_err());
        }
        drop(turn);
        let outcome = timeout(Duration::from_secs(10), session.prompt("And now?")).await;
        let outcome = outcome.expect("nothing is waited for").expect("the session goes on");
        assert_eq!((outcome.text(), outcome.is_error()), ("Yes?", false));
        session.close().await.expect("it ends");
    })
    .await;
}

#[tokio::test]
async fn a_turn_dropped_before_the_cli_has_read_its_prompt_is_withdrawn() {
    drop_at(None).await;
}

#[tokio::test]
async fn a_turn_dropped_while_its_prompt_waits_is_withdrawn() {
    drop_at(Some("queued")).await;
}

#[tokio::test]
async fn a_turn_dropped_when_it_begins_is_interrupted() {
    drop_at(Some("started")).await;
}

#[tokio::test]
async fn a_turn_dropped_after_its_first_event_is_interrupted() {
    drop_at(Some("init")).await;
}

/// Is there so that the CLI has tools to wait for.
#[byre::tool(register = false)]
async fn idle() {}

/// byre tells by these ids which result belongs to which prompt.
fn check_that_results_name_their_prompts(live: &Live) {
    let sent = recorded(live, "record.jsonl", "send");
    let prompts = sent.iter().filter(|line| line["type"] == "user");
    let prompts = prompts.map(|line| json!([line["uuid"]])).collect::<Vec<_>>();
    let received = recorded(live, "record.jsonl", "recv");
    let results = received.iter().filter(|line| line["type"] == "result");
    let results = results.map(|line| line["user_message_uuids"].clone()).collect::<Vec<_>>();
    assert_eq!(results, prompts);
}
