//! What stands in the inputs and outputs of several events.

use std::ops::{Index, IndexMut};

use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
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
