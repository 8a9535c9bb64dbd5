//! Finds out what a function returns, for generated code.
//!
//! `Serialize` says nothing about `IntoToolResult`, and a type may have both. So no trait can have an impl
//! for each; what chooses is the search for a method, which takes the first that fits:
//!
//! | the method of | is found for |
//! |---|---|
//! | [`Returned<Result<T, E>>`](Returned), else [`NoResult`] | whether there are errors at all |
//! | [`Success<T>`], else [`Data`], else [`NothingKnown`] | `IntoToolResult`, `Serialize + JsonSchema`, neither |
//! | [`Schema<T>`], else [`DataSchema`], else [`NoSchema`] | the same |
//! | [`Failure<E>`], else [`Boxed`], else [`Unsendable`], else [`OnlyText`] | `Into<ToolError>`, `Box<dyn Error>`, `Error`, `Display` |
//!
//! A `Result` is taken apart before anything else is asked, because it is `Serialize` and `JsonSchema`
//! itself. The last of each row takes every type and names the trait that is missing, in byre's words.
//! Generated code for a type `R` and a value of it is this, with the traits in scope:
//!
//! ```text
//! || Schema::<R>::NEW.of_success().schema()
//!
//! match Returned::<R>(value).split() {
//!     Ok(success) => success.into_tool_result(),
//!     Err(error) => (&Failure::of(&error)).kind().into_tool_result(error),
//! }
//! ```

use std::{convert::Infallible, error::Error, fmt, marker::PhantomData};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{CallToolResult, IntoToolResult, Json, ToolError};

/// What a function returned.
#[derive(Debug)]
pub struct Returned<R>(pub R);

impl<T, E> Returned<Result<T, E>> {
    /// Tells success from failure.
    ///
    /// # Errors
    ///
    /// What the function failed with.
    pub fn split(self) -> Result<Success<T>, E> {
        self.0.map(Success)
    }
}

/// A function that can't fail.
pub trait NoResult {
    type Value;

    /// # Errors
    ///
    /// None.
    fn split(self) -> Result<Success<Self::Value>, Infallible>;
}

impl<T> NoResult for Returned<T> {
    type Value = T;

    fn split(self) -> Result<Success<T>, Infallible> {
        Ok(Success(self.0))
    }
}

/// What a function returned when all went well.
#[derive(Debug)]
pub struct Success<T>(T);

impl<T: IntoToolResult> Success<T> {
    pub fn into_tool_result(self) -> CallToolResult {
        self.0.into_tool_result()
    }
}

/// A type that is data, as [`Json`] is.
pub trait Data {
    fn into_tool_result(self) -> CallToolResult;
}

impl<T: Serialize + JsonSchema> Data for Success<T> {
    fn into_tool_result(self) -> CallToolResult {
        Json(self.0).into_tool_result()
    }
}

/// A type that byre can do nothing with.
pub trait NothingKnown {
    type Value;

    fn into_tool_result(self) -> CallToolResult
    where
        Self::Value: IntoToolResult;
}

impl<T> NothingKnown for &Success<T> {
    type Value = T;

    // Never called: with what it asks for, the method of `Success` is found first.
    fn into_tool_result(self) -> CallToolResult
    where
        T: IntoToolResult,
    {
        CallToolResult::default()
    }
}

/// The type of what a function returns, to ask for its schema.
#[derive(Debug)]
pub struct Schema<R>(PhantomData<fn() -> R>);

impl<R> Schema<R> {
    pub const NEW: Self = Self(PhantomData);
}

impl<T, E> Schema<Result<T, E>> {
    #[must_use]
    pub fn of_success(self) -> Schema<T> {
        Schema::NEW
    }
}

/// A function that can't fail.
pub trait SchemaOfAll {
    type Value;

    fn of_success(self) -> Schema<Self::Value>;
}

impl<T> SchemaOfAll for Schema<T> {
    type Value = T;

    fn of_success(self) -> Self {
        self
    }
}

impl<T: IntoToolResult> Schema<T> {
    #[must_use]
    pub fn schema(self) -> Option<Value> {
        T::output_schema()
    }
}

/// The schema of a type that is data.
pub trait DataSchema {
    fn schema(self) -> Option<Value>;
}

impl<T: Serialize + JsonSchema> DataSchema for Schema<T> {
    fn schema(self) -> Option<Value> {
        Json::<T>::output_schema()
    }
}

/// A type that byre can do nothing with, which [`NothingKnown`] says.
pub trait NoSchema {
    fn schema(self) -> Option<Value>;
}

impl<T> NoSchema for &Schema<T> {
    fn schema(self) -> Option<Value> {
        None
    }
}

/// The type of what a function fails with.
#[derive(Debug)]
pub struct Failure<E>(PhantomData<fn() -> E>);

// Derived, they would ask the same of `E`.
impl<E> Clone for Failure<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Failure<E> {}

impl<E> Failure<E> {
    #[must_use]
    pub fn of(_: &E) -> Self {
        Self(PhantomData)
    }
}

impl<E: Into<ToolError>> Failure<E> {
    #[must_use]
    pub fn kind(&self) -> IsToolError {
        IsToolError
    }
}

/// An error that [`ToolError`] can be made from.
#[derive(Clone, Copy, Debug)]
pub struct IsToolError;

impl IsToolError {
    pub fn into_tool_result<E: Into<ToolError>>(self, error: E) -> CallToolResult {
        error.into().into()
    }
}

/// A box of any error that may not go to another thread.
pub trait Boxed {
    fn kind(&self) -> IsBoxed;
}

impl<E: Error + ?Sized> Boxed for Failure<Box<E>> {
    fn kind(&self) -> IsBoxed {
        IsBoxed
    }
}

/// `Box<dyn Error>`, or a box of an error.
#[derive(Clone, Copy, Debug)]
pub struct IsBoxed;

impl IsBoxed {
    #[must_use]
    #[expect(
        clippy::boxed_local,
        clippy::needless_pass_by_value,
        reason = "all kinds take the error itself"
    )]
    pub fn into_tool_result<E: Error + ?Sized>(self, error: Box<E>) -> CallToolResult {
        ToolError::of(&*error).into()
    }
}

/// An error that may not go to another thread.
pub trait Unsendable {
    fn kind(&self) -> IsError;
}

impl<E: Error> Unsendable for &Failure<E> {
    fn kind(&self) -> IsError {
        IsError
    }
}

/// An error as it is.
#[derive(Clone, Copy, Debug)]
pub struct IsError;

impl IsError {
    pub fn into_tool_result<E: Error>(self, error: E) -> CallToolResult {
        ToolError::of(&error).into()
    }
}

/// An error of which nothing is known but its text, if that.
pub trait OnlyText {
    fn kind(self) -> IsText;
}

impl<E> OnlyText for Failure<E> {
    fn kind(self) -> IsText {
        IsText
    }
}

/// Something with a text.
#[derive(Clone, Copy, Debug)]
pub struct IsText;

impl IsText {
    pub fn into_tool_result<E: ShowFailure>(self, error: E) -> CallToolResult {
        // `{:#}` is how many errors tell their causes.
        ToolError::new(format!("{error:#}")).into()
    }
}

/// What a tool can fail with, where [`ToolError`] can't be made from it.
#[diagnostic::on_unimplemented(
    message = "a tool can't fail with `{Self}`",
    label = "has no text that could be shown to the model",
    note = "implement `std::error::Error` or `Display` for it, or use `byre::ToolError`, `String`, or an error \
            of anyhow or eyre"
)]
pub trait ShowFailure: fmt::Display {}

#[diagnostic::do_not_recommend]
impl<E: fmt::Display> ShowFailure for E {}
