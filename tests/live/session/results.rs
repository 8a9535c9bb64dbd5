//! What the model sees of results and of failures.

use byre::{
    ForModel, ToolError,
    testing::{Script, SeenResult},
    tool::Content,
};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::{Live, images::PIXEL, live};

/// What the model saw of each result, in the order in which they came.
fn results(live: &Live) -> Vec<SeenResult> {
    live.requests().iter().flat_map(|request| request.tool_results.clone()).collect()
}

#[derive(Serialize, JsonSchema)]
struct Order {
    id: u32,
    open: bool,
}

#[tokio::test]
async fn data_reaches_the_model_without_a_wrapper_of_byre() {
    /// Finds an order.
    #[byre::tool(register = false)]
    async fn order(id: u32) -> Result<Order, ToolError> {
        if id == 0 { Err("there is no order 0".into()) } else { Ok(Order { id, open: true }) }
    }

    /// Lists orders.
    #[byre::tool(register = false)]
    async fn orders() -> Vec<Order> {
        vec![Order { id: 7, open: false }]
    }

    let script = Script::new()
        .call("order", json!({"id": 7}))
        .call("order", json!({"id": 0}))
        .call("orders", json!({}))
        .say("Done.");
    live(script, async |live| {
        let mut session = live.builder().tools(byre::tools![order, orders]).spawn().await.unwrap();
        session.prompt("Go.").await.unwrap();
        let seen = results(live).into_iter().map(|result| (result.is_error, result.text));
        assert_eq!(
            seen.collect::<Vec<_>>(),
            [
                (false, r#"{"id":7,"open":true}"#.to_owned()),
                (true, "there is no order 0".to_owned()),
                (false, r#"{"result":[{"id":7,"open":false}]}"#.to_owned()),
            ]
        );
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn the_detail_of_an_error_stays_in_the_program() {
    /// Fails.
    #[byre::tool(register = false)]
    async fn fails() -> Result<String, ToolError> {
        std::fs::read_to_string("/nowhere/secret-name").for_model("the store is closed")
    }

    let script = Script::new().call("fails", json!({})).say("{result}");
    live(script, async |live| {
        let transcript = live.file("transcript.jsonl");
        let builder = live.builder().tools(byre::tools![fails]).transcript(&transcript);
        let mut session = builder.spawn().await.unwrap();
        let outcome = session.prompt("Go.").await.unwrap();
        assert_eq!(outcome.text(), "the store is closed");
        session.close().await.unwrap();
        let [result] = &results(live)[..] else { panic!("one result") };
        assert!(result.is_error);
        assert_eq!(result.text, "the store is closed");
        // Neither the error nor anything else of it goes over the pipe.
        let lines = std::fs::read_to_string(transcript).unwrap();
        assert!(lines.contains("the store is closed"));
        assert!(!lines.contains("os error"), "{lines}");
    })
    .await;
}

#[tokio::test]
async fn what_the_helpers_let_through_the_cli_and_the_model_take() {
    /// Draws.
    #[byre::tool(register = false)]
    async fn draw() -> Result<Content, ToolError> {
        byre::image::png(PIXEL)
    }

    /// Draws, and does not know what.
    #[byre::tool(register = false)]
    async fn draw_any() -> Result<Vec<Content>, ToolError> {
        Ok(vec![Content::text("A dot:"), byre::image::any(PIXEL)?])
    }

    /// Gives all the rest.
    #[byre::tool(register = false)]
    async fn rest() -> Result<Vec<Content>, ToolError> {
        Ok(vec![
            byre::audio::wav(b"RIFF\x24\0\0\0WAVEfmt ")?,
            byre::resource::text("file:///a.md", "text/markdown", "# A")?,
            byre::resource::bytes("file:///a.zip", "application/zip", b"PK\x05\x06")?,
            byre::resource_link("https://example.com/a", "The rest")?,
        ])
    }

    let script = Script::new()
        .call("draw", json!({}))
        .call("draw_any", json!({}))
        .call("rest", json!({}))
        .say("Done.");
    live(script, async |live| {
        let tools = byre::tools![draw, draw_any, rest];
        let mut session = live.builder().tools(tools).spawn().await.unwrap();
        session.prompt("Go.").await.unwrap();
        let results = results(live);
        assert!(results.iter().all(|result| !result.is_error), "{results:?}");
        assert_eq!(results[0].content[0]["source"]["media_type"], "image/png", "{results:?}");
        assert_eq!(results[1].content[1]["source"]["media_type"], "image/png", "{results:?}");
        let rest = &results[2].text;
        for part in ["[Audio from byre]", "file:///a.md] # A", "[Resource link: The rest]"] {
            assert!(rest.contains(part), "{part} in {rest}");
        }
        session.close().await.unwrap();
    })
    .await;
}
