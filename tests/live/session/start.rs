//! How a session starts, and why it does not.

use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

use byre::{Error, ErrorKind, SessionBuilder, cli::Program, testing::Script};
use serde_json::json;

use super::{Traces, live};

/// The error of a session that must not start.
async fn refused(builder: SessionBuilder) -> Error {
    match builder.spawn().await {
        Ok(session) => panic!("{session:?} has started"),
        Err(error) => error,
    }
}

#[tokio::test]
async fn a_session_starts_tells_its_version_and_leaves_no_process() {
    live(Script::new(), async |live| {
        let session = live.builder().spawn().await.unwrap();
        let handle = session.handle();
        assert_eq!(handle.cli_version(), Some("2.1.332"));
        let traces = Traces::of(live, &session);
        assert!(!traces.processes().is_empty());

        let start = Instant::now();
        session.close().await.unwrap();
        // After five seconds it would have been told to end.
        assert!(start.elapsed() < Duration::from_secs(4), "the CLI ends by itself");
        assert_eq!(traces.processes(), [""; 0]);
        assert_eq!(handle.interrupt().await.unwrap_err().kind(), ErrorKind::Closed);
    })
    .await;
}

#[tokio::test]
async fn the_doctor_finds_the_cli_and_knows_whether_it_is_logged_in() {
    live(Script::new(), async |live| {
        let doctor = async |session: SessionBuilder| {
            Program::new().session(session).run_with(["live", "doctor"]).await
        };
        assert_eq!(doctor(live.builder()).await, ExitCode::SUCCESS);
        let without_key = live.builder().env_remove("ANTHROPIC_API_KEY");
        assert_eq!(doctor(without_key).await, ExitCode::FAILURE);
        assert_eq!(live.requests().len(), 0, "nobody asks the API for this");
    })
    .await;
}

#[tokio::test]
async fn a_session_that_is_not_stored_can_not_be_resumed() {
    live(Script::new(), async |live| {
        let id = "6a4bb1ab-0c1a-4d52-8a85-1d0a4a9f9d3c";
        let error = refused(live.builder().resume(id)).await;
        assert_eq!(error.kind(), ErrorKind::SessionNotFound);
        let text = error.to_string();
        assert!(text.contains(&format!("No conversation found with session ID: {id}")), "{text}");
        assert!(text.contains("not stored on this machine"), "{text}");
    })
    .await;
}

#[tokio::test]
async fn a_flag_that_the_cli_does_not_know_is_named() {
    live(Script::new(), async |live| {
        let error = refused(live.builder().extra_arg("no-such-flag", None::<&str>)).await;
        assert_eq!(error.kind(), ErrorKind::Exited);
        assert_eq!(error.exit().unwrap().status.unwrap().code(), Some(1));
        let text = error.to_string();
        assert!(text.contains("unknown option '--no-such-flag'"), "{text}");
        assert!(text.contains("try `claude update`"), "{text}");
    })
    .await;
}

#[tokio::test]
async fn bypassing_permissions_needs_a_sandbox_as_root() {
    let script = Script::new().call("Bash", json!({"command": "touch made"})).say("Done.");
    live(script, async |live| {
        let mut session = live.builder().bypass_permissions().spawn().await.unwrap();
        session.prompt("Make a file.").await.unwrap();
        assert!(live.file("made").exists(), "{:?}", live.requests()[1].tool_results);
        session.close().await.unwrap();

        let is_root = live.cli.envs().iter().any(|(name, _)| name == "IS_SANDBOX");
        let outside = live.builder().bypass_permissions().env_remove("IS_SANDBOX");
        if is_root {
            let error = refused(outside).await;
            let text = error.to_string();
            assert!(text.contains("cannot be used with root"), "{text}");
            assert!(text.contains("say `IS_SANDBOX=1`"), "{text}");
        } else {
            outside.spawn().await.unwrap().close().await.unwrap();
        }
    })
    .await;
}

#[tokio::test]
async fn commits_are_made_in_the_name_that_was_given() {
    let script = Script::new()
        .call("Bash", json!({"command": "env | grep -E '^(GIT_|STABLE)' | sort"}))
        .say("Done.");
    live(script, async |live| {
        let mut session = live
            .builder()
            .bypass_permissions()
            .commit_identity("Robot", "robot@example.com")
            .env("STABLE", "Augeas")
            .spawn()
            .await
            .unwrap();
        session.prompt("Who are you?").await.unwrap();
        let text = live.requests()[1].result("Bash").unwrap().text.clone();
        for line in [
            "GIT_AUTHOR_EMAIL=robot@example.com",
            "GIT_AUTHOR_NAME=Robot",
            "GIT_COMMITTER_EMAIL=robot@example.com",
            "GIT_COMMITTER_NAME=Robot",
            "STABLE=Augeas",
        ] {
            assert!(text.lines().any(|other| other == line), "{line} is not in {text}");
        }
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn the_model_is_not_told_to_name_claude_in_commits() {
    live(Script::new().say("Hello.").say("Hello."), async |live| {
        for builder in [live.builder(), live.builder().without_attribution()] {
            let mut session = builder.spawn().await.unwrap();
            session.prompt("Hi.").await.unwrap();
            session.close().await.unwrap();
        }
        let bodies = live.requests().into_iter().map(|request| request.body.to_string());
        let named = bodies.map(|body| body.contains("Co-Authored-By: Claude"));
        assert_eq!(named.collect::<Vec<_>>(), [true, false], "without the method, and with it");
    })
    .await;
}
