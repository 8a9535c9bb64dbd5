//! What a session answers with.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::SessionBuilder;
use crate::session::output::TypedBuilder;

impl SessionBuilder {
    /// Asks for answers of type `T` instead of text, by its JSON Schema.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run() -> Result<(), byre::OutputError> {
    /// let builder = byre::Session::builder().model("opus");
    /// let primes: Vec<u32> = builder.output().ask("Which primes are below 20?").await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn output<T: DeserializeOwned + JsonSchema>(self) -> TypedBuilder<T> {
        TypedBuilder::new(self)
    }

    /// Asks for answers that fit this JSON Schema, whose root must be an object. They come as
    /// [`structured_output`](crate::event::ResultEvent::structured_output).
    ///
    /// # Example
    ///
    /// ```
    /// let schema = serde_json::json!({
    ///     "type": "object",
    ///     "properties": {"legs": {"type": "integer"}},
    ///     "required": ["legs"],
    /// });
    /// let builder = byre::Session::builder().json_schema(schema);
    /// ```
    pub fn json_schema(mut self, schema: Value) -> Self {
        self.json_schema = Some(schema);
        self
    }
}
