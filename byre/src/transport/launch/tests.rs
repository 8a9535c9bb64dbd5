use super::*;

/// Compares the whole command line with `want`.
fn check(launch: &Launch, want: &[&str]) {
    assert_eq!(launch.args(), want, "{launch:#?}");
}

const ALWAYS: [&str; 3] =
    ["--output-format=stream-json", "--input-format=stream-json", "--verbose"];

#[test]
fn the_plain_launch_has_only_the_protocol() {
    check(&Launch::default(), &ALWAYS);
}

#[test]
fn every_option_has_its_flag() {
    let launch = Launch {
        model: Some("opus".to_owned()),
        permission_mode: Some(PermissionMode::BypassPermissions),
        resume: Some("8f3a8990-6fca-4756-b667-0911376e0d4c".to_owned()),
        fork_session: true,
        include_partial_messages: true,
        without_attribution: true,
        own_servers: ["byre", "a \"b\""].map(|name| OwnServer::new(name, true, None)).into(),
        allowed_tools: vec!["mcp__byre".to_owned(), "mcp__stock".to_owned()],
        extra_args: vec![("tools".to_owned(), Some(String::new())), ("--bare".to_owned(), None)],
        ..Launch::default()
    };
    check(
        &launch,
        &[
            ALWAYS[0],
            ALWAYS[1],
            ALWAYS[2],
            "--model=opus",
            "--resume=8f3a8990-6fca-4756-b667-0911376e0d4c",
            "--permission-mode=bypassPermissions",
            "--settings={\"attribution\":{\"commit\":\"\",\"pr\":\"\"}}",
            "--mcp-config={\"mcpServers\":{\
         \"byre\":{\"type\":\"sdk\",\"name\":\"byre\",\"alwaysLoad\":true},\
         \"a \\\"b\\\"\":{\"type\":\"sdk\",\"name\":\"a \\\"b\\\"\",\"alwaysLoad\":true}}}",
            "--allowedTools=mcp__byre,mcp__stock",
            "--fork-session",
            "--include-partial-messages",
            "--allow-dangerously-skip-permissions",
            "--tools=",
            "--bare",
        ],
    );
}

#[test]
fn a_value_that_looks_like_a_flag_stays_a_value() {
    let launch = Launch { resume: Some("-rf".to_owned()), ..Launch::default() };
    check(&launch, &[ALWAYS[0], ALWAYS[1], ALWAYS[2], "--resume=-rf"]);
}

#[test]
fn only_bypass_mode_allows_bypassing() {
    for mode in [
        PermissionMode::Default,
        PermissionMode::AcceptEdits,
        PermissionMode::Plan,
        PermissionMode::DontAsk,
        PermissionMode::Auto,
    ] {
        let launch = Launch { permission_mode: Some(mode), ..Launch::default() };
        let flag = format!("--permission-mode={}", mode.as_str());
        check(&launch, &[ALWAYS[0], ALWAYS[1], ALWAYS[2], &flag]);
    }
}

/// The environment that comes of a launch: what is set, and what is removed (`None`).
fn environment(launch: &Launch) -> BTreeMap<String, Option<String>> {
    let text = |text: OsString| text.into_string().unwrap();
    let changes = launch.environment().into_iter();
    changes.map(|(name, value)| (text(name), value.map(text))).collect()
}

#[test]
fn the_environment_loses_what_would_leak_in_and_says_who_reads() {
    let got = environment(&Launch::default());
    let mut want: BTreeMap<_, _> =
        REMOVED_VARIABLES.iter().map(|name| ((*name).to_owned(), None)).collect();
    want.insert("CLAUDE_CODE_SDK_READS_SESSION_STATE".to_owned(), Some("1".to_owned()));
    assert_eq!(got, want);
    for name in ["CLAUDECODE", "NODE_OPTIONS", "DEBUG", "CLAUDE_CODE_ENTRYPOINT"] {
        assert!(REMOVED_VARIABLES.contains(&name), "{name}");
    }
}

#[test]
fn the_programs_own_variables_win() {
    let mut launch = Launch { current_dir: Some("/srv/app".into()), ..Launch::default() };
    launch.commit_identity = Some(("Ada".to_owned(), "ada@example.com".to_owned()));
    launch.client_app = Some("robot/1".to_owned());
    launch.set_env("DEBUG".as_ref(), Some("1".as_ref()));
    launch.set_env("GIT_AUTHOR_NAME".as_ref(), Some("Bo".as_ref()));
    launch.set_env("HOME".as_ref(), None);
    launch.set_env("claude_code_sdk_reads_session_state".as_ref(), Some("0".as_ref()));
    let mut got = environment(&launch);
    got.retain(|name, value| value.is_some() || name == "HOME");
    let want = [
        ("CLAUDE_AGENT_SDK_CLIENT_APP", Some("robot/1")),
        ("DEBUG", Some("1")),
        ("GIT_AUTHOR_EMAIL", Some("ada@example.com")),
        ("GIT_AUTHOR_NAME", Some("Bo")),
        ("GIT_COMMITTER_EMAIL", Some("ada@example.com")),
        ("GIT_COMMITTER_NAME", Some("Ada")),
        ("HOME", None),
        ("PWD", Some("/srv/app")),
        ("claude_code_sdk_reads_session_state", Some("0")),
    ];
    let want = want.map(|(name, value)| (name.to_owned(), value.map(str::to_owned)));
    assert_eq!(got, want.into_iter().collect());
}

#[test]
fn a_missing_working_directory_is_named() {
    let launch = Launch { current_dir: Some("/no/such/folder".into()), ..Launch::default() };
    let error = launch.checked_current_dir().unwrap_err();
    assert!(error.to_string().contains("/no/such/folder"), "{error}");
}
