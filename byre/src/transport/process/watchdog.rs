//! Ends the CLIs of a program that was itself ended by force.
//!
//! A program that is killed runs no destructor, and a CLI that hangs does not notice the end of its stdin. So
//! beside the program there is a small shell, one for all of its sessions, which knows their process groups from
//! a pipe. When the pipe ends, because the program has, it gives the groups that are left time to end by
//! themselves, and then ends them: the CLIs with all that they started.
//!
//! Linux ends the CLI sooner, see [`starter`](super::starter); but nothing that the CLI has started, and not the CLI
//! of a large program.

use std::{
    collections::BTreeSet,
    io::{self, Write},
    path::Path,
    process::{Child, ChildStdin, Stdio},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// POSIX shell. Reads `+ GROUP` and `- GROUP`, and at the end of its input ends the groups that are left: two
/// seconds after the end of their own input by SIGTERM, and two seconds later by SIGKILL.
const SCRIPT: &str = r#"
groups=
while read -r sign group; do
    if [ "$sign" = + ]; then
        groups="$groups $group"
    else
        left=
        for other in $groups; do [ "$other" = "$group" ] || left="$left $other"; done
        groups=$left
    fi
done
for signal in TERM KILL; do
    for step in 1 2 3 4 5 6 7 8 9 10; do
        left=
        for group in $groups; do kill -0 "-$group" 2>/dev/null && left="$left $group"; done
        groups=$left
        [ -n "$groups" ] || exit 0
        sleep 0.2
    done
    for group in $groups; do kill "-$signal" "-$group" 2>/dev/null; done
done
"#;

static WATCHDOG: Mutex<Watchdog> = Mutex::new(Watchdog { shell: None, groups: BTreeSet::new() });

struct Watchdog {
    shell: Option<Shell>,
    /// What it was told of and not told to forget.
    groups: BTreeSet<i32>,
}

struct Shell {
    process: Child,
    stdin: ChildStdin,
}

/// A process group that is ended with the program, as long as this is there.
pub(super) struct Watched(i32);

impl Watched {
    /// Fails silently where there is no `/bin/sh`: then only destructors end what the program leaves.
    pub(super) fn new(group: i32) -> Self {
        let mut watchdog = lock();
        watchdog.groups.insert(group);
        if let Err(error) = watchdog.tell('+', group) {
            tracing::debug!("nothing ends the CLI if this program is killed: {error}");
        }
        Self(group)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let mut watchdog = lock();
        watchdog.groups.remove(&self.0);
        // A shell that has gone knows of nothing, so there is nothing to forget.
        if let Some(shell) = &mut watchdog.shell {
            let _ = shell.write('-', self.0);
        }
    }
}

impl Watchdog {
    /// Tells the shell, which is started if there is none, or none any more.
    fn tell(&mut self, sign: char, group: i32) -> io::Result<()> {
        if let Some(shell) = &mut self.shell {
            if shell.write(sign, group).is_ok() {
                return Ok(());
            }
            // It has ended, so this does not wait.
            let _ = shell.process.wait();
            self.shell = None;
        }
        let mut shell = Shell::start()?;
        for group in &self.groups {
            shell.write('+', *group)?;
        }
        self.shell = Some(shell);
        Ok(())
    }
}

impl Shell {
    fn start() -> io::Result<Self> {
        use std::os::unix::process::CommandExt;

        let mut command = super::command(Path::new("/bin/sh")).into_std();
        command
            .args(["-c", SCRIPT])
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            // It keeps no folder busy, and Ctrl-C on the terminal is not for it.
            .current_dir("/")
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut process = command.spawn()?;
        let stdin = process.stdin.take().ok_or_else(|| io::Error::other("a pipe is missing"))?;
        Ok(Self { process, stdin })
    }

    /// Writes a dozen bytes, which the pipe takes at once: only thousands that nobody reads could fill it.
    fn write(&mut self, sign: char, group: i32) -> io::Result<()> {
        self.stdin.write_all(format!("{sign} {group}\n").as_bytes())
    }
}

/// Nothing under the lock panics half-way.
fn lock() -> MutexGuard<'static, Watchdog> {
    WATCHDOG.lock().unwrap_or_else(PoisonError::into_inner)
}
