use serde_json::{Value, json};

use super::*;

#[byre::permission(register = false)]
async fn decide(context: PermissionContext, request: PermissionRequest) -> PermissionAnswer {
    assert!(!context.id().is_empty() && !context.is_withdrawn());
    PermissionAnswer::deny(request.tool_name)
}

fn request() -> PermissionRequest {
    let json = r#"{"tool_name":"Bash","input":{"z":1,"a":2},"tool_use_id":"toolu_9"}"#;
    serde_json::from_str(json).unwrap()
}

/// Compares an answer with its line, byte for byte.
fn check(answer: &PermissionAnswer, want: &str) {
    assert_eq!(answer.to_json(&request()), want);
}

#[test]
fn answers_have_the_shape_that_the_cli_takes() {
    check(
        &PermissionAnswer::allow(),
        r#"{"behavior":"allow","updatedInput":{"z":1,"a":2},"toolUseID":"toolu_9"}"#,
    );
    check(
        &PermissionAnswer::allow_with(json!({"b": null})),
        r#"{"behavior":"allow","updatedInput":{"b":null},"toolUseID":"toolu_9"}"#,
    );
    check(
        &PermissionAnswer::allow()
            .remember(PermissionUpdate::add_rules(
                RuleBehavior::Allow,
                [PermissionRule::new("Bash").content("ls *"), PermissionRule::new("Read")],
            ))
            .with_updates([PermissionUpdate::Other(json!({"type": "lendKeys"}))])
            .classified(DecisionClassification::UserPermanent),
        r#"{"behavior":"allow","updatedInput":{"z":1,"a":2},"updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"ls *"},{"toolName":"Read"}],"behavior":"allow","destination":"session"},{"type":"lendKeys"}],"toolUseID":"toolu_9","decisionClassification":"user_permanent"}"#,
    );
    check(
        &PermissionAnswer::deny("No.").classified(DecisionClassification::UserReject),
        r#"{"behavior":"deny","message":"No.","interrupt":false,"toolUseID":"toolu_9","decisionClassification":"user_reject"}"#,
    );
    check(
        &PermissionAnswer::deny_and_stop("No."),
        r#"{"behavior":"deny","message":"No.","interrupt":true,"toolUseID":"toolu_9"}"#,
    );
}

#[test]
fn a_denial_remembers_nothing() {
    let update = PermissionUpdate::add_directories(["/srv"]);
    check(
        &PermissionAnswer::deny("No.").remember(update),
        r#"{"behavior":"deny","message":"No.","interrupt":false,"toolUseID":"toolu_9"}"#,
    );
}

#[test]
fn an_answer_without_an_id_says_none() {
    let request: PermissionRequest =
        serde_json::from_str(r#"{"tool_name":"Bash","input":{}}"#).unwrap();
    assert_eq!(
        &PermissionAnswer::allow().to_json(&request),
        r#"{"behavior":"allow","updatedInput":{}}"#
    );
}

#[test]
fn classifications_have_the_names_of_the_wire() {
    use DecisionClassification::*;

    let names =
        [UserTemporary, UserPermanent, UserReject].map(|it| serde_json::to_value(it).unwrap());
    assert_eq!(names, ["user_temporary", "user_permanent", "user_reject"]);
}

#[test]
fn answers_to_questions_are_put_into_the_input() {
    let input = json!({"questions": [{"question": "Why?"}], "metadata": {"n": 1}});
    let request: PermissionRequest =
        serde_json::from_value(json!({"tool_name": "AskUserQuestion", "input": input})).unwrap();
    let answer = Answers::new().answer("Why?", "Because.").choose("Which?", ["a", "b"]);
    let line = answer.note("Why?", "really").into_answer(&request).to_json(&request);
    assert_eq!(
        serde_json::from_str::<Value>(&line).unwrap(),
        json!({"behavior": "allow", "updatedInput": {
            "questions": [{"question": "Why?"}],
            "metadata": {"n": 1},
            "answers": {"Why?": "Because.", "Which?": "a, b"},
            "annotations": {"Why?": {"notes": "really"}},
        }})
    );
    assert!(!Answers::new().into_answer(&request).is_allowed());
    assert!(!Answers::new().note("Why?", "hm").into_answer(&request).is_allowed());
}

#[tokio::test]
async fn a_function_takes_its_parameters_in_any_order() {
    assert!(def::registered().is_empty());
    let (open, context) = PermissionContext::new();
    let answer = decide(context.clone(), request()).await;
    check(
        &answer,
        r#"{"behavior":"deny","message":"Bash","interrupt":false,"toolUseID":"toolu_9"}"#,
    );
    open.answered();
    context.over().await;
    assert!(!context.is_withdrawn());
}

#[test]
fn what_is_said_in_place_of_an_answer_ends_all_tries() {
    for text in [words::NOBODY, words::DROPPED, words::UNREADABLE, words::NO_ANSWERS] {
        let ends = ["will not help", "Do not try it again", "Do not ask again"];
        assert!(ends.iter().any(|end| text.contains(end)), "{text}");
        assert!(text.ends_with('.') && !text.contains("  ") && !text.contains('\n'), "{text}");
    }
}
