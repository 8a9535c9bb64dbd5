//! Judges the matchers of hooks: what the CLI makes of one is not always what it looks like, and a hook
//! that is never asked guards nothing.
//!
//! Also part of `byre`, by its path: the macro judges what stands in an attribute, and the session what a
//! program makes up. So it must name nothing of this crate.
//!
//! # What the CLI does
//!
//! Letters, digits, `_` and `-`, joined by `|` or `,`, are a list of names, each compared as it is. Anything
//! else is a regular expression of JavaScript, which may match anywhere; a broken one matches nothing.
//!
//! Source: seen with CLI 2.1.332.

use regex_syntax::ast::{self, Ast, ErrorKind, GroupKind, Visitor, parse::Parser, visit};

/// Says what is wrong with a matcher, or that it can match what it looks like.
///
/// # Errors
///
/// The rule that is broken and what to write instead, in lower case and without a final dot.
///
pub(crate) fn check(matcher: &str) -> Result<(), String> {
    let trimmed = matcher.trim();
    if trimmed.is_empty() {
        return Err("an empty matcher means everything; remove it".to_owned());
    }
    if trimmed == "*" {
        return Ok(());
    }
    if let Some(name) = trimmed.strip_prefix('!') {
        return Err(format!(
            "a matcher can't be turned around by `!`, which stands for itself; use `^(?!{name}$)`"
        ));
    }
    if let Some(tool) = permission_rule(trimmed) {
        return Err(format!(
            "a matcher is no permission rule: `{trimmed}` matches no tool; use `{tool}`, and look at the \
             arguments in the hook"
        ));
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-|, ".contains(c);
    if trimmed.chars().all(is_plain) {
        trimmed.split(['|', ',']).map(str::trim).try_for_each(check_name)
    } else {
        check_regex(trimmed)
    }
}

/// The tool of something that looks like `Bash(git *)`.
fn permission_rule(matcher: &str) -> Option<&str> {
    let (tool, rest) = matcher.strip_suffix(')')?.split_once('(')?;
    let is_name = !tool.is_empty() && tool.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_group = rest.starts_with('?') || !rest.contains([' ', ':', '/', '~']) && !globs(rest);
    (is_name && !is_group).then_some(tool)
}

/// Whether a star stands where no regular expression would have one.
fn globs(text: &str) -> bool {
    text.starts_with('*') || text.contains("**") || text.contains("|*")
}

fn check_name(name: &str) -> Result<(), String> {
    if name.contains(' ') {
        let fix = name.split_whitespace().collect::<Vec<_>>().join("|");
        return Err(format!("no name has a blank in it, as `{name}` has; use `{fix}`"));
    }
    let Some(rest) = name.strip_prefix("mcp__") else { return Ok(()) };
    let (server, tool) = rest.split_once("__").unwrap_or((rest, ""));
    if tool.is_empty() {
        let fix = if server.is_empty() {
            "mcp__.*".to_owned()
        } else {
            format!("mcp__{}__.*", server.trim_end_matches('_'))
        };
        return Err(format!(
            "a name is compared as a whole, and no tool is called `{name}`; use `{fix}`"
        ));
    }
    Ok(())
}

fn check_regex(pattern: &str) -> Result<(), String> {
    let broken = |what: &str| Err(format!("the CLI can't read `{pattern}`: {what}"));
    let ast = match Parser::new().parse(pattern) {
        Ok(ast) => ast,
        Err(error) => {
            return match error.kind() {
                // JavaScript knows these.
                ErrorKind::UnsupportedLookAround | ErrorKind::UnsupportedBackreference => Ok(()),
                kind => broken(&kind.to_string()),
            };
        }
    };
    match visit(&ast, OnlyRust) {
        Ok(()) => Ok(()),
        Err(what) => broken(what),
    }
}

/// Finds what regular expressions of Rust have and those of JavaScript have not.
struct OnlyRust;

impl Visitor for OnlyRust {
    type Output = ();
    type Err = &'static str;

    fn finish(self) -> Result<(), Self::Err> {
        Ok(())
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Self::Err> {
        match ast {
            Ast::Flags(_) => Err("JavaScript has no flags such as `(?i)`"),
            Ast::Group(group) => match &group.kind {
                GroupKind::NonCapturing(flags) if !flags.items.is_empty() => {
                    Err("JavaScript has no flags such as `(?i:…)`")
                }
                GroupKind::CaptureName { starts_with_p: true, .. } => {
                    Err("JavaScript has no groups such as `(?P<name>…)`; use `(…)`")
                }
                _ => Ok(()),
            },
            Ast::Assertion(assertion) => match assertion.kind {
                ast::AssertionKind::StartText | ast::AssertionKind::EndText => {
                    Err("JavaScript has no `\\A` and `\\z`; use `^` and `$`")
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
#[path = "matcher/tests.rs"]
mod tests;
