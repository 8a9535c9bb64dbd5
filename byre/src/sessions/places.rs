//! Where sessions lie.
//!
//! ```text
//! <config>/projects/<project key>/<session id>.jsonl
//! <config>/projects/<project key>/<session id>/subagents/agent-<agent id>.jsonl
//! ```

use std::{
    collections::HashSet,
    env, fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use unicode_normalization::UnicodeNormalization;

use super::skipped::{SkipReason, Skipped};
use crate::error::{Error, ErrorKind, Result};

/// From this length on, the key of a project is cut, and a hash stands for the rest.
const MAX_KEY: usize = 200;

/// A session's file, found by its name alone.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) id: String,
    pub(super) path: PathBuf,
    pub(super) modified: SystemTime,
    pub(super) size: u64,
}

/// Finds the config folder as the CLI does.
///
/// # Errors
///
/// [`ErrorKind::Configuration`] where there is no home folder.
pub(super) fn config_dir() -> Result<PathBuf> {
    if let Some(folder) = env::var_os("CLAUDE_CONFIG_DIR").filter(|folder| !folder.is_empty()) {
        // The CLI takes the composed form of the name, so that is the folder that it writes to.
        return Ok(match folder.to_str() {
            Some(folder) => folder.nfc().collect::<String>().into(),
            None => folder.into(),
        });
    }
    let home = env::home_dir().filter(|home| !home.as_os_str().is_empty());
    let home = home.ok_or_else(|| {
        Error::new(ErrorKind::Configuration, "find the sessions")
            .reason("there is neither CLAUDE_CONFIG_DIR nor a home folder")
    })?;
    Ok(home.join(".claude"))
}

/// Says whether `text` has the form of a session id, a UUID. Nothing else ever becomes part of a path.
pub(super) fn is_session_id(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// The name of a project's folder: the real path of its directory, with `-` in place of everything but
/// ASCII letters and digits.
pub(super) fn project_key(directory: &Path) -> String {
    let real = fs::canonicalize(directory).or_else(|_| std::path::absolute(directory));
    let real = real.unwrap_or_else(|_| directory.to_owned());
    key_of(&real.to_string_lossy())
}

/// The same for the composed form of the path, which some builds of the CLI take, if that is another.
fn composed_key(directory: &Path) -> Option<String> {
    let real = fs::canonicalize(directory).ok()?;
    let path = real.to_str()?;
    let composed: String = path.nfc().collect();
    (composed != path).then(|| key_of(&composed))
}

/// The CLI counts as JavaScript does: what takes two UTF-16 units becomes two dashes.
fn key_of(path: &str) -> String {
    let units = path.encode_utf16().map(|unit| match u8::try_from(unit) {
        Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
        _ => '-',
    });
    let key: String = units.collect();
    if key.len() <= MAX_KEY { key } else { format!("{}-{}", &key[..MAX_KEY], hash(path)) }
}

/// A 32-bit hash of a path, in base 36.
fn hash(path: &str) -> String {
    let hash =
        path.encode_utf16().fold(0_i32, |h, unit| h.wrapping_mul(31).wrapping_add(unit.into()));
    let mut rest = hash.unsigned_abs();
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit(rest % 36, 36));
        rest /= 36;
        if rest == 0 {
            return digits.iter().rev().collect();
        }
    }
}

/// The folders that may hold the sessions of `directory`.
///
/// Mostly one. Another build of the CLI may hash long paths in another way, so for those it is every
/// folder with the same beginning.
pub(super) fn project_dirs_of(projects: &Path, directory: &Path) -> Vec<PathBuf> {
    let keys = [Some(project_key(directory)), composed_key(directory)];
    keys.iter().flatten().flat_map(|key| folders_of(projects, key)).collect()
}

fn folders_of(projects: &Path, key: &str) -> Vec<PathBuf> {
    let exact = projects.join(key);
    if key.len() <= MAX_KEY || exact.is_dir() {
        return vec![exact];
    }
    let start = &key[..=MAX_KEY];
    let all = project_dirs(projects).unwrap_or_default();
    let fits = |path: &PathBuf| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(start))
    };
    all.into_iter().filter(fits).collect()
}

/// The folders of all projects, sorted; none where the CLI has never run.
///
/// # Errors
///
/// [`ErrorKind::Io`] if the folder is there and can't be read.
pub(super) fn project_dirs(projects: &Path) -> Result<Vec<PathBuf>> {
    let failed = |error| Error::io(format!("list {}", projects.display()), error);
    let entries = match fs::read_dir(projects) {
        Ok(entries) => entries,
        Err(error) if is_absent(&error) => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut folders = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        // Follows links: a project's folder may lie on another disk.
        if path.is_dir() {
            folders.push(path);
        }
    }
    folders.sort();
    Ok(folders)
}

/// The sessions in a project's folder, in no order; none where the folder is missing.
pub(super) fn sessions_in(folder: &Path, skipped: &mut Vec<Skipped>) -> Vec<Found> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            if !is_absent(&error) {
                skipped.push(Skipped::unreadable(folder, &error));
            }
            return Vec::new();
        }
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = match entry {
            Ok(entry) => entry.path(),
            Err(error) => {
                skipped.push(Skipped::unreadable(folder, &error));
                continue;
            }
        };
        if path.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        match path.file_stem().and_then(|name| name.to_str()).filter(|name| is_session_id(name)) {
            None => skipped.push(Skipped::file(path, SkipReason::NotASession)),
            Some(id) => match look_at(id, &path) {
                Ok(session) => found.push(session),
                Err(reason) => skipped.push(Skipped::file(path, reason)),
            },
        }
    }
    found
}

/// The files of the session `id` in these folders, the one that was changed last first.
pub(super) fn find(folders: &[PathBuf], id: &str) -> Vec<Found> {
    if !is_session_id(id) {
        return Vec::new();
    }
    let paths = folders.iter().map(|folder| folder.join(format!("{id}.jsonl")));
    let mut found: Vec<_> = paths.filter_map(|path| look_at(id, &path).ok()).collect();
    newest_first(&mut found);
    found
}

/// Puts what was changed last first; what was changed at the same time, by its path.
pub(super) fn newest_first(found: &mut [Found]) {
    found.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.path.cmp(&b.path)));
}

/// Looks at a file without opening it: opening a pipe would wait for somebody to write.
fn look_at(id: &str, path: &Path) -> Result<Found, SkipReason> {
    let unreadable = |error: io::Error| SkipReason::Unreadable(error.to_string());
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(SkipReason::NotAFile);
    }
    if metadata.len() == 0 {
        return Err(SkipReason::Empty);
    }
    let modified = metadata.modified().map_err(unreadable)?;
    Ok(Found { id: id.to_owned(), path: path.to_owned(), modified, size: metadata.len() })
}

pub(super) fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// The other work trees of the Git repository that `directory` is in, read from the repository's own
/// files; none where there is no repository.
///
/// Source: gitrepository-layout(5), `worktrees/<id>/gitdir` and `commondir`.
pub(super) fn worktrees(directory: &Path) -> Vec<PathBuf> {
    let Ok(directory) = fs::canonicalize(directory) else { return Vec::new() };
    let Some(git) =
        directory.ancestors().map(|folder| folder.join(".git")).find(|git| git.exists())
    else {
        return Vec::new();
    };
    let Some(common) = common_dir(&git) else { return Vec::new() };
    let mut found = Vec::new();
    // A bare repository has no work tree of its own.
    if common.file_name().is_some_and(|name| name == ".git") {
        found.extend(common.parent().map(Path::to_owned));
    }
    for entry in fs::read_dir(common.join("worktrees")).into_iter().flatten().flatten() {
        let git = line_of(&entry.path().join("gitdir")).map(|git| entry.path().join(git));
        found.extend(git.as_deref().and_then(Path::parent).map(Path::to_owned));
    }
    let mut seen = HashSet::from([directory]);
    found.retain(|tree| seen.insert(fs::canonicalize(tree).unwrap_or_else(|_| tree.clone())));
    found.sort();
    found
}

/// The folder that all work trees of a repository share.
fn common_dir(git: &Path) -> Option<PathBuf> {
    if git.is_dir() {
        return Some(git.to_owned());
    }
    let line = line_of(git)?;
    let of_tree = git.parent()?.join(line.strip_prefix("gitdir:")?.trim());
    let common =
        line_of(&of_tree.join("commondir")).map_or(of_tree.clone(), |common| of_tree.join(common));
    fs::canonicalize(common).ok()
}

/// The text of a file of one line.
fn line_of(path: &Path) -> Option<String> {
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > 64 * 1024 {
        return None;
    }
    let text = fs::read_to_string(path).ok()?;
    Some(text.trim_end_matches(['\n', '\r']).to_owned())
}

#[cfg(test)]
mod tests;
