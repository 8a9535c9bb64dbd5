//! byre's `Session` and the real CLI: what a program that uses byre relies on.

mod background;
mod clocks;
mod conversation;
mod end;
mod example;
mod failures;
mod hooks;
mod images;
mod interrupts;
mod output;
mod permissions;
mod restart;
mod results;
mod servers;
mod start;
mod tools;
mod turns;
mod types;

use std::{fs, path::PathBuf, time::Duration};

use byre::{
    Event, Session, SessionBuilder,
    testing::{MessagesApi, ModelRequest, RealCli, Script},
};
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout};

use crate::harness::{cli_path, session};

/// What no test may exceed. Most take two seconds; a machine may be busy.
const LIMIT: Duration = Duration::from_secs(60);

/// Runs a test with a CLI whose model plays `script`.
async fn live(script: Script, test: impl AsyncFnOnce(&Live)) {
    let api = MessagesApi::start(script).await.expect("start the API");
    let cli = RealCli::new(cli_path(), &api).expect("make the CLI's folders");
    let live = Live { api, cli };
    if timeout(LIMIT, test(&live)).await.is_err() {
        let requests = live.requests();
        panic!("not over after {LIMIT:?}; the model was asked {} times", requests.len());
    }
}

/// A CLI, and the API that it talks to.
struct Live {
    api: MessagesApi,
    cli: RealCli,
}

impl Live {
    /// A session with nothing of the machine's and of this program's: no tools, no hooks.
    fn builder(&self) -> SessionBuilder {
        session(&self.cli).tools([])
    }

    /// What the model was asked, oldest first.
    fn requests(&self) -> Vec<ModelRequest> {
        self.api.requests()
    }

    /// The folder where the CLI stores conversations.
    fn config_dir(&self) -> PathBuf {
        let envs = self.cli.envs();
        let (_, folder) =
            envs.into_iter().find(|(name, _)| name == "CLAUDE_CONFIG_DIR").expect("it is set");
        folder.into()
    }

    /// A file in the folder that the CLI works in.
    fn file(&self, name: &str) -> PathBuf {
        self.cli.work_dir().join(name)
    }
}

/// Prompts, and reads what comes of it.
async fn events(session: &mut Session, prompt: &str) -> Vec<Event> {
    let mut turn = session.prompt(prompt);
    let mut events = Vec::new();
    while let Some(event) = turn.next().await {
        events.push(event.expect("the session goes on"));
    }
    events
}

/// The lines of a transcript that went in this direction.
fn recorded(live: &Live, name: &str, direction: &str) -> Vec<Value> {
    let text = fs::read_to_string(live.file(name)).expect("read the transcript");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a JSON line"));
    lines.filter(|line| line["dir"] == direction).map(|mut line| line["msg"].take()).collect()
}

/// By what the processes of a CLI are found, whatever group or session they are in.
struct Traces {
    cli: u32,
    /// In the environment of whatever the CLI started.
    folder: String,
}

impl Traces {
    fn of(live: &Live, session: &Session) -> Self {
        let cli = session.handle().pid().expect("byre started it");
        Self { cli, folder: live.cli.work_dir().display().to_string() }
    }

    /// The same where nobody knows which process it is.
    fn of_folder(live: &Live) -> Self {
        Self { cli: 0, folder: live.cli.work_dir().display().to_string() }
    }

    /// The command lines of what runs, and `zombie` for what nobody has waited for.
    fn processes(&self) -> Vec<String> {
        let entries = fs::read_dir("/proc").expect("Linux").filter_map(Result::ok);
        let read = |entry: &fs::DirEntry, file: &str| {
            let bytes = fs::read(entry.path().join(file)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).replace('\0', " ")
        };
        entries
            .filter(|entry| {
                entry.file_name() == self.cli.to_string().as_str()
                    || read(entry, "environ").contains(&self.folder)
            })
            .map(|entry| match read(&entry, "cmdline") {
                line if line.is_empty() => "zombie".to_owned(),
                line => line,
            })
            .collect()
    }

    /// Waits until nothing is left.
    async fn gone(&self, limit: Duration) {
        let start = Instant::now();
        while !self.processes().is_empty() {
            assert!(start.elapsed() < limit, "left after {limit:?}: {:#?}", self.processes());
            sleep(Duration::from_millis(50)).await;
        }
    }
}
