use super::*;

/// A machine with these variables and files.
struct Fake {
    variables: Vec<(&'static str, &'static str)>,
    files: Vec<&'static str>,
}

impl Machine for Fake {
    fn variable(&self, name: &str) -> Option<OsString> {
        self.variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
    }

    fn is_file(&self, path: &Path) -> bool {
        self.files.iter().any(|file| Path::new(file) == path)
    }
}

fn check(
    explicit: Option<&str>,
    variables: &[(&'static str, &'static str)],
    files: &[&'static str],
    want: &str,
) {
    let machine = Fake { variables: variables.to_vec(), files: files.to_vec() };
    let found = find_cli(explicit.map(Path::new), &machine).unwrap();
    assert_eq!(found, Path::new(want));
}

#[test]
fn looks_in_the_documented_order() {
    let files =
        ["/x/claude", "/y/claude", "/bin/claude", "/h/.local/bin/claude", "/usr/local/bin/claude"];
    let all = [("BYRE_CLAUDE", "/y/claude"), ("PATH", "/none:rel:/bin"), ("HOME", "/h")];
    check(Some("/x/claude"), &all, &files, "/x/claude");
    check(None, &all, &files, "/y/claude");
    check(None, &all[1..], &files, "/bin/claude");
    check(None, &all[2..], &files, "/h/.local/bin/claude");
    check(None, &[], &files, "/usr/local/bin/claude");
    check(None, &[("BYRE_CLAUDE", ""), ("PATH", "/bin")], &files, "/bin/claude");
}

#[test]
fn a_named_path_is_not_replaced_by_another() {
    let machine = Fake {
        variables: vec![("BYRE_CLAUDE", "/gone/claude"), ("PATH", "/bin")],
        files: vec!["/bin/claude"],
    };
    let error = find_cli(None, &machine).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::CliNotFound);
    assert!(error.to_string().contains("BYRE_CLAUDE is /gone/claude"), "{error}");
    let error = find_cli(Some(Path::new("/also/gone")), &machine).unwrap_err();
    assert!(error.to_string().contains("/also/gone"), "{error}");
}

#[test]
fn not_found_says_where_it_looked_and_what_to_do() {
    let machine = Fake { variables: vec![("PATH", "/a:/b"), ("HOME", "/h")], files: vec![] };
    let error = find_cli(None, &machine).unwrap_err().to_string();
    for part in ["/a/claude", "/b/claude", "/h/.claude/local/claude", "BYRE_CLAUDE", "cli_path"] {
        assert!(error.contains(part), "{part} is not in {error}");
    }
}

#[test]
fn not_found_names_each_place_once() {
    let variables = vec![("PATH", "/a:/usr/local/bin:/a"), ("HOME", "/h")];
    let machine = Fake { variables, files: vec![] };
    let error = find_cli(None, &machine).unwrap_err().to_string();
    for place in [" /a/claude", " /usr/local/bin/claude"] {
        assert_eq!(error.matches(place).count(), 1, "{place} in {error}");
    }
}
