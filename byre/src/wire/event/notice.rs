//! What the CLI says to the person, and about models that refuse.

use super::{
    assistant::AssistantError,
    table::{record, words},
};

words! {
    /// How important an [`Informational`] is.
    pub enum Level {
        /// It is good to know.
        Info = "info",
        /// It should be seen.
        Notice = "notice",
        /// It proposes something.
        Suggestion = "suggestion",
        /// Something is wrong.
        Warning = "warning",
    }
}

record! {
    /// `system`/`informational`: something that the person should read.
    r#"{"type":"system","subtype":"informational","content":"The hook failed.","level":"warning","tag":"hook_callback_failed","session_id":"8f3a…","uuid":"…"}"#
    pub struct Informational {
        /// What it says.
        pub content: String,
        /// How important it is.
        pub level: Level,
        /// The call that it is about.
        pub tool_use_id: Option<String>,
        /// The turn does not go on.
        pub prevent_continuation: Option<bool>,
        /// What it is about, for programs: `hook_callback_failed` for example.
        pub tag: Option<String>,
        /// What became of a prompt that a hook saw; seen with 2.1.332.
        pub prompt_submit_outcome: Option<PromptSubmitOutcome>,
    }
    line
}

words! {
    /// What a hook did about a prompt.
    pub enum PromptSubmitKind {
        /// It did not let it through.
        BlockedByHook = "blocked_by_hook",
        /// It stopped the session.
        StoppedByHook = "stopped_by_hook",
        /// It did not say.
        NoVerdict = "no_verdict",
    }
}

record! {
    /// [`Informational::prompt_submit_outcome`].
    r#"{"kind":"blocked_by_hook","prompt_kept":false,"reason":"no secrets"}"#
    pub struct PromptSubmitOutcome {
        /// What the hook did.
        pub kind: PromptSubmitKind,
        /// The prompt stays in the conversation.
        pub prompt_kept: bool,
        /// Why.
        pub reason: Option<String>,
        /// Why the hook did not say.
        pub no_verdict_kind: Option<String>,
    }
}

words! {
    /// How urgent a [`Notification`] is.
    pub enum NotificationPriority {
        /// Not at all.
        Low = "low",
        /// A little.
        Medium = "medium",
        /// Very.
        High = "high",
        /// It can't wait.
        Immediate = "immediate",
    }
}

record! {
    /// `system`/`notification`: a line for the edge of the screen.
    r#"{"type":"system","subtype":"notification","key":"update","text":"A new version is there.","priority":"low","session_id":"8f3a…","uuid":"…"}"#
    pub struct Notification {
        /// What it is about; a new one with the same key takes its place.
        pub key: String,
        /// What it says.
        pub text: String,
        /// How urgent it is.
        pub priority: NotificationPriority,
        /// Its colour.
        pub color: Option<String>,
        /// How long it is shown, in milliseconds.
        pub timeout_ms: Option<u64>,
    }
    line
}

record! {
    /// `system`/`local_command_output`: what a command printed that the CLI carries out itself.
    r#"{"type":"system","subtype":"local_command_output","content":"5 files","session_id":"8f3a…","uuid":"…"}"#
    pub struct LocalCommandOutput {
        /// What it printed.
        pub content: String,
    }
    line
}

record! {
    /// `system`/`api_retry`: a request has failed, and is tried again.
    r#"{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":522,"error_status":500,"error":"server_error","session_id":"8f3a…","uuid":"…"}"#
    pub struct ApiRetry {
        /// Which retry it is, counted from 1.
        pub attempt: u64,
        /// How many there are at most.
        pub max_retries: u64,
        /// How long until then, in milliseconds.
        pub retry_delay_ms: u64,
        /// The HTTP status; `None` where no answer came.
        pub error_status: Option<u16>,
        /// What kind of failure it is.
        pub error: AssistantError,
        /// How long the CLI has waited in vain.
        pub no_response: Option<NoResponse>,
    }
    line
}

record! {
    /// [`ApiRetry::no_response`].
    r#"{"waited_ms":60000,"retry_wait_ms":90000}"#
    pub struct NoResponse {
        /// How long it has waited, in milliseconds.
        pub waited_ms: u64,
        /// How long it will wait the next time, in milliseconds.
        pub retry_wait_ms: u64,
    }
}

words! {
    /// How the session goes on after a refusal.
    pub enum FallbackDirection {
        /// The other model tries.
        Retry = "retry",
        /// The first model is back, in older CLIs.
        Revert = "revert",
        /// The other model stays, in older CLIs.
        Sticky = "sticky",
    }
}

words! {
    /// How far a change of model goes.
    pub enum FallbackScope {
        /// The whole session.
        Session = "session",
        /// This request.
        Local = "local",
    }
}

record! {
    /// `system`/`model_refusal_fallback`: the model has refused, and another one answers.
    r#"{"type":"system","subtype":"model_refusal_fallback","trigger":"refusal","direction":"retry","original_model":"claude-opus-5-5","fallback_model":"claude-sonnet-5","request_id":"req_1","content":"Switched models.","session_id":"8f3a…","uuid":"…"}"#
    pub struct ModelRefusalFallback {
        /// `refusal`.
        pub trigger: String,
        /// How the session goes on.
        pub direction: FallbackDirection,
        /// How far the change goes.
        pub scope: Option<FallbackScope>,
        /// The model that refused.
        pub original_model: String,
        /// The model that answers.
        pub fallback_model: String,
        /// The API's id of the request.
        pub request_id: Option<String>,
        /// Why the API refused, in a word.
        pub api_refusal_category: Option<String>,
        /// Why the API refused.
        pub api_refusal_explanation: Option<String>,
        /// The lines that are taken back, by their `uuid`.
        pub retracted_message_uuids: Vec<String>,
        /// The prompt that was refused.
        pub refused_user_message_uuid: Option<String>,
        /// The same for a person.
        pub content: String,
    }
    line
}

record! {
    /// `system`/`model_refusal_no_fallback`: the model has refused, and no other one answers.
    r#"{"type":"system","subtype":"model_refusal_no_fallback","original_model":"claude-opus-5-5","request_id":"req_1","content":"The model refused.","session_id":"8f3a…","uuid":"…"}"#
    pub struct ModelRefusalNoFallback {
        /// The model that refused.
        pub original_model: String,
        /// The API's id of the request.
        pub request_id: Option<String>,
        /// Why the API refused, in a word.
        pub api_refusal_category: Option<String>,
        /// Why the API refused.
        pub api_refusal_explanation: Option<String>,
        /// The prompt that was refused.
        pub refused_user_message_uuid: Option<String>,
        /// The same for a person.
        pub content: String,
    }
    line
}

record! {
    /// `system`/`permission_denied`: a tool was not allowed to run, and nobody was asked. The list of the
    /// [`result`](super::ResultEvent::permission_denials) is the one that counts.
    r#"{"type":"system","subtype":"permission_denied","tool_name":"Bash","tool_use_id":"toolu_3","decision_reason_type":"rule","message":"Denied by a rule.","session_id":"8f3a…","uuid":"…"}"#
    pub struct PermissionDenied {
        /// The tool.
        pub tool_name: String,
        /// The call.
        pub tool_use_id: String,
        /// The subagent that called it.
        pub agent_id: Option<String>,
        /// What kind of reason there is.
        pub decision_reason_type: Option<String>,
        /// The reason.
        pub decision_reason: Option<String>,
        /// What the model is told.
        pub message: String,
    }
    line
}
