//! Conversations that outlive a process.

use std::sync::{Arc, Mutex};

use byre::{
    ErrorKind, Event, Session,
    hook::{self, SessionEndInput, SessionStartInput},
    testing::Script,
};
use serde_json::json;

use super::{events, live};

/// Adds two integers.
#[byre::tool(register = false)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

async fn prompt_and_close(mut session: Session, prompt: &str) -> String {
    let outcome = session.prompt(prompt).await.expect("the session goes on");
    assert!(!outcome.is_error(), "{outcome:?}");
    let id = outcome.session_id().to_owned();
    session.close().await.expect("it ends");
    id
}

#[tokio::test]
async fn a_conversation_is_resumed_and_forked() {
    let script = Script::new()
        .call("add", json!({"a": 2, "b": 3}))
        .say("It is {result}.")
        .say("It was 5.")
        .say("It is still 5.")
        .say("And again.");
    live(script, async |live| {
        let builder = || live.builder().tools(byre::tools![add]);
        let id = prompt_and_close(builder().spawn().await.unwrap(), "2 + 3?").await;

        let resumed = builder().resume(&id).spawn().await.unwrap();
        assert_eq!(prompt_and_close(resumed, "What was it?").await, id);
        let history = live.requests()[2].body["messages"].to_string();
        for text in ["2 + 3?", "It is 5.", "What was it?", "tool_result"] {
            assert!(history.contains(text), "{text:?} is not in {history}");
        }

        let forked = builder().resume(&id).fork_session(true).spawn().await.unwrap();
        let other = prompt_and_close(forked, "Is it still?").await;
        assert_ne!(other, id);
        let history = live.requests()[3].body["messages"].to_string();
        assert!(history.contains("2 + 3?") && history.contains("It was 5."), "{history}");

        // What the fork said is not in the original.
        let resumed = builder().resume(&id).spawn().await.unwrap();
        assert_eq!(prompt_and_close(resumed, "And here?").await, id);
        let history = live.requests()[4].body["messages"].to_string();
        assert!(history.contains("It was 5.") && !history.contains("Is it still?"), "{history}");
    })
    .await;
}

/// Hooks of a program are asked when a conversation is cleared, and not when the process starts or ends.
#[tokio::test]
async fn a_conversation_that_is_cleared_has_another_id_and_asks_the_hooks_of_its_end_and_start() {
    live(Script::new().say("Hello.").say("No.").say("Yes."), async |live| {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (ends, starts) = (Arc::clone(&asked), Arc::clone(&asked));
        let mut session = live
            .builder()
            .hook(hook::on(move |input: SessionEndInput| {
                ends.lock().unwrap().push(format!("end {}", input.reason));
                async {}
            }))
            .hook(hook::on(move |input: SessionStartInput| {
                starts.lock().unwrap().push(format!("start {}", input.source));
                async {}
            }))
            .spawn()
            .await
            .unwrap();
        let handle = session.handle();
        let first = session.prompt("Hi.").await.unwrap().session_id().to_owned();
        assert_eq!(handle.session_id().unwrap(), first);

        let events = events(&mut session, "/clear").await;
        let is_reset = |event: &Event| matches!(event, Event::ConversationReset(_));
        assert!(events.iter().any(is_reset), "{events:?}");
        let second = handle.session_id().unwrap();
        assert_ne!(second, first, "it is another conversation already");
        let outcome = session.prompt("Do you know me?").await.unwrap();
        assert_eq!(outcome.session_id(), second);
        assert_eq!(handle.session_id().unwrap(), second);
        session.close().await.unwrap();
        assert_eq!(*asked.lock().unwrap(), ["end clear", "start clear"]);

        // What is gone on with is the conversation that was begun last.
        let resumed = live.builder().resume(&second).spawn().await.unwrap();
        assert_eq!(prompt_and_close(resumed, "And now?").await, second);
        let history = live.requests()[2].body["messages"].to_string();
        assert!(history.contains("Do you know me?") && !history.contains("Hi."), "{history}");
    })
    .await;
}

#[tokio::test]
async fn a_cut_that_would_drop_more_than_it_was_meant_to_is_refused_with_the_reason() {
    let script = Script::new().say("One.").say("Two.").say("Three.").say("Four.");
    live(script, async |live| {
        let mut session = live.builder().spawn().await.unwrap();
        let mut answers = Vec::new();
        let mut prompts = Vec::new();
        for prompt in ["first", "second", "third"] {
            for event in events(&mut session, prompt).await {
                match event {
                    Event::Assistant(message) => answers.push(message.uuid.clone()),
                    Event::Result(result) => prompts.push(result.user_message_uuids[0].clone()),
                    _ => {}
                }
            }
        }
        let id = session.handle().session_id().unwrap();
        session.close().await.unwrap();

        let cut = |answer: usize, prompt: usize| {
            live.builder()
                .resume(&id)
                .resume_at(&answers[answer])
                .resume_drops_turn(&prompts[prompt])
        };
        // Two turns would go, and only the last was named. It would be refused the next time too.
        let error = cut(0, 2).spawn().await.map(drop).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Exited);
        assert!(error.to_string().contains("Resume rejected by --resume-drops-turn"), "{error}");

        let resumed = cut(1, 2).spawn().await.unwrap();
        prompt_and_close(resumed, "third again").await;
        let history = live.requests()[3].body["messages"].to_string();
        assert!(history.contains("Two.") && !history.contains("Three."), "{history}");
    })
    .await;
}
