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
    let mut incoming = Incoming::default();
    incoming.spawn(RequestId::nth(1), Box::pin(async { panic!("oh no") }));
    let (id, answer) = incoming.next().await.unwrap();
    assert_eq!(id, RequestId::nth(1));
    assert!(matches!(answer, Answer::Error { .. }));
    assert!(incoming.is_empty() && !incoming.contains(&id));
}

#[tokio::test]
async fn a_withdrawn_request_is_dropped_and_never_answered() {
    struct Dropped(Option<oneshot::Sender<()>>);
    impl Drop for Dropped {
        fn drop(&mut self) {
            let _ = self.0.take().unwrap().send(());
        }
    }

    let mut incoming = Incoming::default();
    let (sender, dropped) = oneshot::channel();
    let guard = Dropped(Some(sender));
    let id = RequestId::nth(1);
    incoming.spawn(
        id.clone(),
        Box::pin(async move {
            let _guard = guard;
            future::pending().await
        }),
    );
    assert!(incoming.contains(&id));
    incoming.withdraw(&id);
    incoming.withdraw(&id);
    assert!(!incoming.contains(&id));
    assert!(incoming.next().await.is_none());
    dropped.await.unwrap();
}

mod orders;
