//! Turns, events, the model, and the record of it all.

use byre::{Event, event::SystemEvent, testing::Script};
use serde_json::json;

use super::{events, live, recorded};

/// Adds two integers.
#[byre::tool(register = false)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[tokio::test]
async fn pieces_of_text_join_to_the_text() {
    let pieces = ["It", " is\n", "", "a \u{1f404}", "."];
    live(Script::new().say_in(pieces), async |live| {
        let builder = live.builder().include_partial_messages(true);
        let mut session = builder.spawn().await.unwrap();
        let events = events(&mut session, "What is it?").await;
        let deltas = events.iter().filter_map(Event::text_delta).collect::<Vec<_>>();
        assert_eq!(deltas.iter().filter(|text| !text.is_empty()).count(), 4, "{deltas:?}");
        assert_eq!(deltas.concat(), pieces.concat());
        let texts = events.iter().filter_map(|event| match event {
            Event::Assistant(message) => Some(message.text()),
            _ => None,
        });
        assert_eq!(texts.collect::<Vec<_>>(), [pieces.concat()]);
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn there_are_no_pieces_unless_they_are_asked_for() {
    live(Script::new().say_in(["It", " is."]), async |live| {
        let mut session = live.builder().spawn().await.unwrap();
        let events = events(&mut session, "What is it?").await;
        assert!(!events.iter().any(|event| matches!(event, Event::Stream(_))), "{events:?}");
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn an_outcome_tells_what_became_of_the_turn() {
    let script = Script::new().call("add", json!({"a": 2, "b": 3})).say("It is {result}.");
    live(script, async |live| {
        let mut session = live.builder().tools(byre::tools![add]).spawn().await.unwrap();
        assert_eq!(session.handle().session_id(), None);
        let outcome = session.prompt("2 + 3?").await.unwrap();
        assert_eq!((outcome.text(), outcome.is_error()), ("It is 5.", false));
        assert_eq!(outcome.num_turns(), 2);
        assert!(outcome.total_cost_usd() > 0.0);
        assert!(!outcome.duration().is_zero());
        assert_eq!(*outcome.result().terminal_reason.as_ref().unwrap(), "completed");
        assert_eq!(outcome.result().user_message_uuids.len(), 1);
        assert_eq!(session.handle().session_id().as_deref(), Some(outcome.session_id()));
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_refusal_of_the_api_is_an_outcome_and_the_session_goes_on() {
    let script = Script::new().error(401, "invalid x-api-key").say("Hello.");
    live(script, async |live| {
        let mut session = live.builder().spawn().await.unwrap();
        let outcome = session.prompt("Hi.").await.unwrap();
        assert!(outcome.is_error());
        assert_eq!(outcome.result().subtype, "success", "so `is_error` has to tell");
        assert!(outcome.text().contains("Invalid API key"), "{}", outcome.text());
        let outcome = session.prompt("Hi?").await.unwrap();
        assert_eq!((outcome.text(), outcome.is_error()), ("Hello.", false));
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn the_model_is_chosen_and_switched() {
    live(Script::new().say("One.").say("Two."), async |live| {
        let mut session = live.builder().model("haiku").spawn().await.unwrap();
        session.prompt("first").await.unwrap();
        let model = session.handle().set_model("sonnet").await.unwrap().unwrap();
        assert!(model.starts_with("claude-sonnet"), "{model}");
        let events = events(&mut session, "second").await;
        let init = events.iter().find_map(|event| match event {
            Event::System(SystemEvent::Init(init)) => Some(init.model.clone()),
            _ => None,
        });
        assert_eq!(init.as_ref(), Some(&model));
        let requests = live.requests();
        assert!(requests[0].model.starts_with("claude-haiku"), "{}", requests[0].model);
        assert_eq!(requests[1].model, model);
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_transcript_has_both_directions_and_belongs_to_its_owner() {
    use std::os::unix::fs::PermissionsExt;

    let script = Script::new().call("add", json!({"a": 2, "b": 3})).say_in(["It is ", "{result}."]);
    live(script, async |live| {
        let mut session = live
            .builder()
            .tools(byre::tools![add])
            .include_partial_messages(true)
            .transcript(live.file("record.jsonl"))
            .spawn()
            .await
            .unwrap();
        session.prompt("2 + 3?").await.unwrap();
        session.close().await.unwrap();

        let sent = recorded(live, "record.jsonl", "send");
        assert_eq!(sent[0]["request"]["subtype"], "initialize");
        assert!(sent.iter().any(|line| line["message"]["content"] == "2 + 3?"), "{sent:#?}");
        let result = &json!({"content": [{"type": "text", "text": "5"}]});
        assert!(
            sent.iter().any(|l| l["response"]["response"]["mcp_response"]["result"] == *result)
        );
        let received = recorded(live, "record.jsonl", "recv");
        for kind in ["control_request", "control_response", "system", "assistant", "user", "result"]
        {
            assert!(received.iter().any(|line| line["type"] == kind), "no {kind}: {received:#?}");
        }
        assert!(received.iter().all(|line| line["type"] != "stream_event"));
        let mode = live.file("record.jsonl").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    })
    .await;
}

#[tokio::test]
async fn a_prompt_that_is_sent_while_a_tool_runs_joins_the_turn() {
    use tokio::sync::{Notify, SetOnce};

    static STARTED: Notify = Notify::const_new();
    static SENT: SetOnce<()> = SetOnce::const_new();

    /// Waits until there is more to do.
    #[byre::tool(register = false)]
    async fn wait() -> &'static str {
        STARTED.notify_one();
        SENT.wait().await;
        // The CLI looks at what it was sent before it looks at the result.
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        "waited"
    }

    live(Script::new().call("wait", json!({})).say("Both."), async |live| {
        let mut session = live.builder().tools(byre::tools![wait]).spawn().await.unwrap();
        let handle = session.handle();
        let more = tokio::spawn(async move {
            STARTED.notified().await;
            let uuid = handle.send("And more.").unwrap();
            SENT.set(()).unwrap();
            uuid
        });
        let outcome = session.prompt("Go.").await.unwrap();
        let uuid = more.await.unwrap();
        assert_eq!(outcome.text(), "Both.");
        let uuids = &outcome.result().user_message_uuids;
        assert!(uuids.contains(&uuid), "{uuid} is not in {uuids:?}");
        assert!(live.requests()[1].body.to_string().contains("And more."));
        session.close().await.unwrap();
    })
    .await;
}
