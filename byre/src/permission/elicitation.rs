//! What is answered to MCP servers, and to dialogs of the CLI.

use serde::Serialize;
use serde_json::Value;

/// What the user says to an MCP server.
///
/// ```json
/// {"action":"accept","content":{"account":"work"}}
/// {"action":"decline"}
/// {"action":"cancel"}
/// ```
///
/// # Example
///
/// ```
/// use byre::permission::ElicitationAnswer;
///
/// let builder = byre::Session::builder().elicitation(async |request| {
///     println!("{} asks: {}", request.mcp_server_name, request.message);
///     ElicitationAnswer::accept(serde_json::json!({"account": "work"}))
/// });
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[must_use = "an answer has to be given"]
pub struct ElicitationAnswer {
    action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<Value>,
}

impl ElicitationAnswer {
    /// Gives what was asked for, an object that fits the
    /// [schema](super::ElicitationRequest::requested_schema).
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::ElicitationAnswer;
    ///
    /// ElicitationAnswer::accept(serde_json::json!({"account": "work"}));
    /// ```
    pub fn accept(content: Value) -> Self {
        Self { action: "accept", content: Some(content) }
    }

    /// Agrees to open the page, where a page was to be opened.
    ///
    /// # Example
    ///
    /// ```
    /// byre::permission::ElicitationAnswer::accept_url();
    /// ```
    pub fn accept_url() -> Self {
        Self { action: "accept", content: None }
    }

    /// Says no.
    ///
    /// # Example
    ///
    /// ```
    /// byre::permission::ElicitationAnswer::decline();
    /// ```
    pub fn decline() -> Self {
        Self { action: "decline", content: None }
    }

    /// Says neither yes nor no: the question was closed.
    ///
    /// # Example
    ///
    /// ```
    /// byre::permission::ElicitationAnswer::cancel();
    /// ```
    pub fn cancel() -> Self {
        Self { action: "cancel", content: None }
    }
}

/// What came of a dialog.
///
/// ```json
/// {"behavior":"completed","result":{"choice":"retry"}}
/// {"behavior":"cancelled"}
/// ```
///
/// # Example
///
/// ```
/// use byre::permission::DialogAnswer;
///
/// let kinds = ["refusal_fallback_prompt"];
/// let builder = byre::Session::builder().user_dialog(kinds, async |dialog| {
///     println!("{}: {}", dialog.dialog_kind, dialog.payload);
///     DialogAnswer::cancelled()
/// });
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[must_use = "an answer has to be given"]
pub struct DialogAnswer {
    behavior: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
}

impl DialogAnswer {
    /// Gives the result, whose shape depends on the kind of the dialog.
    ///
    /// # Example
    ///
    /// ```
    /// byre::permission::DialogAnswer::completed(serde_json::json!({"choice": "retry"}));
    /// ```
    pub fn completed(result: Value) -> Self {
        Self { behavior: "completed", result: Some(result) }
    }

    /// Says that the user has closed it.
    ///
    /// # Example
    ///
    /// ```
    /// byre::permission::DialogAnswer::cancelled();
    /// ```
    pub fn cancelled() -> Self {
        Self { behavior: "cancelled", result: None }
    }
}
