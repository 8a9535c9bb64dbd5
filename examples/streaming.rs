//! Text as the model writes it, tool calls as they happen, and Ctrl-C to interrupt.
//!
//! `cargo run --example streaming -- "Tell me about cows."`, with `--offline` to play it without Claude.

use std::io::Write;

use byre::{
    Event,
    testing::{Reply, Script},
};
use serde_json::json;

mod shared;

/// Counts the letters of a word.
#[byre::tool(read_only)]
async fn count_letters(
    /// The word.
    word: String,
) -> usize {
    word.chars().count()
}

#[tokio::main]
async fn main() -> byre::Result<()> {
    let given = std::env::args().skip(1).find(|argument| argument != "--offline");
    let question = given.unwrap_or_else(|| "How many letters has the word cow?".to_owned());
    let builder = shared::builder(offline()).include_partial_messages(true);
    let mut session = builder.spawn().await?;
    let handle = session.handle();
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            if handle.interrupt().await.is_err() {
                return; // The session is over.
            }
        }
    });

    println!("{question}\n");
    let mut turn = session.prompt(question);
    while let Some(event) = turn.next().await {
        let event = event?;
        // The assistant event repeats the text, so only its calls are shown.
        if let Some(text) = event.text_delta() {
            print!("{text}");
            let _ = std::io::stdout().flush();
        }
        match &event {
            Event::Assistant(message) => {
                for call in message.tool_uses() {
                    println!("\n[calls {} {}]", call.name, call.input);
                }
            }
            Event::User(message) => {
                for result in message.tool_results() {
                    println!("[result: {}]\n", result.text());
                }
            }
            _ => {}
        }
    }
    let outcome = turn.outcome().await?;
    if outcome.is_error() {
        println!("\n[ended: {}]", outcome.text());
    }
    println!(
        "\n\n{} ms, {:.4} US dollars",
        outcome.duration().as_millis(),
        outcome.total_cost_usd()
    );
    session.close().await
}

/// What Claude does here when it is not asked.
fn offline() -> Script {
    Script::new()
        .reply(
            Reply::say_in(["Let me ", "count ", "them."])
                .and_call("count_letters", json!({"word": "cow"})),
        )
        .say_in(["The word ", "*cow* ", "has ", "{result}", " letters."])
}
