//! A tool that draws: its result is text and an image, and the model looks at both.
//!
//! `cargo run --example media -- chart.png "A chart of 3, 1, 4, 1 and 5, please."` keeps the last chart in a
//! file; with `--offline` to play it without Claude.

use std::sync::{Arc, Mutex, PoisonError};

use byre::{Event, State, ToolError, event::ContentBlock, testing::Script, tool::Content};
use serde_json::json;

mod shared;

/// The size of a chart, in pixels.
const WIDTH: u16 = 320;
const HEIGHT: u16 = 200;

/// Red, green and blue of the colours 0, the paper, and 1, the bars.
const PALETTE: [u8; 6] = [0xff, 0xff, 0xff, 0x2b, 0x6c, 0xb0];

/// The last chart, as a PNG file. The program has its own use for it.
#[derive(Clone, Default)]
struct LastChart(Arc<Mutex<Option<Vec<u8>>>>);

/// Draws a bar chart, and shows it.
#[byre::tool(read_only)]
async fn bar_chart(
    State(last): State<LastChart>,
    /// The height of each bar, from the left: 1 to 40 numbers, none of them below 0.
    values: Vec<f64>,
) -> Result<Vec<Content>, ToolError> {
    if values.is_empty() || values.len() > 40 {
        return Err(format!("a chart has 1 to 40 bars, not {}", values.len()).into());
    }
    if let Some(value) = values.iter().find(|value| **value < 0.0) {
        return Err(format!("{value} is below 0, and bars only grow upwards").into());
    }
    let bytes = png(&bars(&values))?;
    *last.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(bytes.clone());
    let text = format!("A chart of {} bars, {WIDTH} by {HEIGHT} pixels:", values.len());
    // The model sees the pieces in this order.
    Ok(vec![Content::text(text), byre::image::png(bytes)?])
}

/// The number of the colour of each pixel, line by line from the top.
fn bars(values: &[f64]) -> Vec<u8> {
    let highest = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let width = usize::from(WIDTH);
    let mut pixels = vec![0; width * usize::from(HEIGHT)];
    for (y, line) in (1..=HEIGHT).rev().zip(pixels.chunks_mut(width)) {
        let share = f64::from(y) / f64::from(HEIGHT);
        for (n, _) in values.iter().enumerate().filter(|(_, value)| **value >= share * highest) {
            let (start, end) = (n * width / values.len(), (n + 1) * width / values.len());
            line[start + 1..end - 1].fill(1);
        }
    }
    pixels
}

/// Packs pixels of the palette into a PNG file.
fn png(pixels: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, WIDTH.into(), HEIGHT.into());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(&PALETTE[..]);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1).filter(|argument| argument != "--offline");
    let file = args.next();
    let prompt = args.next().unwrap_or_else(|| "A chart of 3, 1, 4, 1 and 5, please.".to_owned());
    let last = LastChart::default();
    let mut session = shared::builder(offline()).state(last.clone()).spawn().await?;
    let mut turn = session.prompt(prompt);
    while let Some(event) = turn.next().await {
        if let Event::User(message) = event? {
            for block in message.tool_results().flat_map(|result| &result.content) {
                match block {
                    ContentBlock::Text(block) => println!("result  {}", block.text),
                    ContentBlock::Image(block) => {
                        let kind = block.source.media_type.as_deref().unwrap_or("of some kind");
                        println!("result  an image, {kind}");
                    }
                    _ => println!("result  something else"),
                }
            }
        }
    }
    println!("answer  {}", turn.outcome().await?.text());
    session.close().await?;
    let chart = last.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let (Some(file), Some(chart)) = (file, chart) {
        std::fs::write(&file, &chart)?;
        println!("kept    {file}, {} bytes", chart.len());
    }
    Ok(())
}

/// What Claude does here when it is not asked: it makes a mistake first, and reads what is wrong.
fn offline() -> Script {
    Script::new()
        .call("bar_chart", json!({"values": [3, 1, -4]}))
        .call("bar_chart", json!({"values": [3, 1, 4, 1, 5]}))
        .say("The last of the five bars is the highest.")
}
