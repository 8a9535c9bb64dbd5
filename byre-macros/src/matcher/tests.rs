use super::check;

#[test]
fn what_matches_what_it_looks_like_is_fine() {
    for matcher in [
        "*",
        "Bash",
        "Bash|Write",
        "Bash, Write",
        "mcp__byre__add",
        "mcp__byre__add|",
        "Bash ",
        "mcp__byre__.*",
        "mcp__.*",
        "mcp__byre__*",
        ".*add",
        "ad{2}",
        "^mcp__byre__add$",
        "mcp__byre__(add|sub)",
        "Note(book)?Edit",
        "(Note)?(Book)",
        "^(?!Bash$)",
        "(a)\\1",
        "claude-opus-5-5",
        "permission_prompt",
    ] {
        assert_eq!(check(matcher), Ok(()), "{matcher}");
    }
}

/// Checks that `matcher` is refused with words that hold `part`.
#[track_caller]
fn refused(matcher: &str, part: &str) {
    let error = check(matcher).expect_err(matcher);
    assert!(error.contains(part), "{matcher}: {error}");
}

#[test]
fn what_matches_nothing_is_refused_with_what_to_write() {
    refused("mcp__byre", "use `mcp__byre__.*`");
    refused("mcp__byre__", "use `mcp__byre__.*`");
    refused("Bash|mcp__byre", "use `mcp__byre__.*`");
    refused("mcp__", "use `mcp__.*`");
    refused("Bash Write", "use `Bash|Write`");
    refused("", "means everything");
    refused("  ", "means everything");
    refused("!Bash", "use `^(?!Bash$)`");
    refused("Bash(git *)", "use `Bash`");
    refused("Read(./src/**)", "use `Read`");
    refused("Bash(npm:*)", "use `Bash`");
}

#[test]
fn what_javascript_can_not_read_is_refused() {
    refused("[", "can't read `[`: unclosed character class");
    refused("mcp__(add", "unclosed group");
    refused("(?i)bash", "no flags");
    refused("(?i:bash)", "no flags");
    refused("(?P<x>a)", "no groups");
    refused("\\Abash", "use `^`");
}
