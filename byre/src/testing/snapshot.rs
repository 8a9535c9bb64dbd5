//! A file that holds what the model is told of the tools, so that no change of it goes unnoticed.

use std::{fmt::Write as _, fs, io, path::Path};

use super::Tools;

/// The variable that lets a file be written anew.
const UPDATE: &str = "BYRE_UPDATE_SNAPSHOTS";

impl Tools {
    /// Compares what the model is told of the tools with a file.
    ///
    /// Names, descriptions and schemas are part of the prompt: a change of them changes what the model does,
    /// and makes the CLI's prompt cache useless for sessions that go on. It comes about by renaming a field
    /// just as well as by an update of a dependency. The file has one entry for each tool, sorted by name, with
    /// parameters in their order; in a review, its changes are those that the model sees.
    ///
    /// A relative path starts at the folder of the package, where `cargo test` runs tests. If the variable
    /// `BYRE_UPDATE_SNAPSHOTS` is set, and neither empty nor `0`, the file is written and nothing is compared.
    ///
    /// # Panics
    ///
    /// If the file says anything else, with what differs; if there is no file, which is then written; and if
    /// the file can't be read or written.
    ///
    /// # Example
    ///
    /// ```no_run
    /// #[test]
    /// fn the_model_is_told_what_it_was_told() {
    ///     byre::testing::tools().assert_snapshot("tests/tools.json");
    /// }
    /// ```
    #[track_caller]
    pub fn assert_snapshot(&self, path: impl AsRef<Path>) {
        let update =
            std::env::var_os(UPDATE).is_some_and(|value| !value.is_empty() && value != "0");
        if let Err(text) = compare(path.as_ref(), &self.snapshot(), update) {
            panic!("{text}");
        }
    }

    fn snapshot(&self) -> String {
        let mut entries = self.definitions();
        entries.sort();
        let mut text = "[".to_owned();
        for (at, (_, entry)) in entries.iter().enumerate() {
            text.push_str(if at == 0 { "\n  " } else { ",\n  " });
            indent(entry, "  ", &mut text);
        }
        text.push_str(if entries.is_empty() { "]\n" } else { "\n]\n" });
        text
    }
}

/// Spreads JSON of one line over many, and keeps the order of keys, which a value would lose.
fn indent(json: &str, margin: &str, text: &mut String) {
    let (mut depth, mut in_string, mut escaped) = (0, false, false);
    let mut chars = json.chars().peekable();
    while let Some(c) = chars.next() {
        let line = |depth: usize, text: &mut String| {
            let _ = write!(text, "\n{margin}{}", "  ".repeat(depth));
        };
        if in_string {
            text.push(c);
            in_string = escaped || c != '"';
            escaped = c == '\\' && !escaped;
            continue;
        }
        match c {
            '"' => {
                in_string = true;
                text.push(c);
            }
            '{' | '[' => {
                text.push(c);
                if let Some(close) = chars.next_if(|next| matches!(next, '}' | ']')) {
                    text.push(close);
                } else {
                    depth += 1;
                    line(depth, text);
                }
            }
            '}' | ']' => {
                depth -= 1;
                line(depth, text);
                text.push(c);
            }
            ',' => {
                text.push(c);
                line(depth, text);
            }
            ':' => text.push_str(": "),
            c => text.push(c),
        }
    }
}

fn compare(path: &Path, now: &str, update: bool) -> Result<(), String> {
    let place = path.display();
    let before = match fs::read_to_string(path) {
        // Git may have changed the ends of lines.
        Ok(before) => Some(before.replace("\r\n", "\n")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(format!("{place} can't be read: {error}")),
    };
    if before.as_deref() == Some(now) {
        return Ok(());
    }
    if let (Some(before), false) = (&before, update) {
        return Err(format!(
            "the model is told something else of the tools than {place} says (- before, + now):\n\n{}\n\
             If that is wanted, run the test with {UPDATE}=1, and commit the file.",
            difference(before, now)
        ));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(path, now))
        .map_err(|error| format!("{place} can't be written: {error}"))?;
    if before.is_some() || update {
        return Ok(());
    }
    Err(format!("{place} was not there, and is written now: look at it, commit it, and test again"))
}

/// At most this many lines of a difference are shown.
const MAX_LINES: usize = 60;

/// Lists the lines that differ, with a few around them.
fn difference(before: &str, now: &str) -> String {
    let (before, now): (Vec<_>, Vec<_>) = (before.lines().collect(), now.lines().collect());
    let lines = aligned(&before, &now);
    let mut text = String::new();
    let (mut shown, mut skipped) = (0, false);
    for (at, (sign, line)) in lines.iter().enumerate() {
        let around = at.saturating_sub(2)..lines.len().min(at + 3);
        if lines[around].iter().all(|(sign, _)| *sign == ' ') {
            skipped = true;
            continue;
        }
        if shown == MAX_LINES {
            text.push_str("  … and more\n");
            break;
        }
        if std::mem::take(&mut skipped) {
            text.push_str("  …\n");
        }
        let _ = writeln!(text, "{sign} {line}");
        shown += 1;
    }
    text
}

/// Says of each line whether it went, came, or stayed.
fn aligned<'a>(before: &[&'a str], now: &[&'a str]) -> Vec<(char, &'a str)> {
    let same_start = before.iter().zip(now).take_while(|(a, b)| a == b).count();
    let (old, new) = (&before[same_start..], &now[same_start..]);
    let same_end = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, tail) = old.split_at(old.len() - same_end);
    let new = &new[..new.len() - same_end];

    let mut lines: Vec<_> = before[..same_start].iter().map(|line| (' ', *line)).collect();
    // The table below has a cell for each pair of lines.
    if old.len().saturating_mul(new.len()) > 4_000_000 {
        lines.extend(old.iter().map(|line| ('-', *line)));
        lines.extend(new.iter().map(|line| ('+', *line)));
    } else {
        lines.extend(shortest(old, new));
    }
    lines.extend(tail.iter().map(|line| (' ', *line)));
    lines
}

/// Keeps as many lines as can be kept.
fn shortest<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(char, &'a str)> {
    // How many lines can be kept from each pair of places on.
    let width = new.len() + 1;
    let mut kept = vec![0_u32; (old.len() + 1) * width];
    for (i, a) in old.iter().enumerate().rev() {
        for (j, b) in new.iter().enumerate().rev() {
            kept[i * width + j] = if a == b {
                kept[(i + 1) * width + j + 1] + 1
            } else {
                kept[(i + 1) * width + j].max(kept[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut lines = Vec::new();
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            lines.push((' ', old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len()
            || i < old.len() && kept[(i + 1) * width + j] >= kept[i * width + j + 1]
        {
            lines.push(('-', old[i]));
            i += 1;
        } else {
            lines.push(('+', new[j]));
            j += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests;
