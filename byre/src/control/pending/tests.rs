use std::future;

use serde_json::json;

use super::*;

fn waiter(subtype: &str) -> (Waiter, oneshot::Receiver<Result<Value>>) {
    let (reply, receiver) = oneshot::channel();
    (Waiter { subtype: subtype.to_owned(), reply }, receiver)
}

#[tokio::test]
async fn an_answer_reaches_its_waiter_once() {
    let mut outgoing = Outgoing::default();
    let (first, answer) = waiter("set_model");
    outgoing.insert(RequestId::nth(1), first);
    outgoing.settle(&RequestId::nth(2), Outcome::Success(json!("somebody else's")));
    outgoing.settle(&RequestId::nth(1), Outcome::Success(json!({"model": "m"})));
    outgoing.settle(&RequestId::nth(1), Outcome::Success(json!("again")));
    assert_eq!(answer.await.unwrap().unwrap(), json!({"model": "m"}));
}

#[tokio::test]
async fn a_refusal_names_the_request_and_the_code() {
    let mut outgoing = Outgoing::default();
    let (first, answer) = waiter("set_permission_mode");
    outgoing.insert(RequestId::nth(1), first);
    let code = Some("invalid_mode".to_owned());
    outgoing.settle(&RequestId::nth(1), Outcome::Error { message: "no".to_owned(), code });
    let error = answer.await.unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Refused);
    assert_eq!(
        error.to_string(),
        "could not have `set_permission_mode` done by the CLI: no (invalid_mode)"
    );
}

#[tokio::test]
async fn a_request_that_panics_is_answered_with_an_error() {
    for in_place in [true, false] {
        let mut incoming = Incoming::new();
        incoming.in_place = in_place;
        let now = incoming.start(RequestId::nth(1), Box::pin(async { panic!("oh no") }));
        assert_eq!(now.is_some(), in_place);
        let (id, answer) = match now {
            Some(answered) => answered,
            None => incoming.next().await,
        };
        assert_eq!(id, RequestId::nth(1));
        assert!(matches!(answer, Answer::Error { .. }));
        assert!(!incoming.contains(&id));
    }
}

#[tokio::test]
async fn an_answer_that_is_not_there_at_once_comes_later_and_once() {
    for in_place in [true, false] {
        let mut incoming = Incoming::new();
        incoming.in_place = in_place;
        let answer = async {
            tokio::task::yield_now().await;
            Answer::Success("{}".to_owned())
        };
        assert!(incoming.start(RequestId::nth(1), Box::pin(answer)).is_none());
        let (id, answer) = incoming.next().await;
        assert_eq!((&id, answer), (&RequestId::nth(1), Answer::Success("{}".to_owned())));
        assert!(!incoming.contains(&id) && incoming.try_next().is_none());
    }
}

#[tokio::test]
async fn an_id_that_is_used_again_gets_the_new_answer_only() {
    let mut incoming = Incoming::new();
    incoming.in_place = false;
    let id = RequestId::nth(1);
    for answer in ["1", "2"] {
        incoming.withdraw(&id);
        let answer = Answer::Success(answer.to_owned());
        incoming.start(id.clone(), Box::pin(async move { answer }));
        // It is done, and on its way.
        tokio::task::yield_now().await;
    }
    assert_eq!(incoming.next().await.1, Answer::Success("2".to_owned()));
    assert!(incoming.try_next().is_none());
}

#[tokio::test]
async fn a_withdrawn_request_is_dropped_and_never_answered() {
    struct Dropped(Option<oneshot::Sender<()>>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            let _ = self.0.take().unwrap().send(());
        }
    }

    let mut incoming = Incoming::new();
    let (sender, dropped) = oneshot::channel();
    let guard = Dropped(Some(sender));
    let id = RequestId::nth(1);
    let answer = async move {
        let _guard = guard;
        future::pending().await
    };
    assert!(incoming.start(id.clone(), Box::pin(answer)).is_none());
    assert!(incoming.contains(&id));
    incoming.withdraw(&id);
    incoming.withdraw(&id);
    assert!(!incoming.contains(&id));
    dropped.await.unwrap();
    tokio::task::yield_now().await;
    assert!(incoming.try_next().is_none());
}

mod orders;
