use std::time::Duration;

use serde_json::{Value, json};

use super::{
    mcp::{McpCall, McpServerConfig},
    sandbox::Sandbox,
};

/// Merges a sandbox over the one of the settings.
fn check_merge(sandbox: &Sandbox, settings: &Value, want: &Value) {
    assert_eq!(sandbox.merge_over(Some(settings)), *want, "over {settings}");
}

#[test]
fn a_sandbox_stands_alone() {
    let got = Sandbox::new().allowed_domains(["crates.io"]).deny_read(["~/.ssh"]).merge_over(None);
    let want = json!({
        "enabled": true, "failIfUnavailable": true,
        "network": {"allowedDomains": ["crates.io"]}, "filesystem": {"denyRead": ["~/.ssh"]},
    });
    assert_eq!(got, want);
    assert_eq!(Sandbox::off().merge_over(None), json!({"enabled": false}));
    assert_eq!(
        Sandbox::new().fail_if_unavailable(false).merge_over(None)["failIfUnavailable"],
        false
    );
}

#[test]
fn what_is_forbidden_adds_up_and_the_rest_is_replaced() {
    check_merge(
        &Sandbox::new()
            .deny_read(["b", "a"])
            .deny_write(["w"])
            .denied_domains(["two"])
            .excluded_commands(["git"])
            .field("ripgrep", json!({"command": "rg"})),
        &json!({
            "filesystem": {"denyRead": ["a"], "allowWrite": ["out"]},
            "network": {"deniedDomains": ["one"]},
            "excludedCommands": ["docker"],
            "ripgrep": {"command": "old", "args": ["-x"]},
            "failIfUnavailable": false,
        }),
        &json!({
            "enabled": true,
            "failIfUnavailable": false,
            "filesystem": {"denyRead": ["a", "b"], "denyWrite": ["w"], "allowWrite": ["out"]},
            "network": {"deniedDomains": ["one", "two"]},
            "excludedCommands": ["git"],
            "ripgrep": {"command": "rg"},
        }),
    );
}

#[test]
fn settings_do_not_widen_a_sandbox_again() {
    check_merge(
        &Sandbox::new().deny_read(["a"]).allowed_domains(["x"]),
        &json!({
            "filesystem": {"disabled": true},
            "network": {"httpProxyPort": 1, "socksProxyPort": 2, "allowLocalBinding": true},
        }),
        &json!({
            "enabled": true, "failIfUnavailable": true,
            "filesystem": {"denyRead": ["a"]},
            "network": {"allowedDomains": ["x"], "allowLocalBinding": true},
        }),
    );
    check_merge(
        &Sandbox::new(),
        &json!({"filesystem": {"disabled": true}, "network": {"httpProxyPort": 1}}),
        &json!({
            "enabled": true, "failIfUnavailable": true,
            "filesystem": {"disabled": true}, "network": {"httpProxyPort": 1},
        }),
    );
    let port = json!({"allowedDomains": ["x"], "httpProxyPort": 9});
    check_merge(
        &Sandbox::new().field("network", port.clone()),
        &json!({"network": {"httpProxyPort": 1, "socksProxyPort": 2}}),
        &json!({"enabled": true, "failIfUnavailable": true, "network": port}),
    );
}

#[test]
fn debug_shows_no_secret_of_a_server() {
    let configs = [
        McpServerConfig::stdio("docs").args(["--key=hay1"]).env("TOKEN", "hay2"),
        McpServerConfig::http("https://u:hay3@x").header("Authorization", "hay4"),
    ];
    let text = format!("{configs:?}");
    assert!(!text.contains("hay"), "{text}");
    assert!(text.contains("TOKEN") && text.contains("Authorization"), "{text}");
}

#[test]
fn a_server_that_the_cli_would_skip_is_at_fault() {
    let fault = |config: McpServerConfig| config.fault();
    assert_eq!(fault(McpServerConfig::stdio("x").env("A", "b")), None);
    assert_eq!(fault(McpServerConfig::stdio("")).unwrap(), "has an empty command");
    assert_eq!(fault(McpServerConfig::sse("")).unwrap(), "has an empty url");
    assert!(fault(McpServerConfig::stdio("x").header("A", "b")).unwrap().contains("`headers`"));
    assert!(fault(McpServerConfig::http("x").env("A", "b")).unwrap().contains("`env`"));
    let short = McpServerConfig::http("x").timeout(Duration::from_millis(999));
    assert!(fault(short).unwrap().contains("less than a second"));
}

#[test]
fn a_call_says_how_long_it_may_take() {
    let (body, limit) = McpCall::new("docs", "search").into_parts();
    assert_eq!((body, limit), (json!({"tool": "mcp__docs__search"}), Duration::from_secs(120)));
    let (body, limit) = McpCall::new("a", "b").timeout(Duration::from_secs(300)).into_parts();
    assert_eq!((&body["timeout_ms"], limit), (&json!(300_000), Duration::from_secs(300)));
}
