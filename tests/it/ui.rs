//! What the compiler says of right and wrong uses of the macros.
//!
//! Every file in `tests/ui/*/fail` breaks one rule, after which it is named, and has the words of the
//! compiler beside it. `TRYBUILD=overwrite cargo test --test it ui` writes them anew; look at the
//! difference before you commit it.

use std::{fs, path::PathBuf, process::Command};

/// The release whose words stand in the `.stderr` files.
const RELEASE: &str = "rustc 1.95.";

/// Where the mistakes stand.
const FAIL: [&str; 4] = [
    "tests/ui/tool/fail",
    "tests/ui/toolset/fail",
    "tests/ui/hook/fail",
    "tests/ui/permission/fail",
];

#[test]
fn the_compiler_says_what_it_should() {
    let cases = trybuild::TestCases::new();
    cases.pass("tests/ui/tool/pass/*.rs");
    cases.pass("tests/ui/toolset/pass/*.rs");
    cases.pass("tests/ui/hook/pass/*.rs");
    cases.pass("tests/ui/permission/pass/*.rs");
    let version = rustc_version();
    if version.starts_with(RELEASE) {
        cases.compile_fail("tests/ui/tool/fail/*.rs");
        cases.compile_fail("tests/ui/toolset/fail/*.rs");
        cases.compile_fail("tests/ui/hook/fail/*.rs");
        cases.compile_fail("tests/ui/permission/fail/*.rs");
    } else {
        eprintln!(
            "NOT CHECKED: the words for mistakes are those of {RELEASE}*, and this is {version}; only \
             the files that must compile were tried"
        );
    }
}

#[expect(clippy::disallowed_methods, reason = "the compiler, which ends by itself")]
fn rustc_version() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output().expect("rustc runs");
    String::from_utf8(output.stdout).expect("rustc speaks UTF-8").trim().to_owned()
}

/// What byre's own messages say, where a trait says them, and not `compile_error!`.
const OWN_WORDS: [&str; 21] = [
    "can't be a parameter of a tool",
    "can't be the parameters of a tool",
    "the parameters of a tool or hook",
    "can't be a set of tools",
    "is no list of tools",
    "has no default of its own",
    "a tool can't return",
    "a tool can't fail with",
    "is not the input of a hook event",
    "can't answer",
    "the future of a tool or hook",
    "is not a parameter of a permission function",
    "is not an answer that this handler may give",
    "can't have a matcher",
    "can't be for one tool",
    "can't block by failing",
    "can't answer nothing",
    "can't be a parameter of a hook",
    "must have a plain name",
    "must take the input of",
    "can't be shared state",
];

/// Mistakes that a macro can't see or should not judge, so that the compiler has the first word.
const WORDS_OF_THE_COMPILER: [&str; 5] = [
    // An attribute is not told that it stands in an `impl` block; only `self` gives it away.
    "associated_function",
    // Two types do not fit, which the compiler says best.
    "default_of_wrong_type",
    // Not the type must have a schema, but what schemars makes of it, which `with` may change.
    "field_without_json_schema",
    // The body is not byre's: it reaches the compiler as it is.
    "mistake_in_the_body",
    // A function is not a type, and so can't be asked whether it is a tool.
    "tools_of_a_plain_function",
];

#[test]
fn the_first_error_is_in_the_words_of_byre() {
    for (file, stderr) in stderr_files() {
        let name = file.file_stem().and_then(|name| name.to_str()).expect("it has a name");
        if WORDS_OF_THE_COMPILER.contains(&name) {
            continue;
        }
        let first = stderr.lines().next().expect("a mistake has a message");
        let own = match first.strip_prefix("error: ") {
            // Without a code, it is a `compile_error!`, save for what the parser says.
            Some(message) => !message.contains("expected one of"),
            None => OWN_WORDS
                .iter()
                .chain(&["is not a tool", "is not a hook"])
                .any(|words| first.contains(words)),
        };
        assert!(own, "{} begins with {first:?}", file.display());
    }
}

#[test]
fn messages_are_lower_case_and_have_no_final_dot() {
    for (file, stderr) in stderr_files() {
        for message in stderr.lines().filter_map(|line| line.strip_prefix("error: ")) {
            let starts = message.chars().next().expect("a message has words");
            assert!(!starts.is_uppercase(), "{}: {message}", file.display());
            assert!(!message.ends_with('.'), "{}: {message}", file.display());
        }
    }
}

#[test]
fn every_mistake_has_its_words() {
    for folder in FAIL {
        for file in files(folder, "rs") {
            assert!(file.with_extension("stderr").exists(), "{} has no .stderr", file.display());
        }
        for file in files(folder, "stderr") {
            assert!(file.with_extension("rs").exists(), "{} is of no file", file.display());
        }
    }
}

/// Returns the words of the compiler for all mistakes, with the files that they stand in.
fn stderr_files() -> Vec<(PathBuf, String)> {
    let files = FAIL.map(|folder| files(folder, "stderr"));
    let read = |file: PathBuf| {
        let text = fs::read_to_string(&file).expect("the file is UTF-8");
        (file, text)
    };
    files.into_iter().flatten().map(read).collect()
}

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == extension));
    files.sort();
    files
}
