//! Memory over a long run.

#![cfg(target_os = "linux")]

use byre::options::Backlog;

use super::*;
use crate::backlog;

/// Resident memory after each tenth of some work, in kB, without the first tenth, which warms up.
async fn resident(mut tenth: impl AsyncFnMut()) -> (u64, u64) {
    let mut after = Vec::new();
    for _ in 0..10 {
        tenth().await;
        after.push(system::resident_kb());
    }
    (after[1], after[9])
}

#[test]
fn memory_is_flat_over_a_million_events_and_a_hundred_thousand_calls() {
    if !is_alone("long::memory_is_flat_over_a_million_events_and_a_hundred_thousand_calls", &[]) {
        return;
    }
    run(async {
        let (mut session, mut peer) = backlog::start(Backlog::default()).await;
        let (early, late) = resident(async || {
            let ((pieces, warnings), ()) =
                tokio::join!(backlog::read(&mut session), peer.flood(100_000));
            assert_eq!((pieces, warnings.len()), (100_000, 0));
        })
        .await;
        // A byte of each event would be 900 kB.
        assert!(late < early + 800, "events: {early} kB, then {late} kB");
        let (early, late) = resident(async || {
            for _ in 0..10_000 {
                assert_eq!(peer.call().await, "5");
            }
        })
        .await;
        // Ten bytes of each call would be 900 kB.
        assert!(late < early + 800, "calls: {early} kB, then {late} kB");
    });
}
