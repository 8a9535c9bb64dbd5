use super::*;

// Source: which matchers CLI 2.1.332 found to fit `mcp__byre__add`.
const TOOL: &str = "mcp__byre__add";

#[test]
fn matchers_fit_as_in_the_real_cli() {
    for pattern in [
        "",
        "*",
        TOOL,
        "mcp__byre__.*",
        "mcp__.*",
        "mcp__byre__*",
        "mcp__byre*",
        ".*add",
        "byre.",
        "^mcp__byre__add$",
        "Bash|mcp__byre__add",
        "Bash, mcp__byre__add",
        "mcp__byre__add|",
        "mcp__byre__add ",
    ] {
        assert!(matches(pattern, TOOL), "{pattern:?} fits");
    }
    for pattern in [
        "mcp__byre__a",
        "mcp__byre__",
        "mcp__byre",
        "byre",
        "add",
        "Bash|mcp__byre__a",
        "MCP__BYRE__ADD",
        "[",
        "(?i)mcp__byre__add",
        "!Bash",
    ] {
        assert!(!matches(pattern, TOOL), "{pattern:?} does not fit");
    }
}

#[test]
fn hooks_of_a_bad_shape_are_refused() {
    for hooks in [
        json!([]),
        json!({"Stop": {}}),
        json!({"Stop": [{"matcher": null}]}),
        json!({"Stop": [{"hookCallbackIds": [1]}]}),
        json!({"Stop": [{"matcher": 5, "hookCallbackIds": []}]}),
    ] {
        assert!(Hooks::read(&hooks).is_err(), "{hooks}");
    }
}

#[test]
fn callbacks_are_found_by_event_and_matcher() {
    let hooks = Hooks::read(&json!({
        "PreToolUse": [
            {"matcher": "Bash", "hookCallbackIds": ["a"]},
            {"matcher": null, "hookCallbackIds": ["b", "c"], "timeout": 0.5},
        ],
    }))
    .unwrap();
    let found = hooks.callbacks("PreToolUse", Some(TOOL));
    assert_eq!(found.iter().map(|callback| callback.id.as_str()).collect::<Vec<_>>(), ["b", "c"]);
    assert_eq!(found[0].timeout, Duration::from_millis(500));
    assert!(hooks.callbacks("Stop", None).is_empty());
}
