use serde_json::json;

use super::{
    info::{CliInfo, ModelInfo},
    usage::ContextUsage,
};

#[test]
fn an_answer_is_read_and_keeps_what_is_unknown() {
    let line = json!({
        "models": [{"value": "default", "resolvedModel": "claude-opus-5-5", "supportsEffort": true,
            "supportedEffortLevels": ["low", "max"], "supportsThinkingOff": false}],
        "account": {"email": "ada@example.com", "apiProvider": "firstParty"},
        "pid": 1000, "claude_code_version": "2.1.332", "mcp_servers_applied": true,
        "feedback_mode": {"kind": "disabled"},
    });
    let info = CliInfo::from(line.clone());
    assert_eq!(info.version.as_deref(), Some("2.1.332"));
    assert_eq!(
        (info.pid, info.mcp_servers_applied, info.hooks_applied),
        (Some(1000), Some(true), None)
    );
    assert_eq!(info.models[0].resolved_model.as_deref(), Some("claude-opus-5-5"));
    assert_eq!(info.models[0].supported_effort_levels, ["low", "max"]);
    assert_eq!(info.models[0].raw()["supportsThinkingOff"], false);
    assert_eq!(info.raw()["feedback_mode"]["kind"], "disabled");
    assert_eq!(serde_json::to_value(&info).unwrap(), line);
}

#[test]
fn a_field_of_another_shape_costs_only_itself() {
    let info = CliInfo::from(json!({"pid": "many", "models": {}, "output_style": "Concise"}));
    assert_eq!((info.pid, info.models.len(), info.output_style.as_str()), (None, 0, "Concise"));
    for odd in [json!(null), json!([1]), json!("text")] {
        assert_eq!(CliInfo::from(odd.clone()).raw(), &odd);
    }
    let models = super::field::<Vec<ModelInfo>>(&json!({"models": [7, {"value": "x"}]}), "models");
    assert_eq!(models.iter().map(|model| model.value.as_str()).collect::<Vec<_>>(), ["", "x"]);
}

#[test]
fn numbers_are_read_whether_whole_or_not() {
    let usage = ContextUsage::from(json!({"percentage": 6, "totalTokens": 12_000}));
    assert_eq!(usage.total_tokens, 12_000);
    let percentages = [usage, ContextUsage::from(json!({"percentage": 6.5}))];
    assert_eq!(format!("{:?}", percentages.map(|usage| usage.percentage)), "[6.0, 6.5]");
}

#[test]
fn debug_shows_no_address_and_nothing_unknown() {
    let info = CliInfo::from(json!({
        "account": {"email": "ada@example.com", "organization": "Example"}, "secret": "hay",
    }));
    assert_eq!(info.account.email(), Some("ada@example.com"));
    let text = format!("{info:?} {:?}", info.account);
    assert!(text.contains("Example") && !text.contains('@') && !text.contains("hay"), "{text}");
}
