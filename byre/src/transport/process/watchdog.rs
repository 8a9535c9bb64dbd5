//! Ends the CLIs of a program that was itself ended by force.
//!
//! A program that is killed runs no destructor, and a CLI that hangs does not notice the end of its stdin. So
//! beside the program there is a small shell, one for all of its sessions, which knows their process groups from
//! a pipe. When the pipe ends, because the program has, it gives the groups that are left time to end by
//! themselves, and then ends them: the CLIs with all that they started.
//!
//! Linux ends the CLI sooner, see [`tied`](super::tied); but nothing that the CLI has started, and not the CLI
//! of a large program.

use std::{
    collections::BTreeSet,
    io::{self, Write},
    path::Path,
    process::{Child, ChildStdin, Stdio},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// POSIX shell. Reads `+ GROUP MARK` and `- GROUP MARK`, and at the end of its input ends the groups that are left: two
/// seconds after the end of their own input by SIGTERM, and two seconds later by SIGKILL. A CLI that is killed can't
/// end its commands, which are in groups of their own: they are found by their mark, where there is `/proc`.
const SCRIPT: &str = r#"
clis=
while read -r sign group mark; do
    cli=$group/$mark
    if [ "$sign" = + ]; then
        clis="$clis $cli"
    else
        left=
        for other in $clis; do [ "$other" = "$cli" ] || left="$left $other"; done
        clis=$left
    fi
done
for signal in TERM KILL; do
    for step in 1 2 3 4 5 6 7 8 9 10; do
        left=
        for cli in $clis; do kill -0 "-${cli%/*}" 2>/dev/null && left="$left $cli"; done
        clis=$left
        [ -n "$clis" ] || exit 0
        sleep 0.2
    done
    for cli in $clis; do kill "-$signal" "-${cli%/*}" 2>/dev/null; done
done
for cli in $clis; do
    for process in /proc/[0-9]*; do
        tr '\0' '\n' 2>/dev/null <"$process/environ" | grep -qx "BYRE_CLI=${cli#*/}" &&
            kill -KILL "${process#/proc/}"
    done
done 2>/dev/null
"#;

static WATCHDOG: Mutex<Watchdog> = Mutex::new(Watchdog { shell: None, clis: BTreeSet::new() });

struct Watchdog {
    shell: Option<Shell>,
    /// What it was told of and not told to forget.
    clis: BTreeSet<Cli>,
}

/// A process group, and the mark of what it starts.
type Cli = (i32, String);

struct Shell {
    process: Child,
    stdin: ChildStdin,
}

/// A CLI that is ended with the program, as long as this is there.
pub(super) struct Watched(Cli);

impl Watched {
    /// Says too why it is not so: there is no `/bin/sh`, mostly. Then only destructors end what the program leaves.
    pub(super) fn new(group: i32, mark: &str) -> (Self, Option<io::Error>) {
        let cli = (group, mark.to_owned());
        let mut watchdog = lock();
        watchdog.clis.insert(cli.clone());
        let problem = watchdog.tell('+', &cli).err();
        (Self(cli), problem)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let mut watchdog = lock();
        watchdog.clis.remove(&self.0);
        // A shell that has gone knows of nothing, so there is nothing to forget.
        if let Some(shell) = &mut watchdog.shell {
            let _ = shell.write('-', &self.0);
        }
    }
}

impl Watchdog {
    /// Tells the shell, which is started if there is none, or none any more.
    fn tell(&mut self, sign: char, cli: &Cli) -> io::Result<()> {
        if let Some(shell) = &mut self.shell {
            if shell.write(sign, cli).is_ok() {
                return Ok(());
            }
            // It has ended, so this does not wait.
            let _ = shell.process.wait();
            self.shell = None;
        }
        let mut shell = Shell::start()?;
        for cli in &self.clis {
            shell.write('+', cli)?;
        }
        self.shell = Some(shell);
        Ok(())
    }
}

impl Shell {
    fn start() -> io::Result<Self> {
        use std::os::unix::process::CommandExt;

        let mut command = super::command(Path::new("/bin/sh"));
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

    /// Writes some dozen bytes, which the pipe takes at once: only thousands that nobody reads could fill it.
    fn write(&mut self, sign: char, (group, mark): &Cli) -> io::Result<()> {
        let line = format!("{sign} {group} {mark}\n");
        #[cfg(target_os = "linux")]
        return super::sigpipe::quietly(|| self.stdin.write_all(line.as_bytes()));
        #[cfg(not(target_os = "linux"))]
        self.stdin.write_all(line.as_bytes())
    }
}

/// Nothing under the lock panics half-way.
fn lock() -> MutexGuard<'static, Watchdog> {
    WATCHDOG.lock().unwrap_or_else(PoisonError::into_inner)
}
