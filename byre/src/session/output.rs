//! Answers as values instead of text.

use std::{fmt, marker::PhantomData};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{outcome::TurnOutcome, prompt::Prompt, run};
use crate::{Session, SessionBuilder, error::Error, tool::schema};

/// Asks one question in a session of its own, and gives the answer as a `T`.
///
/// The model is given the JSON Schema of `T`, by way of a tool that the CLI adds and whose input it
/// checks. The doc comments of `T` and its fields are what the model reads.
///
/// # Errors
///
/// [`OutputError`]: the session failed, the turn failed, or the model gave no answer that fits.
///
/// # Cancel safety
///
/// Dropping the future ends the CLI.
///
/// # Example
///
/// ```no_run
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Capital {
///     /// The city's name in English.
///     city: String,
///     /// How many people live there.
///     population: u64,
/// }
///
/// # async fn run() -> Result<(), byre::OutputError> {
/// let capital: Capital = byre::ask("What is the capital of Mongolia?").await?;
/// println!("{}, {} people", capital.city, capital.population);
/// # Ok(())
/// # }
/// ```
pub async fn ask<T: DeserializeOwned + JsonSchema>(
    prompt: impl Into<Prompt>,
) -> Result<T, OutputError> {
    Session::builder().output::<T>().ask(prompt).await
}

/// A session whose turns answer with a `T`. Made by [`SessionBuilder::output`].
///
/// # Example
///
/// ```
/// let typed = byre::Session::builder().model("opus").output::<u32>();
/// ```
#[must_use = "nothing happens until `ask` or `builder`"]
pub struct TypedBuilder<T> {
    builder: SessionBuilder,
    answer: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned + JsonSchema> TypedBuilder<T> {
    pub(crate) fn new(builder: SessionBuilder) -> Self {
        let (schema, _) = schema::input::<T>();
        Self { builder: builder.json_schema(schema), answer: PhantomData }
    }

    /// Asks one question in a session of its own, and ends it.
    ///
    /// # Errors
    ///
    /// Those of [`ask`].
    ///
    /// # Cancel safety
    ///
    /// Dropping the future ends the CLI.
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
    pub async fn ask(self, prompt: impl Into<Prompt>) -> Result<T, OutputError> {
        run::run(self.builder, prompt.into()).await?.output()
    }

    /// Gives the builder back, for a session of several turns. Each outcome then has its
    /// [`output`](TurnOutcome::output).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run() -> Result<(), byre::OutputError> {
    /// let mut session = byre::Session::builder().output::<u32>().builder().spawn().await?;
    /// let first: u32 = session.prompt("How many legs has a cow?").await?.output()?;
    /// let second: u32 = session.prompt("And a spider?").await?.output()?;
    /// # Ok(session.close().await?)
    /// # }
    /// ```
    pub fn builder(self) -> SessionBuilder {
        self.builder
    }
}

impl<T> fmt::Debug for TypedBuilder<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TypedBuilder").field(&self.builder).finish()
    }
}

/// Why there is no typed answer.
///
/// # Example
///
/// ```no_run
/// use byre::OutputError;
///
/// # async fn run() {
/// match byre::ask::<u32>("How many legs has a cow?").await {
///     Ok(legs) => println!("{legs}"),
///     Err(OutputError::Mismatch { value, .. }) => println!("it answered {value}"),
///     Err(error) => println!("{error}"),
/// }
/// # }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum OutputError {
    /// The session could not be started, or ended before the turn did.
    Session(Error),
    /// The turn failed: the API refused, a limit was reached, somebody interrupted. The text says why.
    Turn(String),
    /// The turn went well, and the model answered with this text instead of a value.
    Missing(String),
    /// The value does not fit the type, although it fits the schema.
    #[non_exhaustive]
    Mismatch {
        /// What the model answered.
        value: Value,
        /// What does not fit.
        error: serde_json::Error,
    },
    /// The model gave values that do not fit the schema until the CLI gave up. The text says what was
    /// wrong.
    RetriesExhausted(String),
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Session(_) => f.write_str("could not get an answer from the session"),
            Self::Turn(text) => write!(f, "the turn failed: {text}"),
            Self::Missing(text) => {
                write!(f, "the model answered with text instead of a value: {text}")
            }
            Self::Mismatch { value, .. } => {
                write!(f, "the value does not fit the type it was asked for: {value}")
            }
            Self::RetriesExhausted(text) => {
                write!(f, "the model gave no value that fits the schema: {text}")
            }
        }
    }
}

impl std::error::Error for OutputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Session(error) => Some(error),
            Self::Mismatch { error, .. } => Some(error),
            Self::Turn(_) | Self::Missing(_) | Self::RetriesExhausted(_) => None,
        }
    }
}

impl From<Error> for OutputError {
    fn from(error: Error) -> Self {
        Self::Session(error)
    }
}

impl TurnOutcome {
    /// Reads the value that the turn answered with, in a session that asks for a `T`.
    ///
    /// # Errors
    ///
    /// All of [`OutputError`] but [`Session`](OutputError::Session).
    ///
    /// # Example
    ///
    /// ```
    /// fn legs(outcome: &byre::TurnOutcome) -> Result<u32, byre::OutputError> {
    ///     outcome.output()
    /// }
    /// ```
    pub fn output<T: DeserializeOwned + JsonSchema>(&self) -> Result<T, OutputError> {
        let result = self.result();
        if result.subtype == "error_max_structured_output_retries" {
            return Err(OutputError::RetriesExhausted(self.text().to_owned()));
        }
        if result.is_error {
            return Err(OutputError::Turn(self.text().to_owned()));
        }
        // A model that never calls the tool makes a turn that went well all the same.
        let Some(value) = result.structured_output.clone() else {
            return Err(OutputError::Missing(self.text().to_owned()));
        };
        let (_, wrapped) = schema::input::<T>();
        let inner = if wrapped { value.get("result").cloned() } else { Some(value.clone()) };
        serde_json::from_value(inner.unwrap_or_default())
            .map_err(|error| OutputError::Mismatch { value, error })
    }
}

#[cfg(test)]
mod tests;
