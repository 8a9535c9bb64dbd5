//! A program in which SIGPIPE has its default action.

#![cfg(target_os = "linux")]

use nix::sys::signal::{SigHandler, Signal, signal};

use super::*;

#[test]
fn a_program_that_the_signal_would_end_goes_on() {
    if !is_alone("sigpipe::a_program_that_the_signal_would_end_goes_on", &[]) {
        return;
    }
    #[expect(unsafe_code, reason = "what programs do that want to end with `| head`")]
    // SAFETY: the default action runs no code of this program.
    unsafe { signal(Signal::SIGPIPE, SigHandler::SigDfl) }.unwrap();
    run(async {
        let mut session = start(shell("closes-stdin")).await;
        let error = in_time(session.prompt("Hi.")).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Exited);
        // The shell beside the program has gone, and is written to for the next session.
        until("the CLI is gone", || system::children().len() == 1).await;
        let watchdog = system::children()[0].split(' ').next().unwrap().parse().unwrap();
        kill(watchdog);
        until("the shell is gone", || {
            !system::remains(watchdog).iter().any(|stat| !stat.contains(") Z "))
        })
        .await;
        let mut session = start(fake(&hello(), "")).await;
        assert_eq!(in_time(session.prompt("Hi.")).await.unwrap().text(), "Hello.");
        in_time(session.close()).await.unwrap();
    });
}
