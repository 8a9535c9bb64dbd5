//! What becomes of a turn when the API does not answer.

use byre::{event::Failure, testing::Script};

use super::{Live, live};

/// The API answers with this status; gives what byre makes of it. The session must go on after it.
async fn fail(status: u16, message: &str, check: impl Fn(&Failure) -> bool) {
    let script = Script::new().error(status, message).say("Here again.");
    live(script, async |live: &Live| {
        let mut session = live.builder().spawn().await.unwrap();
        let outcome = session.prompt("Hello?").await.unwrap();
        assert!(outcome.is_error(), "{status}");
        let failure = outcome.failure().expect("it failed");
        assert!(check(failure), "{status} is {failure:?}");
        assert_eq!(session.prompt("Hello?").await.unwrap().text(), "Here again.");
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_bad_key_is_a_failure_of_authentication() {
    fail(401, "invalid x-api-key", |failure| *failure == Failure::Authentication).await;
}

#[tokio::test]
async fn too_many_requests_are_a_rate_limit() {
    fail(429, "slow down", |failure| {
        matches!(failure, Failure::RateLimit { .. }) && failure.is_retryable()
    })
    .await;
}

#[tokio::test]
async fn an_overloaded_api_can_be_tried_again() {
    fail(529, "overloaded", Failure::is_retryable).await;
}

#[tokio::test]
async fn a_broken_api_can_be_tried_again() {
    fail(500, "boom", Failure::is_retryable).await;
}
