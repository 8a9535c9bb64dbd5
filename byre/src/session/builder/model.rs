//! The model, and how much it may do.

use super::SessionBuilder;
use crate::wire::option::{Effort, Thinking, ThinkingDisplay};

/// The model, and how much it may do.
impl SessionBuilder {
    /// Chooses the model, by its name or an alias such as `opus`; the CLI's own choice by default.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().model("opus");
    /// ```
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.launch.model = Some(model.into());
        self
    }

    /// Adds a model to take when the chosen one is overloaded; several are tried in the order of the calls.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().model("opus").fallback_model("sonnet");
    /// ```
    pub fn fallback_model(mut self, model: impl Into<String>) -> Self {
        self.launch.model_options.fallback.push(model.into());
        self
    }

    /// Chooses how hard the model tries; the model's own measure by default.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::options::Effort;
    ///
    /// let builder = byre::Session::builder().effort(Effort::Low);
    /// ```
    pub fn effort(mut self, effort: Effort) -> Self {
        self.launch.model_options.effort = Some(effort);
        self
    }

    /// Chooses whether the model thinks before it answers; as the model is used to by default.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::options::Thinking;
    ///
    /// let builder = byre::Session::builder().thinking(Thinking::Budget(4096));
    /// ```
    pub fn thinking(mut self, thinking: Thinking) -> Self {
        self.launch.model_options.thinking = Some(thinking);
        self
    }

    /// Chooses what is reported of the model's thinking.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::options::ThinkingDisplay;
    ///
    /// let builder = byre::Session::builder().thinking_display(ThinkingDisplay::Summarized);
    /// ```
    pub fn thinking_display(mut self, display: ThinkingDisplay) -> Self {
        self.launch.model_options.thinking_display = Some(display);
        self
    }

    /// Switches on betas of the API, by name. The CLI leaves out those that it does not allow, and says so on
    /// stderr.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().betas(["context-1m-2025-08-07"]);
    /// ```
    pub fn betas(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.launch.model_options.betas.extend(names.into_iter().map(Into::into));
        self
    }

    /// Ends a prompt after this many requests to the model. Its outcome is an error then, with subtype
    /// `error_max_turns`.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().max_turns(20);
    /// ```
    pub fn max_turns(mut self, turns: u32) -> Self {
        self.launch.model_options.max_turns = Some(turns);
        self
    }

    /// Ends a prompt, and every later one, when the session has cost this many US dollars. The outcome is an
    /// error then, with subtype `error_max_budget_usd`.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().max_budget_usd(2.5);
    /// ```
    pub fn max_budget_usd(mut self, usd: f64) -> Self {
        self.launch.model_options.max_budget_usd = Some(usd);
        self
    }

    /// Tells the model how many tokens it has for the task, so that it can pace itself.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().task_budget(200_000);
    /// ```
    pub fn task_budget(mut self, tokens: u64) -> Self {
        self.launch.model_options.task_budget = Some(tokens);
        self
    }
}
