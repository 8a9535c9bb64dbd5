//! Changes of what the CLI allows without asking.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::PermissionMode;

/// A change of what the CLI allows without asking.
///
/// ```json
/// {"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls *"}],"behavior":"allow","destination":"session"}
/// {"type":"setMode","mode":"acceptEdits","destination":"session"}
/// {"type":"addDirectories","directories":["/srv/data"],"destination":"session"}
/// ```
///
/// What is absent is left out on the wire, and never `null`: one bad change in an answer, and the CLI
/// ignores all of them. Made by the functions below for the session at hand, unless
/// [`to`](Self::to) says otherwise.
///
/// # Example
///
/// ```
/// use byre::permission::{Destination, PermissionRule, PermissionUpdate, RuleBehavior};
///
/// let rule = PermissionRule::new("Bash").content("ls *");
/// let update = PermissionUpdate::add_rules(RuleBehavior::Allow, [rule]);
/// assert_eq!(update.destination(), Some(Destination::Session));
/// ```
// Source: the TypeScript SDK 0.3.332, and seen with CLI 2.1.332.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub enum PermissionUpdate {
    /// Adds rules.
    AddRules {
        /// The rules.
        rules: Vec<PermissionRule>,
        /// What they say.
        behavior: RuleBehavior,
        /// Where they are put.
        destination: Destination,
    },
    /// Puts rules in place of all that have the same behaviour and destination.
    ReplaceRules {
        /// The rules.
        rules: Vec<PermissionRule>,
        /// What they say.
        behavior: RuleBehavior,
        /// Where they are put.
        destination: Destination,
    },
    /// Removes rules.
    RemoveRules {
        /// The rules.
        rules: Vec<PermissionRule>,
        /// What they say.
        behavior: RuleBehavior,
        /// Where they are.
        destination: Destination,
    },
    /// Changes the permission mode. Bypass mode can only be entered where the launch allowed it.
    SetMode {
        /// The mode.
        mode: PermissionMode,
        /// Where it is put.
        destination: Destination,
    },
    /// Lets the agent work in further directories.
    AddDirectories {
        /// The directories.
        directories: Vec<String>,
        /// Where they are put.
        destination: Destination,
    },
    /// Takes directories back.
    RemoveDirectories {
        /// The directories.
        directories: Vec<String>,
        /// Where they are.
        destination: Destination,
    },
    /// A change that byre does not know, or that has more to it than byre knows. It goes back to the CLI
    /// as it came.
    #[serde(untagged)]
    Other(Value),
}

impl PermissionUpdate {
    /// Adds rules to the session.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::{PermissionRule, PermissionUpdate, RuleBehavior};
    ///
    /// PermissionUpdate::add_rules(RuleBehavior::Allow, [PermissionRule::new("Read")]);
    /// ```
    pub fn add_rules(
        behavior: RuleBehavior,
        rules: impl IntoIterator<Item = PermissionRule>,
    ) -> Self {
        let (rules, destination) = (rules.into_iter().collect(), Destination::Session);
        Self::AddRules { rules, behavior, destination }
    }

    /// Puts rules in place of those that the session has with this behaviour.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::{PermissionRule, PermissionUpdate, RuleBehavior};
    ///
    /// PermissionUpdate::replace_rules(RuleBehavior::Deny, [PermissionRule::new("WebFetch")]);
    /// ```
    pub fn replace_rules(
        behavior: RuleBehavior,
        rules: impl IntoIterator<Item = PermissionRule>,
    ) -> Self {
        let (rules, destination) = (rules.into_iter().collect(), Destination::Session);
        Self::ReplaceRules { rules, behavior, destination }
    }

    /// Removes rules from the session.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::{PermissionRule, PermissionUpdate, RuleBehavior};
    ///
    /// PermissionUpdate::remove_rules(RuleBehavior::Allow, [PermissionRule::new("Read")]);
    /// ```
    pub fn remove_rules(
        behavior: RuleBehavior,
        rules: impl IntoIterator<Item = PermissionRule>,
    ) -> Self {
        let (rules, destination) = (rules.into_iter().collect(), Destination::Session);
        Self::RemoveRules { rules, behavior, destination }
    }

    /// Changes the mode of the session.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::{PermissionMode, permission::PermissionUpdate};
    ///
    /// PermissionUpdate::set_mode(PermissionMode::AcceptEdits);
    /// ```
    #[must_use]
    pub fn set_mode(mode: PermissionMode) -> Self {
        Self::SetMode { mode, destination: Destination::Session }
    }

    /// Lets the agent work in further directories, in this session.
    ///
    /// # Example
    ///
    /// ```
    /// byre::permission::PermissionUpdate::add_directories(["/srv/data"]);
    /// ```
    pub fn add_directories(directories: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let directories = directories.into_iter().map(Into::into).collect();
        Self::AddDirectories { directories, destination: Destination::Session }
    }

    /// Takes directories back, in this session.
    ///
    /// # Example
    ///
    /// ```
    /// byre::permission::PermissionUpdate::remove_directories(["/srv/data"]);
    /// ```
    pub fn remove_directories(directories: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let directories = directories.into_iter().map(Into::into).collect();
        Self::RemoveDirectories { directories, destination: Destination::Session }
    }

    /// Makes the same change somewhere else: a suggestion of the CLI for this session only, for example.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::{Destination, PermissionRequest, PermissionUpdate};
    ///
    /// fn for_this_session(request: &PermissionRequest) -> Vec<PermissionUpdate> {
    ///     let suggestions = request.permission_suggestions.iter().cloned();
    ///     suggestions.map(|update| update.to(Destination::Session)).collect()
    /// }
    /// ```
    #[must_use]
    pub fn to(mut self, place: Destination) -> Self {
        match &mut self {
            Self::AddRules { destination, .. }
            | Self::ReplaceRules { destination, .. }
            | Self::RemoveRules { destination, .. }
            | Self::SetMode { destination, .. }
            | Self::AddDirectories { destination, .. }
            | Self::RemoveDirectories { destination, .. } => *destination = place,
            Self::Other(Value::Object(fields)) => {
                fields.insert("destination".to_owned(), place.as_str().into());
            }
            Self::Other(_) => {}
        }
        self
    }

    /// Returns where the change is made, as far as byre knows the place.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::{Destination, PermissionUpdate};
    ///
    /// let update = PermissionUpdate::add_directories(["/srv"]).to(Destination::LocalSettings);
    /// assert!(update.destination().is_some_and(Destination::is_a_file));
    /// ```
    #[must_use]
    pub fn destination(&self) -> Option<Destination> {
        match self {
            Self::AddRules { destination, .. }
            | Self::ReplaceRules { destination, .. }
            | Self::RemoveRules { destination, .. }
            | Self::SetMode { destination, .. }
            | Self::AddDirectories { destination, .. }
            | Self::RemoveDirectories { destination, .. } => Some(*destination),
            Self::Other(value) => Destination::deserialize(value.get("destination")?).ok(),
        }
    }
}

/// Which calls a rule is about: those of a tool, or some of them.
///
/// ```json
/// {"toolName":"Bash","ruleContent":"ls *"}
/// {"toolName":"mcp__byre__add"}
/// ```
///
/// # Example
///
/// ```
/// use byre::permission::PermissionRule;
///
/// let all = PermissionRule::new("WebFetch");
/// let some = PermissionRule::new("WebFetch").content("domain:example.com");
/// assert_ne!(all, some);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct PermissionRule {
    /// The tool.
    pub tool_name: String,
    /// Which of its calls, in words that depend on the tool: `ls *` for `Bash`. `None` means all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule_content: Option<String>,
}

impl PermissionRule {
    /// Makes a rule about all calls of a tool.
    ///
    /// # Example
    ///
    /// ```
    /// byre::permission::PermissionRule::new("Read");
    /// ```
    pub fn new(tool_name: impl Into<String>) -> Self {
        Self { tool_name: tool_name.into(), rule_content: None }
    }

    /// Narrows the rule to some calls.
    ///
    /// # Example
    ///
    /// ```
    /// byre::permission::PermissionRule::new("Bash").content("git status");
    /// ```
    #[must_use]
    pub fn content(mut self, content: impl Into<String>) -> Self {
        self.rule_content = Some(content.into());
        self
    }
}

/// What a rule says.
///
/// # Example
///
/// ```
/// let deny = byre::permission::RuleBehavior::Deny;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum RuleBehavior {
    /// The call runs.
    Allow,
    /// The call does not run.
    Deny,
    /// Somebody is asked.
    Ask,
}

/// Where a change of permissions is put.
///
/// # Example
///
/// ```
/// use byre::permission::Destination;
///
/// assert_eq!(Destination::default(), Destination::Session);
/// assert!(!Destination::Session.is_a_file());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Destination {
    /// The settings file of the user.
    UserSettings,
    /// The settings file of the project, which is shared.
    ProjectSettings,
    /// The settings file of the user for the project, which is not shared.
    LocalSettings,
    /// This session, in memory.
    #[default]
    Session,
    /// What the CLI was started with, in memory.
    CliArg,
}

impl Destination {
    /// Returns the name on the wire.
    ///
    /// # Example
    ///
    /// ```
    /// assert_eq!(byre::permission::Destination::CliArg.as_str(), "cliArg");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UserSettings => "userSettings",
            Self::ProjectSettings => "projectSettings",
            Self::LocalSettings => "localSettings",
            Self::Session => "session",
            Self::CliArg => "cliArg",
        }
    }

    /// Says whether the change outlives the session.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(byre::permission::Destination::UserSettings.is_a_file());
    /// ```
    #[must_use]
    pub const fn is_a_file(self) -> bool {
        match self {
            Self::UserSettings | Self::ProjectSettings | Self::LocalSettings => true,
            Self::Session | Self::CliArg => false,
        }
    }
}
