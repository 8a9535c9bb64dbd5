use std::{future::poll_fn, panic, task::Poll};

use super::*;

struct PanicsOnDrop;

impl Drop for PanicsOnDrop {
    fn drop(&mut self) {
        panic!("in drop");
    }
}

/// Polls a future to its end.
async fn run<T>(future: impl Future<Output = T> + Send + 'static) -> Result<T, String> {
    CatchUnwind::new(Box::pin(future)).await
}

#[tokio::test]
async fn gives_what_the_future_gives() {
    assert_eq!(run(async { 5 }).await, Ok(5));
}

#[tokio::test]
async fn gives_the_text_of_a_panic_at_any_time() {
    assert_eq!(run(async { panic!("now") }).await, Err::<(), _>("now".to_owned()));
    let later = async {
        tokio::task::yield_now().await;
        let n = 3;
        panic!("later {n}")
    };
    assert_eq!(run(later).await, Err::<(), _>("later 3".to_owned()));
    let odd = async { panic::panic_any(5) };
    assert_eq!(run(odd).await, Err::<(), _>("no message".to_owned()));
}

#[tokio::test]
async fn a_panic_in_a_destructor_does_not_get_out() {
    let value = PanicsOnDrop;
    let holds = poll_fn(move |_| {
        let _ = &value;
        Poll::Ready(())
    });
    assert_eq!(run(holds).await, Err("in drop".to_owned()));
    let value = PanicsOnDrop;
    drop(CatchUnwind::new(Box::pin(async move {
        let _value = value;
    })));
}
