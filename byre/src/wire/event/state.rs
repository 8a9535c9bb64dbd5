//! How the session fares, beside its turns.

use serde_json::Value;

use super::table::{record, words};

words! {
    /// What the CLI does at the moment.
    pub enum Activity {
        /// It makes the conversation shorter.
        Compacting = "compacting",
        /// It waits for the API.
        Requesting = "requesting",
    }
}

words! {
    /// How making the conversation shorter went.
    pub enum CompactResult {
        /// Well.
        Success = "success",
        /// Not well.
        Failed = "failed",
    }
}

record! {
    /// `system`/`status`: what the CLI does at the moment.
    r#"{"type":"system","subtype":"status","status":"requesting","session_id":"8f3a…","uuid":"…"}"#
    pub struct Status {
        /// What it does; `None` for nothing in particular.
        pub status: Option<Activity>,
        /// The permission mode, where it has changed; as on the wire.
        pub permission_mode: Option<String> = "permissionMode",
        /// How making the conversation shorter went.
        pub compact_result: Option<CompactResult>,
        /// Why it failed.
        pub compact_error: Option<String>,
    }
    line
}

words! {
    /// Who has asked to make the conversation shorter.
    pub enum CompactTrigger {
        /// A person.
        Manual = "manual",
        /// The CLI itself: the context was full.
        Auto = "auto",
    }
}

record! {
    /// `system`/`compact_boundary`: the conversation was made shorter here.
    r#"{"type":"system","subtype":"compact_boundary","compact_metadata":{"trigger":"auto","pre_tokens":180000,"post_tokens":9000,"duration_ms":12000},"session_id":"8f3a…","uuid":"…"}"#
    pub struct CompactBoundary {
        /// How.
        pub compact_metadata: CompactMetadata,
        /// The line that this one follows in the conversation; seen with 2.1.332.
        pub logical_parent_uuid: Option<String>,
    }
    line
}

record! {
    /// [`CompactBoundary::compact_metadata`].
    r#"{"trigger":"manual","pre_tokens":180000,"post_tokens":9000,"duration_ms":12000,"preserved_messages":{"anchor_uuid":"0f6f…","uuids":["77aa…"]}}"#
    pub struct CompactMetadata {
        /// Who has asked for it.
        pub trigger: CompactTrigger,
        /// Tokens before.
        pub pre_tokens: u64,
        /// Tokens after.
        pub post_tokens: Option<u64>,
        /// How long it took, in milliseconds.
        pub duration_ms: Option<u64>,
        /// The end of the conversation that stays.
        pub preserved_segment: Option<PreservedSegment>,
        /// The messages that stay.
        pub preserved_messages: Option<PreservedMessages>,
        /// Tokens dropped since the session began; seen with 2.1.332.
        pub cumulative_dropped_tokens: Option<u64>,
    }
}

record! {
    /// [`CompactMetadata::preserved_segment`], by the `uuid` of lines.
    r#"{"head_uuid":"0f6f…","anchor_uuid":"11aa…","tail_uuid":"77aa…"}"#
    pub struct PreservedSegment {
        /// Its first line.
        pub head_uuid: String,
        /// The line that it follows now.
        pub anchor_uuid: String,
        /// Its last line.
        pub tail_uuid: String,
    }
}

record! {
    /// [`CompactMetadata::preserved_messages`], by the `uuid` of lines.
    r#"{"anchor_uuid":"11aa…","uuids":["0f6f…","77aa…"]}"#
    pub struct PreservedMessages {
        /// The line that they follow now.
        pub anchor_uuid: String,
        /// The lines.
        pub uuids: Vec<String>,
    }
}

words! {
    /// Whether the session waits.
    pub enum SessionState {
        /// For a prompt.
        Idle = "idle",
        /// For nothing; it works.
        Running = "running",
        /// For an answer of a person.
        RequiresAction = "requires_action",
    }
}

record! {
    /// `system`/`session_state_changed`: whether the session waits.
    r#"{"type":"system","subtype":"session_state_changed","state":"idle","session_id":"8f3a…","uuid":"…"}"#
    pub struct SessionStateChanged {
        /// For what.
        pub state: SessionState,
        /// It is for the host alone, and not to be passed on.
        pub sdk_host_only: Option<bool>,
    }
    line
}

record! {
    /// `system`/`session_title_changed`: the session has a new title.
    r#"{"type":"system","subtype":"session_title_changed","title":"Two and three","session_id":"8f3a…","uuid":"…"}"#
    pub struct SessionTitleChanged {
        /// The title.
        pub title: String,
    }
    line
}

record! {
    /// `system`/`thinking_tokens`: how much the model has thought so far.
    r#"{"type":"system","subtype":"thinking_tokens","estimated_tokens":120,"estimated_tokens_delta":20,"session_id":"8f3a…","uuid":"…"}"#
    pub struct ThinkingTokens {
        /// Tokens, by estimate.
        pub estimated_tokens: u64,
        /// How many more than in the event before.
        pub estimated_tokens_delta: u64,
        /// The prompt that is answered.
        pub user_message_uuid: Option<String>,
    }
    line
}

words! {
    /// How far something is that the host has asked for.
    pub enum RequestStatus {
        /// It has begun.
        Started = "started",
        /// The API failed, and is asked again.
        ApiRetry = "api_retry",
    }
}

record! {
    /// `system`/`control_request_progress`: how far something is that the host has asked for.
    r#"{"type":"system","subtype":"control_request_progress","request_id":"byre-3","status":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":500,"error_status":529,"session_id":"8f3a…","uuid":"…"}"#
    pub struct ControlRequestProgress {
        /// The host's id of the request.
        pub request_id: String,
        /// How far it is.
        pub status: RequestStatus,
        /// Which retry it is, counted from 1.
        pub attempt: Option<u64>,
        /// How many there are at most.
        pub max_retries: Option<u64>,
        /// How long until then, in milliseconds.
        pub retry_delay_ms: Option<u64>,
        /// The HTTP status.
        pub error_status: Option<u16>,
    }
    line
}

words! {
    /// How far the installation of plugins is.
    pub enum PluginInstallStatus {
        /// It has begun.
        Started = "started",
        /// One is installed.
        Installed = "installed",
        /// One could not be installed.
        Failed = "failed",
        /// All are done.
        Completed = "completed",
    }
}

record! {
    /// `system`/`plugin_install`: how far the installation of plugins is.
    r#"{"type":"system","subtype":"plugin_install","status":"installed","name":"office","session_id":"8f3a…","uuid":"…"}"#
    pub struct PluginInstall {
        /// How far it is.
        pub status: PluginInstallStatus,
        /// The plugin.
        pub name: Option<String>,
        /// What went wrong.
        pub error: Option<String>,
    }
    line
}

record! {
    /// `system`/`worker_shutting_down`: the CLI is about to end.
    r#"{"type":"system","subtype":"worker_shutting_down","reason":"idle","session_id":"8f3a…","uuid":"…"}"#
    pub struct WorkerShuttingDown {
        /// Why.
        pub reason: String,
    }
    line
}

record! {
    /// `system`/`commands_changed`: the commands that a prompt can begin with, all of them.
    r#"{"type":"system","subtype":"commands_changed","commands":[{"name":"compact","description":"Free up context","argumentHint":"","builtin":true}],"session_id":"8f3a…","uuid":"…"}"#
    pub struct CommandsChanged {
        /// All of them, in place of those before.
        pub commands: Vec<SlashCommand>,
    }
    line
}

record! {
    /// A command that a prompt can begin with.
    r#"{"name":"compact","description":"Free up context","argumentHint":"","aliases":["shrink"],"builtin":true}"#
    pub struct SlashCommand {
        /// Its name, without the slash.
        pub name: String,
        /// What it does.
        pub description: String,
        /// What may follow it.
        pub argument_hint: String = "argumentHint",
        /// Its other names.
        pub aliases: Vec<String>,
        /// It is one of the CLI's own.
        pub builtin: Option<bool>,
    }
}

record! {
    /// `system`/`files_persisted`: files were uploaded.
    r#"{"type":"system","subtype":"files_persisted","files":[{"filename":"a.txt","file_id":"file_1"}],"failed":[{"filename":"b.txt","error":"too large"}],"processed_at":"2026-01-01T10:00:00Z","session_id":"8f3a…","uuid":"…"}"#
    pub struct FilesPersisted {
        /// Those that were.
        pub files: Vec<PersistedFile>,
        /// Those that could not be.
        pub failed: Vec<UnpersistedFile>,
        /// When, in ISO 8601.
        pub processed_at: String,
    }
    line
}

record! {
    /// One of [`FilesPersisted::files`].
    r#"{"filename":"a.txt","file_id":"file_1"}"#
    pub struct PersistedFile {
        /// Its name.
        pub filename: String,
        /// The API's id of it.
        pub file_id: String,
    }
}

record! {
    /// One of [`FilesPersisted::failed`].
    r#"{"filename":"b.txt","error":"too large"}"#
    pub struct UnpersistedFile {
        /// Its name.
        pub filename: String,
        /// What went wrong.
        pub error: String,
    }
}

words! {
    /// How memories were recalled.
    pub enum RecallMode {
        /// Some were chosen.
        Select = "select",
        /// They were summed up.
        Synthesize = "synthesize",
    }
}

words! {
    /// Whose a memory is.
    pub enum MemoryScope {
        /// The person's.
        Personal = "personal",
        /// The team's.
        Team = "team",
        /// The organisation's.
        Organization = "organization",
    }
}

record! {
    /// `system`/`memory_recall`: memories were put into the conversation.
    r#"{"type":"system","subtype":"memory_recall","mode":"select","memories":[{"path":"/m/rain.md","scope":"personal","content":"It rains."}],"session_id":"8f3a…","uuid":"…"}"#
    pub struct MemoryRecall {
        /// How they were recalled.
        pub mode: RecallMode,
        /// Which.
        pub memories: Vec<Memory>,
    }
    line
}

record! {
    /// One of [`MemoryRecall::memories`].
    r#"{"path":"/m/rain.md","scope":"personal","content":"It rains."}"#
    pub struct Memory {
        /// Its file.
        pub path: String,
        /// Whose it is.
        pub scope: MemoryScope,
        /// What it says.
        pub content: Option<String>,
    }
}

record! {
    /// `system`/`elicitation_complete`: what an MCP server had asked the person is answered.
    r#"{"type":"system","subtype":"elicitation_complete","mcp_server_name":"shop","elicitation_id":"e1","session_id":"8f3a…","uuid":"…"}"#
    pub struct ElicitationComplete {
        /// The server.
        pub mcp_server_name: String,
        /// The server's id of the question.
        pub elicitation_id: String,
    }
    line
}

record! {
    /// `system`/`mirror_error`: the conversation could not be copied elsewhere. Hosts make it, the CLI
    /// does not.
    r#"{"type":"system","subtype":"mirror_error","error":"timeout","key":{"projectKey":"-srv-app","sessionId":"8f3a…"},"session_id":"8f3a…","uuid":"…"}"#
    pub struct MirrorError {
        /// What went wrong.
        pub error: String,
        /// What could not be copied: `{"projectKey":…,"sessionId":…,"subpath":…}`.
        pub key: Option<Value>,
    }
    line
}

record! {
    /// `system`/`session_writes_lost`: the disk is full, and the session's file is not complete. Once, at
    /// the end.
    r#"{"type":"system","subtype":"session_writes_lost","error_code":"ENOSPC","lost":["transcript"],"transcript_session_ids":["8f3a…"],"session_id":"8f3a…","uuid":"…"}"#
    pub struct SessionWritesLost {
        /// `ENOSPC` or `EDQUOT`; the set is open.
        pub error_code: String,
        /// What is not complete.
        pub lost: Vec<LostWrite>,
        /// The sessions.
        pub transcript_session_ids: Vec<String>,
    }
    line
}

words! {
    /// What could not be written.
    pub enum LostWrite {
        /// The session's file.
        Transcript = "transcript",
        /// The user's configuration.
        GlobalConfig = "global_config",
    }
}
