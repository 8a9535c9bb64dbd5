//! An agent that may stop only once a command succeeds, and that gives up after some tries.
//!
//! `cargo run --example stop_hook -- "cargo test"`: the agent works until the tests pass. With `--offline`,
//! or without a command, it plays an agent that has to write a file.

use std::{process::Stdio, sync::OnceLock};

use byre::{
    Event,
    hook::{StopInput, StopOutput},
    testing::Script,
};
use serde_json::json;
use tokio::process::Command;

mod shared;

/// How often the agent is sent back before it may stop all the same.
const TRIES: u32 = 3;

static CHECK: OnceLock<String> = OnceLock::new();

/// Lets the agent stop once the check succeeds.
#[byre::hook]
async fn until_the_check_succeeds(_input: StopInput) -> StopOutput {
    let Some(check) = CHECK.get() else { return StopOutput::allow() };
    match run(check).await {
        Ok(()) => StopOutput::allow(),
        Err(output) => {
            StopOutput::block(format!("`{check}` does not succeed yet:\n{output}")).at_most(TRIES)
        }
    }
}

/// Writes a file in the folder for temporary files.
#[byre::tool]
async fn write_note(
    /// The file's name.
    name: String,
    /// What to write.
    text: String,
) -> std::io::Result<()> {
    tokio::fs::write(std::env::temp_dir().join(name), text).await
}

/// Runs a shell command, and gives what it printed if it fails.
#[expect(clippy::disallowed_methods, reason = "a check of the user, not the CLI")]
async fn run(check: &str) -> Result<(), String> {
    let command = Command::new("sh").args(["-c", check]).stdin(Stdio::null()).output().await;
    let output = command.map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text = [output.stdout, output.stderr].concat();
    Err(String::from_utf8_lossy(&text).into_owned())
}

#[tokio::main]
async fn main() -> byre::Result<()> {
    let note = format!("byre-note-{}", std::process::id());
    let path = std::env::temp_dir().join(&note);
    let given = std::env::args().skip(1).find(|argument| argument != "--offline");
    let check = given.unwrap_or_else(|| format!("grep done '{}'", path.display()));
    println!("check   {check}");
    let _ = CHECK.set(check.clone());

    let mut session = shared::builder(offline(&note)).spawn().await?;
    let prompt = format!("Make `sh -c \"{check}\"` succeed. Notes can be written with write_note.");
    let mut turn = session.prompt(prompt);
    while let Some(event) = turn.next().await {
        match event? {
            Event::Assistant(message) if !message.text().is_empty() => {
                println!("claude  {}", message.text());
            }
            Event::Assistant(message) => {
                for call in message.tool_uses() {
                    println!("calls   {} {}", call.name, call.input);
                }
            }
            Event::User(message) if message.is_synthetic => {
                println!("hook    {}", message.message.text());
            }
            _ => {}
        }
    }
    turn.outcome().await?;
    let verdict = if run(&check).await.is_ok() { "succeeds" } else { "still fails" };
    println!("check   {verdict}");
    let _ = std::fs::remove_file(path);
    session.close().await
}

/// What Claude does here when it is not asked.
fn offline(note: &str) -> Script {
    Script::new()
        .say("I think that is it.")
        .call("write_note", json!({"name": note, "text": "working on it"}))
        .say("Now it should succeed.")
        .call("write_note", json!({"name": note, "text": "done"}))
        .say("Now it does.")
}
