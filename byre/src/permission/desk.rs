//! Where the CLI's questions to people arrive.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use tokio::sync::mpsc;

use super::{
    Answers, Asked, DialogAnswer, ElicitationAnswer, ElicitationRequest, PendingPermission,
    PermissionAnswer, PermissionContext, PermissionRequest, Questions, UserDialog, def::Handler,
    words,
};
use crate::{
    function::BoxFuture,
    wire::{control::Answer, json::Raw, tokens},
};

/// Who is asked what in one session.
#[derive(Clone, Debug, Default)]
pub(crate) struct Desk {
    pub(crate) decides: Decides,
    pub(crate) ask_user: Option<Handler<Questions, Answers>>,
    pub(crate) elicitation: Option<Handler<ElicitationRequest, ElicitationAnswer>>,
    pub(crate) dialogs: Option<(Vec<String>, Handler<UserDialog, DialogAnswer>)>,
}

/// Who decides whether a tool may run.
#[derive(Clone, Debug, Default)]
pub(crate) enum Decides {
    #[default]
    Nobody,
    Function(Handler<Asked, PermissionAnswer>),
    Stream(mpsc::UnboundedSender<PendingPermission>),
}

impl Desk {
    /// Says whether the CLI has to ask us for permissions.
    pub(crate) fn needs_prompts(&self) -> bool {
        !matches!(self.decides, Decides::Nobody) || self.ask_user.is_some()
    }

    /// The kinds of dialog that can be shown: `initialize.supportedDialogKinds`.
    pub(crate) fn dialog_kinds(&self) -> Option<Value> {
        self.dialogs.as_ref().map(|(kinds, _)| serde_json::json!(kinds))
    }

    /// Starts to answer the `request` of this subtype, or gives `None` if it is no question to a person.
    pub(crate) fn serve<'a>(
        self: &Arc<Self>,
        subtype: &str,
        request: impl Fn() -> &'a str,
    ) -> Option<BoxFuture<Answer>> {
        let raw = || Raw::new(request().to_owned());
        let desk = Arc::clone(self);
        Some(match subtype {
            "can_use_tool" => {
                let raw = raw();
                Box::pin(async move { Answer::Success(desk.permission(&raw).await) })
            }
            "elicitation" => {
                let raw = raw();
                Box::pin(async move { success(&desk.elicit(&raw).await) })
            }
            "request_user_dialog" => {
                let raw = raw();
                Box::pin(async move {
                    // An answer to a dialog that the program can't show would stand for the user's own.
                    desk.dialog(&raw).await.map_or(Answer::Nothing, |answer| success(&answer))
                })
            }
            _ => return None,
        })
    }

    /// Decides on a call: the payload of the answer.
    async fn permission(&self, raw: &Raw) -> String {
        let request: PermissionRequest = match raw.parse() {
            Ok(request) => request,
            Err(error) => {
                let (raw, error) = readable(raw, &error);
                tracing::error!(raw, "a request for permission can't be read: {error}");
                return serde_json::json!({"behavior": "deny", "message": words::UNREADABLE})
                    .to_string();
            }
        };
        // Dropping this future before the end withdraws the request.
        let (open, context) = PermissionContext::new();
        let answer = self.decide(Asked { request: request.clone(), context }).await;
        open.answered();
        answer.to_json(&request)
    }

    async fn decide(&self, asked: Asked) -> PermissionAnswer {
        if asked.request.is_question() {
            return self.question(asked).await;
        }
        match &self.decides {
            Decides::Nobody => PermissionAnswer::deny(words::NOBODY),
            Decides::Function(handler) => {
                let answer = handler.ask(asked).await;
                answer.unwrap_or_else(|error| PermissionAnswer::deny(words::failed(&error)))
            }
            Decides::Stream(stream) => queue(stream, asked).await,
        }
    }

    /// Has the model's questions answered. A function that only says yes or no has no answers to give, so
    /// it is not asked.
    async fn question(&self, asked: Asked) -> PermissionAnswer {
        match (&self.ask_user, &self.decides) {
            (Some(handler), _) => {
                let Some(questions) = Questions::read(&asked.request, &asked.context) else {
                    return PermissionAnswer::deny(words::UNREADABLE);
                };
                match handler.ask(questions).await {
                    Ok(answers) => answers.into_answer(&asked.request),
                    Err(_) => PermissionAnswer::deny(words::NO_ANSWERS),
                }
            }
            (None, Decides::Stream(stream)) => {
                let answer = queue(stream, asked).await;
                let answered = |input: &Value| {
                    input["answers"].as_object().is_some_and(|answers| !answers.is_empty())
                };
                if answer.is_allowed() && !answer.input().is_some_and(answered) {
                    tracing::warn!(
                        "a question was allowed without answers; it counts as not answered"
                    );
                    return PermissionAnswer::deny(words::NO_ANSWERS);
                }
                answer
            }
            (None, _) => PermissionAnswer::deny(words::NO_ANSWERS),
        }
    }

    async fn elicit(&self, raw: &Raw) -> ElicitationAnswer {
        let Some(handler) = &self.elicitation else { return ElicitationAnswer::decline() };
        match raw.parse() {
            Ok(request) => handler.ask(request).await.unwrap_or(ElicitationAnswer::cancel()),
            Err(error) => {
                let (raw, error) = readable(raw, &error);
                tracing::error!(raw, "an elicitation can't be read: {error}");
                ElicitationAnswer::cancel()
            }
        }
    }

    /// Shows a dialog; gives nothing for one that was not declared.
    async fn dialog(&self, raw: &Raw) -> Option<DialogAnswer> {
        let (kinds, handler) = self.dialogs.as_ref()?;
        let dialog: UserDialog = raw.parse().ok()?;
        if !kinds.contains(&dialog.dialog_kind) {
            return None;
        }
        Some(handler.ask(dialog).await.unwrap_or(DialogAnswer::cancelled()))
    }
}

/// An answer that is nothing but its JSON.
fn success(answer: &impl Serialize) -> Answer {
    match serde_json::to_string(answer) {
        Ok(payload) => Answer::Success(payload),
        // Values and texts can always be written.
        Err(error) => Answer::error(error.to_string()),
    }
}

/// Hands a request to the program, and waits for its answer.
async fn queue(
    stream: &mpsc::UnboundedSender<PendingPermission>,
    asked: Asked,
) -> PermissionAnswer {
    let (pending, answer) = PendingPermission::new(asked);
    if stream.send(pending).is_err() {
        return PermissionAnswer::deny(words::NOBODY);
    }
    answer.await.unwrap_or_else(|_| PermissionAnswer::deny(words::DROPPED))
}

/// What a log may say of a request that is of another shape: nothing that looks like a key.
fn readable(raw: &Raw, error: &serde_json::Error) -> (String, String) {
    let hide = |text: &str| tokens::hide(text).into_owned();
    (hide(raw.as_str()), hide(&error.to_string()))
}
