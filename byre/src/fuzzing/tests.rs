//! Runs what the fuzz targets run over their seeds, so that neither rots.
//!
//! The seeds are the lines of the recorded sessions and of the golden events, and what stands in
//! `fuzz/seeds`. With `BYRE_FUZZ_CORPUS` they are written to that folder, for `fuzz/run`. Each seed is changed at
//! random some times more, by default 2, else `BYRE_FUZZ_ROUNDS`.

use std::{
    env, fs,
    panic::{catch_unwind, resume_unwind},
    path::Path,
};

use serde_json::{Value, json};

use crate::testing::{Replay, chaos::random::Random};

type Target = fn(&[u8]);

macro_rules! targets {
    ($($name:ident)*) => {
        const TARGETS: &[&str] = &[$(stringify!($name)),*];

        $(#[test]
        fn $name() {
            run_over_seeds(stringify!($name), super::$name);
        })*
    };
}

targets! { framing events control mcp transcripts sessions }

/// The files of a folder below the workspace, by name.
fn files(folder: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// The lines of the CLI in each recorded session, with the ids of hooks as byre gives them.
fn recorded() -> Vec<Vec<Value>> {
    let read = |text: &Vec<u8>| Replay::parse(&String::from_utf8_lossy(text)).unwrap().received();
    let mut sessions: Vec<_> = files("tests/golden/transcripts").iter().map(read).collect();
    for line in sessions.iter_mut().flatten() {
        if line["request"]["subtype"] == "hook_callback" {
            let event = line["request"]["input"]["hook_event_name"].as_str().unwrap();
            let hook =
                super::control::hooks().iter().position(|hook| hook.event().as_str() == event);
            line["request"]["callback_id"] = format!("hook_{:04}", hook.unwrap()).into();
        }
    }
    sessions
}

/// What `line` gives for each line of a session, as the lines of one input.
fn input(session: &[Value], line: impl Fn(&Value) -> Option<Value>) -> Vec<u8> {
    let lines: Vec<_> = session.iter().filter_map(line).map(|line| format!("{line}\n")).collect();
    lines.concat().into_bytes()
}

/// What the CLI would store of a message.
fn entry(line: &Value) -> Option<Value> {
    let kind = line["type"].as_str().filter(|kind| ["user", "assistant"].contains(kind))?;
    Some(json!({
        "parentUuid": null, "isSidechain": false, "type": kind, "uuid": line["uuid"],
        "cwd": "/srv/app", "timestamp": "2026-12-01T02:17:51.770Z", "message": line["message"],
    }))
}

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let of_sessions = |line: &dyn Fn(&Value) -> Option<Value>| -> Vec<Vec<u8>> {
        recorded().iter().map(|session| input(session, line)).collect()
    };
    let is_control = |line: &Value| line["type"].as_str().unwrap().starts_with("control_");
    let seeds = match target {
        "framing" | "transcripts" => files("tests/golden/transcripts"),
        "events" => {
            let mut seeds = of_sessions(&|line| (!is_control(line)).then(|| line.clone()));
            seeds.extend(files("tests/golden").iter().flat_map(|events| {
                events.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>()
            }));
            seeds
        }
        "control" => of_sessions(&|line| is_control(line).then(|| line.clone())),
        "mcp" => of_sessions(&|line| {
            let message = &line["request"]["message"];
            message.is_object().then(|| message.clone())
        }),
        "sessions" => of_sessions(&entry),
        other => panic!("no target is called {other:?}"),
    };
    let mut seeds: Vec<_> = seeds.into_iter().filter(|seed| !seed.is_empty()).collect();
    assert!(seeds.len() > 10, "{target} has only {} seeds", seeds.len());
    seeds.extend(files(&format!("fuzz/seeds/{target}")));
    seeds
}

fn run_over_seeds(name: &str, target: Target) {
    let seeds = seeds(name);
    if let Some(corpus) = env::var_os("BYRE_FUZZ_CORPUS") {
        let folder = Path::new(&corpus).join(name);
        fs::create_dir_all(&folder).unwrap();
        for (n, seed) in seeds.iter().enumerate() {
            fs::write(folder.join(format!("seed-{n:03}")), seed).unwrap();
        }
    }
    let rounds = env::var("BYRE_FUZZ_ROUNDS").map_or(2, |rounds| rounds.parse().unwrap());
    let mut random = Random::new(7);
    for seed in &seeds {
        target(seed);
        for _ in 0..rounds {
            let changed = change(seed, &seeds, &mut random);
            if let Err(panic) = catch_unwind(|| target(&changed)) {
                eprintln!("{name} fails for {:?}", String::from_utf8_lossy(&changed));
                resume_unwind(panic);
            }
        }
    }
}

/// Changes an input at random: a poor fuzzer, that needs no other compiler.
fn change(seed: &[u8], others: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    const WORDS: [&[u8]; 8] = [b"null", b"-1", b"1e999", b"[]", b"{}", b"\"\"", b"\\ud83d", b"\n"];

    let mut input = seed.to_vec();
    let at =
        |random: &mut Random, len: usize| usize::try_from(random.below(len as u64 + 1)).unwrap();
    for _ in 0..=random.below(3) {
        let (start, end) = (at(random, input.len()), at(random, input.len()));
        let range = start.min(end)..start.max(end);
        match random.below(6) {
            0 => drop(input.drain(range)),
            1 => input.truncate(start),
            2 => drop(input.splice(start..start, random.pick(&WORDS).to_vec())),
            3 => drop(input.splice(start..start, input[range].to_vec())),
            4 => {
                let other = random.pick(others);
                input.truncate(start);
                input.extend(&other[at(random, other.len())..]);
            }
            _ => input.iter_mut().skip(start).take(1).for_each(|byte| *byte ^= 1 << (end % 8)),
        }
    }
    input
}

#[test]
fn every_target_has_a_file_in_the_fuzz_package() {
    let manifest = include_str!("../../../fuzz/Cargo.toml");
    for name in TARGETS {
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name}");
        let target = format!("../fuzz/fuzz_targets/{name}.rs");
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(target)).unwrap();
        assert!(text.contains(&format!("byre::fuzzing::{name}(data)")), "{name}");
    }
}

#[test]
#[should_panic(expected = "no JSON")]
fn a_target_sees_a_line_that_the_cli_would_not_take() {
    super::check_line("{\"type\":");
}
