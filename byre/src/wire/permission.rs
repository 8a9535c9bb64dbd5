//! What the CLI asks people: whether a tool may run, and what else only they can know.
//!
//! ```json
//! {"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"toolu_9"}
//! {"subtype":"elicitation","mcp_server_name":"github","message":"Which account?"}
//! {"subtype":"request_user_dialog","dialog_kind":"refusal_fallback_prompt","payload":{}}
//! ```

mod elicitation;
mod question;
mod update;

use std::path::PathBuf;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};

use super::{json::Raw, words::words};

pub use self::{
    elicitation::{ElicitationMode, ElicitationRequest, UserDialog},
    question::{Question, QuestionOption},
    update::{Destination, PermissionRule, PermissionUpdate, RuleBehavior},
};

/// Declares a request of the CLI: the fields that must be right, those that may be missing or odd, and
/// the JSON. It serialises to what the CLI sent.
macro_rules! request {
    (
        $(#[$attr:meta])*
        $name:ident {
            required { $($(#[$needed_attr:meta])* $needed:ident: $needed_ty:ty,)* }
            optional { $($(#[$field_attr:meta])* $field:ident: $ty:ty,)* }
        }
    ) => {
        $(#[$attr])*
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[$needed_attr])* pub $needed: $needed_ty,)*
            $($(#[$field_attr])* pub $field: $ty,)*
            pub(in crate::wire) raw: Raw,
        }

        impl $name {
            /// Returns the JSON that the CLI sent, with the fields that byre does not know.
            ///
            /// # Example
            ///
            /// ```
            #[doc = concat!("# fn show(request: &byre::permission::", stringify!($name), ") {")]
            /// println!("{}", request.raw());
            /// # }
            /// ```
            #[must_use]
            pub fn raw(&self) -> &Raw {
                &self.raw
            }

            fn of(raw: &Raw) -> serde_json::Result<Self> {
                let fields = $crate::wire::json::Fields::of(raw.as_str())?;
                fields.finish(Self {
                    $($needed: fields.required(stringify!($needed))?,)*
                    $($field: fields.lenient(stringify!($field)),)*
                    raw: raw.clone(),
                })
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let raw = Box::<RawValue>::deserialize(deserializer)?;
                let raw = Raw::new(raw.get().to_owned());
                Self::of(&raw).map_err(serde::de::Error::custom)
            }
        }

        impl Serialize for $name {
            /// Serialises to what the CLI sent.
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.raw.serialize(serializer)
            }
        }
    };
}
use request;

// Source: the TypeScript SDK 0.3.332, and seen with CLI 2.1.332.
request! {
    /// A call of a tool that nobody has decided on yet: no rule, no mode, no hook.
    ///
    /// ```json
    /// {"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"rm -r build"},"tool_use_id":"toolu_9","display_name":"Bash","permission_suggestions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"rm *"}],"behavior":"allow","destination":"localSettings"}],"decision_reason":"This command changes files","decision_reason_type":"other"}
    /// ```
    ///
    /// The tool's name and its input are always there: a request without them never reaches a handler,
    /// and is denied. All other fields have the default of their type when they are absent or odd.
    ///
    /// # Example
    ///
    /// A test makes one from JSON:
    ///
    /// ```
    /// use byre::permission::PermissionRequest;
    ///
    /// let json = r#"{"tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"toolu_9"}"#;
    /// let request: PermissionRequest = serde_json::from_str(json).unwrap();
    /// assert_eq!(request.input["command"], "ls");
    /// ```
    PermissionRequest {
        required {
            /// The tool: `Bash`, or `mcp__byre__add` for a tool `add` of byre's server.
            tool_name: String,
            /// The arguments of the call, an object.
            input: Value,
        }
        optional {
            /// The API's id of the call.
            tool_use_id: String,
            /// The MCP server that the tool belongs to. Trust its source, and not the name that stands
            /// inside of [`tool_name`](Self::tool_name).
            mcp_server: Option<McpServerRef>,
            /// What an "always allow" button would change, as the CLI proposes it. The
            /// [destination](PermissionUpdate::to) is mostly a settings file of the project.
            permission_suggestions: Vec<PermissionUpdate>,
            /// The path because of which it is asked.
            blocked_path: Option<PathBuf>,
            /// Why it is asked, for people. May hold escape sequences of a terminal.
            decision_reason: Option<String>,
            /// Why it is asked, for programs.
            decision_reason_type: Option<DecisionReasonType>,
            /// Set where a safety check is involved; `false` means that a person must decide.
            classifier_approvable: Option<bool>,
            /// "Don't ask again" should not be offered.
            suppress_always_allow_rule: bool,
            /// "No" should be what a mere return key means.
            default_to_no: bool,
            /// The rule that wants this to be asked. Then no program should allow it by itself.
            matched_ask_rule: Option<MatchedAskRule>,
            /// A heading to show.
            title: Option<String>,
            /// The tool's name to show.
            display_name: Option<String>,
            /// A text to show.
            description: Option<String>,
            /// The subagent that calls; `None` for the main one.
            agent_id: Option<String>,
            /// A yes or no is not enough: the answer is more than that, as with `AskUserQuestion`.
            requires_user_interaction: bool,
        }
    }
}

impl PermissionRequest {
    /// Reads the arguments of the call as a `T`.
    ///
    /// # Errors
    ///
    /// What `serde_json` says, if they are no `T`.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::PermissionRequest;
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Bash {
    ///     command: String,
    /// }
    ///
    /// let json = r#"{"tool_name":"Bash","input":{"command":"ls"}}"#;
    /// let request: PermissionRequest = serde_json::from_str(json).unwrap();
    /// assert_eq!(request.input_as::<Bash>().unwrap().command, "ls");
    /// ```
    pub fn input_as<T: DeserializeOwned>(&self) -> serde_json::Result<T> {
        T::deserialize(&self.input)
    }

    /// Says whether this is a question of the model to the user, the tool `AskUserQuestion`.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::PermissionRequest;
    ///
    /// let json = r#"{"tool_name":"Bash","input":{"command":"ls"}}"#;
    /// let request: PermissionRequest = serde_json::from_str(json).unwrap();
    /// assert!(!request.is_question());
    /// ```
    #[must_use]
    pub fn is_question(&self) -> bool {
        self.tool_name == ASK_USER_QUESTION
    }

    /// The arguments exactly as they came.
    pub(crate) fn input_text(&self) -> Box<RawValue> {
        #[derive(Deserialize)]
        struct Input {
            input: Box<RawValue>,
        }
        // The request was read from the same text.
        self.raw.parse().map_or_else(|_| RawValue::NULL.to_owned(), |Input { input }| input)
    }
}

/// The tool by which the model asks the user.
pub(crate) const ASK_USER_QUESTION: &str = "AskUserQuestion";

/// An MCP server, and where the CLI has it from.
///
/// ```json
/// {"name":"byre","source":"sdk"}
/// ```
///
/// # Example
///
/// ```
/// fn is_ours(server: &byre::permission::McpServerRef) -> bool {
///     server.source == "sdk"
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct McpServerRef {
    /// Its name.
    pub name: String,
    /// `sdk` for a server of this program, `project`, `user`, `plugin`, … for others. An open set. Trust
    /// this, and not the name, which any settings file can choose.
    #[serde(default)]
    pub source: String,
}

/// A rule that wants a call to be asked about.
///
/// ```json
/// {"source":"projectSettings","tool_name":"Bash","rule_content":"git push *"}
/// ```
///
/// # Example
///
/// ```
/// fn show(rule: &byre::permission::MatchedAskRule) -> String {
///     format!("{} in {}", rule.tool_name, rule.source)
/// }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MatchedAskRule {
    /// Where it stands: `projectSettings`, `cliArg`, ….
    pub source: String,
    /// The tool that it is about.
    pub tool_name: String,
    /// Which calls of the tool; `None` means all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule_content: Option<String>,
}

// Source: the TypeScript SDK 0.3.332.
words! {
    in "permission"

    /// Why the CLI asks. Its own word for anything else is `other`.
    pub enum DecisionReasonType {
        /// A rule of the settings.
        Rule = "rule",
        /// The permission mode.
        Mode = "mode",
        /// A part of a composed command.
        SubcommandResults = "subcommandResults",
        /// The tool that answers permission prompts.
        PermissionPromptTool = "permissionPromptTool",
        /// A hook has said `ask`.
        Hook = "hook",
        /// A subagent in the background can't ask by itself.
        AsyncAgent = "asyncAgent",
        /// The command wants to leave the sandbox.
        SandboxOverride = "sandboxOverride",
        /// A path outside of the working directories.
        WorkingDir = "workingDir",
        /// A check for dangerous calls.
        SafetyCheck = "safetyCheck",
        /// The classifier of the mode `auto`.
        Classifier = "classifier",
    }
}

/// How the CLI decides whether a tool may run.
///
/// # Example
///
/// ```
/// use byre::{PermissionMode, Session};
///
/// let builder = Session::builder().permission_mode(PermissionMode::AcceptEdits);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum PermissionMode {
    /// Asks for what no rule allows.
    Default,
    /// Also allows edits of files.
    AcceptEdits,
    /// Only plans; runs nothing that changes anything, and so no tool that is not `read_only`.
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

    /// Reads the name on the wire, or gives `None` for a mode that byre does not know.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::PermissionMode;
    ///
    /// assert_eq!(PermissionMode::from_name("plan"), Some(PermissionMode::Plan));
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [
            Self::Default,
            Self::AcceptEdits,
            Self::Plan,
            Self::BypassPermissions,
            Self::DontAsk,
            Self::Auto,
        ];
        all.into_iter().find(|mode| mode.as_str() == name)
    }
}

#[cfg(test)]
mod tests;
