//! Turns doc comments into the text that the model reads.
//!
//! A doc comment is written to fit the width of an editor, and the model has no use for those line
//! breaks. The transformation:
//!
//! 1. The lines of all doc attributes are put together, wherever other attributes stand. From a block
//!    comment the column of stars goes away.
//! 2. The white space that all lines begin with, and all white space at their ends, goes away, and so
//!    do blank lines at the start and at the end.
//! 3. Lines of one paragraph are joined by a blank. What begins a list item, a heading, a quote or a
//!    row of a table stays on a line of its own, a line after a list item joins that item, and a line
//!    that ends in a backslash or two blanks ends there.
//! 4. Paragraphs are divided by one blank line.
//! 5. Fenced and indented code stays as it is.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

use crate::diagnostics::Diagnostics;

/// Returns the text of the doc comments among `attrs`, or an empty string where there are none.
pub(crate) fn text(attrs: &[Attribute], diags: &mut Diagnostics) -> String {
    let mut lines = Vec::new();
    for attr in attrs {
        // `#[doc(hidden)]` and the like are no text.
        let Meta::NameValue(meta) = &attr.meta else { continue };
        if !meta.path.is_ident("doc") {
            continue;
        }
        match string(&meta.value) {
            Some(text) => lines.extend(comment_lines(&text)),
            None => diags.error(
                &meta.value,
                "a doc comment that the model reads must be a string literal; use `description = \"…\"`",
            ),
        }
    }
    paragraphs(&lines)
}

/// Returns the string that `expr` is a literal of. A `macro_rules` wraps it into invisible groups.
pub(crate) fn string(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Str(lit), .. }) => Some(lit.value()),
        Expr::Group(group) => string(&group.expr),
        _ => None,
    }
}

/// Splits the text of one doc attribute into lines, and removes the stars of a block comment.
fn comment_lines(text: &str) -> Vec<String> {
    let lines = || text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let stars = lines().next().is_some() && lines().all(|line| line.trim_start().starts_with('*'));
    let strip = |(at, line): (usize, &str)| match line.trim_start().strip_prefix('*') {
        Some(rest) if stars && at > 0 => rest.to_owned(),
        _ => line.to_owned(),
    };
    let mut lines: Vec<_> = text.lines().enumerate().map(strip).collect();
    // The first line stands right after `/**`, the last right before `*/`: their indentation is none.
    if lines.len() > 1 {
        let indent = common_indent(lines[1..].iter());
        lines[0] = format!("{}{}", " ".repeat(indent), lines[0].trim_start());
    }
    if lines.is_empty() {
        lines.push(String::new()); // `///`
    }
    lines
}

/// Counts the white space that all lines begin with, blank ones aside.
fn common_indent<'a>(lines: impl Iterator<Item = &'a String>) -> usize {
    let indent = |line: &String| line.chars().take_while(|c| c.is_whitespace()).count();
    lines.filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0)
}

fn paragraphs(lines: &[String]) -> String {
    let indent = common_indent(lines.iter());
    let mut text = String::new();
    let mut last = Line::Blank;
    let mut fence = None;
    for line in lines {
        let line: String = line.chars().skip(indent).collect();
        let breaks = line.ends_with("  ") || line.ends_with('\\');
        let line = line.trim_end();
        let kind = match fence {
            Some(mark) => {
                if line.trim_start().starts_with(mark) {
                    fence = None;
                }
                Line::Code
            }
            None => Line::of(line, last),
        };
        if kind == Line::Fence {
            fence = if line.trim_start().starts_with('`') { Some("```") } else { Some("~~~") };
        }
        // A blank line is written together with the line after it.
        if kind == Line::Blank {
            last = if fence.is_some() { Line::Code } else { Line::Blank };
            if fence.is_some() {
                text.push('\n');
            }
            continue;
        }
        let joins = kind == Line::Text && matches!(last, Line::Text | Line::Item);
        match last {
            _ if text.is_empty() => (),
            Line::Blank => text.push_str("\n\n"),
            _ if joins => text.push(' '),
            _ => text.push('\n'),
        }
        let verbatim = matches!(kind, Line::Code | Line::Fence | Line::Item);
        let line = if verbatim { line } else { line.trim_start() };
        text.push_str(line.strip_suffix('\\').filter(|_| kind == Line::Text).unwrap_or(line));
        last = match kind {
            _ if breaks && kind == Line::Text => Line::Row,
            // A line that goes on with an item leaves the item open.
            Line::Text if last == Line::Item => Line::Item,
            kind => kind,
        };
    }
    text.trim_matches('\n').to_owned()
}

/// What a line is, as far as it matters for the line breaks around it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Blank,
    Text,
    Item,
    /// A line on its own: a heading, a quote, a row of a table, or a text that ends in a hard break.
    Row,
    Fence,
    Code,
}

impl Line {
    fn of(line: &str, last: Self) -> Self {
        let start = line.trim_start();
        let digits = start.chars().take_while(char::is_ascii_digit).count();
        let numbered =
            digits > 0 && (start[digits..].starts_with(". ") || start[digits..].starts_with(") "));
        if start.is_empty() {
            Self::Blank
        } else if start.starts_with("```") || start.starts_with("~~~") {
            Self::Fence
        } else if ["- ", "* ", "+ "].iter().any(|bullet| start.starts_with(bullet)) || numbered {
            Self::Item
        } else if line.starts_with("    ") && matches!(last, Self::Blank | Self::Code) {
            Self::Code
        } else if ["#", ">", "|"].iter().any(|mark| start.starts_with(mark)) {
            Self::Row
        } else {
            Self::Text
        }
    }
}

#[cfg(test)]
mod tests;
