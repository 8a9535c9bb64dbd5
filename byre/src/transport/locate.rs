//! Finds the CLI on this machine.

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use crate::error::{Error, ErrorKind, Result};

/// The environment variable that names the CLI for programs that don't.
pub(crate) const CLI_VARIABLE: &str = "BYRE_CLAUDE";

/// What the search depends on, so that a test can stand in for the machine.
pub(crate) trait Machine {
    fn variable(&self, name: &str) -> Option<OsString>;
    fn is_file(&self, path: &Path) -> bool;
}

/// The machine that the program runs on.
pub(crate) struct ThisMachine;

impl Machine for ThisMachine {
    fn variable(&self, name: &str) -> Option<OsString> {
        std::env::var_os(name)
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }
}

/// Finds the CLI: `explicit` if given, else what `BYRE_CLAUDE` names, else `claude` on `PATH`, else the
/// places where its installers put it.
///
/// # Errors
///
/// [`ErrorKind::CliNotFound`] with every place that was looked at. A path that was named, by either
/// way, is not replaced by another one when it does not exist.
pub(crate) fn find_cli(explicit: Option<&Path>, machine: &dyn Machine) -> Result<PathBuf> {
    let not_found = || Error::new(ErrorKind::CliNotFound, "find the `claude` CLI");
    let named = |path: &Path, by: &str| {
        if machine.is_file(path) {
            Ok(path.to_path_buf())
        } else {
            Err(not_found().reason(format!("{by} is {}, which is not a file", path.display())))
        }
    };
    if let Some(path) = explicit {
        return named(path, "the path given to the builder");
    }
    if let Some(path) = machine.variable(CLI_VARIABLE).filter(|path| !path.is_empty()) {
        return named(Path::new(&path), CLI_VARIABLE);
    }
    let search_path = machine.variable("PATH").unwrap_or_default();
    let mut candidates: Vec<PathBuf> = Vec::new();
    // A folder is often in `PATH` twice, or is a usual place as well. The message names it once.
    for path in on_path(&search_path).chain(usual_places(machine.variable("HOME").as_deref())) {
        if !candidates.contains(&path) {
            candidates.push(path);
        }
    }
    candidates.iter().find(|path| machine.is_file(path)).cloned().ok_or_else(|| {
        let places = candidates.iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
        not_found().reason(format!("it is in none of {}", places.join(", "))).hint(format!(
            "install Claude Code, or name the binary with {CLI_VARIABLE} or `cli_path`"
        ))
    })
}

/// `claude` in every folder of `PATH`. Relative folders are left out: what they mean depends on where
/// the program happens to run.
fn on_path(search_path: &OsStr) -> impl Iterator<Item = PathBuf> {
    let folders = std::env::split_paths(search_path).collect::<Vec<_>>();
    folders.into_iter().filter(|folder| folder.is_absolute()).map(|folder| folder.join(binary()))
}

/// Where the installers put the CLI.
///
/// Source: the Python SDK 0.2.189.
fn usual_places(home: Option<&OsStr>) -> impl Iterator<Item = PathBuf> {
    let in_home =
        [".local/bin", ".claude/local", ".npm-global/bin", "node_modules/.bin", ".yarn/bin"];
    let home = home.map(PathBuf::from);
    let in_home = home.into_iter().flat_map(move |home| {
        in_home.into_iter().map(move |folder| home.join(folder).join(binary()))
    });
    let on_system =
        ["/usr/local/bin", "/opt/homebrew/bin"].map(|folder| Path::new(folder).join(binary()));
    in_home.chain(on_system)
}

fn binary() -> &'static str {
    if cfg!(windows) { "claude.exe" } else { "claude" }
}

#[cfg(test)]
mod tests;
