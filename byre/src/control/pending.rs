//! Who waits for what: our requests for their answers, and the CLI's requests for theirs.

use std::collections::HashMap;

use serde_json::Value;
use tokio::{
    sync::oneshot,
    task::{AbortHandle, Id as TaskId, JoinError, JoinSet},
};

use super::serve::BoxFuture;
use crate::{
    error::{Error, ErrorKind, Result},
    wire::control::{Answer, Outcome, RequestId},
};

/// A request of ours that is on its way.
#[derive(Debug)]
pub(crate) struct Waiter {
    pub(crate) subtype: String,
    pub(crate) reply: oneshot::Sender<Result<Value>>,
}

/// Requests of ours, by id. Each leaves exactly once: answered, withdrawn, or dropped at the end, by which
/// whoever waits for it knows.
#[derive(Debug, Default)]
pub(crate) struct Outgoing(HashMap<RequestId, Waiter>);

impl Outgoing {
    pub(crate) fn insert(&mut self, id: RequestId, waiter: Waiter) {
        self.0.insert(id, waiter);
    }

    /// Hands an answer to whoever waits for it. Nobody may: the CLI echoes our own answers when it is
    /// told to replay, and answers requests that were withdrawn.
    pub(crate) fn settle(&mut self, id: &RequestId, outcome: Outcome) {
        let Some(Waiter { subtype, reply }) = self.0.remove(id) else { return };
        let result = match outcome {
            Outcome::Success(payload) => Ok(payload),
            Outcome::Error { message, code } => {
                let reason = match &code {
                    Some(code) => format!("{message} ({code})"),
                    None => message,
                };
                Err(Error::new(ErrorKind::Refused, format!("have `{subtype}` done by the CLI"))
                    .reason(reason)
                    .code(code))
            }
        };
        // Fails if nobody waits any more.
        let _ = reply.send(result);
    }

    /// Forgets a request, and says whether it was still on its way.
    pub(crate) fn withdraw(&mut self, id: &RequestId) -> bool {
        self.0.remove(id).is_some()
    }
}

/// Requests of the CLI, each with a task of its own. Each leaves exactly once: answered or withdrawn.
#[derive(Debug, Default)]
pub(crate) struct Incoming {
    tasks: JoinSet<Answer>,
    by_id: HashMap<RequestId, AbortHandle>,
    by_task: HashMap<TaskId, RequestId>,
}

impl Incoming {
    /// Says whether a request with this id is being answered.
    pub(crate) fn contains(&self, id: &RequestId) -> bool {
        self.by_id.contains_key(id)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// How many requests are being answered.
    pub(crate) fn count(&self) -> usize {
        self.by_id.len()
    }

    /// Runs a request in a task of its own.
    pub(crate) fn spawn(&mut self, id: RequestId, answer: BoxFuture<Answer>) {
        let handle = self.tasks.spawn(answer);
        self.by_task.insert(handle.id(), id.clone());
        self.by_id.insert(id, handle);
    }

    /// Drops the future of a request; nothing is answered for it.
    pub(crate) fn withdraw(&mut self, id: &RequestId) {
        if let Some(handle) = self.by_id.remove(id) {
            self.by_task.remove(&handle.id());
            handle.abort();
        }
    }

    /// Drops the future of every request.
    pub(crate) fn withdraw_all(&mut self) {
        self.by_id.clear();
        self.by_task.clear();
        self.tasks.abort_all();
    }

    /// Waits for the next answer. Only to be called while requests are running.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> Option<(RequestId, Answer)> {
        let joined = self.tasks.join_next_with_id().await;
        self.finish(joined)
    }

    /// Takes an answer that is there already.
    pub(crate) fn try_next(&mut self) -> Option<(RequestId, Answer)> {
        loop {
            let joined = self.tasks.try_join_next_with_id()?;
            if let Some(answered) = self.finish(Some(joined)) {
                return Some(answered);
            }
        }
    }

    fn finish(
        &mut self,
        joined: Option<Result<(TaskId, Answer), JoinError>>,
    ) -> Option<(RequestId, Answer)> {
        let (task, answer) = match joined? {
            Ok((task, answer)) => (task, answer),
            Err(error) if error.is_panic() => {
                (error.id(), Answer::error("byre's handler of this request panicked"))
            }
            Err(_) => return None, // Withdrawn.
        };
        // Absent if it was withdrawn after it had ended.
        let id = self.by_task.remove(&task)?;
        self.by_id.remove(&id);
        Some((id, answer))
    }
}

#[cfg(test)]
mod tests;
