use serde_json::json;

use super::*;

#[test]
fn what_the_program_gave_is_hidden_as_it_stands_in_json() {
    let redactor = Redactor::new(["se\"cret\\value".to_owned(), "short".to_owned()]);
    let line = json!({"text": "it is se\"cret\\value, in short"}).to_string();
    assert_eq!(redactor.hide(&line), r#"{"text":"it is [redacted], in short"}"#);
}

#[test]
fn headers_and_environments_of_a_line_make_their_values_known() {
    let mut redactor = Redactor::default();
    let line = json!({"request": {"mcpServers": {
        "a": {"headers": {"Authorization": "Basic dXNlcjpwYXNz"}},
        "b": {"env": {"LEVEL": "info", "DB": "postgres://me:pw@db"}, "command": "serve-the-docs"},
    }}});
    redactor.read(&line.to_string(), false);
    let hidden = redactor.hide(&line.to_string()).into_owned();
    for gone in ["dXNlcjpwYXNz", "postgres://"] {
        assert!(!hidden.contains(gone), "{hidden}");
    }
    for left in ["serve-the-docs", "\"info\"", "Authorization", "DB"] {
        assert!(hidden.contains(left), "{hidden}");
    }
    // And from now on everywhere.
    assert_eq!(redactor.hide("\"postgres://me:pw@db\""), "\"[redacted]\"");
    assert!(serde_json::from_str::<Value>(&hidden).is_ok());
}

#[test]
fn the_accounts_address_is_hidden_and_any_other_is_not() {
    let mut redactor = Redactor::default();
    let answer = r#"{"response":{"response":{"account":{"email":"a@b.c"}}}}"#;
    redactor.read(answer, false);
    assert_eq!(redactor.hide(answer), answer);
    redactor.read(r#"{"type":"user","email":"x@y.z"}"#, true);
    redactor.read(r#"{"response":{"response":{"account":{"email":""}}}}"#, true);
    redactor.read(answer, true);
    assert_eq!(redactor.hide("\"a@b.c and x@y.z\""), "\"[redacted] and x@y.z\"");
}

#[test]
fn what_looks_like_a_token_is_hidden_wherever_it_stands() {
    let redactor = Redactor::default();
    for (line, want) in [
        (r#"{"k":"sk-ant-api03-abcdefghijkl"}"#, r#"{"k":"[redacted]"}"#),
        (r#"{"k":"x ghp_0123456789abcdefABCD y"}"#, r#"{"k":"x [redacted] y"}"#),
        (
            r#"{"h":"Authorization: Bearer abc.def-ghi_jkl"}"#,
            r#"{"h":"Authorization: Bearer [redacted]"}"#,
        ),
        (r#""AKIAABCDEFGHIJKLMNOP,AKIAABCDEFGHIJKLMNOP""#, r#""[redacted],[redacted]""#),
        (r#""first:\nghp_0123456789abcdefABCD""#, r#""first:\n[redacted]""#),
        (r#""\u000bghp_0123456789abcdefABCD""#, r#""\u000b[redacted]""#),
        // Too short for one, or the end of another word.
        (r#""C:\\nghp_0123456789abcdefABCD""#, r#""C:\\nghp_0123456789abcdefABCD""#),
        (r#""sk-ant-x""#, r#""sk-ant-x""#),
        (r#""the Bearer of bad news""#, r#""the Bearer of bad news""#),
        (r#""risk-ant-colonies-everywhere""#, r#""risk-ant-colonies-everywhere""#),
    ] {
        assert_eq!(redactor.hide(line), want);
    }
}

#[test]
fn hiding_leaves_json() {
    let line = r#"{"text":"\nora@b.c, nora@b.c, \"12345678","n":[12345678],"12345678":"x {"}"#;
    let hidden = |secret: &str| {
        let mut redactor = Redactor::default();
        redactor.remember(secret);
        let hidden = redactor.hide(line).into_owned();
        serde_json::from_str::<Value>(&hidden).unwrap_or_else(|error| panic!("{error}: {hidden}"));
        hidden
    };
    assert_eq!(hidden("nora@b.c"), line.replace(" nora@b.c", " [redacted]"));
    assert_eq!(hidden("12345678"), line.replace("\"12345678", "\"[redacted]"));
    assert_eq!(hidden("\""), line.replace(r#"\"12"#, "[redacted]12"));
    // What nobody calls a secret but a hostile CLI.
    for secret in ["{", ":", ",", "[", "n", "\\", "12", "text"] {
        hidden(secret);
    }
}

#[test]
fn the_names_of_secrets_are_known() {
    for name in ["ANTHROPIC_API_KEY", "gh_token", "DB_PASSWORD"] {
        assert!(names_a_secret(name), "{name}");
    }
    for name in ["PATH", "LANG", "HOME", "GIT_AUTHOR_NAME", "KEYBOARD"] {
        assert!(!names_a_secret(name), "{name}");
    }
}

#[test]
fn a_flood_of_secrets_is_bounded() {
    let many = (0..5000).map(|n| format!("secret number {n}"));
    assert_eq!(Redactor::new(many).known.len(), MOST);
}

#[test]
fn a_secret_that_another_begins_with_leaves_nothing_of_it() {
    for secrets in [["hunter22", "hunter22-of-production"], ["hunter22-of-production", "hunter22"]]
    {
        let redactor = Redactor::new(secrets.map(str::to_owned));
        assert_eq!(
            redactor.hide(r#"{"text":"hunter22-of-production, hunter22"}"#),
            r#"{"text":"[redacted], [redacted]"}"#
        );
    }
}
