//! What the model is told before the conversation begins.

use super::SessionBuilder;
use crate::wire::option::prompt::SystemPrompt;

/// What the model is told before the conversation begins.
impl SessionBuilder {
    /// Tells the model this before the conversation begins: text in place of Claude Code's own system prompt,
    /// or any [`SystemPrompt`].
    ///
    /// The default is Claude Code's own, which tells the model how to work with its tools. It travels over
    /// the CLI's stdin, so it may be as long as it has to be.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().system_prompt("You are a build robot.");
    /// ```
    pub fn system_prompt(mut self, prompt: impl Into<SystemPrompt>) -> Self {
        self.launch.system_prompt = prompt.into();
        self
    }

    /// Adds text to the system prompt, Claude Code's own by default.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().append_system_prompt("Answer in French.");
    /// ```
    pub fn append_system_prompt(mut self, text: impl Into<String>) -> Self {
        self.launch.system_prompt = self.launch.system_prompt.append(text);
        self
    }

    /// Tells the model this about how to plan, in place of Claude Code's own words, while it is in plan mode.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().plan_mode_instructions("List three ways.");
    /// ```
    pub fn plan_mode_instructions(mut self, text: impl Into<String>) -> Self {
        self.initialize_field("planModeInstructions", text.into());
        self
    }

    /// Sends prompts as they are: no slash commands, no `@file`, and nothing added to them by the CLI. For
    /// prompts that strangers write. Needs CLI 2.1.248.
    ///
    /// Of one prompt alone: [`Prompt::verbatim`](crate::Prompt::verbatim).
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().verbatim_prompts(true);
    /// ```
    pub fn verbatim_prompts(mut self, verbatim: bool) -> Self {
        self.verbatim_prompts = verbatim;
        self
    }
}
