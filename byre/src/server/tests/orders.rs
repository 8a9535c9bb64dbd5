//! Calls, cancellations and new connections in every order.

use std::{
    pin::Pin,
    task::{Context, Poll, Waker},
};

use super::*;
use crate::schedule;

/// Is done when it is polled for the second time.
#[byre::tool(register = false)]
async fn step(n: u64) -> u64 {
    let mut is_polled = false;
    std::future::poll_fn(|_| {
        if std::mem::replace(&mut is_polled, true) { Poll::Ready(n) } else { Poll::Pending }
    })
    .await
}

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    NotMade,
    /// It has been polled so often, and was cancelled or not.
    Running {
        polled: u32,
        cancelled: bool,
    },
    Answered,
    Cancelled,
    /// Its future is gone, because the CLI has withdrawn the control request.
    Dropped,
    /// Its id was taken.
    Refused,
}

type Call = Pin<Box<dyn Future<Output = Option<String>> + Send>>;

fn poll(call: &mut Call) -> Poll<Option<String>> {
    call.as_mut().poll(&mut Context::from_waker(Waker::noop()))
}

struct Calling {
    server: Server,
    calls: [Option<Call>; 2],
    fates: [Fate; 2],
}

impl Calling {
    fn new() -> Self {
        let server = Server::new("byre".to_owned(), None, crate::tools![step]);
        Self { server, calls: [None, None], fates: [Fate::NotMade; 2] }
    }

    /// Says whether the id that all calls have is taken.
    fn is_taken(&self) -> bool {
        self.fates.iter().any(|fate| matches!(fate, Fate::Running { cancelled: false, .. }))
    }

    /// The next step of a call: it is made, and then polled until it is over.
    fn go_on(&mut self, n: usize) {
        match (self.fates[n], &mut self.calls[n]) {
            (Fate::NotMade, _) => self.make(n),
            (Fate::Running { polled, cancelled }, Some(call)) => {
                let (got, want) = (poll(call), if cancelled { Some(None) } else { Some(Some(n)) });
                let want = want.filter(|_| cancelled || polled == 1);
                match (got, want) {
                    (Poll::Pending, None) => {
                        self.fates[n] = Fate::Running { polled: polled + 1, cancelled };
                    }
                    (Poll::Ready(None), Some(None)) => self.fates[n] = Fate::Cancelled,
                    (Poll::Ready(Some(text)), Some(Some(n))) => {
                        let answer: Value = serde_json::from_str(&text).unwrap();
                        assert_eq!(answer["result"]["content"][0]["text"], n.to_string());
                        self.fates[n] = Fate::Answered;
                    }
                    (got, want) => panic!("{got:?} in place of {want:?}"),
                }
            }
            _ => {}
        }
    }

    fn make(&mut self, n: usize) {
        let was_taken = self.is_taken();
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "step", "arguments": {"n": n}}});
        self.fates[n] = match self.server.handle(&Message::parse(&message.to_string())) {
            Reply::Later(call) => {
                assert!(!was_taken);
                self.calls[n] = Some(call);
                Fate::Running { polled: 0, cancelled: false }
            }
            Reply::Now(refusal) => {
                assert!(was_taken && refusal.contains("running already"), "{refusal}");
                Fate::Refused
            }
            Reply::Acknowledged => panic!("a call is acknowledged"),
        };
    }

    fn send(&mut self, message: &Value) {
        assert!(!matches!(
            self.server.handle(&Message::parse(&message.to_string())),
            Reply::Later(_)
        ));
        for fate in &mut self.fates {
            if let Fate::Running { cancelled, .. } = fate {
                *cancelled = true;
            }
        }
    }

    fn drop_first(&mut self) {
        if let (Fate::Running { .. }, Some(call)) = (self.fates[0], self.calls[0].take()) {
            drop(call);
            self.fates[0] = Fate::Dropped;
        }
    }
}

#[test]
fn every_call_ends_once_whatever_the_order() {
    let mut fates = Vec::new();
    // Two calls of one id, its cancellation, a new connection, and the first call withdrawn.
    let count = schedule::every(|choices| {
        let mut calling = Calling::new();
        for sequence in choices.merge(&[3, 3, 1, 1, 1]) {
            match sequence {
                0 | 1 => calling.go_on(sequence),
                2 => calling.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
                    "params": {"requestId": 1}})),
                3 => calling.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "initialize"})),
                _ => calling.drop_first(),
            }
        }
        // Nothing is left running, and nothing is left behind.
        for n in [0, 1] {
            calling.go_on(n);
            calling.go_on(n);
            assert!(!matches!(calling.fates[n], Fate::Running { .. } | Fate::NotMade));
        }
        assert!(calling.server.calls.lock().by_id.is_empty());
        if !fates.contains(&calling.fates) {
            fates.push(calling.fates);
        }
    });
    assert_eq!(count, 10_080, "9! / (3! 3!)");
    // Everything can happen that may: if this fails, the steps above no longer meet.
    let firsts = [Fate::Answered, Fate::Cancelled, Fate::Dropped, Fate::Refused];
    let seconds = [Fate::Answered, Fate::Cancelled, Fate::Refused];
    assert!(firsts.iter().all(|fate| fates.iter().any(|fates| fates[0] == *fate)), "{fates:?}");
    assert!(seconds.iter().all(|fate| fates.iter().any(|fates| fates[1] == *fate)), "{fates:?}");
}
