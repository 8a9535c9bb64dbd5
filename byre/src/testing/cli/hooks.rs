//! Hooks: which callbacks want an event, asking them, and what they said.

use std::{collections::HashMap, sync::Arc, time::Duration};

use serde_json::{Value, json};
use tokio::time;
use uuid::Uuid;

use super::peer::{Peer, Withdrawal};

/// The limit of a hook without a `timeout`. Source: seen with 2.1.332; `UserPromptSubmit` has its own.
const TIMEOUT: Duration = Duration::from_secs(600);
const PROMPT_TIMEOUT: Duration = Duration::from_secs(30);

/// The hooks of `initialize`, by event.
#[derive(Clone, Debug, Default)]
pub(super) struct Hooks {
    events: HashMap<String, Vec<Matcher>>,
}

#[derive(Clone, Debug)]
struct Matcher {
    pattern: String,
    callbacks: Vec<String>,
    timeout: Option<Duration>,
    blocks_on_failure: bool,
}

/// One callback to ask.
#[derive(Clone, Debug)]
pub(super) struct Callback {
    id: String,
    timeout: Duration,
    blocks_on_failure: bool,
}

/// What one callback said.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Said {
    Output(Value),
    /// It failed, and its failure counts as nothing said.
    Failed,
    /// It failed or was late, and that counts as a no.
    Refused,
}

impl Hooks {
    /// Reads `initialize.hooks`, or gives the error that the CLI answers.
    pub(super) fn read(hooks: &Value) -> Result<Self, String> {
        let error = "initialize: hooks must map hook events to arrays of matchers carrying \
                     hookCallbackIds arrays and string matchers";
        Self::try_read(hooks).ok_or_else(|| error.to_owned())
    }

    fn try_read(hooks: &Value) -> Option<Self> {
        let mut events = HashMap::new();
        for (event, matchers) in hooks.as_object()? {
            let matchers: Option<Vec<_>> = matchers.as_array()?.iter().map(Matcher::read).collect();
            events.insert(event.clone(), matchers?);
        }
        Some(Self { events })
    }

    /// Finds the callbacks for an event about `subject`, a tool's name, or about nothing special.
    pub(super) fn callbacks(&self, event: &str, subject: Option<&str>) -> Vec<Callback> {
        let default = if event == "UserPromptSubmit" { PROMPT_TIMEOUT } else { TIMEOUT };
        self.events
            .get(event)
            .into_iter()
            .flatten()
            .filter(|matcher| subject.is_none_or(|subject| matches(&matcher.pattern, subject)))
            .flat_map(|matcher| {
                matcher.callbacks.iter().map(|id| Callback {
                    id: id.clone(),
                    timeout: matcher.timeout.unwrap_or(default),
                    blocks_on_failure: matcher.blocks_on_failure,
                })
            })
            .collect()
    }
}

impl Matcher {
    fn read(matcher: &Value) -> Option<Self> {
        let ids = matcher["hookCallbackIds"].as_array()?;
        Some(Self {
            pattern: match &matcher["matcher"] {
                Value::Null => String::new(),
                pattern => pattern.as_str()?.to_owned(),
            },
            callbacks: ids
                .iter()
                .map(|id| id.as_str().map(str::to_owned))
                .collect::<Option<_>>()?,
            timeout: matcher["timeout"].as_f64().and_then(|s| Duration::try_from_secs_f64(s).ok()),
            blocks_on_failure: matcher["onFailure"] == "block",
        })
    }
}

/// Asks all callbacks at the same time, and gives what they said in their order.
pub(super) async fn ask(
    peer: &Arc<Peer>,
    callbacks: Vec<Callback>,
    input: &Value,
    tool_use_id: Option<&str>,
) -> Vec<Said> {
    let tool_use_id = tool_use_id.map_or_else(|| Uuid::new_v4().to_string(), ToOwned::to_owned);
    let asked: Vec<_> = callbacks
        .into_iter()
        .map(|callback| {
            let pending = peer.request(&json!({
                "subtype": "hook_callback",
                "callback_id": callback.id,
                "input": input,
                "tool_use_id": tool_use_id,
            }));
            let withdrawal = Withdrawal::new(peer, &pending);
            // The clock of each runs from now on, not from when it is looked at.
            (Box::pin(time::timeout(callback.timeout, pending)), withdrawal, callback)
        })
        .collect();
    let mut said = Vec::new();
    for (answer, withdrawal, callback) in asked {
        let answer = answer.await;
        if answer.is_ok() {
            withdrawal.disarm();
        }
        said.push(match answer {
            Ok(Ok(output)) if output.is_object() => Said::Output(output),
            Ok(_) if callback.blocks_on_failure => Said::Refused,
            Ok(_) => Said::Failed,
            Err(_) => Said::Refused,
        });
    }
    said
}

/// Whether a matcher wants `name`.
///
/// Plain names, separated by `|` or `,`, are compared as they are; anything else is a regular
/// expression that may match anywhere. Of those the stand-in knows `.`, `*`, `^`, `$` and `|`.
fn matches(pattern: &str, name: &str) -> bool {
    let pattern = pattern.trim();
    if pattern.is_empty() || pattern == "*" {
        return true;
    }
    let is_plain = |c: char| c.is_alphanumeric() || "_-|, ".contains(c);
    if pattern.chars().all(is_plain) {
        return pattern.split(['|', ',']).any(|part| part.trim() == name);
    }
    pattern.split('|').any(|pattern| {
        let pattern: Vec<char> = pattern.chars().collect();
        let name: Vec<char> = name.chars().collect();
        match pattern.split_first() {
            Some(('^', rest)) => matches_here(rest, &name),
            _ => (0..=name.len()).any(|start| matches_here(&pattern, &name[start..])),
        }
    })
}

fn matches_here(pattern: &[char], text: &[char]) -> bool {
    match pattern {
        [] => true,
        ['$'] => text.is_empty(),
        [c, '*', rest @ ..] => {
            let repeats = text.iter().take_while(|t| *c == '.' || *t == c).count();
            (0..=repeats).any(|taken| matches_here(rest, &text[taken..]))
        }
        [c, rest @ ..] => text
            .split_first()
            .is_some_and(|(first, text)| (*c == '.' || c == first) && matches_here(rest, text)),
    }
}

#[cfg(test)]
mod tests;
