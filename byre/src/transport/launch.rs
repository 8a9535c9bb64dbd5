//! Turns options into a command line, an environment and the body of `initialize`. Pure: starts nothing.

mod args;
pub(crate) mod conversation;
pub(crate) mod mcp;
pub(crate) mod model;
pub(crate) mod output;
pub(crate) mod settings;
pub(crate) mod tools;

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::{self, Path, PathBuf},
};

use serde_json::{Map, Value};

use self::{
    args::Args, conversation::ConversationOptions, mcp::McpOptions, model::ModelOptions,
    output::OutputOptions, settings::SettingsOptions, tools::ToolOptions,
};
use super::redact::{names_a_secret, values_of};
use crate::{
    error::{Error, Result},
    wire::{
        option::{mcp::OwnServer, prompt::SystemPrompt},
        permission::PermissionMode,
    },
};

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
    pub(crate) include_partial_messages: bool,
    /// The CLI asks us whether a tool may run, and its questions.
    pub(crate) permission_prompts: bool,
    pub(crate) without_attribution: bool,
    /// The in-process servers, in the order of the configuration.
    pub(crate) own_servers: Vec<OwnServer>,
    /// Rules for what runs without asking.
    pub(crate) allowed_tools: Vec<String>,
    /// Flags that byre has no method for, in the order given: name without dashes, and value.
    pub(crate) extra_args: Vec<(String, Option<String>)>,
    pub(crate) commit_identity: Option<(String, String)>,
    /// Variables set (`Some`) or removed (`None`) by the program, over everything else.
    pub(crate) env: BTreeMap<OsString, Option<OsString>>,
    pub(crate) env_clear: bool,
    /// The user and the group that the CLI runs as, where not those of this program.
    #[cfg(unix)]
    pub(crate) run_as: Option<(u32, u32)>,
    pub(crate) client_app: Option<String>,
    pub(crate) model_options: ModelOptions,
    pub(crate) system_prompt: SystemPrompt,
    pub(crate) tools: ToolOptions,
    pub(crate) settings: SettingsOptions,
    pub(crate) mcp: McpOptions,
    pub(crate) conversation: ConversationOptions,
    pub(crate) output: OutputOptions,
}

/// Variables that the CLI does not inherit from this program. What the builder sets itself stays.
///
/// `CLAUDECODE` and the others that begin with `CLAUDE` belong to the session in whose shell this program
/// may run: its id, its process, and the socket on which it is talked to. In place of `CLAUDE_CODE_ENTRYPOINT`, the
/// CLI says `sdk-cli`: it works otherwise under a name that it does not know. `CLAUDE_CODE_RESUME_INTERRUPTED_TURN`
/// would carry out a turn once more that was cut off. `NODE_OPTIONS`, `DEBUG` and `ANTHROPIC_LOG` are meant for the
/// program at hand; the last two make some builds print on stdout.
///
/// # Example
///
/// ```
/// assert!(byre::REMOVED_VARIABLES.contains(&"CLAUDECODE"));
/// let builder = byre::Session::builder().env("DEBUG", "1"); // This one stays.
/// ```
pub const REMOVED_VARIABLES: &[&str] = &[
    "ANTHROPIC_LOG",
    "CLAUDECODE",
    "CLAUDE_AGENT_SDK_CLIENT_APP",
    "CLAUDE_AGENT_SDK_DERIVED_CLIENT_APP",
    "CLAUDE_AGENT_SDK_VERSION",
    "CLAUDE_CODE_CHILD_NOTES_DIR",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_EXECPATH",
    "CLAUDE_CODE_MESSAGING_SOCKET",
    "CLAUDE_CODE_MESSAGING_TOKEN",
    "CLAUDE_CODE_RESUME_INTERRUPTED_TURN",
    "CLAUDE_CODE_SESSION_ATTENDED",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_EFFORT",
    "CLAUDE_PID",
    "DEBUG",
    "NODE_OPTIONS",
];

/// Makes the CLI say when it is busy and when it is idle, without which nobody knows when background work
/// is over. Such lines are marked `sdk_host_only`, and are not shown to the application.
const SESSION_STATE: (&str, &str) = ("CLAUDE_CODE_SDK_READS_SESSION_STATE", "1");

/// Flags that belong to the protocol, or that another option of byre always goes through.
const OWN_FLAGS: [&str; 8] = [
    "print",
    "output-format",
    "input-format",
    "verbose",
    "settings",
    "model",
    "resume",
    "permission-mode",
];

/// Flags that may stand more than once.
const REPEATABLE_FLAGS: [&str; 4] = ["add-dir", "mcp-config", "plugin-dir", "plugin-dir-no-mcp"];

impl Launch {
    /// Refuses combinations that the CLI refuses, before anything is started.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration).
    pub(crate) fn check(&self) -> Result<()> {
        let mut faults = Vec::new();
        self.conversation.faults(self.resume.is_some(), self.fork_session, &mut faults);
        self.model_options.faults(self.model.as_deref(), &mut faults);
        faults.extend(self.system_prompt.fault().map(str::to_owned));
        self.tools.faults(&mut faults);
        self.settings.faults(self.without_attribution, &mut faults);
        self.mcp.faults(&mut faults);
        if self.client_app.as_deref().is_some_and(|label| !is_header_safe(label)) {
            faults.push("`client_app` must be visible ASCII, as it becomes a header".to_owned());
        }
        let args = self.own_args();
        for (name, _) in &self.extra_args {
            let bare = name.trim_start_matches('-');
            let repeated = args.contains(bare) && !REPEATABLE_FLAGS.contains(&bare);
            if OWN_FLAGS.contains(&bare) || repeated {
                faults.push(format!("`--{bare}` is set by byre; it can't be an extra argument"));
            } else if bare.is_empty() || bare.contains(char::is_whitespace) || bare.contains('=') {
                faults.push(format!("{name:?} can't be the name of a flag"));
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(Error::configuration(faults.join("; "))) }
    }

    /// The arguments, without the program's name. Values stand in the same argument as their flag, so
    /// that no value is ever taken for a flag.
    pub(crate) fn args(&self) -> Vec<OsString> {
        let mut args = self.own_args();
        for (name, value) in &self.extra_args {
            let name = name.trim_start_matches('-');
            match value {
                Some(value) => args.flag(name, value),
                None => args.switch(name, true),
            }
        }
        args.into_vec()
    }

    /// The arguments but those that the program has made itself.
    fn own_args(&self) -> Args {
        let mut args = Args::default();
        args.flag("output-format", "stream-json");
        args.flag("input-format", "stream-json");
        args.switch("verbose", true);
        args.maybe("model", self.model.as_ref());
        args.maybe("resume", self.resume.as_ref());
        args.maybe("permission-mode", self.permission_mode.map(PermissionMode::as_str));
        self.settings.write(self.without_attribution, &mut args);
        self.mcp.write(&self.own_servers, &mut args);
        let first = !self.mcp.servers.is_empty() || self.settings.travels(self.without_attribution);
        args.switch("await-initialize", first);
        self.tools.write(&self.allowed_tools, &mut args);
        args.maybe("permission-prompt-tool", self.permission_prompts.then_some("stdio"));
        self.model_options.write(&mut args);
        self.conversation.write(&mut args);
        args.maybe("system-prompt-file", self.system_prompt.file_path());
        self.output.write(&mut args);
        args.switch("fork-session", self.fork_session);
        args.switch("include-partial-messages", self.include_partial_messages);
        args.switch(
            "allow-dangerously-skip-permissions",
            self.permission_mode == Some(PermissionMode::BypassPermissions),
        );
        args
    }

    /// What travels in `initialize`: the long, and the secret.
    pub(crate) fn initialize(&self) -> Map<String, Value> {
        let mut body = self.output.fields.clone();
        self.system_prompt.write(&mut body);
        self.tools.initialize(&mut body);
        self.mcp.initialize(&mut body);
        self.settings.initialize(self.without_attribution, &mut body);
        body
    }

    /// What the program gave that nobody else should read: variables by whose names one can tell, those of this
    /// program too, and values of headers and environments.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let inherited = std::env::vars_os();
        let given =
            self.env.iter().filter_map(|(name, value)| Some((name.clone(), value.clone()?)));
        let named =
            inherited.chain(given).filter(|(name, _)| names_a_secret(&name.to_string_lossy()));
        let mut secrets: Vec<_> = named.filter_map(|(_, value)| value.into_string().ok()).collect();
        for value in self.settings.values().chain([Value::Object(self.initialize())]) {
            secrets.extend(values_of(&value).into_iter().map(str::to_owned));
        }
        secrets
    }

    /// What to change in the inherited environment: a value to set, or `None` to remove.
    pub(crate) fn environment(&self) -> BTreeMap<OsString, Option<OsString>> {
        let mut changes = BTreeMap::new();
        for name in REMOVED_VARIABLES {
            changes.insert(OsString::from(name), None);
        }
        changes.insert(SESSION_STATE.0.into(), Some(SESSION_STATE.1.into()));
        if let Some(label) = &self.client_app {
            changes.insert("CLAUDE_AGENT_SDK_CLIENT_APP".into(), Some(label.into()));
        }
        if let Some(folder) = &self.current_dir {
            // The variable would otherwise name the folder of the parent. A relative one means nothing.
            let folder = path::absolute(folder).unwrap_or_else(|_| folder.clone());
            changes.insert("PWD".into(), Some(folder.into_os_string()));
        }
        if let Some((name, email)) = &self.commit_identity {
            for role in ["AUTHOR", "COMMITTER"] {
                changes.insert(format!("GIT_{role}_NAME").into(), Some(name.into()));
                changes.insert(format!("GIT_{role}_EMAIL").into(), Some(email.into()));
            }
        }
        let says_itself = |name: &OsString| name.eq_ignore_ascii_case(SESSION_STATE.0);
        if self.env.keys().any(says_itself) {
            changes.remove(OsStr::new(SESSION_STATE.0));
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
            Some(folder) => Ok(Some(folder)),
            None => match std::env::current_dir() {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    Err(Error::new(crate::ErrorKind::Spawn, "start the CLI")
                        .reason("the working directory of this program is gone")
                        .hint("name another with `current_dir`"))
                }
                _ => Ok(None),
            },
        }
    }

    /// Sets a variable, or removes one.
    pub(crate) fn set_env(&mut self, name: &OsStr, value: Option<&OsStr>) {
        self.env.insert(name.to_owned(), value.map(OsStr::to_owned));
    }
}

/// Says whether a text can stand in the header of a request.
fn is_header_safe(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic() || b == b' ')
}

#[cfg(test)]
mod tests;
