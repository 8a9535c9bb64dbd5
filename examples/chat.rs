//! A chat on the terminal: text as it comes, a card for each tool, what it costs, and Ctrl-C to interrupt.
//!
//! `cargo run --example chat`, with `--offline` to talk to a script. An empty line or the end of the input
//! ends it.

use std::{
    collections::BTreeMap,
    io::{self, BufRead, Write},
    sync::Mutex,
};

use byre::{
    Event, Session, State,
    event::{CostTracker, ToolCallUpdate, ToolCalls, ToolResult},
    testing::{Reply, Script},
};
use serde_json::json;

mod shared;

/// What the agent was told to remember. Shared by the tools, and by as many sessions as there are.
#[derive(Clone, Default)]
struct Notes(std::sync::Arc<Mutex<BTreeMap<String, String>>>);

/// Keeps a note under a name.
#[byre::tool]
async fn remember(State(notes): State<Notes>, name: String, text: String) -> &'static str {
    let mut notes = notes.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if notes.insert(name, text).is_some() { "kept in place of an older one" } else { "kept" }
}

/// Gives the note with a name.
#[byre::tool(read_only)]
async fn recall(State(notes): State<Notes>, name: String) -> Result<String, String> {
    let notes = notes.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    notes.get(&name).cloned().ok_or_else(|| format!("there is no note {name:?}"))
}

#[tokio::main]
async fn main() -> byre::Result<()> {
    let builder = shared::builder(offline()).include_partial_messages(true);
    let mut session = builder.state(Notes::default()).spawn().await?;
    let handle = session.handle();
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            if handle.interrupt().await.is_err() {
                return; // The session is over.
            }
        }
    });

    let mut costs = CostTracker::default();
    while let Some(line) = read_line().await {
        turn(&mut session, &line, &mut costs).await?;
    }
    session.close().await
}

/// Plays one turn.
async fn turn(session: &mut Session, prompt: &str, costs: &mut CostTracker) -> byre::Result<()> {
    let mut calls = ToolCalls::default();
    let mut turn = session.prompt(prompt);
    while let Some(event) = turn.next().await {
        let event = event?;
        // The assistant event repeats the text, so only its calls are shown.
        if let Some(text) = event.text_delta() {
            print!("{text}");
            let _ = io::stdout().flush();
        }
        for update in calls.push(&event) {
            show(&update);
        }
        if let Event::Warning(warning) = &event {
            println!("\n! {warning}");
        }
        costs.push(&event);
    }
    let outcome = turn.outcome().await?;
    if let Some(failure) = outcome.failure() {
        println!("\n! {failure}");
    }
    println!("\n[{:.4} US dollars so far]", costs.session().cost_usd);
    Ok(())
}

/// Shows a call when it starts and when it ends.
fn show(update: &ToolCallUpdate) {
    match update {
        ToolCallUpdate::Started(call) => println!("\n┌ {} {}", call.name, call.input),
        ToolCallUpdate::Finished(call) => {
            let text = call.result.as_ref().map(ToolResult::text).unwrap_or_default();
            println!("└ {text}");
        }
        _ => println!("└ (nothing came of it)"),
    }
}

/// Reads what the user says, on a thread of its own, because reading blocks.
async fn read_line() -> Option<String> {
    print!("\n> ");
    let _ = io::stdout().flush();
    let read = || {
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line).ok()?;
        let line = line.trim().to_owned();
        (!line.is_empty()).then_some(line)
    };
    tokio::task::spawn_blocking(read).await.ok().flatten()
}

/// What Claude does here when it is not asked.
fn offline() -> Script {
    Script::new()
        .reply(
            Reply::say_in(["I will ", "remember ", "that."])
                .and_call("remember", json!({"name": "cow", "text": "She is called Berta."})),
        )
        .say_in(["Done."])
        .call("recall", json!({"name": "cow"}))
        .say_in(["You said: ", "{result}"])
}
