//! Goes on with a conversation in another CLI.

use std::{future::poll_fn, sync::PoisonError};

use super::{Session, builder::SessionBuilder};
use crate::error::{Error, ErrorKind, Result};

impl Session {
    /// Starts the CLI again and goes on with the same conversation: after the CLI has died or hung, or to get
    /// another one in its place.
    ///
    /// A session that is alive is [closed](Self::close) first. The new CLI gets the options of the builder,
    /// the same tools, hooks, permission functions and states, and `--resume` with the session's id. What was
    /// changed since by the methods of a [`SessionHandle`](crate::SessionHandle), the model or the tools for
    /// example, is as the builder says again. Old handles stay at the end of the old CLI; get a new
    /// [`handle`](Self::handle), and a new stream of [`permissions`](Self::permissions). Events that were not
    /// read are gone.
    ///
    /// **No prompt runs twice.** A turn that was cut off has failed, with an error whose
    /// [`unfinished_prompt`](Error::unfinished_prompt) says so, and byre does not send its prompt again, nor
    /// prompts that waited. The model sees as much of that turn as the CLI had stored, and goes on with it
    /// only when it is told to.
    ///
    /// Before the first turn has begun there is no conversation, and the session starts as the builder says.
    ///
    /// # Errors
    ///
    /// Those of [`SessionBuilder::spawn`]:
    /// [`ErrorKind::SessionNotFound`](crate::ErrorKind::SessionNotFound) for example if the CLI died before it
    /// had stored anything. The session is over then, and may be restarted later.
    ///
    /// [`ErrorKind::Configuration`](crate::ErrorKind::Configuration) if the conversation
    /// [is not stored](SessionBuilder::persist_session), or the session is over a
    /// [transport](SessionBuilder::transport) that can't be made again: see
    /// [`Transport::on_every_launch`](crate::Transport::on_every_launch). Nothing has happened then, and the
    /// session goes on.
    ///
    /// # Cancel safety
    ///
    /// When the future is dropped, the session is over. It may be restarted later.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(session: &mut byre::Session) -> byre::Result<()> {
    /// let outcome = match session.prompt("Tidy the shed.").await {
    ///     Ok(outcome) => outcome,
    ///     Err(error) if error.unfinished_prompt().is_some() => {
    ///         eprintln!("{error}");
    ///         session.restart().await?;
    ///         session.prompt("You were cut off. See how far you came, and go on.").await?
    ///     }
    ///     Err(error) => return Err(error),
    /// };
    /// # Ok(())
    /// # }
    /// ```
    pub async fn restart(&mut self) -> Result<()> {
        // What can be refused is refused before anything is ended.
        let id = self.handle.session_id();
        drop(self.again()?.going_on_with(id)?);
        self.handle.link().close().await;
        // The id of the conversation may stand in what nobody has read.
        while poll_fn(|cx| self.poll_any_event(cx)).await.is_some() {}
        let id = self.handle.session_id();
        let builder = self.again()?.going_on_with(id.clone())?;
        let session = builder.spawn().await?;
        if let Some(id) = id {
            session.handle.set_session_id(&id);
        }
        *self = session;
        Ok(())
    }

    /// What the session was started as. Fails where it can't be started again.
    fn again(&mut self) -> Result<&mut SessionBuilder> {
        match &mut self.again {
            Some(again) => Ok(again.get_mut().unwrap_or_else(PoisonError::into_inner)),
            None => Err(Error::new(ErrorKind::Configuration, "restart the session")
                .reason("it is over a transport that was made once")
                .hint("give the builder one of `Transport::on_every_launch`")),
        }
    }
}
