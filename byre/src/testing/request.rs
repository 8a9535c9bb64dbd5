//! What the model is asked, read from the body of an API request.

use std::collections::HashMap;

use serde_json::Value;

/// What the model was asked once: a typed view of the body of `POST /v1/messages`.
///
/// # Example
///
/// ```
/// use byre::testing::ModelRequest;
///
/// fn check(request: &ModelRequest) {
///     assert_eq!(request.prompt, "please add 2 and 3");
///     assert_eq!(request.tool("add").unwrap().input_schema["type"], "object");
///     assert_eq!(request.result("add").unwrap().text, "5");
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ModelRequest {
    /// The model's name.
    pub model: String,
    /// The last text of the user, without the reminders that the CLI adds to it.
    pub prompt: String,
    /// The first text of the user: what the conversation, perhaps that of a subagent, started with.
    pub first_prompt: String,
    /// The tools that the model may call, in the order of the request.
    pub tools: Vec<OfferedTool>,
    /// The results of the calls in the model's last message, in the order in which they finished.
    pub tool_results: Vec<SeenResult>,
    /// The texts of the system prompt and of system messages in the conversation.
    pub system: Vec<String>,
    /// Whether the answer is to be streamed, as it is for everything but checks on the side.
    pub stream: bool,
    /// The whole body.
    pub body: Value,
}

/// A tool that a request offers to the model.
///
/// # Example
///
/// ```
/// fn takes(tool: &byre::testing::OfferedTool, parameter: &str) -> bool {
///     tool.input_schema["properties"].get(parameter).is_some()
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OfferedTool {
    /// The name that the model uses: `mcp__byre__add`, or that of a built-in tool.
    pub name: String,
    /// What the model reads about the tool; empty if there is nothing.
    pub description: String,
    /// The JSON Schema of the arguments.
    pub input_schema: Value,
    /// The model knows no more than the name until it has asked for the tool.
    pub defer_loading: bool,
}

/// The result of a tool, as the model sees it.
///
/// # Example
///
/// ```
/// fn worked(result: &byre::testing::SeenResult) -> bool {
///     !result.is_error && !result.text.is_empty()
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SeenResult {
    /// Which call it answers.
    pub tool_use_id: String,
    /// The tool's full name, `mcp__byre__add`; empty if the request does not hold the call.
    pub name: String,
    /// The text blocks, joined by line breaks.
    pub text: String,
    /// The tool failed, or was not allowed to run.
    pub is_error: bool,
    /// The blocks as they are: a string or a list.
    pub content: Value,
}

impl ModelRequest {
    /// Reads the body of a request. Never fails: what is not there is empty.
    pub(crate) fn from_body(body: Value) -> Self {
        let messages = list(&body["messages"]);
        let prompts: Vec<String> = messages
            .iter()
            .filter(|message| message["role"] == "user")
            .map(|message| user_text(&message["content"]))
            .filter(|text| !text.is_empty())
            .collect();
        let system = texts(&body["system"])
            .chain(
                messages
                    .iter()
                    .filter(|message| message["role"] == "system")
                    .flat_map(|message| texts(&message["content"])),
            )
            .map(str::to_owned)
            .collect();
        Self {
            model: string(&body["model"]),
            prompt: prompts.last().cloned().unwrap_or_default(),
            first_prompt: prompts.first().cloned().unwrap_or_default(),
            tools: list(&body["tools"]).iter().map(OfferedTool::read).collect(),
            tool_results: tool_results(messages),
            system,
            stream: body["stream"] == true,
            body,
        }
    }

    /// Returns the offered tool of this name: `add`, or `mcp__byre__add`.
    ///
    /// # Example
    ///
    /// ```
    /// fn is_loaded(request: &byre::testing::ModelRequest) -> bool {
    ///     request.tool("add").is_some_and(|tool| !tool.defer_loading)
    /// }
    /// ```
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&OfferedTool> {
        self.tools
            .iter()
            .find(|tool| tool.name == name)
            .or_else(|| self.tools.iter().find(|tool| is_bare_name_of(name, &tool.name)))
    }

    /// Returns the last result of the tool of this name: `add`, or `mcp__byre__add`.
    ///
    /// # Example
    ///
    /// ```
    /// fn sum(request: &byre::testing::ModelRequest) -> Option<i64> {
    ///     request.result("add")?.text.parse().ok()
    /// }
    /// ```
    #[must_use]
    pub fn result(&self, name: &str) -> Option<&SeenResult> {
        self.tool_results
            .iter()
            .rev()
            .find(|result| result.name == name || is_bare_name_of(name, &result.name))
    }

    /// Finds the name that the model must use for `tool`.
    pub(crate) fn resolve(&self, tool: &str) -> String {
        if tool.starts_with("mcp__") {
            return tool.to_owned();
        }
        if let Some(offered) = self.tool(tool) {
            return offered.name.clone();
        }
        // A tool that is not loaded yet is only named in a text.
        self.system
            .iter()
            .flat_map(|text| text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')))
            .find(|word| is_bare_name_of(tool, word))
            .unwrap_or(tool)
            .to_owned()
    }
}

impl OfferedTool {
    fn read(tool: &Value) -> Self {
        Self {
            name: string(&tool["name"]),
            description: string(&tool["description"]),
            input_schema: tool["input_schema"].clone(),
            defer_loading: tool["defer_loading"] == true,
        }
    }
}

/// Whether `full` is `mcp__<server>__<bare>`.
fn is_bare_name_of(bare: &str, full: &str) -> bool {
    full.strip_prefix("mcp__")
        .and_then(|rest| rest.strip_suffix(bare))
        .is_some_and(|server| server.len() > 2 && server.ends_with("__"))
}

/// Reads the results that came after the last message of the model.
fn tool_results(messages: &[Value]) -> Vec<SeenResult> {
    let is_model = |message: &&Value| message["role"] == "assistant";
    let names: HashMap<&str, &str> = messages
        .iter()
        .filter(is_model)
        .flat_map(|message| list(&message["content"]))
        .filter_map(|block| Some((block["id"].as_str()?, block["name"].as_str()?)))
        .collect();
    let start = messages.iter().rposition(|message| is_model(&message)).map_or(0, |at| at + 1);
    messages[start..]
        .iter()
        .flat_map(|message| list(&message["content"]))
        .filter(|block| block["type"] == "tool_result")
        .map(|block| {
            let id = block["tool_use_id"].as_str().unwrap_or_default();
            SeenResult {
                tool_use_id: id.to_owned(),
                name: names.get(id).copied().unwrap_or_default().to_owned(),
                text: texts(&block["content"]).collect::<Vec<_>>().join("\n"),
                is_error: block["is_error"] == true,
                content: block["content"].clone(),
            }
        })
        .collect()
}

/// What the CLI writes in the user's place.
const NOT_OF_THE_USER: [&str; 2] = ["<system-reminder>", "[Request interrupted by user"];

/// Joins what the user wrote.
fn user_text(content: &Value) -> String {
    texts(content)
        .filter(|text| !NOT_OF_THE_USER.iter().any(|start| text.trim_start().starts_with(start)))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Goes through the texts of content that is a string or a list of blocks.
fn texts(content: &Value) -> impl Iterator<Item = &str> {
    let blocks = list(content).iter().filter(|block| block["type"] == "text");
    content.as_str().into_iter().chain(blocks.filter_map(|block| block["text"].as_str()))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests;
