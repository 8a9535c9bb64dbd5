//! The command line of a program with tools, over the binary of the example `toolbox`.

#![allow(clippy::unwrap_used)] // helpers too: a test that fails panics

use std::{
    fs,
    io::{Read, Write},
    path::Path,
    process::{Command, Output, Stdio},
};

use serde_json::{Value, json};

use crate::{examples::path, process::command};

/// The program with these arguments, and a CLI that is not there.
fn toolbox(args: &[&str]) -> Command {
    let mut command = command(path("toolbox"));
    command.args(args).env("BYRE_CLAUDE", "/no/such/claude");
    command
}

/// What the program prints to stdout and to stderr, and its exit code.
fn run(args: &[&str]) -> (String, String, Option<i32>) {
    read(&toolbox(args).output().unwrap())
}

fn read(output: &Output) -> (String, String, Option<i32>) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

/// What `doctor` says of one of the shell scripts beside this file.
fn doctor(script: &str) -> (String, String, Option<i32>) {
    let cli = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/cli").join(script);
    read(&toolbox(&["doctor"]).env("BYRE_CLAUDE", cli).output().unwrap())
}

#[test]
fn tools_are_a_table_or_the_list_of_the_cli() {
    let (table, err, code) = run(&["tools"]);
    let lines: Vec<_> = table.lines().collect();
    assert!(lines[0].starts_with("NAME "), "{table}");
    let divide = "divide   Divides one number by another.  ";
    assert!(
        lines[2].starts_with(divide) && lines[2].ends_with("dividend: number, divisor: number")
    );
    assert_eq!((lines.len(), err.as_str(), code), (5, "", Some(0)));

    let (list, _, _) = run(&["tools", "--json"]);
    let list: Value = serde_json::from_str(&list).unwrap();
    assert_eq!(list[1]["name"], "divide");
    assert_eq!(list[1]["inputSchema"]["required"], json!(["dividend", "divisor"]));
}

#[test]
fn a_schema_can_be_read_by_another_program() {
    let (schema, err, code) = run(&["schema", "greet"]);
    let schema: Value = serde_json::from_str(&schema).unwrap();
    assert_eq!(schema["properties"]["language"]["default"], "en");
    assert_eq!((err.as_str(), code), ("", Some(0)));

    let (both, err, _) = run(&["schema", "convert"]);
    let documents = serde_json::Deserializer::from_str(&both).into_iter::<Value>();
    let [input, output] = &documents.collect::<Result<Vec<_>, _>>().unwrap()[..] else { panic!() };
    assert_eq!(input["required"], json!(["amount", "from", "to"]));
    assert_eq!(output["required"], json!(["amount", "unit"]));
    assert_eq!(err, "arguments:\nresult:\n");
}

#[test]
fn a_call_gives_its_result_and_an_exit_code() {
    let (out, err, code) = run(&["call", "divide", r#"{"dividend": 1, "divisor": 4}"#]);
    assert_eq!((out.as_str(), err.as_str(), code), ("0.25\n", "", Some(0)));
    let (out, err, code) = run(&["call", "divide", r#"{"dividend": 1, "divisor": 0}"#]);
    assert_eq!(out, "cannot divide by zero\n");
    assert_eq!((err.as_str(), code), ("(the model is told that the call failed)\n", Some(1)));
    let (out, err, code) = run(&["call", "divde", "{}"]);
    assert_eq!(out, "");
    assert_eq!(err, "error: no tool is called `divde`; did you mean `divide`?\n");
    assert_eq!(code, Some(2));
}

#[test]
fn arguments_come_from_stdin_too() {
    let mut command = toolbox(&["call", "greet", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"{\"name\": \"Ada\"}\n").unwrap();
    let (out, _, code) = read(&child.wait_with_output().unwrap());
    assert_eq!((out.as_str(), code), ("Hello, Ada!\n", Some(0)));
}

#[test]
fn an_image_is_saved() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("swatch.png");
    let _ = fs::remove_file(&file);
    let (out, err, code) =
        run(&["call", "swatch", r#"{"red": 200}"#, "--out", file.to_str().unwrap()]);
    let bytes = fs::read(&file).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n"));
    assert_eq!(out, format!("[image/png, {} bytes]\n", bytes.len()));
    assert_eq!(err, format!("saved {} bytes as {}\n", bytes.len(), file.display()));
    assert_eq!(code, Some(0));
}

#[test]
fn a_reader_that_has_read_enough_is_no_failure() {
    let mut command = toolbox(&["tools"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""));
}

#[test]
fn the_doctor_finds_all_well() {
    let (out, err, code) = doctor("logged-in");
    let lines: Vec<_> = out.lines().collect();
    assert!(lines[0].starts_with("ok   claude   /"), "{out}");
    assert_eq!(lines[1], "ok   version  2.1.332 (Claude Code)");
    assert_eq!(lines[2], "ok   login    api_key, firstParty, ANTHROPIC_API_KEY");
    assert_eq!(lines[3], "ok   tools    4 on the server `byre`: convert, divide, greet, swatch");
    assert_eq!((err.as_str(), code), ("", Some(0)));
}

#[test]
fn the_doctor_says_what_is_missing() {
    let (out, _, code) = run(&["doctor"]);
    assert!(
        out.starts_with("BAD  claude   could not find the `claude` CLI: BYRE_CLAUDE is"),
        "{out}"
    );
    assert_eq!(code, Some(1));
    let (out, _, code) = doctor("logged-out");
    assert!(out.contains("\nBAD  login    not logged in; run `claude auth login`"), "{out}");
    assert_eq!(code, Some(1));
    let (out, _, code) = doctor("broken");
    let says = "\nBAD  version  none: `claude --version` ended with exit status: 127, \
                its last line on stderr: a library is missing\nok   tools";
    assert!(out.contains(says), "{out}");
    assert_eq!(code, Some(1));
}

#[test]
fn a_cli_that_can_not_tell_about_its_login_is_no_fault() {
    let (out, _, code) = doctor("too-old");
    let says = "\n?    login    this CLI does not tell, \
                its last line on stderr: error: unknown command 'auth'\n";
    assert!(out.contains(says), "{out}");
    assert_eq!(code, Some(0));
}
