//! Functions that are not `async`, and futures that block.

use std::{
    rc::Rc,
    sync::mpsc,
    thread::{self, ThreadId},
};

use super::*;
use crate::State;

#[tokio::test]
async fn a_function_runs_where_it_may_block() {
    /// Waits.
    #[byre::tool(register = false)]
    fn wait(seconds: Option<u8>, context: ToolContext) -> String {
        assert!(seconds.is_none() && context.tool_use_id().is_none());
        format!("{:?}", thread::current().id())
    }

    assert_eq!(wait(None, context()), format!("{:?}", thread::current().id()), "it stays a function");
    let here = format!("{:?}", thread::current().id());
    assert_ne!(call(&only(crate::tools![wait]), "{}").await.text(), here);
}

#[tokio::test]
async fn a_future_that_blocks_need_not_be_send() {
    /// Thinks.
    #[byre::tool(register = false, blocking)]
    async fn think(thought: String) -> Result<String, String> {
        let thought = Rc::new(thought);
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        if thought.is_empty() { Err("of what?".to_owned()) } else { Ok(thought.to_uppercase()) }
    }

    let think = only(crate::tools![think]);
    assert_eq!(call(&think, r#"{"thought":"x"}"#).await.text(), "X");
    assert!(call(&think, r#"{"thought":""}"#).await.is_error);
}

#[tokio::test]
async fn a_panic_of_a_function_is_an_error_for_the_model() {
    /// Panics.
    #[byre::tool(register = false)]
    fn panics(text: String) -> u8 {
        panic!("because {text}")
    }

    let result = call(&only(crate::tools![panics]), r#"{"text":"of that"}"#).await;
    assert_eq!(result.text(), "the tool `panics` panicked: because of that");
    assert!(result.is_error);
}

#[tokio::test]
async fn a_function_that_nobody_waits_for_is_told_and_runs_on() {
    type Ends = State<mpsc::Sender<bool>>;

    /// Runs until it is told to stop.
    #[byre::tool(register = false)]
    fn run(State(ends): Ends, context: ToolContext) {
        let cancellation = context.cancellation();
        ends.send(false).unwrap();
        while !cancellation.is_cancelled() {
            thread::yield_now();
        }
        ends.send(true).unwrap();
    }

    let (ends, ended) = mpsc::channel();
    let mut states = crate::function::state::States::default();
    states.insert(ends);
    let context = ToolContext::new("byre", Value::Null, Surroundings::new(states));
    let tool = only(crate::tools![run]);
    let call = tokio::spawn(context.cancellable(tool.call(None, &context)));
    let ended = tokio::task::spawn_blocking(move || {
        assert!(!ended.recv().unwrap());
        ended
    });
    let ended = ended.await.unwrap();
    call.abort();
    assert!(call.await.unwrap_err().is_cancelled());
    assert!(tokio::task::spawn_blocking(move || ended.recv().unwrap()).await.unwrap());
}

#[tokio::test]
async fn a_hook_may_be_a_plain_function_too() {
    use crate::hook::{StopInput, StopOutput};

    #[byre::hook(register = false)]
    fn think(input: StopInput, State(here): State<ThreadId>) -> StopOutput {
        assert_ne!(thread::current().id(), here);
        assert!(!input.stop_hook_active);
        StopOutput::block("again")
    }

    assert_eq!(crate::hooks![think].len(), 1);
}
