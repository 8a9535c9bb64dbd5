//! What a person sees who runs the example that the README names.

use std::{path::PathBuf, process::Command, time::Duration};

use byre::testing::Script;
use serde_json::json;
use tokio::time::timeout;

use super::live;

/// Builds an example and gives its path. Cargo builds no examples for a single test.
#[expect(clippy::disallowed_methods, reason = "a test does what a person would")]
fn build(name: &str) -> PathBuf {
    let cargo = env!("CARGO");
    let status = Command::new(cargo).args(["build", "-q", "--locked", "--example", name]).status();
    assert!(status.expect("run cargo").success());
    let test = std::env::current_exe().expect("the path of the test");
    let target = test.ancestors().nth(2).expect("cargo's folder");
    target.join("examples").join(name)
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "a test does what a person would")]
async fn the_calculator_shows_the_call_its_result_and_the_answer() {
    let path = build("calculator");
    let script = Script::new()
        .call("add", json!({"a": 2, "b": 3}))
        .say("2 + 3 is {result}.")
        .say("2 + 3 is 5. Goodbye!");
    live(script, async |live| {
        let mut command = tokio::process::Command::new(path);
        for name in live.cli.removed_envs() {
            command.env_remove(name);
        }
        command
            .envs(live.cli.envs())
            .env("BYRE_CLAUDE", live.cli.path())
            .current_dir(live.cli.work_dir())
            .kill_on_drop(true);
        let output = timeout(Duration::from_secs(30), command.output()).await.unwrap().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{text}\n{errors}");
        assert_eq!(errors, "", "a library says nothing on its own");
        assert_eq!(
            text,
            "you     What is 2 + 3?\n\
             calls   mcp__byre__add {\"a\":2,\"b\":3}\n\
             result  5\n\
             claude  2 + 3 is 5.\n\
             hook    Stop hook feedback:\nSay goodbye before you stop.\n\
             claude  2 + 3 is 5. Goodbye!\n\
             answer  2 + 3 is 5. Goodbye!\n"
        );
    })
    .await;
}
