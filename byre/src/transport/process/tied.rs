//! Starts the CLI so that Linux itself ends it when this program ends, however that comes about.
//!
//! A process can ask to be sent a signal when its parent is gone: *the thread* that has started it. Only the process
//! itself can ask, between `fork` and `exec`. The signal is SIGTERM, upon which the CLI stops what it does and writes
//! its session file. Whatever it has started, a CLI that does not heed the signal, and that of a large program are
//! the [watchdog](super::watchdog)'s.

use std::{
    fs, io,
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, Command},
};

use nix::{
    errno::Errno,
    sys::{
        prctl,
        signal::{SigSet, Signal},
    },
    unistd,
};

use crate::transport::loader;

/// How many pages of memory a program may have that is forked. A true fork copies the table of pages, 78 ms
/// for each gigabyte where it was measured; to start a process without takes 0.2 ms whatever the program has.
const MOST_PAGES: usize = 16_384;

/// Starts what `prepare` describes, to be ended when the thread ends that calls this, where that is cheap and safe.
pub(super) fn spawn(prepare: impl Fn() -> Command) -> io::Result<Child> {
    let mut command = prepare();
    let is_small = fs::read_to_string("/proc/self/statm").is_ok_and(|statm| is_small(&statm));
    // What the system refuses as no program is refused where it is started untied. The tied way is that of `execvp`,
    // which runs it as a script of the shell instead (POSIX).
    if !is_small || !loader::is_for_this_system(Path::new(command.get_program())) {
        return command.spawn();
    }
    tie(&mut command);
    or_untied(command.spawn(), prepare)
}

/// Whether a program with these figures of memory can be forked in passing.
fn is_small(statm: &str) -> bool {
    let resident = statm.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok());
    resident.is_some_and(|pages| pages <= MOST_PAGES)
}

/// A system that counts strictly may want as much memory for a fork as this program has ever asked for.
fn or_untied(tied: io::Result<Child>, prepare: impl Fn() -> Command) -> io::Result<Child> {
    match tied {
        Err(error) if error.kind() == io::ErrorKind::OutOfMemory => prepare().spawn(),
        result => result,
    }
}

#[expect(unsafe_code, reason = "a process can ask for the signal only before it becomes the CLI")]
fn tie(command: &mut Command) {
    let program = unistd::getpid();
    let mut signal = SigSet::empty();
    signal.add(Signal::SIGTERM);
    let ask = move || {
        // A program that takes its signals from a queue blocks them, and the CLI would be deaf to this one. Where
        // something is not allowed, the CLI starts all the same.
        let _ = signal.thread_unblock();
        let _ = prctl::set_pdeathsig(Signal::SIGTERM);
        // The program may have been killed before the request was made. Zero is a parent outside of a
        // namespace, for which the program has made its children.
        let parent = unistd::getppid();
        if parent == program || parent.as_raw() == 0 { Ok(()) } else { Err(Errno::ESRCH.into()) }
    };
    // SAFETY: between fork and exec, in a process with threads, only what is async-signal-safe may run. The
    // closure makes three system calls, compares numbers and makes an `io::Error` of a number: it allocates
    // nothing, takes no lock and drops nothing.
    unsafe { command.pre_exec(ask) };
}

#[cfg(test)]
mod tests {
    use std::process::Stdio;

    use super::*;

    #[test]
    fn a_program_that_blocks_the_signal_does_not_make_the_cli_deaf_to_it() {
        let mut signal = SigSet::empty();
        signal.add(Signal::SIGTERM);
        signal.thread_block().unwrap();
        let prepare = || {
            let mut command = super::super::command(Path::new("/bin/sh"));
            command.args(["-c", "kill -TERM $$; echo deaf"]).stdout(Stdio::piped());
            command
        };
        let is_deaf = |child: Child| child.wait_with_output().unwrap().stdout == b"deaf\n";
        assert!(is_deaf(prepare().spawn().unwrap()));
        let mut tied = prepare();
        tie(&mut tied);
        assert!(!is_deaf(tied.spawn().unwrap()));
    }

    #[test]
    fn a_large_program_is_not_forked() {
        assert!(is_small("900000 16384 300 10 0 400 0\n"));
        assert!(!is_small("900000 16385 300 10 0 400 0\n"));
        assert!(!is_small(""));
    }

    #[test]
    fn what_has_no_memory_to_be_tied_is_started_all_the_same() {
        let prepare = || super::super::command(Path::new("/bin/true"));
        assert!(or_untied(Err(Errno::ENOMEM.into()), prepare).unwrap().wait().unwrap().success());
        let refused = or_untied(Err(Errno::EAGAIN.into()), prepare).unwrap_err();
        assert_eq!(refused.raw_os_error(), Some(Errno::EAGAIN as i32));
    }
}
