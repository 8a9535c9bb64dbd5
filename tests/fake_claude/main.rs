//! Stands in for the CLI over real pipes: `ScriptedCli` as a process of its own.
//!
//! What it plays, and how it misbehaves, comes from the environment:
//!
//! - `FAKE_CLAUDE_SCRIPT`: a script as JSON, or the path of a file that holds one.
//! - `FAKE_CLAUDE_MISBEHAVE`: a list of the names in [`Misbehaviour::parse`], separated by commas.
//! - `FAKE_CLAUDE_DUMP`: a path, to which arguments, folder, environment and pid are written as JSON.

mod misbehave;

use std::{collections::BTreeMap, env, fs, process::ExitCode};

use byre::testing::{Chaos, Script, ScriptedCli};
use serde_json::json;
use tokio::{io, runtime::Runtime};

use misbehave::Misbehaviour;

fn main() -> ExitCode {
    dump();
    let misbehaviour =
        match env::var("FAKE_CLAUDE_MISBEHAVE").map(|list| Misbehaviour::parse(&list)) {
            Ok(Ok(misbehaviour)) => misbehaviour,
            Ok(Err(error)) => return fail(&error),
            Err(_) => Misbehaviour::default(),
        };
    if env::args().any(|arg| arg == "--version") {
        println("2.1.332 (Claude Code)");
        return ExitCode::SUCCESS;
    }
    if let Some(code) = misbehaviour.exit_at_start {
        eprintln!("fake-claude: asked to end at the start");
        return code.into();
    }
    if let Some((reason, has_result)) = misbehaviour.refusal(env::args()) {
        if has_result {
            let result = json!({"type": "result", "subtype": "error_during_execution", "is_error": true, "num_turns": 0, "errors": [reason]});
            println(&result.to_string());
        }
        eprintln!("{reason}");
        return ExitCode::FAILURE;
    }
    let script = match script() {
        Ok(script) => script,
        Err(error) => return fail(&error),
    };
    let cli = match ScriptedCli::new(script).args(env::args().skip(1)) {
        Ok(cli) => cli,
        Err(error) => return fail(&error),
    };
    let runtime = match Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&error.to_string()),
    };
    let code = runtime.block_on(play(cli, misbehaviour));
    // A thread may still be reading stdin, and nobody waits for it.
    runtime.shutdown_background();
    code
}

async fn play(cli: ScriptedCli, misbehaviour: Misbehaviour) -> ExitCode {
    misbehaviour.prepare().await;
    let (stdin, stdin_end) = misbehaviour.stdin(io::stdin());
    let (stdout, mut stdout_end) = misbehaviour.stdout(io::stdout());
    let run = async {
        let outcome = match misbehaviour.chaos {
            Some(seed) => Chaos::survivable(seed).play(cli, stdin, stdout).await,
            None => cli.run(stdin, stdout).await,
        };
        if let Some(error) = outcome.error {
            eprintln!("{error}");
        }
        outcome.code
    };
    let code = tokio::select! {
        code = run => {
            // What has been written must reach the host.
            (&mut stdout_end).await.ok().flatten().unwrap_or(code)
        }
        Ok(Some(code)) = &mut stdout_end => code,
    };
    stdin_end.abort();
    if misbehaviour.ignore_eof {
        std::future::pending::<()>().await;
    }
    code.into()
}

fn script() -> Result<Script, String> {
    let Ok(source) = env::var("FAKE_CLAUDE_SCRIPT") else { return Ok(Script::new()) };
    let json = if source.trim_start().starts_with('{') {
        source
    } else {
        fs::read_to_string(&source).map_err(|error| format!("can't read {source}: {error}"))?
    };
    Script::from_json(&json).map_err(|error| error.to_string())
}

fn dump() {
    let Ok(path) = env::var("FAKE_CLAUDE_DUMP") else { return };
    let lossy = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
    let args: Vec<_> = env::args_os().map(lossy).collect();
    let envs: BTreeMap<_, _> =
        env::vars_os().map(|(name, value)| (lossy(name), lossy(value))).collect();
    let (cwd, pid) = (env::current_dir().ok(), std::process::id());
    let dump = json!({"args": args, "cwd": cwd, "env": envs, "pid": pid});
    // Written beside and moved, so that a reader never sees half of it.
    let beside = format!("{path}.part");
    if let Err(error) =
        fs::write(&beside, dump.to_string()).and_then(|()| fs::rename(&beside, &path))
    {
        eprintln!("fake-claude: can't write {path}: {error}");
    }
}

fn fail(error: &str) -> ExitCode {
    eprintln!("fake-claude: {error}");
    ExitCode::FAILURE
}

#[expect(clippy::print_stdout, reason = "what the CLI prints before it starts")]
fn println(text: &str) {
    println!("{text}");
}
