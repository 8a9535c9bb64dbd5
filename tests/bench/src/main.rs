//! Compares byre with a bare, hand-written loop on the same work, in one run.
//!
//! `cargo run --release -p byre-bench` prints a table in Markdown; `-- --brief` runs everything once with
//! little work, to prove that it runs. Further words choose rows: those whose name has one of them.
//!
//! Three programs in one binary: a fast, synchronous stand-in for the CLI, which checks every answer
//! ([`cli`]); the two hosts, byre's ([`byre_host`]) and the bare loop ([`bare_host`]); and the driver,
//! which starts the hosts in turn, several times, and compares them pair by pair ([`driver`]). What the
//! compiler has to do is measured beside ([`compile`]).

mod bare_host;
mod byre_host;
mod cli;
mod compile;
mod driver;
mod work;

use std::{env, process::ExitCode};

use work::{Report, Work};

/// Holds the work that a stand-in or a host is to do, as JSON.
const WORK: &str = "BYRE_BENCH_WORK";

/// Names the host that this process is; the stand-in that the host starts has it no more.
const HOST: &str = "BYRE_BENCH_HOST";

/// Names a file to which the stand-in adds a byte when it starts.
const STARTS: &str = "BYRE_BENCH_STARTS";

fn main() -> ExitCode {
    let work = env::var(WORK).ok().and_then(|json| serde_json::from_str::<Work>(&json).ok());
    match (work, env::var(HOST).as_deref()) {
        (None, _) => {
            let (flags, only): (Vec<_>, Vec<_>) =
                env::args().skip(1).partition(|arg| arg.starts_with("--"));
            driver::run(flags.iter().any(|flag| flag == "--brief"), &only)
        }
        (Some(work), Ok("byre")) => report(&byre_host::run(&work)),
        (Some(work), Ok(_)) => report(&bare_host::run(&work)),
        (Some(work), Err(_)) => {
            cli::note_start();
            cli::run(&work);
            ExitCode::SUCCESS
        }
    }
}

fn report(report: &Report) -> ExitCode {
    match serde_json::to_string(report) {
        Ok(json) => {
            println!("{json}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
