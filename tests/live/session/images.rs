//! Pictures in prompts.

use byre::{Prompt, testing::Script};

use serde_json::Value;

use super::live;

/// A PNG file of one transparent pixel.
pub(super) const PIXEL: &[u8] = b"\x89PNG\r\n\x1a\n\
    \0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\
    \0\0\0\x0aIDATx\x9cc\0\x01\0\0\x05\0\x01\x0d\x0a\x2d\xb4\
    \0\0\0\0IEND\xaeB`\x82";

#[tokio::test]
async fn a_picture_reaches_the_model_before_its_text() {
    live(Script::new().say("A dot."), async |live| {
        let mut session = live.builder().spawn().await.unwrap();
        let prompt = Prompt::new("What is this?").image(PIXEL);
        assert_eq!(session.prompt(prompt).await.unwrap().text(), "A dot.");
        let request = &live.requests()[0];
        assert!(request.prompt.starts_with("What is this?"), "{}", request.prompt);
        let messages = request.body["messages"].as_array().unwrap();
        let mut blocks =
            messages.iter().filter_map(|message| message["content"].as_array()).flatten();
        let image = blocks.find(|block| block["type"] == "image").expect("the picture");
        assert_eq!(image["source"]["media_type"], "image/png");
        assert!(image["source"]["data"].as_str().unwrap().starts_with("iVBORw0KGgo"));
        let is_text = |text: &Value| text.as_str().is_some_and(|t| t.starts_with("What is this?"));
        assert!(blocks.any(|block| is_text(&block["text"])), "{messages:?}");
        session.close().await.unwrap();
    })
    .await;
}
