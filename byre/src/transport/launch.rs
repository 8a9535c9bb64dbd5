//! Turns options into a command line and an environment. Pure: starts nothing.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use crate::error::{Error, Result};

/// How the CLI decides whether a tool may run.
///
/// # Example
///
/// ```
/// use byre::{PermissionMode, Session};
///
/// let builder = Session::builder().permission_mode(PermissionMode::AcceptEdits);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PermissionMode {
    /// Asks for what no rule allows.
    Default,
    /// Also allows edits of files.
    AcceptEdits,
    /// Only plans; runs nothing that changes anything.
    Plan,
    /// Allows everything. Can only be entered where the launch allowed it.
    BypassPermissions,
    /// Denies instead of asking.
    DontAsk,
    /// Lets a classifier decide.
    Auto,
}

impl PermissionMode {
    /// Returns the name on the wire.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::PermissionMode::AcceptEdits.as_str(), "acceptEdits");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::AcceptEdits => "acceptEdits",
            Self::Plan => "plan",
            Self::BypassPermissions => "bypassPermissions",
            Self::DontAsk => "dontAsk",
            Self::Auto => "auto",
        }
    }
}

/// Everything that decides how the CLI is started.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Launch {
    pub(crate) cli_path: Option<PathBuf>,
    pub(crate) current_dir: Option<PathBuf>,
    pub(crate) model: Option<String>,
    pub(crate) permission_mode: Option<PermissionMode>,
    pub(crate) resume: Option<String>,
    pub(crate) fork_session: bool,
    /// The id of a new session.
    pub(crate) session_id: Option<String>,
    pub(crate) include_partial_messages: bool,
    pub(crate) without_attribution: bool,
    /// The in-process servers, in the order of the configuration.
    pub(crate) server_names: Vec<String>,
    /// Tools that run without asking, by their qualified names.
    pub(crate) allowed_tools: Vec<String>,
    /// Flags that byre has no method for, in the order given: name without dashes, and value.
    pub(crate) extra_args: Vec<(String, Option<String>)>,
    pub(crate) commit_identity: Option<(String, String)>,
    /// Variables set (`Some`) or removed (`None`) by the program, over everything else.
    pub(crate) env: BTreeMap<OsString, Option<OsString>>,
    pub(crate) env_clear: bool,
}

/// Variables that the child does not inherit. What the program sets itself stays.
///
/// `CLAUDECODE` tells the CLI that it runs inside another session. `NODE_OPTIONS` and `DEBUG` are meant
/// for the program at hand; the latter makes some builds print on stdout.
pub(crate) const REMOVED_VARIABLES: [&str; 3] = ["CLAUDECODE", "NODE_OPTIONS", "DEBUG"];

impl Launch {
    /// Refuses combinations that the CLI refuses, before anything is started.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration).
    pub(crate) fn check(&self) -> Result<()> {
        if self.fork_session && self.resume.is_none() {
            return Err(Error::configuration(
                "`fork_session` needs a session to fork; name one with `resume`",
            ));
        }
        for (name, _) in &self.extra_args {
            let own = [
                "print",
                "output-format",
                "input-format",
                "verbose",
                "settings",
                "model",
                "resume",
                "permission-mode",
            ];
            let bare = name.trim_start_matches('-');
            if own.contains(&bare) {
                return Err(Error::configuration(format!(
                    "`--{bare}` is set by byre; it can't be an extra argument"
                )));
            }
        }
        Ok(())
    }

    /// The arguments, without the program's name. Values stand in the same argument as their flag, so
    /// that no value is ever taken for a flag.
    pub(crate) fn args(&self) -> Vec<OsString> {
        let mut args: Vec<String> =
            ["--output-format=stream-json", "--input-format=stream-json", "--verbose"]
                .map(str::to_owned)
                .to_vec();
        let mut flag = |name: &str, value: &str| args.push(format!("--{name}={value}"));
        if let Some(model) = &self.model {
            flag("model", model);
        }
        if let Some(session_id) = &self.resume {
            flag("resume", session_id);
        }
        if let Some(session_id) = &self.session_id {
            flag("session-id", session_id);
        }
        if let Some(mode) = self.permission_mode {
            flag("permission-mode", mode.as_str());
        }
        if self.without_attribution {
            flag("settings", &without_attribution().to_string());
        }
        if !self.server_names.is_empty() {
            flag("mcp-config", &self.mcp_config());
        }
        if !self.allowed_tools.is_empty() {
            flag("allowedTools", &self.allowed_tools.join(","));
        }
        let mut switch = |name: &str, on: bool| {
            if on {
                args.push(format!("--{name}"));
            }
        };
        switch("fork-session", self.fork_session);
        switch("include-partial-messages", self.include_partial_messages);
        switch(
            "allow-dangerously-skip-permissions",
            self.permission_mode == Some(PermissionMode::BypassPermissions),
        );
        for (name, value) in &self.extra_args {
            let name = name.trim_start_matches('-');
            args.push(match value {
                Some(value) => format!("--{name}={value}"),
                None => format!("--{name}"),
            });
        }
        args.into_iter().map(OsString::from).collect()
    }

    /// The value of `--mcp-config`: byre's servers, with their tools in the prompt from the first turn.
    ///
    /// Written by hand to keep the order of the servers, which decides the order of the tools.
    fn mcp_config(&self) -> String {
        let servers = self.server_names.iter().map(|name| {
            let name = Value::from(name.as_str());
            format!("{name}:{{\"type\":\"sdk\",\"name\":{name},\"alwaysLoad\":true}}")
        });
        format!("{{\"mcpServers\":{{{}}}}}", servers.collect::<Vec<_>>().join(","))
    }

    /// What to change in the inherited environment: a value to set, or `None` to remove.
    pub(crate) fn environment(&self) -> BTreeMap<OsString, Option<OsString>> {
        let mut changes = BTreeMap::new();
        for name in REMOVED_VARIABLES {
            changes.insert(OsString::from(name), None);
        }
        if let Some(folder) = &self.current_dir {
            // The variable would otherwise name the folder of the parent.
            changes.insert("PWD".into(), Some(folder.clone().into_os_string()));
        }
        if let Some((name, email)) = &self.commit_identity {
            for role in ["AUTHOR", "COMMITTER"] {
                changes.insert(format!("GIT_{role}_NAME").into(), Some(name.into()));
                changes.insert(format!("GIT_{role}_EMAIL").into(), Some(email.into()));
            }
        }
        changes.extend(self.env.clone());
        changes
    }

    /// The working directory, if it is one.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Spawn`](crate::ErrorKind::Spawn): a missing directory would otherwise look like a
    /// missing CLI.
    pub(crate) fn checked_current_dir(&self) -> Result<Option<&Path>> {
        match self.current_dir.as_deref() {
            Some(folder) if !folder.is_dir() => {
                Err(Error::new(crate::ErrorKind::Spawn, "start the CLI").reason(format!(
                    "the working directory {} does not exist or is not a directory",
                    folder.display()
                )))
            }
            folder => Ok(folder),
        }
    }

    /// Sets a variable, or removes one.
    pub(crate) fn set_env(&mut self, name: &OsStr, value: Option<&OsStr>) {
        self.env.insert(name.to_owned(), value.map(OsStr::to_owned));
    }
}

/// Settings that keep Claude Code's name out of commits and pull requests.
fn without_attribution() -> Value {
    json!({"attribution": {"commit": "", "pr": ""}})
}

#[cfg(test)]
mod tests;
