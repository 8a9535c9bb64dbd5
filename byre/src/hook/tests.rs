mod golden;

use serde_json::{json, value::RawValue};

use super::{param::HookContext, *};
use crate::{function::surroundings::Surroundings, hook::output::HookAnswer};

#[byre::hook(register = false)]
async fn say_goodbye(input: StopInput) -> StopOutput {
    if input.stop_hook_active {
        StopOutput::allow()
    } else {
        StopOutput::block("Say goodbye before you stop.").at_most(2)
    }
}

/// Asks a hook with `input`, which is JSON.
async fn ask(hooks: Vec<Hook>, input: &str) -> Result<HookAnswer, HookError> {
    let [hook] = <[Hook; 1]>::try_from(hooks).unwrap();
    let input: Box<RawValue> = serde_json::from_str(input).unwrap();
    let context = HookContext::new(None, Surroundings::default());
    hook.call(&HookRequest { input: &input, context }).await
}

#[tokio::test]
async fn a_hook_answers_in_the_words_of_the_cli() {
    assert_eq!(
        ask(crate::hooks![say_goodbye], r#"{"stop_hook_active":false}"#).await,
        Ok(HookAnswer {
            json: json!({"decision": "block", "reason": "Say goodbye before you stop."}),
            at_most: Some(2),
        })
    );
    assert_eq!(
        ask(crate::hooks![say_goodbye], r#"{"stop_hook_active":true}"#).await,
        Ok(HookAnswer { json: json!({}), at_most: None })
    );
}

#[tokio::test]
async fn a_hook_may_only_watch_and_may_fail() {
    #[byre::hook(register = false)]
    async fn watch(_: StopInput) {}

    #[byre::hook(register = false)]
    async fn fail(_input: StopInput) -> Result<StopOutput, String> {
        Err("disk full".to_owned())
    }

    #[byre::hook(register = false)]
    async fn panics(input: StopInput) -> StopOutput {
        tokio::task::yield_now().await;
        panic!("cwd is {}", input.cwd.display())
    }

    let nothing = HookAnswer { json: json!({}), at_most: None };
    assert_eq!(ask(crate::hooks![watch], "{}").await, Ok(nothing));
    assert_eq!(ask(crate::hooks![fail], "{}").await, Err(HookError("disk full".to_owned())));
    assert_eq!(
        ask(crate::hooks![panics], r#"{"cwd":"/a"}"#).await,
        Err(HookError("the hook `panics` panicked: cwd is /a".to_owned()))
    );
}

#[tokio::test]
async fn a_hook_need_not_be_async() {
    #[byre::hook(register = false)]
    fn think(input: StopInput) -> Result<StopOutput, String> {
        // Not where the futures run, so it may block.
        let here = std::thread::current().id();
        if input.stop_hook_active {
            return Err("enough".to_owned());
        }
        let other = std::thread::spawn(move || std::thread::current().id() != here);
        Ok(StopOutput::block(format!("{}", other.join().unwrap())))
    }

    #[byre::hook(register = false)]
    fn panics(_: StopInput) {
        panic!("on purpose")
    }

    let blocks = HookAnswer { json: json!({"decision": "block", "reason": "true"}), at_most: None };
    assert_eq!(ask(crate::hooks![think], "{}").await, Ok(blocks));
    assert_eq!(
        ask(crate::hooks![think], r#"{"stop_hook_active":true}"#).await,
        Err(HookError("enough".to_owned()))
    );
    assert_eq!(
        ask(crate::hooks![panics], "{}").await,
        Err(HookError("the hook `panics` panicked: on purpose".to_owned()))
    );
}

#[tokio::test]
async fn an_input_that_is_no_object_is_an_error() {
    let error = ask(crate::hooks![say_goodbye], "5").await.unwrap_err().to_string();
    assert!(error.starts_with("the input of the Stop hook could not be read: "), "{error}");
}

#[test]
fn an_input_keeps_what_byre_does_not_know() {
    let json = concat!(
        r#"{"session_id":"s","transcript_path":"/t","cwd":"/c","prompt_id":"p","#,
        r#""permission_mode":"default","effort":{"level":"high"},"stop_hook_active":false,"#,
        r#""last_assistant_message":"Done.","background_tasks":[{"id":1}],"session_crons":[]}"#,
    );
    let input: StopInput = serde_json::from_str(json).unwrap();
    assert_eq!(input.session_id, "s");
    assert_eq!(input.transcript_path.to_str(), Some("/t"));
    assert_eq!(input.cwd.to_str(), Some("/c"));
    assert_eq!(input.prompt_id.as_deref(), Some("p"));
    assert_eq!(input.permission_mode.as_deref(), Some("default"));
    assert_eq!(input.agent_id, None);
    assert_eq!(input.agent_type, None);
    assert_eq!(input.last_assistant_message.as_deref(), Some("Done."));
    assert_eq!(input.background_tasks, [json!({"id": 1})]);
    assert!(input.session_crons.is_empty());
    assert_eq!(input.raw().as_str(), json);
}

#[test]
fn an_input_of_another_shape_is_read_as_far_as_it_goes() {
    let json = json!({
        "session_id": 5,
        "stop_hook_active": true,
        "background_tasks": null,
        "last_assistant_message": ["a"],
    });
    let input: StopInput = serde_json::from_value(json).unwrap();
    assert_eq!(input.session_id, "");
    assert!(input.stop_hook_active);
    assert_eq!(input.last_assistant_message, None);
    assert!(input.background_tasks.is_empty());
}

#[byre::hook(name = "registers itself")]
async fn registers(StopInput { session_id, .. }: StopInput) {
    drop(session_id);
}

#[test]
fn hooks_register_themselves_unless_they_are_told_not_to() {
    let is_registered = |name| registered().iter().any(|hook| hook.name() == name);
    assert!(is_registered("registers itself"));
    assert!(!is_registered("say_goodbye"));
    let [hook] = &crate::hooks![registers][..] else { unreachable!() };
    assert_eq!(hook.event(), HookEvent::Stop);
    assert_eq!(hook.matcher(), None);
    assert!(hook.location().file.ends_with("hook/tests.rs"));
}
