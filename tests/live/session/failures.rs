//! What becomes of a turn when the API does not answer.

use byre::{
    ErrorKind,
    event::{Failure, TerminalReason},
    testing::Script,
};

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

#[tokio::test]
async fn without_a_login_the_turn_fails_and_the_end_says_what_to_do() {
    live(Script::new(), async |live: &Live| {
        let builder = live.builder().env_remove("ANTHROPIC_API_KEY");
        let mut session = builder.spawn().await.unwrap();
        let outcome = session.prompt("Hello?").await.unwrap();
        assert_eq!(outcome.failure(), Some(&Failure::Authentication));
        assert!(outcome.text().contains("Please run /login"), "{}", outcome.text());

        // Its exit code is only the echo of that result.
        session.handle().end_session().await.unwrap();
        let error = loop {
            match session.next_event().await.unwrap() {
                Ok(_) => {}
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), ErrorKind::Exited);
        let text = error.to_string();
        assert!(text.contains("Please run /login"), "{text}");
        assert!(text.ends_with("log in with `claude` once, or set ANTHROPIC_API_KEY"), "{text}");
        let exit = error.exit().unwrap();
        assert_eq!((exit.code(), exit.signal()), (Some(1), None));
        assert!(exit.result.as_ref().unwrap().is_error);
        assert_eq!(live.requests().len(), 0);
    })
    .await;
}

#[tokio::test]
async fn the_last_result_can_be_had_after_the_end() {
    live(Script::new().error(429, "slow down"), async |live: &Live| {
        let mut session = live.builder().spawn().await.unwrap();
        session.prompt("Hello?").await.unwrap();
        session.handle().end_session().await.unwrap();
        while let Some(Ok(_)) = session.next_event().await {}
        let error = session.prompt("Hello?").await.unwrap_err();
        assert_eq!(error.unfinished_prompt(), None, "it was not sent");
        let result = error.exit().unwrap().result.as_ref().unwrap();
        assert_eq!(result.api_error_status, Some(429));
        assert_eq!(result.terminal_reason, Some(TerminalReason::ApiError));
        assert!(result.text().contains("slow down"), "{}", result.text());
        assert!(format!("{error:?}").contains("status 429 of the API"), "{error:?}");
    })
    .await;
}
