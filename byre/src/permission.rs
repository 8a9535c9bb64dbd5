//! Decisions that only this program, or the person in front of it, can make.
//!
//! Before a tool runs that no rule and no mode allows, the CLI asks. Who is asked is up to the program:
//!
//! | asked through | |
//! |---|---|
//! | [`#[byre::permission]`](macro@crate::permission) | a function, found by itself |
//! | [`can_use_tool`](crate::SessionBuilder::can_use_tool) | a function or closure |
//! | [`permissions_as_stream`](crate::SessionBuilder::permissions_as_stream) | data: a [`PendingPermission`] that may be answered later, from anywhere |
//! | [`ask_user`](crate::SessionBuilder::ask_user) | the questions of the model, the tool `AskUserQuestion` |
//! | [`elicitation`](crate::SessionBuilder::elicitation) | the questions of MCP servers |
//! | [`user_dialog`](crate::SessionBuilder::user_dialog) | dialogs of the CLI |
//!
//! Whoever is asked may take as long as they like: the CLI sets no limit, and only the call waits. If the
//! CLI needs the answer no more (somebody interrupted, a hook was faster, the session ended), the future
//! of the handler is dropped.
//!
//! Nothing runs by mistake: a handler that fails or panics denies, and so does one that is not there. The
//! model reads why, and goes on.

// L4: knows `wire`, `error` and `function`. It must not know sessions, and answers whatever it is given.

mod answer;
mod asked;
pub(crate) mod def;
pub(crate) mod desk;
mod elicitation;
mod pending;
mod question;
mod words;

pub use self::{
    answer::{DecisionClassification, IntoAnswer, PermissionAnswer},
    asked::{Asked, PermissionContext, PermissionParam},
    elicitation::{DialogAnswer, ElicitationAnswer},
    pending::{PendingPermission, Permissions, Withdrawn},
    question::{Answers, Questions},
};
pub use crate::wire::permission::{
    DecisionReasonType, Destination, ElicitationMode, ElicitationRequest, MatchedAskRule,
    McpServerRef, PermissionRequest, PermissionRule, PermissionUpdate, Question, QuestionOption,
    RuleBehavior, UserDialog,
};

#[cfg(test)]
mod tests;
