//! Which tools and hooks a session serves, and the checks that the CLI would not make aloud.
//!
//! The CLI and the API drop what they don't like in silence: a tool with a bad schema vanishes, and
//! sometimes every other tool with it. Whatever they would drop is refused here, with file and line.

/// The macro judges by the same rules, and a crate of macros can share nothing but the text.
#[path = "../../byre-macros/src/matcher.rs"]
mod matcher;
pub(crate) mod mcp_server;

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use serde_json::{Number, Value};

use mcp_server::McpServer;

use crate::{
    error::{Error, Result},
    function::state::States,
    hook::{self, Hook, OnFailure},
    tool::{self, Tool, layer::Layered},
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

/// Which of the registered tools are served, and by which servers.
#[derive(Clone, Default)]
pub(crate) struct Selection {
    /// A list given by the program, in place of what is registered.
    pub(crate) explicit: Option<Vec<Tool>>,
    /// Servers beside the session's own.
    pub(crate) servers: Vec<McpServer>,
    /// Only these, by name.
    pub(crate) only: Option<Vec<String>>,
    /// All but these, by name.
    pub(crate) without: Vec<String>,
    /// Around the calls of all tools.
    pub(crate) layers: Vec<Layered>,
    /// Hooks given by the program, in place of what is registered.
    pub(crate) hooks: Option<Vec<Hook>>,
    /// Hooks in addition to those.
    pub(crate) more_hooks: Vec<Hook>,
}

impl Selection {
    /// The servers with the selected tools, both sorted by name: what is linked in has no order of its own, and
    /// a list whose order changes costs the prompt cache. `own` serves the tools that ask for no server; it is
    /// left out where there are none, and the program has not described it either.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration) for two servers or two tools of a server
    /// with one name, and for a name that no tool has.
    pub(crate) fn servers(&self, own: McpServer) -> Result<Vec<McpServer>> {
        let own_name = own.name.clone();
        let mut servers = self.described(own)?;
        for tool in self.explicit.clone().unwrap_or_else(tool::registered) {
            let name = tool.server().unwrap_or(&own_name).to_owned();
            servers.entry(name.clone()).or_insert_with(|| McpServer::new(name)).tools.push(tool);
        }
        let mut servers: Vec<_> = servers.into_values().collect();
        for server in &mut servers {
            sort(&mut server.tools)?;
        }
        self.choose(&mut servers)?;
        let described = |name: &str| self.servers.iter().any(|server| server.name == name);
        servers.retain(|server| !server.tools.is_empty() || described(&server.name));
        Ok(servers.into_iter().map(|server| server.inside(&self.layers)).collect())
    }

    /// The servers that the program has described, and its own.
    fn described(&self, own: McpServer) -> Result<BTreeMap<String, McpServer>> {
        let mut servers = BTreeMap::new();
        for server in &self.servers {
            let mut server = server.clone();
            if server.name == own.name {
                server.instructions = match (server.instructions, &own.instructions) {
                    (Some(_), Some(_)) => {
                        return Err(Error::configuration(format!(
                            "the server {:?} is given instructions twice",
                            own.name
                        ))
                        .hint("leave out those of the session or those of the server"));
                    }
                    (of_server, of_session) => of_server.or_else(|| of_session.clone()),
                };
            }
            let name = server.name.clone();
            if servers.insert(name.clone(), server).is_some() {
                return Err(Error::configuration(format!("two servers are called {name:?}"))
                    .hint("give all of its tools to one of them"));
            }
        }
        servers.entry(own.name.clone()).or_insert(own);
        Ok(servers)
    }

    /// Leaves only the tools that the program wants.
    fn choose(&self, servers: &mut [McpServer]) -> Result<()> {
        let all: Vec<_> = servers.iter().flat_map(|server| &server.tools).collect();
        for name in self.only.iter().flatten().chain(&self.without) {
            if !all.iter().any(|tool| tool.name() == name) {
                return Err(unknown_tool(name, &all));
            }
        }
        for server in servers {
            server.tools.retain(|tool| {
                let is = |name: &String| name == tool.name();
                self.only.as_ref().is_none_or(|only| only.iter().any(is))
                    && !self.without.iter().any(is)
            });
        }
        Ok(())
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

/// Sorts tools by name.
///
/// # Errors
///
/// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration), naming every pair with one name.
pub(crate) fn sort(tools: &mut [Tool]) -> Result<()> {
    tools.sort_by(|a, b| {
        let key = |tool: &Tool| (tool.name().to_owned(), tool.location().to_string());
        key(a).cmp(&key(b))
    });
    let pairs = tools.windows(2).filter(|pair| pair[0].name() == pair[1].name());
    let faults: Vec<_> = pairs
        .map(|pair| {
            let [a, b] = [&pair[0], &pair[1]];
            let (a_at, b_at) = (a.location(), b.location());
            format!("two tools are called {:?}: {a_at} and {b_at}", a.name())
        })
        .collect();
    if faults.is_empty() {
        return Ok(());
    }
    Err(Error::configuration(faults.join("; "))
        .hint("rename one with `#[byre::tool(name = \"…\")]`, or serve only one of them"))
}

fn unknown_tool(name: &str, tools: &[&Tool]) -> Error {
    let names = tools.iter().map(|tool| tool.name()).collect::<Vec<_>>();
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

/// The permission rules that let every tool of a server run: one for the server, so that a tool that is added
/// later needs no permission either. Where the name has `__` in it, or underscores at its ends, the CLI does not
/// know the server by it, and each tool that is there has its own.
///
/// Source: seen with CLI 2.1.332.
pub(crate) fn rules(server: &str, tools: &[Tool]) -> Vec<String> {
    let name = sanitized(server);
    if name.contains("__") || name.starts_with('_') || name.ends_with('_') {
        return tools.iter().map(|tool| qualified_name(server, tool.name())).collect();
    }
    vec![format!("mcp__{name}")]
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
pub(crate) fn check(servers: &[McpServer]) -> Result<()> {
    let mut faults = Vec::new();
    let mut by_name = HashMap::new();
    for server in servers {
        let listed = server.tools.iter().map(Listed::new).collect::<Vec<_>>();
        faults.extend(self::faults(&server.name, server.instructions.as_deref(), &listed));
        faults.extend(limit_faults(server));
        if let Some(other) = by_name.insert(sanitized(&server.name), &server.name) {
            faults.push(format!(
                "the servers {other:?} and {:?} are both {} to the model",
                server.name,
                sanitized(other)
            ));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(Error::configuration(faults.join("; "))) }
}

/// Finds the tools of which the CLI would give up a call before the tool itself does.
fn limit_faults(server: &McpServer) -> Vec<String> {
    let Some(of_cli) = server.call_timeout else { return Vec::new() };
    let too_long =
        server.tools.iter().filter(|tool| tool.limits().timeout.is_some_and(|own| own >= of_cli));
    let fault = |tool: &Tool| {
        let own = tool.limits().timeout.unwrap_or_default();
        format!(
            "tool {:?} ({}) may take {} s, and the CLI gives up after {} s; make `timeout` shorter or \
             `call_timeout` longer",
            tool.name(),
            tool.location(),
            own.as_secs_f64(),
            of_cli.as_secs_f64()
        )
    };
    too_long.map(fault).collect()
}

/// What the CLI is told of a tool, as far as it may not like it, and where the tool stands.
struct Listed<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: Value,
    place: String,
    /// What is wrong with its parameters.
    faults: Vec<String>,
}

impl<'a> Listed<'a> {
    fn new(tool: &'a Tool) -> Self {
        Self {
            name: tool.name(),
            description: tool.description(),
            input_schema: tool.input_schema(),
            place: tool.location().to_string(),
            faults: tool.faults(),
        }
    }
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
    let mut faults = tool.faults.clone();
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
    faults.extend(tool::check::faults(&tool.input_schema));
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
    full_names: &dyn Fn(&str) -> Vec<String>,
) -> Result<Option<String>, String> {
    if let Some(tool) = hook.tool() {
        let names = full_names(&tool);
        if names.is_empty() {
            return Err(format!(
                "is for the tool `{tool}`, which this session does not serve; serve the tool, or leave \
                 out the hook"
            ));
        }
        // One of the name for each server that serves it.
        return Ok(Some(names.join("|")));
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
    /// Gives each hook its id. `full_names` knows the tools that are served, by their names without the
    /// servers'.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration) for hooks that would never be asked:
    /// those for a tool that is not served, and those whose matcher matches nothing.
    pub(crate) fn new(hooks: Vec<Hook>, full_names: &dyn Fn(&str) -> Vec<String>) -> Result<Self> {
        let mut by_id = BTreeMap::new();
        let mut faults = Vec::new();
        for (n, hook) in hooks.into_iter().enumerate() {
            match matcher(&hook, full_names) {
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
