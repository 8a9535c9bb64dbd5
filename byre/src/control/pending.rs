//! Who waits for what: our requests for their answers, and the CLI's requests for theirs.

use std::{
    collections::HashMap,
    future,
    panic::{AssertUnwindSafe, catch_unwind},
    task::{Context, Poll, Waker},
};

use serde_json::Value;
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinHandle,
};

use super::{serve::BoxFuture, threads};
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

/// Requests of the CLI that are being answered. Each leaves exactly once: answered or withdrawn.
#[derive(Debug)]
pub(crate) struct Incoming {
    running: HashMap<RequestId, Running>,
    /// How many have been in a task.
    started: u64,
    answers: mpsc::UnboundedReceiver<Answered>,
    /// Is cloned for every task, and kept so that the channel stays open.
    sender: mpsc::UnboundedSender<Answered>,
    /// See [`start`](Self::start).
    in_place: bool,
}

#[derive(Debug)]
struct Running {
    /// Tells apart what had the same id one after the other: the CLI may use that of a request again which
    /// it has withdrawn, while the task is still on its way out.
    number: u64,
    task: JoinHandle<()>,
}

#[derive(Debug)]
struct Answered {
    id: RequestId,
    number: u64,
    answer: Answer,
}

impl Incoming {
    pub(crate) fn new() -> Self {
        let (sender, answers) = mpsc::unbounded_channel();
        let in_place = threads::there_is_only_one();
        Self { running: HashMap::new(), started: 0, answers, sender, in_place }
    }

    /// Says whether a request with this id is being answered.
    pub(crate) fn contains(&self, id: &RequestId) -> bool {
        self.running.contains_key(id)
    }

    /// How many requests are being answered.
    pub(crate) fn count(&self) -> usize {
        self.running.len()
    }

    /// Begins to answer a request, in a task of its own; gives the answer if it is there at once.
    ///
    /// A handler may block its thread. It then holds nobody up who has another one, and so it never runs
    /// in the task of the pump. Only where all tasks have one thread, and another task would be no help,
    /// the answer is asked for once in place: most handlers are done then, and need no task.
    pub(crate) fn start(
        &mut self,
        id: RequestId,
        mut answer: BoxFuture<Answer>,
    ) -> Option<(RequestId, Answer)> {
        if self.in_place
            && let Poll::Ready(answer) = poll_once(&mut answer)
        {
            return Some((id, answer));
        }
        self.started += 1;
        let number = self.started;
        let mut reply = Reply { to: self.sender.clone(), of: Some((id.clone(), number)) };
        let task = tokio::spawn(async move {
            let answer = answer.await;
            reply.send(answer);
        });
        self.running.insert(id, Running { number, task });
        None
    }

    /// Drops the future of a request; nothing is answered for it.
    pub(crate) fn withdraw(&mut self, id: &RequestId) {
        if let Some(running) = self.running.remove(id) {
            running.task.abort();
        }
    }

    /// Drops the future of every request.
    pub(crate) fn withdraw_all(&mut self) {
        for (_, running) in self.running.drain() {
            running.task.abort();
        }
    }

    /// Waits for the next answer.
    ///
    /// # Cancel safety
    ///
    /// Dropping the future loses nothing.
    pub(crate) async fn next(&mut self) -> (RequestId, Answer) {
        loop {
            match self.answers.recv().await {
                Some(answered) => {
                    if let Some(answered) = self.finish(answered) {
                        return answered;
                    }
                }
                // Not while there is a sender here.
                None => future::pending().await,
            }
        }
    }

    /// Takes an answer that is there already.
    pub(crate) fn try_next(&mut self) -> Option<(RequestId, Answer)> {
        loop {
            let answered = self.answers.try_recv().ok()?;
            if let Some(answered) = self.finish(answered) {
                return Some(answered);
            }
        }
    }

    /// Takes a request out that is answered; gives `None` for one that was withdrawn when it had ended.
    fn finish(&mut self, Answered { id, number, answer }: Answered) -> Option<(RequestId, Answer)> {
        self.running.get(&id).filter(|running| running.number == number)?;
        self.running.remove(&id);
        Some((id, answer))
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        self.withdraw_all();
    }
}

/// Hands over the answer of a task, in any case.
#[derive(Debug)]
struct Reply {
    to: mpsc::UnboundedSender<Answered>,
    of: Option<(RequestId, u64)>,
}

impl Reply {
    fn send(&mut self, answer: Answer) {
        if let Some((id, number)) = self.of.take() {
            // Fails if the session is over.
            let _ = self.to.send(Answered { id, number, answer });
        }
    }
}

impl Drop for Reply {
    /// The task has ended without an answer: it panicked. Or it was withdrawn, and then nobody looks at this.
    fn drop(&mut self) {
        self.send(panicked());
    }
}

fn panicked() -> Answer {
    Answer::error("byre's handler of this request panicked")
}

fn poll_once(answer: &mut BoxFuture<Answer>) -> Poll<Answer> {
    // Nobody is woken: what is not ready now is asked again by its task.
    let mut context = Context::from_waker(Waker::noop());
    // What is left half done is dropped, and never looked at again.
    let polled = catch_unwind(AssertUnwindSafe(|| answer.as_mut().poll(&mut context)));
    polled.unwrap_or_else(|_| Poll::Ready(panicked()))
}

#[cfg(test)]
mod tests;
