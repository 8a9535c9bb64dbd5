//! Which tools and hooks a session serves, and the checks that the CLI would not make aloud.
//!
//! The CLI and the API drop what they don't like in silence: a tool with a bad schema vanishes, and
//! sometimes every other tool with it. Whatever they would drop is refused here, with file and line.

/// The macro judges by the same rules, and a crate of macros can share nothing but the text.
#[path = "../../byre-macros/src/matcher.rs"]
mod matcher;

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use serde_json::{Number, Value};

use crate::{
    error::{Error, Result},
    function::state::States,
    hook::{self, Hook, OnFailure},
    tool::{self, Tool},
};

/// What the API accepts as a tool's name, `mcp__<server>__` included.
///
/// Source: seen with CLI 2.1.332.
const MAX_QUALIFIED_NAME: usize = 128;

/// Where the CLI cuts a description or a server's instructions.
///
/// Source: seen with CLI 2.1.332.
const MAX_DESCRIPTION: usize = 4096;

/// How long a text is to the CLI, which counts as JavaScript does: an emoji is two.
fn length_in_js(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Which of the registered tools are served.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    /// A list given by the program, in place of what is registered.
    pub(crate) explicit: Option<Vec<Tool>>,
    /// Only these, by name.
    pub(crate) only: Option<Vec<String>>,
    /// All but these, by name.
    pub(crate) without: Vec<String>,
    /// Hooks given by the program, in place of what is registered.
    pub(crate) hooks: Option<Vec<Hook>>,
    /// Hooks in addition to those.
    pub(crate) more_hooks: Vec<Hook>,
}

impl Selection {
    /// The selected tools, sorted by name: what is linked in has no order of its own, and a list whose
    /// order changes costs the prompt cache.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration) for two tools with one name, and for
    /// a name that no tool has.
    pub(crate) fn tools(&self) -> Result<Vec<Tool>> {
        let mut tools = self.explicit.clone().unwrap_or_else(tool::registered);
        tools.sort_by(|a, b| {
            let key = |tool: &Tool| (tool.name().to_owned(), tool.location().to_string());
            key(a).cmp(&key(b))
        });
        if let Some([a, b]) = tools.windows(2).find(|pair| pair[0].name() == pair[1].name()) {
            return Err(Error::configuration(format!(
                "two tools are called {:?}: {} and {}",
                a.name(),
                a.location(),
                b.location()
            ))
            .hint("rename one with `#[byre::tool(name = \"…\")]`, or serve only one of them"));
        }
        for name in self.only.iter().flatten().chain(&self.without) {
            if !tools.iter().any(|tool| tool.name() == name) {
                return Err(unknown_tool(name, &tools));
            }
        }
        tools.retain(|tool| {
            let is = |name: &String| name == tool.name();
            self.only.as_ref().is_none_or(|only| only.iter().any(is))
                && !self.without.iter().any(is)
        });
        Ok(tools)
    }

    /// The selected hooks, sorted by event, then by where they stand in the source.
    pub(crate) fn hooks(&self) -> Vec<Hook> {
        let mut hooks = self.hooks.clone().unwrap_or_else(hook::registered);
        hooks.extend(self.more_hooks.iter().cloned());
        hooks.sort_by_key(|hook| {
            (hook.event(), hook.location().to_string(), hook.name().to_owned())
        });
        hooks
    }
}

fn unknown_tool(name: &str, tools: &[Tool]) -> Error {
    let names = tools.iter().map(Tool::name).collect::<Vec<_>>();
    let known = match names.as_slice() {
        [] => "no tool is registered".to_owned(),
        names => format!("there are {}", names.join(", ")),
    };
    Error::configuration(format!("no tool is called {name:?}; {known}")).hint(
        "tools of a crate that the program never names are not linked in; say `use that_crate as _;`",
    )
}

/// The name by which the model, hooks and permission rules know a tool.
///
/// Source: seen with CLI 2.1.332; it replaces every other character.
pub(crate) fn qualified_name(server: &str, tool: &str) -> String {
    format!("mcp__{}__{}", sanitized(server), sanitized(tool))
}

fn sanitized(name: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    name.chars().map(|c| if allowed(c) { c } else { '_' }).collect()
}

/// Refuses what the CLI or the API would drop in silence.
///
/// # Errors
///
/// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration), naming every fault with the tool's
/// place.
pub(crate) fn check(server: &str, instructions: Option<&str>, tools: &[Tool]) -> Result<()> {
    let listed = tools.iter().map(|tool| Listed {
        name: tool.name(),
        description: tool.description(),
        input_schema: tool.input_schema(),
        place: tool.location().to_string(),
    });
    let faults = faults(server, instructions, &listed.collect::<Vec<_>>());
    if faults.is_empty() { Ok(()) } else { Err(Error::configuration(faults.join("; "))) }
}

/// What the CLI is told of a tool, as far as it may not like it, and where the tool stands.
struct Listed<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: Value,
    place: String,
}

fn faults(server: &str, instructions: Option<&str>, tools: &[Listed<'_>]) -> Vec<String> {
    let mut faults = Vec::new();
    if server.is_empty() {
        faults.push("the server's name is empty".to_owned());
    }
    let length = instructions.map_or(0, length_in_js);
    if length > MAX_DESCRIPTION {
        faults.push(format!(
            "the instructions have {length} characters; the CLI cuts them after {MAX_DESCRIPTION}"
        ));
    }
    let mut by_name = HashMap::new();
    for tool in tools {
        let qualified = qualified_name(server, tool.name);
        for fault in tool_faults(&qualified, tool) {
            faults.push(format!("tool {:?} ({}) {fault}", tool.name, tool.place));
        }
        if let Some(other) = by_name.insert(qualified.clone(), tool) {
            faults.push(format!(
                "the tools {:?} ({}) and {:?} ({}) are both {qualified} to the model",
                other.name, other.place, tool.name, tool.place
            ));
        }
    }
    faults
}

fn tool_faults(qualified: &str, tool: &Listed<'_>) -> Vec<String> {
    let mut faults = Vec::new();
    if tool.name.is_empty() || sanitized(tool.name) != tool.name {
        faults
            .push("has a name with other characters than letters, digits, `_` and `-`".to_owned());
    }
    if qualified.len() > MAX_QUALIFIED_NAME {
        faults.push(format!(
            "is {qualified} to the model, which has {} characters; the API takes \
             {MAX_QUALIFIED_NAME}",
            qualified.len()
        ));
    }
    let length = length_in_js(tool.description);
    if length > MAX_DESCRIPTION {
        faults.push(format!(
            "has a description of {length} characters; the CLI cuts it after {MAX_DESCRIPTION}"
        ));
    }
    if tool.input_schema["type"] != "object" {
        faults.push(
            "has an input schema that is not `\"type\": \"object\"` at its root; the CLI would drop \
             every tool of the server"
                .to_owned(),
        );
    }
    let properties = tool.input_schema["properties"].as_object();
    for property in properties.into_iter().flat_map(|map| map.keys()) {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
        if property.is_empty() || property.len() > 64 || !property.chars().all(allowed) {
            faults.push(format!(
                "has an argument {property:?}; the API takes 1 to 64 letters, digits, `_`, `.` and \
                 `-`"
            ));
        }
    }
    faults
}

/// The hooks of a session, under the ids by which the CLI asks for them.
#[derive(Clone, Debug, Default)]
pub(crate) struct HookTable {
    by_id: BTreeMap<String, Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    hook: Hook,
    /// As the CLI is told.
    matcher: Option<String>,
}

/// The matcher of a hook in the words of the CLI, or what is wrong with it.
fn matcher(
    hook: &Hook,
    full_name: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<String>, String> {
    if let Some(tool) = hook.tool() {
        return match full_name(&tool) {
            Some(name) => Ok(Some(name)),
            None => Err(format!(
                "is for the tool `{tool}`, which this session does not serve; serve the tool, or leave \
                 out the hook"
            )),
        };
    }
    let Some(matcher) = hook.matcher() else { return Ok(None) };
    matcher::check(matcher).map_err(|fault| format!("would never be asked: {fault}"))?;
    Ok(Some(matcher.to_owned()))
}

/// Refuses tools and hooks that need a value which the program did not give.
///
/// # Errors
///
/// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration), naming each type with all that need it.
pub(crate) fn check_states(tools: &[Tool], hooks: &[Hook], states: &States) -> Result<()> {
    let of_tools = tools.iter().flat_map(|tool| {
        let place = format!("the tool `{}` ({})", tool.name(), tool.location());
        tool.needs().into_iter().map(move |need| (need, place.clone()))
    });
    let of_hooks = hooks.iter().flat_map(|hook| {
        let place = format!("the hook `{}` ({})", hook.name(), hook.location());
        hook.needs().into_iter().map(move |need| (need, place.clone()))
    });
    let mut missing: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (need, place) in of_tools.chain(of_hooks).filter(|(need, _)| !states.has(need)) {
        let places = missing.entry(need.type_name).or_default();
        if !places.contains(&place) {
            places.push(place);
        }
    }
    if missing.is_empty() {
        return Ok(());
    }
    let faults = missing.iter().map(|(name, places)| {
        let take = if places.len() == 1 { "takes" } else { "take" };
        format!("there is no state of type `{name}`, which {} {take}", places.join(" and "))
    });
    Err(Error::configuration(faults.collect::<Vec<_>>().join("; "))
        .hint("give the builder a value of the very type: `.state(value)`"))
}

impl HookTable {
    /// Gives each hook its id. `full_name` knows the tools that are served, by their names without the
    /// server's.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration) for hooks that would never be asked:
    /// those for a tool that is not served, and those whose matcher matches nothing.
    pub(crate) fn new(
        hooks: Vec<Hook>,
        full_name: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self> {
        let mut by_id = BTreeMap::new();
        let mut faults = Vec::new();
        for (n, hook) in hooks.into_iter().enumerate() {
            match matcher(&hook, full_name) {
                Ok(matcher) => {
                    by_id.insert(format!("hook_{n:04}"), Entry { hook, matcher });
                }
                Err(fault) => {
                    faults.push(format!("hook `{}` ({}) {fault}", hook.name(), hook.location()));
                }
            }
        }
        if faults.is_empty() {
            Ok(Self { by_id })
        } else {
            Err(Error::configuration(faults.join("; ")))
        }
    }

    pub(crate) fn get(&self, id: &str) -> Option<&Hook> {
        self.by_id.get(id).map(|entry| &entry.hook)
    }

    /// Refuses a CLI that does not promise what the hooks rely on, going by its answer to `initialize`:
    /// there, a guard that fails would let everything through.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration), naming a hook.
    pub(crate) fn check_answer(&self, answer: &Value) -> Result<()> {
        let guard = self.by_id.values().find(|entry| entry.hook.on_failure() == OnFailure::Block);
        let Some(Entry { hook, .. }) = guard else { return Ok(()) };
        let reason = if answer["hooks_applied"] == false {
            "the CLI has not taken the hooks of this session"
        } else if answer["hook_on_failure_supported"] != true {
            "this CLI goes on when a hook fails"
        } else {
            return Ok(());
        };
        Err(Error::configuration(format!(
            "{reason}, and the hook `{}` ({}) is there to block {}",
            hook.name(),
            hook.location(),
            hook.event()
        ))
        .hint(
            "update the CLI, or let the hooks fail without consequence: `on_failure = \"continue\"`",
        ))
    }

    /// `initialize.hooks`: by event, the matchers with the ids of their callbacks; `null` without hooks.
    pub(crate) fn to_initialize(&self) -> Value {
        use crate::wire::hook::HookMatcher;

        let mut events: BTreeMap<&str, Vec<HookMatcher>> = BTreeMap::new();
        for (id, Entry { hook, matcher }) in &self.by_id {
            let blocks = hook.on_failure() == OnFailure::Block;
            events.entry(hook.event().as_str()).or_default().push(HookMatcher {
                matcher: matcher.clone(),
                hook_callback_ids: vec![id.clone()],
                timeout: hook.timeout().and_then(seconds),
                on_failure: blocks.then_some("block"),
            });
        }
        if events.is_empty() { Value::Null } else { serde_json::json!(events) }
    }
}

/// Writes whole seconds without a fraction, as a person would.
fn seconds(time: Duration) -> Option<Number> {
    if time.subsec_nanos() == 0 {
        Some(time.as_secs().into())
    } else {
        Number::from_f64(time.as_secs_f64())
    }
}

#[cfg(test)]
mod tests;
