//! What the model can do: built-in tools, rules, skills, agents and plugins.

use std::{collections::BTreeMap, path::PathBuf};

use serde_json::{Map, Value, json};

use super::args::Args;
use crate::wire::{json::object, option::agent::AgentDefinition};

/// What the model can do.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolOptions {
    /// `None` leaves it to the CLI; an empty list means none.
    pub(crate) builtin: Option<Builtin>,
    pub(crate) allowed: Vec<String>,
    pub(crate) disallowed: Vec<String>,
    pub(crate) aliases: BTreeMap<String, String>,
    pub(crate) skills: Option<Skills>,
    pub(crate) agents: BTreeMap<String, AgentDefinition>,
    pub(crate) main_agent: Option<String>,
    pub(crate) plugins: Vec<Plugin>,
}

/// The built-in tools that there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Builtin {
    All,
    These(Vec<String>),
}

/// The skills that the model may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Skills {
    All,
    These(Vec<String>),
}

/// A folder with a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plugin {
    pub(crate) folder: PathBuf,
    pub(crate) without_mcp: bool,
}

impl ToolOptions {
    /// Writes the flags; `own` are the rules that let byre's tools run.
    pub(super) fn write(&self, own: &[String], args: &mut Args) {
        let mut allowed = [own, &self.allowed].concat();
        match &self.skills {
            Some(Skills::All) => allowed.push("Skill".to_owned()),
            Some(Skills::These(names)) => {
                allowed.extend(names.iter().map(|name| format!("Skill({name})")));
            }
            None => {}
        }
        if !allowed.is_empty() {
            args.flag("allowedTools", allowed.join(","));
        }
        if !self.disallowed.is_empty() {
            args.flag("disallowedTools", self.disallowed.join(","));
        }
        match &self.builtin {
            Some(Builtin::All) => args.flag("tools", "default"),
            Some(Builtin::These(names)) => args.flag("tools", names.join(",")),
            None => {}
        }
        args.maybe("agent", self.main_agent.as_ref());
        for Plugin { folder, without_mcp } in &self.plugins {
            args.flag(if *without_mcp { "plugin-dir-no-mcp" } else { "plugin-dir" }, folder);
        }
    }

    /// Writes the fields of `initialize`.
    pub(super) fn initialize(&self, body: &mut Map<String, Value>) {
        if !self.aliases.is_empty() {
            body.insert("toolAliases".to_owned(), json!(self.aliases));
        }
        if let Some(Skills::These(names)) = &self.skills {
            body.insert("skills".to_owned(), json!(names));
        }
        if !self.agents.is_empty() {
            let agents = self.agents.iter().map(|(name, agent)| (name.clone(), agent.to_value()));
            body.insert("agents".to_owned(), object(agents).into());
        }
    }

    pub(super) fn faults(&self, faults: &mut Vec<String>) {
        for rule in self.allowed.iter().chain(&self.disallowed) {
            if let Some(fault) = rule_fault(rule) {
                faults.push(format!("the permission rule {rule:?} {fault}"));
            }
        }
        if let Some(Builtin::These(names)) = &self.builtin {
            for name in names.iter().filter(|name| !is_tool_name(name)) {
                faults.push(format!("{name:?} can't be the name of a tool"));
            }
        }
        if let Some(Skills::These(names)) = &self.skills {
            for name in names {
                if let Some(fault) = skill_fault(name) {
                    faults.push(format!("the skill name {name:?} {fault}"));
                }
            }
        }
        if self.agents.contains_key("") {
            faults.push("an agent has an empty name".to_owned());
        }
    }
}

fn is_tool_name(name: &str) -> bool {
    !name.is_empty() && !name.contains([',', '(', ')']) && !name.contains(char::is_whitespace)
}

/// Why the CLI would not read this as one rule: outside of parentheses it splits at commas and white
/// space.
fn rule_fault(rule: &str) -> Option<&'static str> {
    if rule.trim().is_empty() {
        return Some("is empty");
    }
    let mut depth = 0_usize;
    for c in rule.chars() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some("closes a parenthesis that is not open"),
            ')' => depth -= 1,
            c if c.is_control() => return Some("holds a control character"),
            c if depth == 0 && (c == ',' || c.is_whitespace()) => {
                return Some("holds a comma or a space outside of parentheses; they divide rules");
            }
            _ => {}
        }
    }
    (depth > 0).then_some("does not close a parenthesis")
}

/// Why `Skill(<name>)` would mean something else than this one skill. The CLI knows no escapes.
///
/// Source: the TypeScript SDK 0.3.332, which refuses the same names.
fn skill_fault(name: &str) -> Option<&'static str> {
    if name.trim().is_empty() {
        Some("is blank")
    } else if name.trim() != name {
        Some("begins or ends with white space")
    } else if name.contains(|c: char| matches!(c, '(' | ')' | ',' | '\u{feff}') || c.is_control()) {
        Some("holds a parenthesis, a comma or a control character")
    } else if name == "*" || [":*", " *", "__*"].iter().any(|end| name.ends_with(end)) {
        Some("would be a pattern")
    } else if name.starts_with('/') {
        Some("begins with a slash; a skill's name has none")
    } else if name.contains("\\\\") || name.ends_with('\\') {
        Some("holds a backslash that the CLI would read as an escape")
    } else {
        None
    }
}
