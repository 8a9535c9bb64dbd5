//! Holds `byre/docs/faults.md` to the tests that it names.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// What stands in the place of a test where there is none.
const NONE: &str = "none";

/// The source files of each test binary, and where its modules begin.
const ROOTS: [(&str, &str); 4] = [
    ("byre", "byre/src"),
    ("byre_macros", "byre-macros/src"),
    ("it", "tests/it"),
    ("live", "tests/live"),
];

/// One line of the table.
#[derive(Debug)]
struct Row {
    number: String,
    fault: String,
    answer: String,
    /// The names of its tests, or `none: ` and the reason.
    tests: String,
}

impl Row {
    /// The tests that it names, or why there is none.
    fn tests(&self) -> Result<Vec<&str>, &str> {
        match self.tests.strip_prefix(NONE) {
            Some(reason) => Err(reason.trim_start_matches(':').trim()),
            // What stands between backticks.
            None => Ok(self.tests.split('`').skip(1).step_by(2).collect()),
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn table() -> String {
    fs::read_to_string(root().join("byre/docs/faults.md")).unwrap()
}

/// The lines of all tables in a text, without their heads.
fn rows(text: &str) -> Vec<Row> {
    let lines = text.lines().filter(|line| line.starts_with('|'));
    let cells = lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect());
    let cells = cells.filter(|cells: &Vec<&str>| cells[0] != "#" && !cells[0].starts_with('-'));
    let row = |cells: Vec<&str>| match cells[..] {
        [number, fault, answer, tests] => Row {
            number: number.to_owned(),
            fault: fault.to_owned(),
            answer: answer.to_owned(),
            tests: tests.to_owned(),
        },
        _ => panic!("a row has {} cells: {cells:?}", cells.len()),
    };
    cells.map(row).collect()
}

/// What is wrong with a row, as far as one can tell without the sources.
fn fault(row: &Row) -> Option<&'static str> {
    if row.fault.is_empty() || row.answer.is_empty() {
        return Some("says too little");
    }
    match row.tests() {
        Err(reason) if reason.len() < 20 => Some("gives no reason why there is no test"),
        Ok(tests) if tests.is_empty() => Some("names no test"),
        _ => None,
    }
}

/// Looks for a test by its name, as `cargo test` writes it, behind that of its binary; `Err` says what is not
/// there. `ui::…` is a program that the compiler must refuse.
fn find(name: &str) -> Result<(), String> {
    let missing = || format!("there is no test {name}");
    let parts: Vec<_> = name.split("::").collect();
    let Some((&"ui", rest)) = parts.split_first() else {
        return find_function(&parts).ok_or_else(missing);
    };
    let path = root().join("tests/ui").join(rest.join("/"));
    let is_there = path.with_extension("rs").is_file() && path.with_extension("stderr").is_file();
    if is_there { Ok(()) } else { Err(missing()) }
}

fn find_function(parts: &[&str]) -> Option<()> {
    let (binary, rest) = parts.split_first()?;
    let (function, modules) = rest.split_last()?;
    let folder = ROOTS.iter().find(|(name, _)| name == binary)?.1;
    // The file of the innermost module that has one; modules below it stand in it.
    let file = (1..=modules.len()).rev().find_map(|count| {
        let path = root().join(folder).join(modules[..count].join("/")).with_extension("rs");
        path.is_file().then_some((path, count))
    });
    let (file, count): (PathBuf, usize) = file?;
    let text = fs::read_to_string(file).ok()?;
    let inline = &modules[count..];
    let in_place = inline.iter().all(|module| text.contains(&format!("mod {module} {{")));
    (in_place && has_test(&text, function)).then_some(())
}

/// Says whether a function of this name follows the attribute of a test, with nothing but attributes and
/// comments between.
fn has_test(text: &str, function: &str) -> bool {
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            is_test = true;
        } else if is_test {
            let rest = line.strip_prefix("async ").unwrap_or(line);
            if rest.strip_prefix("fn ").is_some_and(|rest| rest.split('(').next() == Some(function))
            {
                return true;
            }
            is_test = line.starts_with("#[") || line.starts_with("//");
        }
    }
    false
}

#[test]
fn every_fault_has_a_test_that_is_there_or_a_reason() {
    let text = table();
    let rows = rows(&text);
    assert!(rows.len() > 80, "only {} rows were read", rows.len());
    let mut wrong = Vec::new();
    for (row, number) in rows.iter().zip(1..) {
        if row.number != format!("{number}") {
            wrong.push(format!("row {} is the {number}th", row.number));
        }
        wrong.extend(fault(row).map(|fault| format!("row {} {fault}", row.number)));
        let missing =
            row.tests().unwrap_or_default().into_iter().filter_map(|name| find(name).err());
        wrong.extend(missing.map(|missing| format!("row {}: {missing}", row.number)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_two_rows_are_about_the_same() {
    let text = table();
    let rows = rows(&text);
    let faults: BTreeSet<_> = rows.iter().map(|row| row.fault.as_str()).collect();
    assert_eq!(faults.len(), rows.len());
}

#[test]
fn a_row_without_a_test_and_a_test_that_is_gone_are_seen() {
    let row = |tests: &str| {
        let [row] = &mut rows(&format!("| 1 | It hangs. | It does not. | {tests} |"))[..] else {
            panic!("one row")
        };
        fault(row)
    };
    assert_eq!(row(""), Some("names no test"));
    assert_eq!(row("soon"), Some("names no test"));
    assert_eq!(row("none"), Some("gives no reason why there is no test"));
    assert_eq!(row("none: it is out of scope, as byre stores nothing itself"), None);
    assert_eq!(row("`it::faults::x`"), None);
    find("it::faults::a_row_without_a_test_and_a_test_that_is_gone_are_seen").unwrap();
    find("byre::control::pump::tests::unknown_and_stray_lines_end_nothing").unwrap();
    find("ui::tool::fail::no_description").unwrap();
    for gone in [
        "it::faults::find",
        "it::faults::no_such_test",
        "it::no_such_module::x",
        "byre::control::pump::tests::Echo",
        "control::pump::tests::unknown_and_stray_lines_end_nothing",
        "ui::tool::fail::no_such_program",
        "ui",
        "it",
        "",
    ] {
        assert!(find(gone).is_err(), "{gone}");
    }
}
