//! Which conversation it is, and what is kept of it.

use super::SessionBuilder;

/// Which conversation it is, and what is kept of it.
impl SessionBuilder {
    /// Goes on with the conversation that has this id. It keeps its id, unless it is
    /// [forked](Self::fork_session).
    ///
    /// The directory need not be the one that it was started in. If it is not stored,
    /// [`spawn`](Self::spawn) fails with [`ErrorKind::SessionNotFound`](crate::ErrorKind::SessionNotFound);
    /// [`resume_or_new`](Self::resume_or_new) starts a new one then, and
    /// [`sessions`](crate::sessions) lists what is stored.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().resume("8f3a8990-6fca-4756-b667-0911376e0d4c");
    /// ```
    pub fn resume(mut self, session_id: impl Into<String>) -> Self {
        self.launch.resume = Some(session_id.into());
        self.or_new = false;
        self
    }

    /// Leaves the [resumed](Self::resume) conversation as it is, and goes on in a copy with a new id.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder()
    ///     .resume("8f3a8990-6fca-4756-b667-0911376e0d4c")
    ///     .fork_session(true);
    /// ```
    pub fn fork_session(mut self, fork: bool) -> Self {
        self.launch.fork_session = fork;
        self
    }

    /// Goes on with the latest conversation of the working directory, or begins one where there is none.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().continue_conversation(true);
    /// ```
    pub fn continue_conversation(mut self, go_on: bool) -> Self {
        self.launch.conversation.continue_latest = go_on;
        self
    }

    /// Gives the session this id, a UUID, which no other session may have. The CLI mints one by default.
    ///
    /// One that is gone on with keeps its id, unless it is [forked](Self::fork_session).
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().session_id("8f3a8990-6fca-4756-b667-0911376e0d4c");
    /// ```
    pub fn session_id(mut self, id: impl Into<String>) -> Self {
        self.launch.conversation.session_id = Some(id.into());
        self
    }

    /// Cuts the [resumed](Self::resume) conversation off after the message with this id.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder()
    ///     .resume("8f3a8990-6fca-4756-b667-0911376e0d4c")
    ///     .resume_at("6a4bb1ab-0c1a-4d52-8a85-1d0a4a9f9d3c");
    /// ```
    pub fn resume_at(mut self, uuid: impl Into<String>) -> Self {
        self.launch.conversation.resume_at = Some(uuid.into());
        self
    }

    /// Guards [`resume_at`](Self::resume_at): the CLI refuses to start if more than the turn of this prompt
    /// would go. It would refuse the next time too.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder()
    ///     .resume("8f3a8990-6fca-4756-b667-0911376e0d4c")
    ///     .resume_at("6a4bb1ab-0c1a-4d52-8a85-1d0a4a9f9d3c")
    ///     .resume_drops_turn("0f6f2f0e-6f0a-4d43-9a86-2f4d0f0c7a11");
    /// ```
    pub fn resume_drops_turn(mut self, prompt_uuid: impl Into<String>) -> Self {
        self.launch.conversation.resume_drops_turn = Some(prompt_uuid.into());
        self
    }

    /// Says whether the conversation is stored, so that it can be resumed; it is by default.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().persist_session(false);
    /// ```
    pub fn persist_session(mut self, persist: bool) -> Self {
        self.launch.conversation.not_persisted = !persist;
        self
    }

    /// Gives a new conversation this title; the CLI makes one up by default.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().title("Nightly build");
    /// ```
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.initialize_field("title", title.into());
        self
    }

    /// Names the session, for lists of sessions that run.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().name("nightly");
    /// ```
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.launch.conversation.name = Some(name.into());
        self
    }

    /// Works in a git worktree of this name, which the CLI makes; under a name of the CLI's for an empty one.
    /// The working directory must be in a repository.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().worktree("nightly");
    /// ```
    pub fn worktree(mut self, name: impl Into<String>) -> Self {
        self.launch.conversation.worktree = Some(name.into());
        self
    }

    /// Keeps copies of files before the agent changes them, so that
    /// [`rewind_files`](crate::SessionHandle::rewind_files) can bring them back.
    ///
    /// # Example
    ///
    /// ```
    /// let builder = byre::Session::builder().file_checkpointing(true);
    /// ```
    pub fn file_checkpointing(mut self, on: bool) -> Self {
        let value = on.then_some("true".as_ref());
        self.launch.set_env("CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING".as_ref(), value);
        self
    }
}
