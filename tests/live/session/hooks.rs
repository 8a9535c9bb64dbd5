//! The `Stop` hook.

use byre::{
    hook::{StopInput, StopOutput},
    testing::{ModelRequest, Script},
};

use super::{Live, live};

/// Whether the model was sent back to work with `text`.
fn asked(request: &ModelRequest, text: &str) -> bool {
    let messages = request.body["messages"].to_string();
    messages.contains(&format!("Stop hook feedback:\\n{text}"))
}

#[tokio::test]
async fn a_stop_hook_sends_the_agent_back_once() {
    /// Wants a goodbye.
    #[byre::hook(register = false)]
    async fn goodbye(input: StopInput) -> StopOutput {
        assert!(!input.session_id.is_empty() && input.transcript_path.is_absolute(), "{input:?}");
        let last = input.last_assistant_message.as_deref();
        assert_eq!(last, Some(if input.stop_hook_active { "Goodbye!" } else { "Done." }));
        if input.stop_hook_active {
            StopOutput::allow()
        } else {
            StopOutput::block("Say goodbye before you stop.")
        }
    }

    live(Script::new().say("Done.").say("Goodbye!").say("Never asked."), async |live| {
        let mut session = live.builder().hooks(byre::hooks![goodbye]).spawn().await.unwrap();
        assert_eq!(session.prompt("Go.").await.unwrap().text(), "Goodbye!");
        let requests = live.requests();
        assert_eq!(requests.len(), 2);
        assert!(asked(&requests[1], "Say goodbye before you stop."), "{:?}", requests[1]);
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_stop_hook_blocks_as_often_as_it_may_in_each_turn() {
    /// Never has enough.
    #[byre::hook(register = false)]
    async fn again(_input: StopInput) -> StopOutput {
        StopOutput::block("Once more.").at_most(2)
    }

    let script = (0..7).fold(Script::new(), |script, n| script.say(n.to_string()));
    live(script, async |live| {
        let mut session = live.builder().hooks(byre::hooks![again]).spawn().await.unwrap();
        assert_eq!(session.prompt("Go.").await.unwrap().text(), "2");
        assert_eq!(session.prompt("Go on.").await.unwrap().text(), "5");
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_hook_that_fails_or_panics_lets_the_agent_stop() {
    /// Fails.
    #[byre::hook(register = false)]
    async fn fails(_input: StopInput) -> Result<StopOutput, &'static str> {
        Err("no idea")
    }

    /// Panics.
    #[byre::hook(register = false)]
    async fn panics(_input: StopInput) -> StopOutput {
        panic!("out of hay")
    }

    live(Script::new().say("Done.").say("Again."), async |live| {
        let mut session = live.builder().hooks(byre::hooks![fails, panics]).spawn().await.unwrap();
        let outcome = session.prompt("Go.").await.unwrap();
        assert_eq!((outcome.text(), outcome.is_error()), ("Done.", false));
        assert_eq!(session.prompt("Go.").await.unwrap().text(), "Again.");
        session.close().await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_stop_hook_can_act_on_the_session() {
    use std::sync::OnceLock;

    static HANDLE: OnceLock<byre::SessionHandle> = OnceLock::new();

    /// Switches the model.
    #[byre::hook(register = false)]
    async fn switch(input: StopInput) -> StopOutput {
        if input.stop_hook_active {
            return StopOutput::allow();
        }
        let model = HANDLE.get().unwrap().set_model("sonnet").await.unwrap();
        StopOutput::block(format!("You are {} now.", model.unwrap()))
    }

    live(Script::new().say("Done.").say("Really."), async |live| {
        let mut session = live.builder().hooks(byre::hooks![switch]).spawn().await.unwrap();
        HANDLE.set(session.handle()).unwrap();
        assert_eq!(session.prompt("Go.").await.unwrap().text(), "Really.");
        assert!(asked(&live.requests()[1], "You are claude-sonnet"));
        session.close().await.unwrap();
    })
    .await;
}

/// Never lets the agent stop.
#[byre::hook(register = false)]
async fn never(_input: StopInput) -> StopOutput {
    StopOutput::block("Go on.")
}

#[tokio::test]
async fn the_cli_itself_overrides_a_stop_hook_that_never_gives_in() {
    let script = (0..12).fold(Script::new(), |script, n| script.say(format!("{n}")));
    live(script, async |live: &Live| {
        let mut session = live.builder().hooks(byre::hooks![never]).spawn().await.unwrap();
        let outcome = session.prompt("Work.").await.unwrap();
        assert!(!outcome.is_error());
        assert_eq!(live.requests().len(), 9, "eight blocks are obeyed");
        session.close().await.unwrap();
    })
    .await;
}
