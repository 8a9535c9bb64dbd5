//! Hooks, and what tools and hooks share with the program.

use super::SessionBuilder;
use crate::hook::Hook;

/// Hooks, and what tools and hooks share with the program.
impl SessionBuilder {
    /// Asks this hook too, beside those that are linked in or [listed](Self::hooks).
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{self, PreToolUseInput, PreToolUseOutput};
    ///
    /// let builder = byre::Session::builder().hook(
    ///     hook::on(async |_: PreToolUseInput| PreToolUseOutput::deny("Nothing is written today."))
    ///         .matcher("Write|Edit"),
    /// );
    /// ```
    pub fn hook(mut self, hook: impl Into<Hook>) -> Self {
        self.selection.more_hooks.push(hook.into());
        self
    }

    /// Gives tools and hooks a value, which they take as [`State`](crate::State). A second value of the same
    /// type takes the place of the first.
    ///
    /// # Example
    ///
    /// ```
    /// use std::sync::{Arc, Mutex};
    ///
    /// let builder = byre::Session::builder().state(Arc::new(Mutex::new(Vec::<String>::new())));
    /// ```
    pub fn state<T: Clone + Send + Sync + 'static>(mut self, value: T) -> Self {
        self.states.insert(value);
        self
    }

    /// Gives all of these values as well.
    #[cfg(any(feature = "cli", feature = "testing"))]
    pub(crate) fn states(mut self, states: crate::function::state::States) -> Self {
        self.states.extend(states);
        self
    }
}
