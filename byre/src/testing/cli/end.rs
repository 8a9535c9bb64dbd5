//! How a turn ends, and the `result` that says so.

use serde_json::{Value, json};

use super::{
    hooks::Said,
    lines::{self, ApiFailure},
    turn::{Conversation, Turn},
};

/// How a turn ends.
pub(super) enum End {
    Completed,
    /// The model gave the value that it was asked for.
    Structured(Value),
    /// A hook ended it; the reason on the wire.
    Stopped(&'static str),
    /// A hook refused the prompt.
    Refused(Refusal),
    ApiError(Box<ApiFailure>),
    Interrupted(&'static str),
}

/// What comes of a prompt that a hook refused.
pub(super) struct Refusal {
    kind: &'static str,
    reason: String,
    text: String,
}

impl Refusal {
    pub(super) fn read(said: &Said, prompt: &str) -> Option<Self> {
        let (kind, reason) = match said {
            Said::Output(output) if output["decision"] == "block" => {
                ("blocked_by_hook", output["reason"].as_str().unwrap_or("Blocked by hook"))
            }
            Said::Output(output) if output["continue"] == false => {
                ("stopped_by_hook", output["stopReason"].as_str().unwrap_or_default())
            }
            Said::Refused => ("blocked_by_hook", "the hook gave no answer"),
            Said::Output(_) | Said::Failed => return None,
        };
        let text = if kind == "stopped_by_hook" {
            format!("Operation stopped by hook: {reason}")
        } else {
            format!(
                "UserPromptSubmit operation blocked by hook:\n{reason}\n\nOriginal prompt: {prompt}"
            )
        };
        Some(Self { kind, reason: reason.to_owned(), text })
    }
}

impl Conversation {
    /// Writes the `result`, and what belongs to it.
    pub(super) fn finish(&mut self, turn: &Turn, end: &End) {
        for uuid in &turn.folded {
            self.send(&lines::lifecycle(&self.cli, uuid, "completed"));
        }
        if let End::ApiError(failure) = end {
            let line = failure.line(&self.cli);
            self.send(&line);
        }
        if let End::Refused(refusal) = end {
            let outcome = json!({"kind": refusal.kind, "reason": refusal.reason});
            self.send_informational(&refusal.text, json!({"prompt_submit_outcome": outcome}));
        }
        let mut fields = self.result_fields(turn);
        match end {
            End::Completed => succeeded(&mut fields, &turn.text, Some("completed")),
            End::Structured(value) => {
                succeeded(&mut fields, &value.to_string(), Some("completed"));
                fields["structured_output"] = value.clone();
            }
            End::Stopped(reason) => succeeded(&mut fields, "", Some(reason)),
            End::Refused(refusal) => {
                succeeded(&mut fields, &refusal.text, None);
                fields["num_turns"] = 0.into();
            }
            End::ApiError(failure) => {
                succeeded(&mut fields, &failure.text, Some(failure.terminal_reason));
                fields["is_error"] = true.into();
                fields["stop_reason"] = "stop_sequence".into();
                fields["api_error_status"] = failure.status.into();
                fields["api_error_type"] = failure.error_type.clone();
            }
            End::Interrupted(reason) => {
                fields["subtype"] = "error_during_execution".into();
                fields["is_error"] = true.into();
                fields["terminal_reason"] = (*reason).into();
                fields["errors"] = json!(["[ede_diagnostic] result_type=user"]);
            }
        }
        self.last_was_error = fields["is_error"] == true;
        self.results += 1;
        self.send(&lines::result(&self.cli, fields));
        let state = match end {
            End::Interrupted(_) | End::ApiError(_) => "cancelled",
            End::Completed | End::Structured(_) | End::Stopped(_) | End::Refused(_) => "completed",
        };
        for uuid in &turn.prompts {
            self.send(&lines::lifecycle(&self.cli, uuid, state));
        }
    }

    /// What every `result` has.
    fn result_fields(&self, turn: &Turn) -> Value {
        let model = self.cli.settings().model;
        let elapsed = u64::try_from(turn.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let mut fields = json!({
            "duration_ms": elapsed,
            "duration_api_ms": elapsed,
            "num_turns": 1 + turn.user_lines,
            "stop_reason": turn.stop_reason,
            "total_cost_usd": lines::cost_usd(self.requests),
            "usage": lines::usage(turn.requests),
            "modelUsage": lines::model_usage(&model, self.requests),
            "model_usage_since_last_result": lines::model_usage(&model, turn.requests),
            "permission_denials": turn.denials,
            "queued_turn_count": 0,
            "result_index": self.results,
        });
        let uuids: Vec<_> = turn.prompts.iter().chain(&turn.folded).collect();
        if let Some(last) = turn.prompts.last() {
            fields["user_message_uuid"] = last.as_str().into();
            fields["user_message_uuids"] = json!(uuids);
        }
        fields
    }
}

fn succeeded(fields: &mut Value, text: &str, terminal_reason: Option<&str>) {
    fields["subtype"] = "success".into();
    fields["is_error"] = false.into();
    fields["result"] = text.into();
    fields["api_error_status"] = Value::Null;
    if let Some(reason) = terminal_reason {
        fields["terminal_reason"] = reason.into();
    }
}
