//! Starts the hosts in turn and compares them.

use std::process::{Command, ExitCode, Stdio};

use crate::work::{Kind, Report, Work};

/// What is taken from a report.
type Figure = fn(&Report, &Work) -> f64;

/// One row of the table.
struct Row {
    name: &'static str,
    work: Work,
    unit: &'static str,
    figure: Figure,
    /// The ratio to the bare loop that byre must reach, and whether more is better.
    target: Option<f64>,
    more_is_better: bool,
    /// Host and stand-in share one processor.
    one_cpu: bool,
}

const MIB: usize = 1024 * 1024;

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn rows(brief: bool) -> Vec<Row> {
    let n = |count: usize| if brief { (count / 500).max(8) } else { count };
    let cpu_us: Figure = |report, work| report.cpu_ns as f64 / 1e3 / work.count as f64;
    let round_trip_us: Figure = |report, _| report.round_trip_ns as f64 / 1e3;
    let elapsed_ms: Figure = |report, _| report.elapsed_ns as f64 / 1e6;
    let per_second: Figure = |report, work| work.count as f64 / (report.elapsed_ns as f64 / 1e9);
    let row = |name, kind, count, unit, figure, target| Row {
        name,
        work: Work { kind, count },
        unit,
        figure,
        target,
        more_is_better: false,
        one_cpu: false,
    };
    let big = if brief { MIB } else { 64 * MIB };
    let calls = Kind::Calls { in_flight: 64 };
    vec![
        row("CPU per tool call, 64 in flight", calls, n(100_000), "µs", cpu_us, Some(2.0)),
        Row {
            one_cpu: true,
            ..row(
                "round trip of one call, one CPU",
                Kind::Calls { in_flight: 1 },
                n(20_000),
                "µs",
                round_trip_us,
                Some(1.4),
            )
        },
        Row {
            more_is_better: true,
            ..row(
                "tool calls per second, 64 in flight",
                calls,
                n(100_000),
                "/s",
                per_second,
                Some(0.4),
            )
        },
        Row {
            one_cpu: true,
            ..row(
                "round trip of one hook, one CPU",
                Kind::Hooks,
                n(20_000),
                "µs",
                round_trip_us,
                Some(1.6),
            )
        },
        row("CPU per streamed delta", Kind::Deltas, n(300_000), "µs", cpu_us, Some(3.0)),
        row("CPU per 4 KB assistant message", Kind::Messages, n(30_000), "µs", cpu_us, Some(2.0)),
        Row {
            more_is_better: true,
            ..row(
                "echo of 1 MB, calls per second",
                Kind::Echo { bytes: MIB },
                n(100),
                "/s",
                per_second,
                Some(0.95),
            )
        },
        row("one 64 MB line, time", Kind::BigLine { bytes: big }, 1, "ms", elapsed_ms, Some(1.2)),
        row(
            "one 64 MB line, peak memory",
            Kind::BigLine { bytes: big },
            1,
            "MB",
            |report, _| report.peak_kb as f64 / 1024.0,
            Some(1.0),
        ),
        row("16 calls of 200 ms at once", Kind::SlowCalls, 16, "ms", elapsed_ms, None),
        row(
            "a call while the application sleeps 1 s",
            Kind::Stalled,
            1,
            "ms",
            |report, _| report.round_trip_ns as f64 / 1e6,
            None,
        ),
        row(
            "resident memory, idle",
            Kind::Calls { in_flight: 1 },
            8,
            "MB",
            |report, _| report.resident_kb as f64 / 1024.0,
            Some(1.6),
        ),
        row(
            "peak memory, 200,000 unread deltas",
            Kind::Unread,
            n(200_000),
            "MB",
            |report, _| report.peak_kb as f64 / 1024.0,
            None,
        ),
    ]
}

/// Prints the table. Fails when a host fails or the two count differently; never for a time.
pub(crate) fn run(brief: bool) -> ExitCode {
    let repetitions = if brief { 1 } else { 7 };
    println!("| what | bare loop | byre | ratio | target |");
    println!("|---|--:|--:|--:|--:|");
    for row in rows(brief) {
        let mut floors = Vec::new();
        let mut ours = Vec::new();
        let mut ratios = Vec::new();
        for _ in 0..repetitions {
            let (Some(a), Some(b)) = (measure("bare", &row), measure("byre", &row)) else {
                eprintln!("{}: a host failed", row.name);
                return ExitCode::FAILURE;
            };
            if a.counted != b.counted {
                eprintln!("{}: byre counted {}, the bare loop {}", row.name, b.counted, a.counted);
                return ExitCode::FAILURE;
            }
            let (a, b) = ((row.figure)(&a, &row.work), (row.figure)(&b, &row.work));
            ratios.push(b / a);
            floors.push(a);
            ours.push(b);
        }
        let ratio = median(ratios);
        let target = row.target.map_or_else(String::new, |target| {
            let (sign, met) = if row.more_is_better {
                ("≥", ratio >= target)
            } else {
                ("≤", ratio <= target)
            };
            format!("{sign} {target}{}", if met { "" } else { " **missed**" })
        });
        println!(
            "| {} | {:.2} {unit} | {:.2} {unit} | {ratio:.2} | {target} |",
            row.name,
            median(floors),
            median(ours),
            unit = row.unit
        );
    }
    ExitCode::SUCCESS
}

/// Runs one host once.
#[expect(clippy::disallowed_methods, reason = "the driver is not byre")]
fn measure(host: &str, row: &Row) -> Option<Report> {
    let this = std::env::current_exe().ok()?;
    let mut command = if row.one_cpu {
        let mut command = Command::new("taskset");
        command.args(["-c", "0"]).arg(this);
        command
    } else {
        Command::new(this)
    };
    let work = serde_json::to_string(&row.work).ok()?;
    let output = command
        .env(crate::WORK, work)
        .env(crate::HOST, host)
        .stderr(Stdio::inherit())
        .output()
        .ok()?;
    serde_json::from_slice(&output.stdout).ok()
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
