//! Two tools and a hook, and one question to use them.
//!
//! `cargo run --example calculator`, with `--offline` to play it without Claude.

use byre::{Event, testing::Script};
use serde_json::json;

mod shared;

/// Adds two integers.
#[byre::tool]
async fn add(
    /// The first addend.
    a: i64,
    /// The second addend.
    b: i64,
) -> i64 {
    a + b
}

/// Divides one number by another.
#[byre::tool]
async fn divide(dividend: f64, divisor: f64) -> Result<f64, String> {
    if divisor == 0.0 {
        return Err("cannot divide by zero".to_owned());
    }
    Ok(dividend / divisor)
}

/// Sends the agent back to work once.
#[byre::hook]
async fn say_goodbye(input: byre::hook::StopInput) -> byre::hook::StopOutput {
    if input.stop_hook_active {
        byre::hook::StopOutput::allow()
    } else {
        byre::hook::StopOutput::block("Say goodbye before you stop.")
    }
}

#[tokio::main]
async fn main() -> byre::Result<()> {
    let mut session = shared::builder(offline()).spawn().await?;
    let question = "What is 2 + 3?";
    println!("you     {question}");
    let mut turn = session.prompt(question);
    while let Some(event) = turn.next().await {
        match event? {
            Event::Assistant(message) => {
                for call in message.tool_uses() {
                    println!("calls   {} {}", call.name, call.input);
                }
                if !message.text().is_empty() {
                    println!("claude  {}", message.text());
                }
            }
            Event::User(message) => {
                for result in message.tool_results() {
                    println!("result  {}", result.text());
                }
                if message.is_synthetic {
                    println!("hook    {}", message.message.text());
                }
            }
            _ => {}
        }
    }
    let outcome = turn.outcome().await?;
    println!("answer  {}", outcome.text());
    session.close().await
}

/// What Claude does here when it is not asked.
fn offline() -> Script {
    Script::new()
        .call("add", json!({"a": 2, "b": 3}))
        .say("2 + 3 is {result}.")
        .say("2 + 3 is 5. Goodbye!")
}
