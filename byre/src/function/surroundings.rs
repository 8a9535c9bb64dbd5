//! What a call is in: the program's state, and the session.

use std::{
    any::Any,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use serde_json::Value;

use super::state::States;

/// What a call may do to the session that it is in. The session fills it in: this layer can't name it.
pub(crate) trait Around: Send + Sync + 'static {
    /// Sends a JSON-RPC notification of the server called `server` to the CLI.
    fn notify(&self, server: &str, method: &str, params: Value);

    /// The id of the session, once it is known.
    fn session_id(&self) -> Option<String>;

    /// The session's own type, for the session to find it again.
    fn as_any(&self) -> &dyn Any;
}

/// What all calls of one session share. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Surroundings {
    states: Arc<States>,
    /// `None` in tests without a session, and before there is one.
    session: Arc<Mutex<Option<Arc<dyn Around>>>>,
}

impl Surroundings {
    pub(crate) fn new(states: States) -> Self {
        Self { states: Arc::new(states), session: Arc::default() }
    }

    pub(crate) fn states(&self) -> &States {
        &self.states
    }

    pub(crate) fn session(&self) -> Option<Arc<dyn Around>> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn session_id(&self) -> Option<String> {
        self.session()?.session_id()
    }

    /// Says which session it is. Every call sees it, those that run already too.
    pub(crate) fn set_session(&self, session: Arc<dyn Around>) {
        *self.session.lock().unwrap_or_else(PoisonError::into_inner) = Some(session);
    }
}

impl fmt::Debug for Surroundings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Surroundings").field("states", &self.states).finish_non_exhaustive()
    }
}
