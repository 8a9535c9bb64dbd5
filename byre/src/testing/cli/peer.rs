//! The host as the stand-in sees it: lines out, requests and their answers.

use std::{
    collections::HashMap,
    future::Future,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll, ready},
};

use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc, oneshot};
use uuid::Uuid;

use crate::testing::lock;

/// What the host answered: a payload, or the text of an error.
pub(super) type Answer = Result<Value, String>;

#[derive(Debug)]
pub(super) struct Peer {
    /// `None` once the last line has been written.
    out: Mutex<Option<mpsc::UnboundedSender<String>>>,
    /// `None` once the host has closed stdin: nobody answers any more.
    pending: Mutex<Option<HashMap<String, oneshot::Sender<Answer>>>>,
    /// Why the stand-in must end at once.
    fatal: Mutex<Option<String>>,
    failed: Notify,
}

impl Peer {
    pub(super) fn new(out: mpsc::UnboundedSender<String>) -> Self {
        Self {
            out: Mutex::new(Some(out)),
            pending: Mutex::new(Some(HashMap::new())),
            fatal: Mutex::default(),
            failed: Notify::new(),
        }
    }

    pub(super) fn send(&self, line: &Value) {
        if let Some(out) = &*lock(&self.out) {
            // The writer ends after the last sender, so somebody listens.
            let _ = out.send(format!("{line}\n"));
        }
    }

    /// Sends a request at once. `request` holds its subtype.
    pub(super) fn request(self: &Arc<Self>, request: &Value) -> Pending {
        let id = Uuid::new_v4().to_string();
        let (sender, answer) = oneshot::channel();
        if let Some(pending) = &mut *lock(&self.pending) {
            pending.insert(id.clone(), sender);
            self.send(&json!({"type": "control_request", "request_id": id, "request": request}));
        }
        Pending { id, answer }
    }

    /// Takes a `control_response` line; one that nobody waits for is ignored.
    pub(super) fn answered(&self, line: &Value) {
        let response = &line["response"];
        let sender = match &mut *lock(&self.pending) {
            Some(pending) => response["request_id"].as_str().and_then(|id| pending.remove(id)),
            None => None,
        };
        let Some(sender) = sender else { return };
        let answer = if response["subtype"] == "error" {
            Err(response["error"].as_str().unwrap_or_default().to_owned())
        } else {
            Ok(response["response"].clone())
        };
        // Whoever asked may have been interrupted since.
        let _ = sender.send(answer);
    }

    /// Fails all requests: the host has closed stdin.
    pub(super) fn hang_up(&self) {
        *lock(&self.pending) = None;
    }

    /// Ends the stand-in because of something that the host did.
    pub(super) fn fail(&self, why: String) {
        lock(&self.fatal).get_or_insert(why);
        self.failed.notify_one();
    }

    /// Waits until somebody called [`fail`](Self::fail).
    pub(super) async fn failure(&self) -> String {
        loop {
            if let Some(why) = lock(&self.fatal).take() {
                return why;
            }
            self.failed.notified().await;
        }
    }

    /// Lets the writer end after what is already on its way.
    pub(super) fn close(&self) {
        lock(&self.out).take();
    }
}

/// A request on its way.
#[derive(Debug)]
pub(super) struct Pending {
    id: String,
    answer: oneshot::Receiver<Answer>,
}

impl Future for Pending {
    type Output = Answer;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Answer> {
        let answer = ready!(Pin::new(&mut self.answer).poll(cx));
        // Source: the text of CLI 2.1.332 for a call that was running when stdin closed.
        let gone = "The tool call was interrupted before a result was received. It may or may not \
                    have completed on the server";
        Poll::Ready(answer.unwrap_or_else(|_| Err(gone.to_owned())))
    }
}

/// Withdraws a request when it is dropped, unless there was an answer.
#[derive(Debug)]
pub(super) struct Withdrawal {
    peer: Arc<Peer>,
    id: Option<String>,
}

impl Withdrawal {
    pub(super) fn new(peer: &Arc<Peer>, pending: &Pending) -> Self {
        Self { peer: Arc::clone(peer), id: Some(pending.id.clone()) }
    }

    pub(super) fn disarm(mut self) {
        self.id = None;
    }
}

impl Drop for Withdrawal {
    fn drop(&mut self) {
        if let Some(id) = &self.id {
            self.peer.send(&json!({"type": "control_cancel_request", "request_id": id}));
        }
    }
}
