//! Starts the CLI, so that the system ends it when this program ends, however that comes about.
//!
//! Linux can send a process a signal when its parent is gone. It takes *the thread* that has started the process
//! for the parent, and a runtime's threads come and go, those of `spawn_blocking` within seconds. So there is one
//! thread that starts every CLI, and lives as long as the program.
//!
//! The signal is SIGTERM, upon which the CLI stops what it does and writes its session file. Whatever it has
//! started, a CLI that does not heed the signal, and that of a large program are the [watchdog](super::watchdog)'s.

use std::{
    fs::{self, File},
    io::{self, Read},
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    path::Path,
    process,
    sync::{
        Mutex, PoisonError,
        mpsc::{self, SendError, Sender},
    },
    thread,
};

use nix::{
    errno::Errno,
    sys::{prctl, signal::Signal},
    unistd,
};
use tokio::{
    process::{Child, Command},
    runtime::Handle,
    sync::oneshot,
};

/// Is told whether the thread that it runs on lives as long as the program.
type Job = Box<dyn FnOnce(bool) + Send>;

/// Each job has a caller who waits for it, so the queue is as long as there are callers.
struct Starter {
    jobs: Sender<Job>,
    /// A program that forks itself has the queue in the new process, and not the thread.
    process: u32,
}

/// How many pages of memory a program may have whose CLI is tied to it. Only the child itself can ask for the signal,
/// which takes a true fork, and that copies the table of pages: 20 ms for a quarter of a gigabyte (measured).
const MOST_PAGES: usize = 65_536;

static STARTER: Mutex<Option<Starter>> = Mutex::new(None);

/// Starts what `prepare` describes, and gives what `begin` makes of it.
///
/// # Panics
///
/// As `begin` does, and outside a tokio runtime.
///
/// # Cancel safety
///
/// Dropping the future does not stop the start; what `begin` makes is then dropped.
pub(super) async fn spawn<T: Send + 'static>(
    prepare: impl Fn() -> Command + Send + 'static,
    begin: impl FnOnce(io::Result<Child>) -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let job = move |lasts| begin(if lasts { tied(prepare) } else { prepare().spawn() });
    on_the_thread(job).await
}

/// Runs `job` on the thread that lives as long as the program; where there can be none, on this one.
async fn on_the_thread<T: Send + 'static>(
    job: impl FnOnce(bool) -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let runtime = Handle::current();
    let (answer, answered) = oneshot::channel();
    let job = move |lasts| {
        let _entered = runtime.enter();
        // tokio panics where the runtime has no I/O, which is for the caller to see.
        let made = catch_unwind(AssertUnwindSafe(|| job(lasts)));
        let _ = answer.send(made);
    };
    if let Err(job) = hand_over(Box::new(job)) {
        job(false);
    }
    match answered.await {
        Ok(made) => made.unwrap_or_else(|panic| resume_unwind(panic)),
        Err(_) => Err(io::Error::other("the thread that starts programs is gone")),
    }
}

fn hand_over(job: Job) -> Result<(), Job> {
    let mut starter = STARTER.lock().unwrap_or_else(PoisonError::into_inner);
    let process = process::id();
    let jobs = match &*starter {
        Some(there) if there.process == process => &there.jobs,
        _ => {
            let (jobs, queue) = mpsc::channel::<Job>();
            let work = move || queue.into_iter().for_each(|job| job(true));
            let thread = thread::Builder::new().name("byre-start".to_owned()).spawn(work);
            if let Err(error) = thread {
                tracing::debug!("no signal ends the CLI if this program is killed: {error}");
                return Err(job);
            }
            &starter.insert(Starter { jobs, process }).jobs
        }
    };
    jobs.send(job).map_err(|SendError(job)| job)
}

/// Starts what `prepare` describes, to be ended with this program.
fn tied(prepare: impl Fn() -> Command) -> io::Result<Child> {
    let mut command = prepare();
    let is_small = fs::read_to_string("/proc/self/statm").is_ok_and(|statm| is_small(&statm));
    if !is_small || !is_run_by_the_system(Path::new(command.as_std().get_program())) {
        return command.spawn();
    }
    end_with_this_program(&mut command);
    or_untied(command.spawn(), prepare)
}

/// Whether a program with these figures of memory can be forked in passing.
fn is_small(statm: &str) -> bool {
    let resident = statm.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok());
    resident.is_some_and(|pages| pages <= MOST_PAGES)
}

/// Whether `program` is a script that names its interpreter, or a binary for the processor of this program.
///
/// What the system refuses as no program is refused where it is started untied. The tied way is that of `execvp`,
/// which runs it as a script of the shell instead (POSIX), and a binary for another processor makes a strange one.
fn is_run_by_the_system(program: &Path) -> bool {
    let head = |path: &Path| {
        let mut head = Vec::new();
        File::open(path)?.take(20).read_to_end(&mut head)?;
        io::Result::Ok(head)
    };
    // Magic number, class and byte order; and the machine. Source: System V ABI, ELF header.
    let kind = |head: &[u8]| Some((head.get(..6)?.to_owned(), head.get(18..20)?.to_owned()));
    match (head(program), head(Path::new("/proc/self/exe"))) {
        (Ok(script), _) if script.starts_with(b"#!") => true,
        (Ok(binary), Ok(own)) => kind(&binary).is_some_and(|of| Some(of) == kind(&own)),
        _ => false,
    }
}

/// A system that counts strictly may want as much memory for a fork as this program has ever asked for.
fn or_untied(tied: io::Result<Child>, prepare: impl Fn() -> Command) -> io::Result<Child> {
    match tied {
        Err(error) if error.kind() == io::ErrorKind::OutOfMemory => prepare().spawn(),
        result => result,
    }
}

#[expect(unsafe_code, reason = "nothing else runs in the child before it becomes the CLI")]
fn end_with_this_program(command: &mut Command) {
    let program = unistd::getpid();
    let ask = move || {
        // Where this is not allowed, the CLI starts all the same.
        let _ = prctl::set_pdeathsig(Signal::SIGTERM);
        // The program may have been killed before the request was made. Zero is a parent outside of a
        // namespace, for which the program has made its children.
        let parent = unistd::getppid();
        if parent == program || parent.as_raw() == 0 { Ok(()) } else { Err(Errno::ESRCH.into()) }
    };
    // SAFETY: between fork and exec, in a process with threads, only what is async-signal-safe may run. The
    // closure makes two system calls, compares numbers and makes an `io::Error` of a number: it allocates
    // nothing, takes no lock and drops nothing.
    unsafe { command.pre_exec(ask) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_program_is_not_forked() {
        assert!(is_small("900000 65536 300 10 0 400 0\n"));
        assert!(!is_small("900000 65537 300 10 0 400 0\n"));
        assert!(!is_small(""));
        assert!(is_small(&fs::read_to_string("/proc/self/statm").unwrap()));
    }

    #[test]
    fn what_the_system_itself_runs_is_known_by_its_first_bytes() {
        let file = |name: &str, bytes: &[u8]| {
            let path = std::env::temp_dir().join(format!("byre-head-{}-{name}", process::id()));
            fs::write(&path, bytes).unwrap();
            let is = is_run_by_the_system(&path);
            fs::remove_file(&path).unwrap();
            is
        };
        let mut own = fs::read("/proc/self/exe").unwrap();
        assert!(file("own", &own[..64]));
        assert!(file("script", b"#!/bin/sh\n"));
        own[18] ^= 0x55;
        assert!(!file("other-processor", &own[..64]));
        assert!(!file("text", b"echo hello from the shell\n"));
        assert!(!file("short", b"\x7fELF"));
        assert!(!file("empty", b""));
        assert!(!is_run_by_the_system(Path::new("/no/such/file")));
    }

    #[tokio::test]
    async fn what_has_no_memory_to_be_tied_is_started_all_the_same() {
        let prepare = || super::super::command(Path::new("/bin/sh"));
        let mut child = or_untied(Err(Errno::ENOMEM.into()), prepare).unwrap();
        child.kill().await.unwrap();
        let refused = or_untied(Err(Errno::EAGAIN.into()), prepare).unwrap_err();
        assert_eq!(refused.raw_os_error(), Some(Errno::EAGAIN as i32));
    }

    #[tokio::test]
    async fn a_panic_is_the_callers_and_the_thread_goes_on() {
        for _ in 0..2 {
            let panics = tokio::spawn(on_the_thread(|lasts| -> io::Result<()> {
                assert!(lasts);
                panic!("on purpose");
            }));
            assert!(panics.await.unwrap_err().is_panic());
        }
        assert!(on_the_thread(Ok).await.unwrap());
    }
}
