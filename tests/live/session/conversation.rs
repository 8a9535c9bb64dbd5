//! Conversations that outlive a process.

use byre::{Session, testing::Script};
use serde_json::json;

use super::live;

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
