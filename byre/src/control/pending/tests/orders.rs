//! Requests, answers and withdrawals in every order.

use std::collections::HashMap;

use super::*;
use crate::schedule;

/// What the CLI and the handlers do, in steps.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// The CLI makes the request `id`, as the `n`th of all.
    Ask { id: u64, n: usize },
    /// The handler of the `n`th request is done.
    Finish { n: usize },
    /// The CLI withdraws whatever has this id.
    Withdraw { id: u64 },
    /// Handlers run, and nobody looks yet at what they answer.
    Run,
    /// The pump takes what is answered.
    Collect,
}

/// Sequences whose steps may come in any order among each other: two requests of one id, of which the second
/// is done at once, another one that panics, and a withdrawal of the first id.
const SEQUENCES: [&[Step]; 6] = [
    &[Step::Ask { id: 1, n: 0 }, Step::Finish { n: 0 }],
    &[Step::Finish { n: 1 }, Step::Ask { id: 1, n: 1 }],
    &[Step::Ask { id: 2, n: PANICS }],
    &[Step::Withdraw { id: 1 }],
    &[Step::Run],
    &[Step::Collect],
];

/// The request whose handler has a bad day.
const PANICS: usize = 2;

/// What must be so: the handlers that run, by id.
#[derive(Default)]
struct Model {
    running: HashMap<u64, usize>,
    finished: [bool; 3],
}

impl Model {
    /// What must be answered now, sorted.
    fn collect(&mut self) -> Vec<(u64, usize)> {
        let finished = self.finished;
        let mut answers: Vec<_> = self.running.extract_if(|_, n| finished[*n]).collect();
        answers.sort_unstable();
        answers
    }
}

async fn let_handlers_run() {
    for _ in 0..2 {
        tokio::task::yield_now().await;
    }
}

async fn check(steps: &[Step]) {
    let mut incoming = Incoming::new();
    incoming.in_place = false;
    let mut model = Model { finished: [false, false, true], ..Model::default() };
    let (mut gates, mut handlers): (Vec<_>, Vec<_>) = (0..3)
        .map(|_| oneshot::channel::<()>())
        .map(|(gate, opened)| (Some(gate), Some(opened)))
        .unzip();
    for step in steps.iter().chain(&[Step::Collect]) {
        match *step {
            Step::Ask { id, n } => {
                let (key, opened) = (RequestId::nth(id), handlers[n].take().unwrap());
                assert_eq!(incoming.contains(&key), model.running.contains_key(&id));
                // As the pump does.
                if !incoming.contains(&key) {
                    let answer = async move {
                        assert!(n != PANICS, "oh no");
                        opened.await.unwrap();
                        Answer::Success(n.to_string())
                    };
                    assert!(incoming.start(key, Box::pin(answer)).is_none());
                    model.running.insert(id, n);
                }
            }
            Step::Finish { n } => {
                model.finished[n] = true;
                // Fails if the request was withdrawn.
                let _ = gates[n].take().unwrap().send(());
            }
            Step::Withdraw { id } => {
                incoming.withdraw(&RequestId::nth(id));
                model.running.remove(&id);
            }
            Step::Run => let_handlers_run().await,
            Step::Collect => {
                let_handlers_run().await;
                let mut answers = Vec::new();
                while let Some((id, answer)) = incoming.try_next() {
                    let id = (1..=2).find(|n| RequestId::nth(*n) == id).unwrap();
                    answers.push(match answer {
                        Answer::Success(n) => (id, n.parse::<usize>().unwrap()),
                        _ => (id, PANICS),
                    });
                }
                answers.sort_unstable();
                assert_eq!(answers, model.collect(), "{steps:?}");
            }
        }
    }
    for id in 1..=2 {
        let is_running = model.running.contains_key(&id);
        assert_eq!(incoming.contains(&RequestId::nth(id)), is_running, "{steps:?}");
    }
    assert_eq!(incoming.count(), model.running.len(), "{steps:?}");
    incoming.withdraw_all();
    let_handlers_run().await;
    assert!(incoming.try_next().is_none(), "{steps:?}");
}

#[test]
fn every_request_is_answered_once_whatever_the_order() {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let count = schedule::every(|choices| {
        let mut sequences = SEQUENCES.map(|steps| steps.iter().copied());
        let order = choices.merge(&SEQUENCES.map(<[Step]>::len));
        let steps = order.into_iter().map(|n| sequences[n].next().unwrap());
        runtime.block_on(check(&steps.collect::<Vec<_>>()));
    });
    assert_eq!(count, 10_080, "8! / (2! 2!)");
}

#[test]
fn every_waiter_hears_once_whatever_the_order() {
    // Request and withdrawal of the host, and two answers of the CLI, for two requests.
    let count = schedule::every(|choices| {
        let mut outgoing = Outgoing::default();
        let mut done = [0; 4];
        let mut answers: [Option<oneshot::Receiver<Result<Value>>>; 2] = [None, None];
        // What each must hear: nothing yet, which answer, or that nobody answers.
        let mut want: [Option<Option<usize>>; 2] = [None, None];
        for sequence in choices.merge(&[2, 1, 2, 2]) {
            // Sequences 0 and 1 are the host's, 2 and 3 the CLI's, for the first and the second request.
            let (id, step) = (sequence % 2, done[sequence]);
            done[sequence] += 1;
            let key = RequestId::nth(id as u64);
            if sequence < 2 && step == 0 {
                let (first, answer) = waiter("set_model");
                outgoing.insert(key, first);
                answers[id] = Some(answer);
            } else if sequence < 2 {
                let waits = answers[id].is_some() && want[id].is_none();
                assert_eq!(outgoing.withdraw(&key), waits);
                if waits {
                    want[id] = Some(None);
                }
            } else {
                outgoing.settle(&key, Outcome::Success(json!(step)));
                if answers[id].is_some() && want[id].is_none() {
                    want[id] = Some(Some(step));
                }
            }
        }
        drop(outgoing);
        for (answer, want) in answers.into_iter().zip(want) {
            let heard = answer.unwrap().try_recv().ok().map(Result::unwrap);
            assert_eq!(heard, want.flatten().map(|step| json!(step)));
        }
    });
    assert_eq!(count, 630, "7! / (2! 2! 2!)");
}
