//! Holds the code of byre to the layers of `byre/docs/architecture.md`.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// Which modules of the crate each module may name. `*` means all.
const LAYERS: &[(&str, &[&str])] = &[
    ("error", &["error", "wire"]),
    ("wire", &["wire"]),
    ("transport", &["transport", "error", "wire"]),
    ("control", &["control", "transport", "error", "wire"]),
    ("function", &["function", "error", "wire"]),
    ("tool", &["tool", "function", "error", "wire"]),
    ("hook", &["hook", "function", "error", "wire"]),
    ("permission", &["permission", "function", "error", "wire"]),
    ("registry", &["registry", "tool", "hook", "function", "error", "wire"]),
    ("server", &["server", "tool", "function", "control::serve", "wire"]),
    (
        "host",
        &["host", "server", "registry", "hook", "permission", "function", "control::serve", "wire"],
    ),
    ("private", &["private", "tool", "hook", "permission", "function", "wire"]),
    ("seen", &["seen"]),
    ("sessions", &["sessions", "error", "wire"]),
    ("session", &["*"]),
    ("testing", &["*"]),
    ("cli", &["*"]),
    ("fuzzing", &["*"]),
    ("schedule", &["schedule"]),
    ("lib", &["*"]),
];

/// Names at the crate's root, and the module that each is from.
const ROOT_NAMES: &[(&str, &str)] = &[
    ("Clock", "error"),
    ("Error", "error"),
    ("ErrorKind", "error"),
    ("Exit", "error"),
    ("LastHeard", "error"),
    ("Result", "error"),
    ("Timeout", "error"),
    ("Event", "wire"),
    ("PermissionMode", "wire"),
    ("Transport", "transport"),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The lines of a source file that are code, with the text of `use crate::{…}` on one line.
fn code(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Every path below `crate::` that `code` names: `wire::json`, `Error`, …
fn crate_paths(code: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$') {
            continue;
        }
        let rest = &code[at + "crate::".len()..];
        if let Some(list) = rest.strip_prefix('{') {
            paths.extend(list_items(list));
        } else {
            paths.push(path_at(rest));
        }
    }
    paths
}

/// The first two segments of the path that `text` starts with.
fn path_at(text: &str) -> String {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    let path = text[..end.unwrap_or(text.len())].trim_end_matches(':');
    path.split("::").take(2).collect::<Vec<_>>().join("::")
}

/// The paths of a `{…}` list, as far as its own level goes.
fn list_items(list: &str) -> Vec<String> {
    let mut items = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                items.push(path_at(list[start..at].trim_start()));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                items.push(path_at(list[start..at].trim_start()));
                start = at + 1;
            }
            _ => {}
        }
    }
    items.retain(|item| !item.is_empty());
    items
}

fn faults(module: &str, file: &str, code: &str) -> Vec<String> {
    let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == module) else {
        return vec![format!("{file}: module `{module}` is in no layer")];
    };
    let mut faults = Vec::new();
    for path in crate_paths(code) {
        let first = path.split("::").next().unwrap();
        let root = ROOT_NAMES.iter().find(|(name, _)| *name == first);
        let owner = root.map_or(first, |(_, module)| *module);
        let fits = allowed.iter().any(|name| {
            *name == "*"
                || *name == owner
                || path == *name
                || path.starts_with(&format!("{name}::"))
        });
        if !fits {
            faults.push(format!("{file}: layer `{module}` must not name `crate::{path}`"));
        }
    }
    faults
}

#[test]
fn each_layer_knows_only_those_below_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("byre/src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 20, "found only {files:?}");
    let mut all = Vec::new();
    for file in files {
        let relative = file.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        let module = relative.split('/').next().unwrap().trim_end_matches(".rs");
        let text = fs::read_to_string(&file).unwrap();
        if !relative.ends_with("tests.rs") && !relative.contains("/tests/") {
            all.extend(faults(module, &relative, &code(&text)));
        }
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn the_test_sees_a_layer_that_reaches_up() {
    let code = "use crate::{\n    error::{Error, Result},\n    session::Session,\n};\n";
    assert_eq!(
        faults("wire", "wire/x.rs", code),
        [
            "wire/x.rs: layer `wire` must not name `crate::error::`",
            "wire/x.rs: layer `wire` must not name `crate::session::Session`",
        ]
        .map(|fault| fault.replace("error::`", "error`"))
    );
    assert_eq!(faults("host", "host.rs", "crate::control::serve::Serve").len(), 0);
    assert_eq!(faults("host", "host.rs", "crate::control::link::Link").len(), 1);
    assert_eq!(faults("tool", "tool.rs", "crate::Session::builder()").len(), 1);
}

/// The table lets some layers name everything; that is meant for what is below them.
#[test]
fn nothing_stands_on_the_command_line() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("byre/src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    files.retain(|file| !file.starts_with(root.join("cli")) && *file != root.join("cli.rs"));
    for file in files {
        let paths = crate_paths(&code(&fs::read_to_string(&file).unwrap()));
        let named = paths.iter().any(|path| path.split("::").next() == Some("cli"));
        assert!(!named, "{} must not name `crate::cli`", file.display());
    }
}

#[test]
fn only_one_place_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("byre/src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    // The macros are left to clippy.
    let prints = |file: &PathBuf| {
        let text = code(&fs::read_to_string(file).unwrap());
        text.contains("io::stdout()") || text.contains("io::stderr()")
    };
    let places: Vec<_> = files.iter().filter(|file| prints(file)).collect();
    assert_eq!(places, [&root.join("cli/report.rs")]);
}

#[test]
fn only_one_place_starts_a_process() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("byre/src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let starts = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        code(&text).contains("Command::new(")
    };
    let places: Vec<_> = files.iter().filter(|file| starts(file)).collect();
    assert_eq!(places, [&root.join("transport/process.rs")]);
}

#[test]
fn only_one_place_is_unsafe() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["byre/src", "byre-macros/src", "examples", "tests/fake_claude"] {
        sources(&root.join(folder), &mut files);
    }
    // The lint allows nothing without an attribute that names it.
    let is_unsafe =
        |file: &PathBuf| code(&fs::read_to_string(file).unwrap()).contains("unsafe_code");
    let places: Vec<_> = files.iter().filter(|file| is_unsafe(file)).collect();
    assert_eq!(places, [&root.join("byre/src/transport/process/tied.rs")]);
    let code = code(&fs::read_to_string(places[0]).unwrap());
    assert_eq!(code.matches("unsafe {").count(), 1);
}
