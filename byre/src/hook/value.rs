//! What stands in the inputs and outputs of several events.

use std::{
    fmt,
    ops::{Index, IndexMut},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
use serde_json::{Map, Value};

/// The arguments of a tool call: always an object.
///
/// Reading a name that is not there gives `null`, and assigning to one adds it.
///
/// ```json
/// {"command":"git status","description":"Shows what has changed"}
/// ```
///
/// # Example
///
/// ```
/// use byre::hook::ToolInput;
///
/// let mut input = ToolInput::new();
/// input["command"] = "git status".into();
/// assert_eq!(input["command"].as_str(), Some("git status"));
/// assert!(input["timeout"].is_null());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ToolInput(Map<String, Value>);

impl ToolInput {
    /// Makes one without arguments.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(byre::hook::ToolInput::new().as_map().is_empty());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the arguments by name.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(input: &byre::hook::ToolInput) {
    /// for (name, value) in input.as_map() {
    ///     println!("{name} = {value}");
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn as_map(&self) -> &Map<String, Value> {
        &self.0
    }

    /// Returns the argument `name` if it is a text.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(input: &byre::hook::ToolInput) {
    /// let deletes = input.text("command").is_some_and(|command| command.contains("rm "));
    /// # }
    /// ```
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// Reads all arguments as a type of your own.
    ///
    /// # Errors
    ///
    /// serde's, if they do not fit.
    ///
    /// # Example
    ///
    /// ```
    /// #[derive(serde::Deserialize)]
    /// struct Bash {
    ///     command: String,
    /// }
    ///
    /// # fn show(input: &byre::hook::ToolInput) -> Result<(), serde_json::Error> {
    /// let Bash { command } = input.parse()?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn parse<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        T::deserialize(Value::Object(self.0.clone()))
    }
}

impl<'de> Deserialize<'de> for ToolInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Map::deserialize(deserializer).map(Self)
    }
}

impl Index<&str> for ToolInput {
    type Output = Value;

    fn index(&self, name: &str) -> &Value {
        self.0.get(name).unwrap_or(&Value::Null)
    }
}

impl IndexMut<&str> for ToolInput {
    fn index_mut(&mut self, name: &str) -> &mut Value {
        self.0.entry(name).or_insert(Value::Null)
    }
}

impl From<Map<String, Value>> for ToolInput {
    fn from(map: Map<String, Value>) -> Self {
        Self(map)
    }
}

impl From<ToolInput> for Map<String, Value> {
    fn from(input: ToolInput) -> Self {
        input.0
    }
}

impl From<ToolInput> for Value {
    fn from(input: ToolInput) -> Self {
        Self::Object(input.0)
    }
}

impl<K: Into<String>, V: Into<Value>> FromIterator<(K, V)> for ToolInput {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        Self(entries.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

/// The MCP server that a tool belongs to.
///
/// ```json
/// {"name":"byre","source":"sdk"}
/// ```
///
/// # Example
///
/// ```
/// # fn show(input: &byre::hook::PreToolUseInput) {
/// let is_ours = input.mcp_server.as_ref().is_some_and(|server| server.source == "sdk");
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ToolServer {
    /// Its name.
    pub name: String,
    /// Where it is from: `sdk` for the servers of this program. Trust this, and not the name, which any
    /// settings file can choose.
    pub source: String,
}

/// How hard the model thinks.
///
/// ```json
/// {"level":"medium"}
/// ```
///
/// # Example
///
/// ```
/// # fn show(input: &byre::hook::StopInput) {
/// let thinks_hard = input.effort.as_ref().is_some_and(|effort| effort.level == "high");
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Effort {
    /// `low`, `medium`, `high` and more.
    pub level: String,
}

/// One call of [`PostToolBatchInput`](super::PostToolBatchInput).
///
/// ```json
/// {"tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"toolu_1","tool_response":"a.txt"}
/// ```
///
/// # Example
///
/// ```
/// # fn show(input: &byre::hook::PostToolBatchInput) {
/// let wrote = input.tool_calls.iter().any(|call| call.tool_name == "Write");
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct BatchedToolCall {
    /// The tool, as the model knows it.
    pub tool_name: String,
    /// The arguments.
    pub tool_input: ToolInput,
    /// The id of the call, which the API made.
    pub tool_use_id: String,
    /// What it gave; absent where it gave nothing.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub tool_response: Value,
}

/// A rule or a mode that the user could choose to be asked no more. Comes from the CLI, and can only go
/// back as it came: one mistake in it, and the CLI takes none of them.
///
/// ```json
/// {"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls *"}],"behavior":"allow","destination":"session"}
/// ```
///
/// # Example
///
/// ```
/// # fn show(input: &byre::hook::PermissionRequestInput) {
/// for suggestion in &input.permission_suggestions {
///     println!("{}", suggestion.as_value()["type"]);
/// }
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PermissionSuggestion(Value);

impl PermissionSuggestion {
    /// Returns the JSON.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(suggestion: &byre::hook::PermissionSuggestion) {
    /// let for_ever = suggestion.as_value()["destination"] != "session";
    /// # }
    /// ```
    #[must_use]
    pub fn as_value(&self) -> &Value {
        &self.0
    }
}

/// Declares an enum of words, with room for those that byre does not know.
macro_rules! words {
    ($($(#[$attr:meta])* $name:ident { $($(#[$variant_attr:meta])* $variant:ident = $word:literal,)* })*) => {
        $(
            $(#[$attr])*
            ///
            /// # Example
            ///
            /// ```
            #[doc = concat!("# fn show(word: &byre::hook::", stringify!($name), ") {")]
            /// println!("{word}");
            /// # }
            /// ```
            #[derive(Clone, Debug, PartialEq, Eq, Hash)]
            #[non_exhaustive]
            pub enum $name {
                $($(#[$variant_attr])* $variant,)*
                /// A word that byre does not know; empty where there is none.
                Other(String),
            }

            impl $name {
                /// Returns the word on the wire.
                ///
                /// # Example
                ///
                /// ```
                #[doc = concat!("# fn show(word: &byre::hook::", stringify!($name), ") {")]
                /// println!("{}", word.as_str());
                /// # }
                /// ```
                #[must_use]
                pub fn as_str(&self) -> &str {
                    match self {
                        $(Self::$variant => $word,)*
                        Self::Other(word) => word,
                    }
                }
            }

            impl From<String> for $name {
                fn from(word: String) -> Self {
                    match word.as_str() {
                        $($word => Self::$variant,)*
                        _ => Self::Other(word),
                    }
                }
            }

            impl Default for $name {
                fn default() -> Self {
                    Self::Other(String::new())
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(self.as_str())
                }
            }

            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    String::deserialize(deserializer).map(Self::from)
                }
            }

            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.as_str())
                }
            }
        )*
    };
}

words! {
    /// Where a prompt came from.
    PromptSource {
        /// A person typed it.
        User = "user",
        /// A program sent it, as byre does.
        Sdk = "sdk",
        /// The CLI itself.
        System = "system",
        /// A loop woke up.
        LoopWakeup = "loop_wakeup",
        /// A schedule woke up.
        ScheduleWakeup = "schedule_wakeup",
        /// Something that was watched has happened.
        PollEvent = "poll_event",
    }

    /// What was turned into a prompt.
    ExpansionType {
        /// A slash command.
        SlashCommand = "slash_command",
        /// A prompt of an MCP server.
        McpPrompt = "mcp_prompt",
    }

    /// Why a conversation starts.
    SessionStartSource {
        /// The process started. Hooks of a program are never asked then.
        Startup = "startup",
        /// An old conversation goes on. Hooks of a program are never asked then.
        Resume = "resume",
        /// `/clear`.
        Clear = "clear",
        /// After compaction.
        Compact = "compact",
        /// A copy of an old conversation goes on.
        Fork = "fork",
    }

    /// Why a conversation ends.
    SessionEndReason {
        /// `/clear`.
        Clear = "clear",
        /// Another conversation is resumed.
        Resume = "resume",
        /// The user logged out.
        Logout = "logout",
        /// The user left the prompt.
        PromptInputExit = "prompt_input_exit",
    }

    /// Who asked for compaction.
    CompactTrigger {
        /// The user.
        Manual = "manual",
        /// The conversation has become too long.
        Auto = "auto",
    }

    /// Who switches the model.
    ModelSwitchSource {
        /// A slash command.
        Command = "command",
        /// The list of models.
        Picker = "picker",
        /// A program, by `set_model`.
        Sdk = "sdk",
        /// The CLI itself.
        Auto = "auto",
        /// A resumed conversation.
        Resume = "resume",
    }

    /// How long the API keeps what it has read of the conversation.
    CacheTtl {
        /// Five minutes.
        FiveMinutes = "5m",
        /// An hour.
        OneHour = "1h",
    }

    /// Where the prices are from.
    Pricing {
        /// The settings.
        Configured = "configured",
        /// The list of prices.
        Catalog = "catalog",
        /// No price is known, and a usual one is taken.
        Assumed = "default",
    }

    /// Why the CLI sets up the working directory.
    SetupTrigger {
        /// For the first time.
        Init = "init",
        /// From time to time.
        Maintenance = "maintenance",
    }

    /// How an MCP server wants to ask the user.
    ElicitationMode {
        /// By a form.
        Form = "form",
        /// By a page in the browser.
        Url = "url",
    }

    /// What the user did with a question.
    ElicitationAction {
        /// Answered it.
        Accept = "accept",
        /// Did not want to answer it.
        Decline = "decline",
        /// Closed it.
        Cancel = "cancel",
    }

    /// Which settings changed.
    ConfigSource {
        /// The user's.
        UserSettings = "user_settings",
        /// The project's.
        ProjectSettings = "project_settings",
        /// The user's for this project.
        LocalSettings = "local_settings",
        /// The organisation's.
        PolicySettings = "policy_settings",
        /// Skills.
        Skills = "skills",
    }

    /// Whose memory a file is.
    MemoryType {
        /// The user's.
        User = "User",
        /// The project's.
        Project = "Project",
        /// The user's for this project.
        Local = "Local",
        /// The organisation's.
        Managed = "Managed",
    }

    /// Why a memory file was read.
    LoadReason {
        /// The session started.
        SessionStart = "session_start",
        /// The agent went into its folder.
        NestedTraversal = "nested_traversal",
        /// Its rules are for a path that the agent touched.
        PathGlobMatch = "path_glob_match",
        /// Another memory file names it.
        Include = "include",
        /// The conversation was compacted.
        Compact = "compact",
    }

    /// What happened to a file.
    FileEvent {
        /// It was written.
        Change = "change",
        /// It was made.
        Add = "add",
        /// It was removed.
        Unlink = "unlink",
    }

    /// Who added a directory.
    DirectorySource {
        /// A slash command.
        SlashCommand = "slash_command",
        /// A program, by `register_repo_root`.
        RegisterRepoRoot = "register_repo_root",
    }

    /// Who asked for a skill.
    SkillInvoker {
        /// The user.
        User = "user",
        /// The model.
        Claude = "claude",
    }
}
