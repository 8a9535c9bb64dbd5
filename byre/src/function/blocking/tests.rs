use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use tokio::runtime;

use super::*;
use crate::function::CatchUnwind;

#[tokio::test]
async fn a_call_runs_on_another_thread_and_gives_its_output() {
    let here = thread::current().id();
    assert_ne!(blocking(Box::new(move || thread::current().id())).await, here);
}

#[tokio::test]
async fn a_blocking_call_holds_up_nothing_else() {
    let (go, wait) = mpsc::channel();
    let call = tokio::spawn(blocking(Box::new(move || wait.recv().is_ok())));
    // On a runtime of one thread, this would never come if the call held it up.
    tokio::time::sleep(Duration::from_millis(1)).await;
    go.send(()).unwrap();
    assert!(call.await.unwrap());
}

#[tokio::test]
async fn a_panic_is_one_of_the_future() {
    let call = blocking(Box::new(|| -> u8 { panic!("on purpose") }));
    assert_eq!(CatchUnwind::new(call).await, Err("on purpose".to_owned()));
}

#[test]
fn a_call_that_has_not_begun_can_be_taken_back() {
    let runtime = runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(1)
        .build()
        .unwrap();
    let has_run = Arc::new(AtomicBool::new(false));
    runtime.block_on(async {
        let (go, wait) = mpsc::channel::<()>();
        let first = tokio::spawn(blocking(Box::new(move || wait.recv().is_ok())));
        tokio::task::yield_now().await;
        let flag = Arc::clone(&has_run);
        // The only thread is taken, so it waits.
        let second = tokio::spawn(blocking(Box::new(move || flag.store(true, Ordering::Release))));
        tokio::task::yield_now().await;
        second.abort();
        assert!(second.await.unwrap_err().is_cancelled());
        go.send(()).unwrap();
        assert!(first.await.unwrap());
        // Were it still there, it would come before this.
        blocking(Box::new(|| ())).await;
    });
    assert!(!has_run.load(Ordering::Acquire));
}

#[tokio::test]
async fn a_future_that_is_not_send_is_driven_to_its_end() {
    let call = || {
        block_on(std::pin::pin!(async {
            let text = std::rc::Rc::new("done");
            tokio::time::sleep(Duration::from_millis(1)).await;
            *text
        }))
    };
    assert_eq!(blocking(Box::new(call)).await, "done");
}
