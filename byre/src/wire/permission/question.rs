//! The questions of the tool `AskUserQuestion`.

use serde::{Deserialize, Serialize};

use crate::wire::json::lenient;

/// A question of the model to the user.
///
/// ```json
/// {"question":"Which database?","header":"Database","options":[{"label":"SQLite","description":"One file"},{"label":"Postgres","description":"A server"}],"multiSelect":false}
/// ```
///
/// # Example
///
/// ```
/// fn show(question: &byre::permission::Question) {
///     println!("{}", question.question);
///     for option in &question.options {
///         println!("- {}: {}", option.label, option.description);
///     }
/// }
/// ```
// Source: the TypeScript SDK 0.3.332.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Question {
    /// The question, by which its answer is known.
    pub question: String,
    /// A word or two to show with it.
    #[serde(default, deserialize_with = "lenient")]
    pub header: String,
    /// The answers that the model proposes, two to four. Any other text is an answer too.
    #[serde(default)]
    pub options: Vec<QuestionOption>,
    /// More than one option may be chosen.
    #[serde(default, deserialize_with = "lenient")]
    pub multi_select: bool,
}

/// An answer that the model proposes.
///
/// ```json
/// {"label":"SQLite","description":"One file","preview":"db = sqlite3.connect(\"a.db\")"}
/// ```
///
/// # Example
///
/// ```
/// fn show(option: &byre::permission::QuestionOption) -> String {
///     format!("{}: {}", option.label, option.description)
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct QuestionOption {
    /// What is answered when it is chosen.
    pub label: String,
    /// What it means.
    #[serde(default, deserialize_with = "lenient")]
    pub description: String,
    /// Something to show beside it: code, a drawing.
    #[serde(default, deserialize_with = "lenient", skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
}
