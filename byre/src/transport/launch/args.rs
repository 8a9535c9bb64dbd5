//! The command line, as it grows.

use std::ffi::{OsStr, OsString};

/// Arguments of the CLI. Values stand in the same argument as their flag, so that no value is ever taken
/// for a flag.
#[derive(Debug, Default)]
pub(super) struct Args(Vec<OsString>);

impl Args {
    /// Adds `--name=value`.
    pub(super) fn flag(&mut self, name: &str, value: impl AsRef<OsStr>) {
        let mut arg = OsString::from(format!("--{name}="));
        arg.push(value);
        self.0.push(arg);
    }

    /// Adds `--name=value`, if there is a value.
    pub(super) fn maybe(&mut self, name: &str, value: Option<impl AsRef<OsStr>>) {
        if let Some(value) = value {
            self.flag(name, value);
        }
    }

    /// Adds `--name`, if it is on.
    pub(super) fn switch(&mut self, name: &str, on: bool) {
        if on {
            self.0.push(format!("--{name}").into());
        }
    }

    /// Says whether the flag is there already.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.0.iter().any(|arg| {
            let arg = arg.to_string_lossy();
            arg.strip_prefix("--").is_some_and(|arg| arg.split('=').next() == Some(name))
        })
    }

    pub(super) fn into_vec(self) -> Vec<OsString> {
        self.0
    }
}
