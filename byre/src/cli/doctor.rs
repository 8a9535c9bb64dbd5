//! Says what a session would need, and whether it is there.

use std::{collections::BTreeMap, time::Duration};

use serde_json::Value;

use super::{
    listing,
    report::{FAILURE, Report},
};
use crate::{SessionBuilder, hook::Hook, registry::mcp_server::McpServer, tool::Tool};

/// How long the CLI may take to answer a question about itself. Read from a slow disk, it needs seconds.
const LIMIT: Duration = Duration::from_secs(30);

/// What one finding means.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Good,
    /// A session would fail.
    Bad,
    /// Can't be known from here.
    Unknown,
}

#[derive(Default)]
struct Findings(Report);

impl Findings {
    fn add(&mut self, mark: Mark, about: &str, text: impl AsRef<str>) {
        let mark = match mark {
            Mark::Good => "ok",
            Mark::Bad => {
                self.0.code = FAILURE;
                "BAD"
            }
            Mark::Unknown => "?",
        };
        self.0.line(format!("{mark:4} {about:8} {}", text.as_ref()));
    }
}

/// Examines everything.
pub(super) async fn examine(session: &SessionBuilder) -> Report {
    let mut findings = Findings::default();
    if session.has_transport() {
        findings.add(Mark::Good, "claude", "not started: the session has a transport of its own");
    } else {
        match session.find_cli() {
            Ok(path) => {
                findings.add(Mark::Good, "claude", path.display().to_string());
                examine_cli(session, &mut findings).await;
            }
            Err(error) => findings.add(Mark::Bad, "claude", error.to_string()),
        }
    }
    let hooks = session.asked_hooks();
    match session.described_servers() {
        Ok(servers) => {
            for server in &servers {
                findings.add(Mark::Good, "tools", of_tools(server));
            }
            if servers.is_empty() {
                findings.add(Mark::Good, "tools", listing::NONE);
            }
            examine_states(session, &servers, &hooks, &mut findings);
        }
        Err(_) => findings.add(Mark::Unknown, "tools", "can't be listed, see below"),
    }
    findings.add(Mark::Good, "hooks", of_hooks(&hooks));
    let faults = session.faults();
    if faults.is_empty() {
        findings.add(Mark::Good, "check", "nothing would be refused");
    }
    for fault in faults {
        findings.add(Mark::Bad, "check", fault.to_string());
    }
    findings.0
}

/// Asks the CLI for its version, and whether it is logged in. It looks at the login itself, so that nothing
/// secret is read here.
async fn examine_cli(session: &SessionBuilder, findings: &mut Findings) {
    match session.ask_cli(&["--version"], LIMIT).await {
        Ok(said) if said.status.success() && !said.stdout.trim().is_empty() => {
            findings.add(Mark::Good, "version", first_line(&said.stdout));
        }
        Ok(said) => {
            let text = format!("none: `claude --version` ended with {}", said.status);
            findings.add(Mark::Bad, "version", with_last_line(text, &said.stderr));
            return;
        }
        Err(error) => {
            findings.add(Mark::Bad, "version", error.to_string());
            return;
        }
    }
    let (mark, text) = match session.ask_cli(&["auth", "status"], LIMIT).await {
        Ok(said) => match login(&said.stdout) {
            Some(found) => found,
            None => {
                (Mark::Unknown, with_last_line("this CLI does not tell".to_owned(), &said.stderr))
            }
        },
        Err(error) => (Mark::Unknown, error.to_string()),
    };
    findings.add(mark, "login", text);
}

/// What `claude auth status` says of the login; `None` if that can't be read.
///
/// Source: seen with CLI 2.1.332.
///
/// ```json
/// {"loggedIn":true,"authMethod":"api_key","apiProvider":"firstParty","apiKeySource":"ANTHROPIC_API_KEY"}
/// ```
fn login(stdout: &str) -> Option<(Mark, String)> {
    let status: Value = serde_json::from_str(stdout).ok()?;
    if !status["loggedIn"].as_bool()? {
        let advice = "not logged in; run `claude auth login`, or set ANTHROPIC_API_KEY";
        return Some((Mark::Bad, advice.to_owned()));
    }
    let words = ["authMethod", "apiProvider", "apiKeySource"];
    let words = words.iter().filter_map(|key| status[key].as_str()).collect::<Vec<_>>();
    Some((Mark::Good, words.join(", ")))
}

fn of_tools(server: &McpServer) -> String {
    let names = server.tools.iter().map(Tool::name).collect::<Vec<_>>();
    format!("{} on the server `{}`: {}", names.len(), server.name, names.join(", "))
}

fn of_hooks(hooks: &[Hook]) -> String {
    let hooks = hooks.iter().map(|hook| match (hook.matcher(), hook.tool()) {
        (Some(about), _) => format!("{} at {} of {about}", hook.name(), hook.event()),
        (None, Some(tool)) => format!("{} at {} of {tool}", hook.name(), hook.event()),
        (None, None) => format!("{} at {}", hook.name(), hook.event()),
    });
    counted(hooks)
}

/// The states that tools and hooks take. Who takes one that is missing is said by the check.
fn examine_states(
    session: &SessionBuilder,
    servers: &[McpServer],
    hooks: &[Hook],
    findings: &mut Findings,
) {
    let tools = servers.iter().flat_map(|server| &server.tools);
    let needs = tools.flat_map(Tool::needs).chain(hooks.iter().flat_map(Hook::needs));
    let needs: BTreeMap<&str, bool> =
        needs.map(|need| (need.type_name, session.given_states().has(&need))).collect();
    let missing = needs.iter().filter(|(_, given)| !**given).map(|(name, _)| (*name).to_owned());
    let missing = missing.collect::<Vec<_>>();
    if missing.is_empty() {
        findings.add(Mark::Good, "states", counted(needs.keys().map(|name| (*name).to_owned())));
    } else {
        let text = format!("missing, of {}: {}", needs.len(), missing.join(", "));
        findings.add(Mark::Bad, "states", text);
    }
}

/// How many there are, and which.
fn counted(names: impl Iterator<Item = String>) -> String {
    let names = names.collect::<Vec<_>>();
    if names.is_empty() {
        "none".to_owned()
    } else {
        format!("{}: {}", names.len(), names.join(", "))
    }
}

fn first_line(text: &str) -> &str {
    text.trim().lines().next().unwrap_or_default()
}

/// Adds the last line that a process wrote to stderr, where there is one.
fn with_last_line(text: String, stderr: &str) -> String {
    match stderr.lines().rev().find(|line| !line.trim().is_empty()) {
        Some(line) => format!("{text}, its last line on stderr: {}", line.trim()),
        None => text,
    }
}

#[cfg(test)]
mod tests;
