//! Ends what a CLI has started and could not end itself.

use std::fs;

use nix::{
    sys::signal::{self, Signal},
    unistd::Pid,
};

use super::child::MARK;

/// How often the processes are looked through. One that is just starting another may be missed once.
const ROUNDS: usize = 10;

/// Kills every process with this mark, as far as this user may look at them.
pub(super) fn kill(mark: &str) {
    let mark = format!("{MARK}={mark}");
    for _ in 0..ROUNDS {
        let marked = marked(mark.as_bytes());
        if marked.is_empty() {
            return;
        }
        for process in marked {
            // Fails if it has ended just now.
            let _ = signal::kill(process, Signal::SIGKILL);
        }
    }
}

/// What has ended, and is not reaped, has no environment.
fn marked(mark: &[u8]) -> Vec<Pid> {
    let has_mark = |process: &i32| {
        let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == mark)
    };
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter(has_mark).map(Pid::from_raw).collect()
}
