//! Which conversation it is, and what is kept of it.

use uuid::Uuid;

use super::args::Args;

/// Which conversation it is, beside the one to resume, and what is kept of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConversationOptions {
    pub(crate) session_id: Option<String>,
    pub(crate) continue_latest: bool,
    pub(crate) resume_at: Option<String>,
    pub(crate) resume_drops_turn: Option<String>,
    pub(crate) not_persisted: bool,
    pub(crate) name: Option<String>,
    /// An empty name leaves it to the CLI.
    pub(crate) worktree: Option<String>,
}

impl ConversationOptions {
    pub(super) fn write(&self, args: &mut Args) {
        args.maybe("session-id", self.session_id.as_ref());
        args.switch("continue", self.continue_latest);
        args.maybe("resume-session-at", self.resume_at.as_ref());
        args.maybe("resume-drops-turn", self.resume_drops_turn.as_ref());
        args.switch("no-session-persistence", self.not_persisted);
        args.maybe("name", self.name.as_ref());
        match self.worktree.as_deref() {
            Some("") => args.switch("worktree", true),
            worktree => args.maybe("worktree", worktree),
        }
    }

    pub(super) fn faults(&self, resume: bool, fork: bool, faults: &mut Vec<String>) {
        let mut refuse = |is: bool, why: &str| {
            if is {
                faults.push(why.to_owned());
            }
        };
        let goes_on = resume || self.continue_latest;
        refuse(
            fork && !goes_on,
            "`fork_session` needs a session to fork; name one with `resume`, or say \
             `continue_conversation`",
        );
        refuse(
            resume && self.continue_latest,
            "`resume` names a session, and `continue_conversation` takes the latest; say one of them",
        );
        refuse(
            self.session_id.as_deref().is_some_and(|id| !is_uuid(id)),
            "`session_id` must be a UUID, 8f3a8990-6fca-4756-b667-0911376e0d4c for example",
        );
        refuse(
            self.session_id.is_some() && goes_on && !fork,
            "a session that is gone on with keeps its id; `session_id` also needs `fork_session`",
        );
        refuse(
            self.resume_at.is_some() && !resume,
            "`resume_at` needs a session to cut; name one with `resume`",
        );
        refuse(
            self.resume_drops_turn.is_some() && self.resume_at.is_none(),
            "`resume_drops_turn` guards `resume_at`, which is not set",
        );
    }
}

/// Only the form with hyphens is one to the CLI.
fn is_uuid(text: &str) -> bool {
    text.len() == 36 && Uuid::try_parse(text).is_ok()
}
