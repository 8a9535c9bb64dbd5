//! Starts the hosts in turn and compares them.

use std::{
    fs,
    path::PathBuf,
    process::{Command, ExitCode, Stdio},
};

use crate::{
    compile,
    work::{Kind, Report, Work},
};

/// What is taken from a report.
type Figure = fn(&Report, &Work) -> f64;

/// What byre must reach.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    /// The ratio to the bare loop is no more.
    AtMost(f64),
    /// The ratio to the bare loop is no less.
    AtLeast(f64),
    /// byre's own figure is no more; the bare loop may have none.
    Ours(f64),
}

/// One row of the table.
struct Row {
    name: &'static str,
    work: Work,
    unit: &'static str,
    figure: Figure,
    target: Target,
    /// Host and stand-in share one processor.
    one_cpu: bool,
}

const MIB: usize = 1024 * 1024;

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
#[expect(clippy::too_many_lines, reason = "it is a table")]
fn rows(brief: bool) -> Vec<Row> {
    let n = |count: usize| if brief { (count / 500).max(8) } else { count };
    let row = |name, kind, count, unit, figure, target| {
        let work = Work { kind, count };
        Row { name, work, unit, figure, target, one_cpu: false }
    };
    let on_one_cpu = |row| Row { one_cpu: true, ..row };
    let cpu_us: Figure = |report, work| report.cpu_ns as f64 / 1e3 / work.count as f64;
    let round_trip_us: Figure = |report, _| report.round_trip_ns as f64 / 1e3;
    let milliseconds: Figure = |report, _| report.round_trip_ns as f64 / 1e6;
    let elapsed_ms: Figure = |report, _| report.elapsed_ns as f64 / 1e6;
    let per_second: Figure = |report, work| work.count as f64 / (report.elapsed_ns as f64 / 1e9);
    let resident_mb: Figure = |report, _| report.resident_kb as f64 / 1024.0;
    let peak_mb: Figure = |report, _| report.peak_kb as f64 / 1024.0;
    // The bare loop has nothing that waits: what it has not read is in the pipe.
    let peak_per_byte: Figure = |report, work| {
        report.peak_kb as f64 * 1024.0 / (work.count * crate::cli::delta_line().len()) as f64
    };
    let big = Kind::BigLine { bytes: if brief { MIB } else { 64 * MIB } };
    let (many, one) = (Kind::Calls { in_flight: 64 }, Kind::Calls { in_flight: 1 });
    let unread = n(200_000);
    vec![
        row("CPU per tool call, 64 in flight", many, n(100_000), "µs", cpu_us, Target::AtMost(2.0)),
        on_one_cpu(row(
            "round trip of one call, one CPU",
            one,
            n(20_000),
            "µs",
            round_trip_us,
            Target::AtMost(1.4),
        )),
        row(
            "tool calls per second, 64 in flight",
            many,
            n(100_000),
            "/s",
            per_second,
            Target::AtLeast(0.4),
        ),
        on_one_cpu(row(
            "round trip of one hook, one CPU",
            Kind::Hooks,
            n(20_000),
            "µs",
            round_trip_us,
            Target::AtMost(1.6),
        )),
        // Both are owned when the application has them; for events that borrow from the line 2 and 1.5 would do.
        row("CPU per streamed delta", Kind::Deltas, n(300_000), "µs", cpu_us, Target::AtMost(3.0)),
        row(
            "CPU per 4 KB assistant message",
            Kind::Messages,
            n(30_000),
            "µs",
            cpu_us,
            Target::AtMost(2.0),
        ),
        row(
            "echo of 1 MB, calls per second",
            Kind::Echo { bytes: MIB },
            n(100),
            "/s",
            per_second,
            Target::AtLeast(0.95),
        ),
        row("one 64 MB line, time", big, 1, "ms", elapsed_ms, Target::AtMost(1.2)),
        row("one 64 MB line, peak memory", big, 1, "MB", peak_mb, Target::AtMost(1.0)),
        row(
            "16 calls of 200 ms at once",
            Kind::SlowCalls,
            16,
            "ms",
            elapsed_ms,
            Target::Ours(205.0),
        ),
        row(
            "a call while the application sleeps 1 s",
            Kind::Stalled,
            1,
            "ms",
            milliseconds,
            Target::Ours(5.0),
        ),
        row("resident memory, idle", one, 8, "MB", resident_mb, Target::AtMost(1.6)),
        row(
            "resident memory, 200,000 unread deltas later read",
            Kind::Unread,
            unread,
            "MB",
            resident_mb,
            Target::AtMost(4.0),
        ),
        row(
            "peak memory per byte of 200,000 unread deltas",
            Kind::Unread,
            unread,
            "B",
            peak_per_byte,
            Target::Ours(1.2),
        ),
        row(
            "extra runs of the CLI at the start",
            one,
            8,
            "",
            |report, _| report.extra_starts as f64,
            Target::Ours(0.0),
        ),
    ]
}

/// Prints the table. Fails when a host fails or the two count differently; never for a time.
pub(crate) fn run(brief: bool, only: &[String]) -> ExitCode {
    println!("| what | bare loop | byre | ratio | target |");
    println!("|---|--:|--:|--:|--:|");
    let is_wanted = |name: &str| only.is_empty() || only.iter().any(|word| name.contains(word));
    for row in rows(brief).iter().filter(|row| is_wanted(row.name)) {
        if let Err(reason) = compare(row, if brief { 1 } else { 7 }) {
            eprintln!("{}: {reason}", row.name);
            return ExitCode::FAILURE;
        }
    }
    for (name, unit, target, measure) in compile::ROWS {
        if is_wanted(name) {
            match measure(brief) {
                Ok((bare, ours)) => print(name, unit, &[bare], &[ours], target),
                Err(reason) => {
                    eprintln!("{name}: {reason}");
                    return ExitCode::FAILURE;
                }
            }
        }
    }
    ExitCode::SUCCESS
}

/// Measures a row several times, both hosts in turn, and prints it.
fn compare(row: &Row, repetitions: usize) -> Result<(), String> {
    let (mut bare, mut ours) = (Vec::new(), Vec::new());
    for _ in 0..repetitions {
        let (a, b) = (measure("bare", row)?, measure("byre", row)?);
        if a.counted != b.counted {
            return Err(format!("byre counted {}, the bare loop {}", b.counted, a.counted));
        }
        bare.push((row.figure)(&a, &row.work));
        ours.push((row.figure)(&b, &row.work));
    }
    print(row.name, row.unit, &bare, &ours, row.target);
    Ok(())
}

/// Prints medians. That of the ratios is of those of each pair, whose two runs had the same weather.
fn print(name: &str, unit: &str, bare: &[f64], ours: &[f64], target: Target) {
    let ratio = median(bare.iter().zip(ours).map(|(bare, ours)| ours / bare).collect());
    let (bare, ours) = (median(bare.to_vec()), median(ours.to_vec()));
    let (sign, target, unit_of_target, is_met) = match target {
        Target::AtMost(target) => ("≤", target, "", ratio <= target),
        Target::AtLeast(target) => ("≥", target, "", ratio >= target),
        Target::Ours(target) => ("≤", target, unit, ours <= target),
    };
    let ratio = if ratio.is_finite() { format!("{ratio:.2}") } else { "–".to_owned() };
    let missed = if is_met { "" } else { " **missed**" };
    println!(
        "| {name} | {bare:.2} {unit} | {ours:.2} {unit} | {ratio} | {sign} {target} \
         {unit_of_target}{missed} |"
    );
}

/// Runs one host once.
#[expect(clippy::disallowed_methods, reason = "the driver is not byre")]
fn measure(host: &str, row: &Row) -> Result<Report, String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut command = if row.one_cpu {
        let mut command = Command::new("taskset");
        command.args(["-c", "0"]).arg(this);
        command
    } else {
        Command::new(this)
    };
    let starts = Starts::new();
    let work = serde_json::to_string(&row.work).map_err(|error| error.to_string())?;
    let output = command
        .env(crate::WORK, work)
        .env(crate::HOST, host)
        .env(crate::STARTS, &starts.0)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("{command:?} does not start: {error}"))?;
    let report: Report = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{host} failed ({}): {error}", output.status))?;
    Ok(Report { extra_starts: starts.count().saturating_sub(1), ..report })
}

/// A file with one byte for each time that the stand-in was started.
struct Starts(PathBuf);

impl Starts {
    fn new() -> Self {
        let name = format!("byre-bench-{}-starts", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_file(&path);
        Self(path)
    }

    fn count(&self) -> u64 {
        fs::metadata(&self.0).map_or(0, |file| file.len())
    }
}

impl Drop for Starts {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
