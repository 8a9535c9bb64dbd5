//! A call of a tool's function: its arguments are read, held to the schema and mended, and a panic is caught.

use std::sync::Arc;

use serde_json::value::RawValue;

use super::{
    Accepted, Body, CallToolResult, Tool,
    arguments::{Arguments, Given},
    check::Checker,
    context::ToolContext,
    def::ToolFuture,
    parameters::Parameters,
};
use crate::function::{CatchUnwind, catch};

impl Tool {
    /// Calls the function with `arguments`, an object; absent and `null` mean an empty one.
    ///
    /// Never panics, neither now nor when it is polled. Arguments that do not fit, and a panic of the
    /// function, are results with `is_error`, for the model to read. Dropping the future drops the
    /// function's.
    pub(crate) fn call(&self, arguments: Option<&RawValue>, context: &ToolContext) -> ToolFuture {
        // The types of the parameters are the user's, so describing and reading them may panic.
        match catch(|| self.begin(arguments, context)) {
            Ok(Ok(future)) => {
                let tool = self.clone();
                Box::pin(async move {
                    match CatchUnwind::new(future).await {
                        Ok(result) => result,
                        Err(panic) => tool.panicked(&panic),
                    }
                })
            }
            Ok(Err(problem)) => self.answer(CallToolResult::error(format!(
                "the arguments of `{}` {problem}",
                self.name()
            ))),
            Err(panic) => self.answer(self.panicked(&panic)),
        }
    }

    /// Reads the arguments, and gives the call that does not run yet. The error goes on from "the arguments
    /// of `add` …".
    fn begin(&self, json: Option<&RawValue>, context: &ToolContext) -> Result<ToolFuture, String> {
        let Accepted { checker, aliases } = self.accepted();
        let given = Given::parse(json)?.without(aliases);
        if given.fits(checker)
            && let Ok(future) = self.read(given.into_arguments(), context)
        {
            return Ok(future);
        }
        // What follows takes its time, and is only for arguments that are wrong.
        let arguments = Given::parse(json)?.without(aliases).mended(checker, self.name());
        self.read(arguments, context).map_err(|problems| format!("do not fit:{problems}"))
    }

    fn read(&self, arguments: Arguments, context: &ToolContext) -> Result<ToolFuture, String> {
        let mut parameters = Parameters::read(arguments, context.clone());
        let future = self.pass(&mut parameters);
        match (future, parameters.problems()) {
            (Some(future), None) => Ok(future),
            (_, problems) => Err(problems.unwrap_or_default()),
        }
    }

    fn accepted(&self) -> &Accepted {
        self.0.checker.get_or_init(|| {
            Arc::new(match &self.0.body {
                Body::Function { .. } => {
                    let checker = Checker::of_parameters(&self.input_schema());
                    Accepted { checker, aliases: self.schema().into_aliases() }
                }
                Body::Dynamic { input_schema, .. } => {
                    Accepted { checker: Checker::of_schema(input_schema), aliases: Vec::new() }
                }
            })
        })
    }

    /// What the structured content of results has to fit, if there is such a schema.
    pub(super) fn output_checker(&self) -> Option<&Checker> {
        let compile = || Some(Arc::new(Checker::of_schema(&self.output_schema()?)));
        self.0.output_checker.get_or_init(compile).as_deref()
    }

    /// Answers without a call of the function.
    #[expect(clippy::unused_self, reason = "reads better than a free function")]
    fn answer(&self, result: CallToolResult) -> ToolFuture {
        Box::pin(std::future::ready(result))
    }

    fn panicked(&self, text: &str) -> CallToolResult {
        tracing::error!(tool = self.name(), location = %self.location(), "a tool panicked: {text}");
        CallToolResult::error(format!("the tool `{}` panicked: {text}", self.name()))
    }
}
