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

/// The API takes 5 MB of base64. byre sets no limit for prompts, since the CLI makes pictures smaller itself.
#[tokio::test]
async fn a_picture_that_is_too_large_for_the_api_is_made_smaller_by_the_cli() {
    let picture = noise(1400);
    assert!(picture.len() > 5 * 1024 * 1024, "{}", picture.len());
    live(Script::new().say("Noise."), async |live| {
        let mut session = live.builder().spawn().await.unwrap();
        let prompt = Prompt::new("What is this?").image(picture);
        assert_eq!(session.prompt(prompt).await.unwrap().text(), "Noise.");
        let body = &live.requests()[0].body;
        let messages = body["messages"].as_array().unwrap();
        let mut blocks =
            messages.iter().filter_map(|message| message["content"].as_array()).flatten();
        let image = blocks.find(|block| block["type"] == "image").expect("the picture");
        let data = image["source"]["data"].as_str().unwrap();
        assert!(data.len() < 5 * 1024 * 1024, "{}", data.len());
        session.close().await.unwrap();
    })
    .await;
}

/// A PNG file of random pixels, which no compression makes smaller.
fn noise(side: u32) -> Vec<u8> {
    let mut random = 1_u32;
    let mut next = || {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 24) as u8
    };
    // Each row begins with the number of its filter.
    let row = 3 * side + 1;
    let pixels: Vec<_> = (0..side * row).map(|at| if at % row == 0 { 0 } else { next() }).collect();
    let mut data = vec![0x78, 0x01];
    let mut blocks = pixels.chunks(0xffff).peekable();
    while let Some(block) = blocks.next() {
        data.push(u8::from(blocks.peek().is_none()));
        let length = u16::try_from(block.len()).unwrap();
        data.extend(length.to_le_bytes());
        data.extend((!length).to_le_bytes());
        data.extend(block);
    }
    let (a, b) = pixels.iter().fold((1, 0), |(a, b): (u32, u32), &byte| {
        let a = (a + u32::from(byte)) % 65521;
        (a, (b + a) % 65521)
    });
    data.extend((b << 16 | a).to_be_bytes());

    let mut header = [side.to_be_bytes(), side.to_be_bytes()].concat();
    header.extend([8, 2, 0, 0, 0]);
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (name, content) in [(b"IHDR", header), (b"IDAT", data), (b"IEND", Vec::new())] {
        let chunk = [&name[..], &content].concat();
        png.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
        png.extend(&chunk);
        png.extend(crc(&chunk).to_be_bytes());
    }
    png
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 }
        })
    })
}
