//! Goes on with a stored session, or starts in its place.

use uuid::Uuid;

use super::SessionBuilder;
use crate::{
    error::{Error, ErrorKind, Result},
    session::Session,
};

/// What stands in for a session that is gone.
impl SessionBuilder {
    /// Goes on with the conversation that has this id, as [`resume`](Self::resume) does, or starts a new
    /// one if it is not stored any more.
    ///
    /// The new one gets the same id, if that is a UUID and free, so that a program may make up an id and
    /// say this from the start. It begins with an [`Event::Warning`](crate::Event::Warning) that says
    /// so, which comes before all other events. Whether the session is stored is for the CLI to say; if it
    /// is not, the CLI is started twice, and a [transcript](Self::transcript) shows that.
    ///
    /// A [transport](Self::transport) can be started twice only if it is one of
    /// [`Transport::on_every_launch`](crate::Transport::on_every_launch); with another, [`spawn`](Self::spawn)
    /// fails with [`ErrorKind::SessionNotFound`].
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run() -> byre::Result<()> {
    /// let id = "8f3a8990-6fca-4756-b667-0911376e0d4c";
    /// let mut session = byre::Session::builder().resume_or_new(id).spawn().await?;
    /// let outcome = session.prompt("Where were we?").await?;
    /// # session.close().await
    /// # }
    /// ```
    pub fn resume_or_new(self, session_id: impl Into<String>) -> Self {
        Self { or_new: true, ..self.resume(session_id) }
    }

    pub(super) async fn start_or_new(self) -> Result<Session> {
        let id = self.launch.resume.clone().unwrap_or_default();
        let again = self.without_resume();
        match (self.start().await, again) {
            (Err(error), Some(again)) if error.kind() == ErrorKind::SessionNotFound => {
                again.start_in_place_of(&id, &error).await
            }
            (started, _) => started,
        }
    }

    /// Starts a new session, with the id of the lost one where that can be.
    async fn start_in_place_of(mut self, id: &str, lost: &Error) -> Result<Session> {
        tracing::debug!("{lost}");
        // A fork would have had another id in any case.
        let takes_id = !self.launch.fork_session && Uuid::try_parse(id).is_ok() && id.len() == 36;
        self.launch.fork_session = false;
        let text = format!("session {id:?} is not stored; this is a new one");
        if takes_id && let Some(mut with_id) = self.without_resume() {
            with_id.launch.conversation.session_id = Some(id.to_owned());
            match with_id.start().await {
                Ok(mut session) => {
                    session.warn(format!("{text}, with the same id"));
                    return Ok(session);
                }
                // A file without a conversation takes the id, and can't be resumed either.
                Err(error) if is_in_use(&error, id) => {}
                Err(error) => return Err(error),
            }
        }
        let mut session = self.start().await?;
        session.warn(text);
        Ok(session)
    }

    /// The same once more, going on with the conversation that has this id, or as it is where none has begun.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`] if that can't be.
    pub(in crate::session) fn going_on_with(&self, id: Option<String>) -> Result<Self> {
        let cannot = |reason: &str| {
            Error::new(ErrorKind::Configuration, "restart the session").reason(reason)
        };
        let mut again = self.again().ok_or_else(|| cannot("its transport can't be made again"))?;
        let conversation = &mut again.launch.conversation;
        let Some(id) = id else {
            // Nobody has seen it begin, but it may be stored all the same.
            if let (Some(id), None) = (conversation.session_id.clone(), &again.launch.resume) {
                again.launch.conversation.session_id = None;
                again = again.resume_or_new(id);
            }
            return Ok(again);
        };
        if conversation.not_persisted {
            return Err(cannot("its conversation is not stored")
                .hint("`persist_session(false)` has said so"));
        }
        conversation.session_id = None;
        conversation.continue_latest = false;
        conversation.resume_at = None;
        conversation.resume_drops_turn = None;
        // What was forked once must not be forked again.
        again.launch.fork_session = false;
        Ok(again.resume(id))
    }

    /// The same once more, for a new session. `None` over a transport that there is only one of.
    fn without_resume(&self) -> Option<Self> {
        let mut again = self.again()?;
        again.launch.resume = None;
        again.or_new = false;
        Some(again)
    }
}

/// Says whether the CLI refused to start a new session under this id.
///
/// Source: `Error: Session ID … is already in use.`, seen with CLI 2.1.332.
fn is_in_use(error: &Error, id: &str) -> bool {
    let text = format!("Session ID {id} is already in use");
    error.exit().is_some_and(|exit| exit.stderr.contains(&text))
}
