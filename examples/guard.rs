//! An agent that is kept inside one folder, and off secrets.
//!
//! `cargo run --example guard -- "Tidy up the notes."`: works in a new folder of its own. With `--offline`,
//! or where no CLI is found, it plays an agent that tries to get out.

use std::path::{Component, Path, PathBuf};

use byre::{
    Event, State,
    event::ToolResult,
    hook::{PreToolUseInput, PreToolUseOutput},
    testing::Script,
};
use serde_json::json;

mod shared;

/// Files that nobody is to read or write, by how their names begin.
const SECRETS: [&str; 4] = [".env", "id_rsa", "id_ed25519", "credentials"];

/// The folder that the agent is kept in. Absolute, and without `..` and links.
#[derive(Clone)]
struct Fence(PathBuf);

impl Fence {
    /// Says why a path is out of bounds, if it is. One that is not absolute counts from the folder, which
    /// the agent can't leave without a shell.
    fn refuses(&self, path: &str) -> Option<String> {
        let path = resolved(&self.0.join(path));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if SECRETS.iter().any(|secret| name.starts_with(secret)) {
            Some(format!("{name} holds secrets: do without it"))
        } else if !path.starts_with(&self.0) {
            Some(format!("{} is out of bounds: stay in {}", path.display(), self.0.display()))
        } else {
            None
        }
    }
}

/// Follows links as far as the path exists, and then takes away `.` and `..`.
fn resolved(path: &Path) -> PathBuf {
    let mut resolved = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                resolved.pop();
            }
            part => resolved.push(part),
        }
        if let Ok(real) = resolved.canonicalize() {
            resolved = real;
        }
    }
    resolved
}

/// Looks at every path before a tool gets it. If it panics, the tool does not run either: that is what byre
/// asks of the CLI for `PreToolUse`.
#[byre::hook(timeout = 10)]
async fn guard(State(fence): State<Fence>, input: PreToolUseInput) -> PreToolUseOutput {
    // A shell reaches everything, whatever its command looks like.
    if input.tool_name == "Bash" {
        return PreToolUseOutput::deny("There is no shell here: use the tools for files.");
    }
    let mut names = vec!["file_path", "path", "notebook_path"];
    if input.tool_name == "Glob" {
        names.push("pattern");
    }
    let mut paths = names.into_iter().filter_map(|name| input.tool_input.text(name));
    let reason = paths.find_map(|path| fence.refuses(path));
    reason.map_or_else(PreToolUseOutput::new, PreToolUseOutput::deny)
}

/// Reads a text file.
#[byre::tool(read_only)]
async fn read_text(
    /// Where it is; relative to the folder of the agent.
    path: String,
    State(Fence(folder)): State<Fence>,
) -> std::io::Result<String> {
    tokio::fs::read_to_string(folder.join(path)).await
}

#[tokio::main]
async fn main() -> byre::Result<()> {
    let folder = std::env::temp_dir().join(format!("byre-guard-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("make a folder");
    std::fs::write(folder.join("notes.txt"), "Feed the cows.").expect("write a note");
    std::fs::write(folder.join(".env"), "KEY=secret").expect("write a secret");
    let folder = folder.canonicalize().expect("find the folder");

    let given = std::env::args().skip(1).find(|argument| argument != "--offline");
    let prompt = given.unwrap_or_else(|| "Read all that you can find.".to_owned());
    let mut session = shared::builder(offline())
        .current_dir(&folder)
        .state(Fence(folder.clone()))
        .spawn()
        .await?;
    let mut turn = session.prompt(prompt);
    while let Some(event) = turn.next().await {
        match event? {
            Event::Assistant(message) => {
                for call in message.tool_uses() {
                    println!("calls   {} {}", call.name, call.input);
                }
            }
            Event::User(message) => {
                for result in message.tool_results().map(ToolResult::text) {
                    println!("result  {}", result.replace(&*folder.to_string_lossy(), "<folder>"));
                }
            }
            _ => {}
        }
    }
    println!("answer  {}", turn.outcome().await?.text());
    let _ = std::fs::remove_dir_all(folder);
    session.close().await
}

/// What Claude does here when it is not asked.
fn offline() -> Script {
    Script::new()
        .call("read_text", json!({"path": "notes.txt"}))
        .call("read_text", json!({"path": "/etc/hostname"}))
        .call("read_text", json!({"path": "sub/../../elsewhere.txt"}))
        .call("read_text", json!({"path": ".env"}))
        .say("I could read only the notes.")
}
