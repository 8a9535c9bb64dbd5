//! Answers as values, and one prompt from start to end, over the stand-in for the CLI.

use byre::{
    OutputError, Session,
    testing::{Script, ScriptedCli},
};
use serde_json::json;

fn builder(script: Script) -> (byre::SessionBuilder, byre::testing::Recorder) {
    let cli = ScriptedCli::new(script);
    let recorder = cli.recorder();
    (Session::builder().tools([]).hooks([]).transport(cli), recorder)
}

#[tokio::test]
async fn the_schema_goes_with_initialize_and_the_value_comes_back() {
    let script = Script::new().call("StructuredOutput", json!({"result": [2, 3, 5]}));
    let (builder, recorder) = builder(script);
    let primes: Vec<u32> = builder.output().ask("Which primes are below 6?").await.unwrap();
    assert_eq!(primes, [2, 3, 5]);
    let initialize = &recorder.received()[0]["request"];
    assert_eq!(initialize["subtype"], "initialize");
    assert_eq!(initialize["jsonSchema"]["type"], "object");
    assert_eq!(initialize["jsonSchema"]["properties"]["result"]["type"], "array");
}

#[tokio::test]
async fn text_instead_of_a_value_is_told() {
    let (builder, _) = builder(Script::new().say("Two and three."));
    let error = builder.output::<Vec<u32>>().ask("Which primes?").await.unwrap_err();
    assert!(matches!(error, OutputError::Missing(text) if text == "Two and three."));
}

#[tokio::test]
async fn a_value_of_another_type_is_given_back() {
    let script = Script::new().call("StructuredOutput", json!({"result": "many"}));
    let (builder, _) = builder(script);
    match builder.output::<Vec<u32>>().ask("Which primes?").await.unwrap_err() {
        OutputError::Mismatch { value, .. } => assert_eq!(value, json!({"result": "many"})),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_failed_turn_is_no_answer() {
    let (builder, _) = builder(Script::new().error(529, "overloaded"));
    let error = builder.output::<u32>().ask("How many?").await.unwrap_err();
    assert!(matches!(error, OutputError::Turn(text) if text.contains("529")));
}

#[tokio::test]
async fn a_session_of_several_turns_answers_each_with_a_value() {
    let script = Script::new()
        .call("StructuredOutput", json!({"result": 4}))
        .call("StructuredOutput", json!({"result": 8}));
    let (builder, _) = builder(script);
    let mut session = builder.output::<u32>().builder().spawn().await.unwrap();
    assert_eq!(session.prompt("A cow?").await.unwrap().output::<u32>().unwrap(), 4);
    assert_eq!(session.prompt("A spider?").await.unwrap().output::<u32>().unwrap(), 8);
}

/// The recording has one value that the CLI refuses, and then one that it takes.
#[tokio::test]
async fn the_recorded_session_answers_with_its_value() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Answer {
        n: u32,
    }

    let text = include_str!("../golden/transcripts/14-structured-output.jsonl");
    let (transport, director) = byre::testing::Replay::parse(text).unwrap().start();
    let builder = Session::builder().tools([]).hooks([]).transport(transport);
    let mut session = builder.output::<Answer>().builder().spawn().await.unwrap();
    let outcome = session.prompt("answer with a number").await.unwrap();
    assert_eq!(outcome.output::<Answer>().unwrap().n, 6);
    session.close().await.unwrap();
    director.finish().await.unwrap();
}
