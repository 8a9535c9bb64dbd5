//! Answers as values, and one prompt from start to end.

use std::sync::atomic::{AtomicBool, Ordering};

use byre::{OutputError, testing::Script};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::live;

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Cow {
    name: String,
    legs: u8,
}

#[tokio::test]
async fn an_answer_is_a_value_and_a_wrong_one_is_mended() {
    let script = Script::new()
        .call("StructuredOutput", json!({"name": "Bella"}))
        .call("StructuredOutput", json!({"name": "Bella", "legs": 4}));
    live(script, async |live| {
        let cow: Cow = live.builder().output().ask("Which cow?").await.unwrap();
        assert_eq!(cow, Cow { name: "Bella".to_owned(), legs: 4 });
        let refused = live.requests()[1].result("StructuredOutput").unwrap().clone();
        assert!(refused.is_error && refused.text.contains("legs"), "{refused:?}");
    })
    .await;
}

#[tokio::test]
async fn an_answer_that_is_no_object_is_a_value_too() {
    let script = Script::new().call("StructuredOutput", json!({"result": [2, 3]}));
    live(script, async |live| {
        let primes: Vec<u32> = live.builder().output().ask("Which primes?").await.unwrap();
        assert_eq!(primes, [2, 3]);
    })
    .await;
}

#[tokio::test]
async fn text_instead_of_a_value_is_told() {
    // The CLI reminds the model once.
    let script = Script::new().say("Two and three.").say("As I said.");
    live(script, async |live| {
        let error = live.builder().output::<u32>().ask("Which primes?").await.unwrap_err();
        assert!(matches!(&error, OutputError::Missing(text) if text == "As I said."), "{error:?}");
    })
    .await;
}

#[tokio::test]
async fn one_prompt_ends_when_what_runs_in_the_background_has_ended() {
    static CALLED: AtomicBool = AtomicBool::new(false);

    /// Counts the cows.
    #[byre::tool(register = false)]
    async fn count() -> u32 {
        // Long after the result of the prompt.
        tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
        CALLED.store(true, Ordering::SeqCst);
        12
    }

    let task =
        json!({"description": "count", "prompt": "Count the cows.", "run_in_background": true});
    let subagent = Script::new().call("count", json!({})).say("There are {result}.");
    let script = Script::new()
        .call("Agent", task)
        .call("StructuredOutput", json!({"result": 11}))
        .say("Now I know.")
        .say("Really.")
        .for_prompt("Count the cows", subagent);
    live(script, async |live| {
        let builder = live.builder().tools(byre::tools![count]);
        assert_eq!(builder.output::<u32>().ask("How many?").await.unwrap(), 11);
        assert!(CALLED.load(Ordering::SeqCst), "{} requests", live.requests().len());
    })
    .await;
}
