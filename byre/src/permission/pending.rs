//! Requests as data: a stream of them, each of which can be answered later.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll, ready},
};

use futures_core::Stream;
use serde::{Serialize, Serializer, ser::SerializeStruct};
use tokio::sync::{mpsc, oneshot};

use super::{Answers, Asked, PermissionAnswer, PermissionContext, PermissionRequest, Questions};

/// A call that waits for its permission.
///
/// May be kept as long as needed, put into a map by its [id](Self::id), and answered from any task. The
/// CLI sets no limit. Dropped without an answer, it is denied, and the model reads that nobody answered.
///
/// Serialises to what a page or a window has to show:
///
/// ```json
/// {"id":"0b0c…","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"ls"},"tool_use_id":"toolu_9"}}
/// ```
///
/// # Example
///
/// ```
/// use std::collections::HashMap;
///
/// use byre::permission::{PendingPermission, PermissionAnswer};
///
/// struct Page {
///     waiting: HashMap<String, PendingPermission>,
/// }
///
/// impl Page {
///     fn show(&mut self, pending: PendingPermission) {
///         println!("{}", serde_json::to_string(&pending).unwrap());
///         self.waiting.insert(pending.id().to_owned(), pending);
///     }
///
///     fn clicked(&mut self, id: &str, yes: bool) {
///         let Some(pending) = self.waiting.remove(id) else { return };
///         let done = if yes { pending.allow() } else { pending.deny("The user said no.") };
///         if done.is_err() {
///             println!("too late");
///         }
///     }
/// }
/// ```
#[must_use = "dropped without an answer, it is denied"]
pub struct PendingPermission {
    asked: Asked,
    reply: oneshot::Sender<PermissionAnswer>,
}

impl PendingPermission {
    /// Makes one, and what its answer comes through.
    pub(super) fn new(asked: Asked) -> (Self, oneshot::Receiver<PermissionAnswer>) {
        let (reply, answer) = oneshot::channel();
        (Self { asked, reply }, answer)
    }

    /// Returns an id that no other request has, in no session and no process.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(pending: &byre::permission::PendingPermission) {
    /// println!("{}", pending.id());
    /// # }
    /// ```
    #[must_use]
    pub fn id(&self) -> &str {
        self.asked.context.id()
    }

    /// Returns what is asked.
    ///
    /// # Example
    ///
    /// ```
    /// # fn show(pending: &byre::permission::PendingPermission) {
    /// println!("may {} run?", pending.request().tool_name);
    /// # }
    /// ```
    #[must_use]
    pub fn request(&self) -> &PermissionRequest {
        &self.asked.request
    }

    /// Returns what tells whether anybody still waits for the answer, to be kept where this is not.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # fn show(pending: &byre::permission::PendingPermission) {
    /// let context = pending.context().clone();
    /// tokio::spawn(async move {
    ///     context.over().await;
    ///     println!("close the window of {}", context.id());
    /// });
    /// # }
    /// ```
    #[must_use]
    pub fn context(&self) -> &PermissionContext {
        &self.asked.context
    }

    /// Returns the questions, if it is questions of the model that wait. They come here where
    /// [`ask_user`](crate::SessionBuilder::ask_user) was not called. [`answer`](Self::answer) answers them;
    /// merely allowed, they count as not answered.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::permission::{Answers, PendingPermission};
    ///
    /// fn answer(pending: PendingPermission) {
    ///     if let Some(questions) = pending.questions() {
    ///         let first = &questions[0];
    ///         let answers = Answers::new().answer(&first.question, &first.options[0].label);
    ///         pending.answer(answers).ok();
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn questions(&self) -> Option<Questions> {
        Questions::read(&self.asked.request, &self.asked.context)
    }

    /// Lets the call run as it is.
    ///
    /// # Errors
    ///
    /// [`Withdrawn`] if nobody waits for it any more. Nothing has happened then.
    ///
    /// # Example
    ///
    /// ```
    /// # fn answer(pending: byre::permission::PendingPermission) {
    /// if pending.allow().is_err() {
    ///     println!("too late");
    /// }
    /// # }
    /// ```
    pub fn allow(self) -> Result<(), Withdrawn> {
        self.decide(PermissionAnswer::allow())
    }

    /// Does not let the call run. The model reads the message and goes on.
    ///
    /// # Errors
    ///
    /// Those of [`allow`](Self::allow).
    ///
    /// # Example
    ///
    /// ```
    /// # fn answer(pending: byre::permission::PendingPermission) {
    /// pending.deny("Not in production. Don't try it again.").ok();
    /// # }
    /// ```
    pub fn deny(self, message: impl Into<String>) -> Result<(), Withdrawn> {
        self.decide(PermissionAnswer::deny(message))
    }

    /// Does not let the call run, and ends the turn.
    ///
    /// # Errors
    ///
    /// Those of [`allow`](Self::allow).
    ///
    /// # Example
    ///
    /// ```
    /// # fn answer(pending: byre::permission::PendingPermission) {
    /// pending.deny_and_stop("The user has left.").ok();
    /// # }
    /// ```
    pub fn deny_and_stop(self, message: impl Into<String>) -> Result<(), Withdrawn> {
        self.decide(PermissionAnswer::deny_and_stop(message))
    }

    /// Answers the [questions](Self::questions) of the model.
    ///
    /// # Errors
    ///
    /// Those of [`allow`](Self::allow).
    ///
    /// # Example
    ///
    /// ```
    /// # fn answer(pending: byre::permission::PendingPermission) {
    /// use byre::permission::Answers;
    ///
    /// pending.answer(Answers::new().answer("Which database?", "SQLite")).ok();
    /// # }
    /// ```
    pub fn answer(self, answers: Answers) -> Result<(), Withdrawn> {
        let answer = answers.into_answer(&self.asked.request);
        self.decide(answer)
    }

    /// Gives any answer.
    ///
    /// # Errors
    ///
    /// Those of [`allow`](Self::allow).
    ///
    /// # Example
    ///
    /// ```
    /// # fn answer(pending: byre::permission::PendingPermission) {
    /// use byre::permission::PermissionAnswer;
    ///
    /// let updates = pending.request().permission_suggestions.clone();
    /// pending.decide(PermissionAnswer::allow().with_updates(updates)).ok();
    /// # }
    /// ```
    pub fn decide(self, answer: PermissionAnswer) -> Result<(), Withdrawn> {
        self.reply.send(answer).map_err(|_| Withdrawn(()))
    }

    /// Waits until nobody waits for the answer any more: somebody interrupted, a hook was faster, or the
    /// session ended.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    ///
    /// # Example
    ///
    /// ```
    /// # async fn wait(pending: byre::permission::PendingPermission, click: impl Future<Output = bool>) {
    /// tokio::select! {
    ///     yes = click => drop(if yes { pending.allow() } else { pending.deny("No.") }),
    ///     () = pending.withdrawn() => println!("close the window"),
    /// }
    /// # }
    /// ```
    pub async fn withdrawn(&self) {
        // It can't be answered while somebody holds it.
        self.asked.context.over().await;
    }

    /// Says whether nobody waits for the answer any more.
    ///
    /// # Example
    ///
    /// ```
    /// # use std::collections::HashMap;
    /// # use byre::permission::PendingPermission;
    /// fn tidy(waiting: &mut HashMap<String, PendingPermission>) {
    ///     waiting.retain(|_, pending| !pending.is_withdrawn());
    /// }
    /// ```
    #[must_use]
    pub fn is_withdrawn(&self) -> bool {
        self.reply.is_closed()
    }
}

impl Serialize for PendingPermission {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("PendingPermission", 2)?;
        fields.serialize_field("id", self.id())?;
        fields.serialize_field("request", self.request())?;
        fields.end()
    }
}

impl fmt::Debug for PendingPermission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PendingPermission")
            .field("id", &self.id())
            .field("request", self.request())
            .field("is_withdrawn", &self.is_withdrawn())
            .finish()
    }
}

/// The answer came too late: the CLI has withdrawn the request, or is gone.
///
/// # Example
///
/// ```
/// # fn answer(pending: byre::permission::PendingPermission) {
/// match pending.allow() {
///     Ok(()) => println!("it runs"),
///     Err(withdrawn) => println!("{withdrawn}"),
/// }
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Withdrawn(());

impl fmt::Display for Withdrawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nobody waits for an answer to this request any more")
    }
}

impl std::error::Error for Withdrawn {}

/// The requests of a session, as they come. A [`Stream`].
///
/// Made by [`Session::permissions`](crate::Session::permissions). It ends when the session does. While it
/// is not read, requests wait in memory, and their calls with them: as many as the model has calls under
/// way. Those that are withdrawn meanwhile are left out. If it is dropped, every request is denied.
///
/// # Example
///
/// ```no_run
/// # async fn run() -> byre::Result<()> {
/// let builder = byre::Session::builder().permissions_as_stream();
/// let mut session = builder.spawn().await?;
/// let mut permissions = session.permissions().expect("it is the first call");
/// tokio::spawn(async move {
///     while let Some(pending) = permissions.next().await {
///         println!("may {} run? Yes.", pending.request().tool_name);
///         pending.allow().ok();
///     }
/// });
/// session.prompt("Tidy up.").await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Permissions(mpsc::UnboundedReceiver<PendingPermission>);

impl Permissions {
    pub(crate) fn new() -> (mpsc::UnboundedSender<PendingPermission>, Self) {
        let (sender, receiver) = mpsc::unbounded_channel();
        (sender, Self(receiver))
    }

    /// Waits for the next request, or gives `None` once the session is over.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(mut permissions: byre::permission::Permissions) {
    /// while let Some(pending) = permissions.next().await {
    ///     pending.deny("Nothing may run here.").ok();
    /// }
    /// # }
    /// ```
    pub async fn next(&mut self) -> Option<PendingPermission> {
        std::future::poll_fn(|cx| self.poll(cx)).await
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<PendingPermission>> {
        loop {
            match ready!(self.0.poll_recv(cx)) {
                Some(pending) if pending.is_withdrawn() => {}
                pending => return Poll::Ready(pending),
            }
        }
    }
}

impl Stream for Permissions {
    type Item = PendingPermission;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll(cx)
    }
}
