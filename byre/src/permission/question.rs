//! The questions of the model to the user, and the answers.

use std::{collections::BTreeMap, ops::Deref};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{PermissionAnswer, PermissionContext, PermissionRequest, words};
use crate::wire::{json::object, permission::Question};

/// The questions of one call of the tool `AskUserQuestion`, one to four.
///
/// A slice of [`Question`]s.
///
/// # Example
///
/// ```
/// use byre::permission::Answers;
///
/// let builder = byre::Session::builder().ask_user(async |questions| {
///     let mut answers = Answers::new();
///     for question in questions.iter() {
///         println!("{}", question.question);
///         answers = answers.answer(&question.question, &question.options[0].label);
///     }
///     answers
/// });
/// ```
#[derive(Clone, Debug)]
pub struct Questions {
    list: Vec<Question>,
    request: PermissionRequest,
    context: PermissionContext,
}

impl Questions {
    /// Reads the questions of a request, if it is one that asks any.
    pub(super) fn read(request: &PermissionRequest, context: &PermissionContext) -> Option<Self> {
        #[derive(Deserialize)]
        struct Input {
            questions: Vec<Question>,
        }
        if !request.is_question() {
            return None;
        }
        let Input { questions } = request.input_as().ok()?;
        Some(Self { list: questions, request: request.clone(), context: context.clone() })
    }

    /// Returns the request that they came with.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(questions: &byre::permission::Questions) {
    /// println!("asked by {:?}", questions.request().agent_id);
    /// # }
    /// ```
    #[must_use]
    pub fn request(&self) -> &PermissionRequest {
        &self.request
    }

    /// Returns what tells whether anybody still waits for the answers.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(questions: &byre::permission::Questions) {
    /// println!("asked as {}", questions.context().id());
    /// # }
    /// ```
    #[must_use]
    pub fn context(&self) -> &PermissionContext {
        &self.context
    }
}

impl Deref for Questions {
    type Target = [Question];

    fn deref(&self) -> &[Question] {
        &self.list
    }
}

impl Serialize for Questions {
    /// Serialises to the list of questions.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.list.serialize(serializer)
    }
}

/// What the user answers, by question.
///
/// ```json
/// {"answers":{"Which database?":"SQLite"},"annotations":{"Which database?":{"notes":"for now"}}}
/// ```
///
/// # Example
///
/// ```
/// use byre::permission::Answers;
///
/// let answers = Answers::new()
///     .answer("Which database?", "SQLite")
///     .note("Which database?", "for now")
///     .choose("Which tests?", ["unit", "live"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use = "answers have to be given"]
pub struct Answers {
    by_question: BTreeMap<String, String>,
    notes: BTreeMap<String, String>,
    /// Why there are none.
    declined: Option<String>,
}

impl Answers {
    /// Makes a list without answers, which is the same as to [decline](Self::decline).
    ///
    /// # Example
    ///
    /// ```
    /// byre::permission::Answers::new();
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers no question. The model reads the message, and goes on without.
    ///
    /// # Example
    ///
    /// ```
    /// byre::permission::Answers::decline("The user is asleep. Choose what is easy to undo.");
    /// ```
    pub fn decline(message: impl Into<String>) -> Self {
        Self { declined: Some(message.into()), ..Self::default() }
    }

    /// Answers a question, known by its text, with the label of an option or a text of the user's own.
    /// A question may be left out.
    ///
    /// # Example
    ///
    /// ```
    /// byre::permission::Answers::new().answer("Which database?", "SQLite");
    /// ```
    pub fn answer(mut self, question: impl Into<String>, answer: impl Into<String>) -> Self {
        self.by_question.insert(question.into(), answer.into());
        self
    }

    /// Answers a question with several options. They go to the CLI as one text: `unit, live`.
    ///
    /// # Example
    ///
    /// ```
    /// byre::permission::Answers::new().choose("Which tests?", ["unit", "live"]);
    /// ```
    pub fn choose(
        self,
        question: impl Into<String>,
        labels: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Self {
        let labels: Vec<_> = labels.into_iter().map(|label| label.as_ref().to_owned()).collect();
        self.answer(question, labels.join(", "))
    }

    /// Adds a remark of the user to a question.
    ///
    /// # Example
    ///
    /// ```
    /// byre::permission::Answers::new()
    ///     .answer("Which database?", "SQLite")
    ///     .note("Which database?", "for now");
    /// ```
    pub fn note(mut self, question: impl Into<String>, note: impl Into<String>) -> Self {
        self.notes.insert(question.into(), note.into());
        self
    }

    /// What goes to the CLI: the input of the tool, with the answers in it.
    pub(super) fn into_answer(self, request: &PermissionRequest) -> PermissionAnswer {
        if self.by_question.is_empty() {
            return PermissionAnswer::deny(self.declined.as_deref().unwrap_or(words::NO_ANSWERS));
        }
        let mut input = match &request.input {
            Value::Object(input) => input.clone(),
            _ => Map::new(),
        };
        input.insert("answers".to_owned(), json!(self.by_question));
        if !self.notes.is_empty() {
            let notes = self.notes.into_iter();
            let notes = notes.map(|(question, note)| (question, json!({"notes": note})));
            input.insert("annotations".to_owned(), object(notes).into());
        }
        PermissionAnswer::allow_with(input)
    }
}
