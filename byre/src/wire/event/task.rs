//! Tasks: subagents and what else runs in the background.
//!
//! The end of a task may show up as `task_updated`, as `task_notification`, or as both.

use serde_json::Value;

use super::table::{record, words};

words! {
    /// How far a task is.
    pub enum TaskStatus {
        /// It has not begun.
        Pending = "pending",
        /// It runs.
        Running = "running",
        /// It is done.
        Completed = "completed",
        /// It failed.
        Failed = "failed",
        /// Somebody has stopped it, in an update.
        Killed = "killed",
        /// Somebody has stopped it, in a notification.
        Stopped = "stopped",
        /// It waits.
        Paused = "paused",
    }
}

impl TaskStatus {
    /// Says whether the task is over.
    ///
    /// # Example
    ///
    /// ```
    /// assert!(byre::event::TaskStatus::Killed.is_end());
    /// ```
    #[must_use]
    pub fn is_end(&self) -> bool {
        matches!(self, Self::Completed | Self::Failed | Self::Killed | Self::Stopped)
    }
}

record! {
    /// `system`/`task_started`: a subagent, or something else in the background, starts.
    r#"{"type":"system","subtype":"task_started","task_id":"a5d3","run_id":"0mx3-78d8","tool_use_id":"toolu_4","description":"check tests","subagent_type":"general-purpose","is_backgrounded":true,"spawn_depth":1,"task_type":"local_agent","prompt":"Run the tests","session_id":"8f3a…","uuid":"…"}"#
    pub struct TaskStarted {
        /// The task's id; for a subagent, its `agent_id`.
        pub task_id: String,
        /// This run of it; another one each time it is resumed. They sort in their order.
        pub run_id: Option<String>,
        /// The call that started it.
        pub tool_use_id: Option<String>,
        /// What it does.
        pub description: String,
        /// The kind of the subagent.
        pub subagent_type: Option<String>,
        /// The turn does not wait for it.
        pub is_backgrounded: Option<bool>,
        /// How many subagents deep it is, 1 for one of the main agent.
        pub spawn_depth: Option<u64>,
        /// The task that started it.
        pub parent_task_id: Option<String>,
        /// `local_agent`, `local_bash`, `local_workflow`, `mcp_task`, …; the set is open.
        pub task_type: Option<String>,
        /// The name of the workflow.
        pub workflow_name: Option<String>,
        /// What the subagent was told.
        pub prompt: Option<String>,
        /// It is not to be shown in the conversation.
        pub skip_transcript: Option<bool>,
        /// It goes on by itself, and nobody waits for it.
        pub ambient: Option<bool>,
    }
    line
}

record! {
    /// What a task took so far.
    r#"{"total_tokens":14,"tool_uses":1,"duration_ms":967}"#
    pub struct TaskUsage {
        /// Tokens of its last message, request and answer together; not a sum over its messages. Seen
        /// with 2.1.332.
        pub total_tokens: u64,
        /// How many tools it has called.
        pub tool_uses: u64,
        /// How long it has run, in milliseconds.
        pub duration_ms: u64,
    }
}

record! {
    /// `system`/`task_progress`: how far a task is.
    r#"{"type":"system","subtype":"task_progress","task_id":"a5d3","tool_use_id":"toolu_4","description":"check tests","usage":{"total_tokens":14,"tool_uses":1,"duration_ms":967},"last_tool_name":"Bash","session_id":"8f3a…","uuid":"…"}"#
    pub struct TaskProgress {
        /// The task.
        pub task_id: String,
        /// This run of it.
        pub run_id: Option<String>,
        /// The call that started it.
        pub tool_use_id: Option<String>,
        /// What it does.
        pub description: String,
        /// The kind of the subagent.
        pub subagent_type: Option<String>,
        /// What it took so far.
        pub usage: TaskUsage,
        /// The tool that it called last.
        pub last_tool_name: Option<String>,
        /// How it stands, in a sentence.
        pub summary: Option<String>,
    }
    line
}

record! {
    /// `system`/`task_updated`: something about a task has changed.
    r#"{"type":"system","subtype":"task_updated","task_id":"a5d3","patch":{"status":"completed","end_time":1796078003600},"session_id":"8f3a…","uuid":"…"}"#
    pub struct TaskUpdated {
        /// The task.
        pub task_id: String,
        /// This run of it.
        pub run_id: Option<String>,
        /// What has changed.
        pub patch: TaskPatch,
    }
    line
}

record! {
    /// What has changed about a task. What has not is `None`.
    r#"{"status":"completed","end_time":1796078003600}"#
    pub struct TaskPatch {
        /// How far it is.
        pub status: Option<TaskStatus>,
        /// What it does.
        pub description: Option<String>,
        /// When it ended, in milliseconds since 1970.
        pub end_time: Option<u64>,
        /// How long it has waited, in milliseconds.
        pub total_paused_ms: Option<u64>,
        /// What went wrong.
        pub error: Option<String>,
        /// The turn does not wait for it any more.
        pub is_backgrounded: Option<bool>,
    }
}

record! {
    /// `system`/`task_notification`: a task is over, and the model is told. A turn that nobody asked for
    /// may follow.
    r#"{"type":"system","subtype":"task_notification","task_id":"a5d3","tool_use_id":"toolu_4","status":"completed","output_file":"/tmp/a5d3.output","summary":"All tests pass.","usage":{"total_tokens":15,"tool_uses":1,"duration_ms":1102},"session_id":"8f3a…","uuid":"…"}"#
    pub struct TaskNotification {
        /// The task.
        pub task_id: String,
        /// This run of it.
        pub run_id: Option<String>,
        /// The call that started it.
        pub tool_use_id: Option<String>,
        /// How it ended.
        pub status: TaskStatus,
        /// Why, `worker_restart` for example.
        pub reason: Option<String>,
        /// The file with all that it wrote.
        pub output_file: String,
        /// What came of it.
        pub summary: String,
        /// The summary is what the subagent reported; seen with 2.1.332.
        pub summary_is_report: Option<bool>,
        /// What it took.
        pub usage: Option<TaskUsage>,
        /// What it points at, at most 50.
        pub resource_links: Vec<ResourceLink>,
        /// It is not to be shown in the conversation.
        pub skip_transcript: Option<bool>,
        /// It went on by itself, and nobody waited for it.
        pub ambient: Option<bool>,
    }
    line
}

record! {
    /// One of [`TaskNotification::resource_links`].
    r#"{"uri":"file:///srv/report.pdf","name":"report","mimeType":"application/pdf","size":2048}"#
    pub struct ResourceLink {
        /// Where it is.
        pub uri: String,
        /// Its name.
        pub name: String,
        /// What people call it.
        pub title: Option<String>,
        /// What it is.
        pub description: Option<String>,
        /// Its media type.
        pub mime_type: Option<String> = "mimeType",
        /// Its size in bytes.
        pub size: Option<u64>,
        /// Whom it is for, and how important it is.
        pub annotations: Option<Value>,
    }
}

record! {
    /// `system`/`background_tasks_changed`: what runs in the background now, all of it.
    r#"{"type":"system","subtype":"background_tasks_changed","tasks":[{"task_id":"a5d3","task_type":"local_agent","subagent_type":"general-purpose","description":"check tests"}],"session_id":"8f3a…","uuid":"…"}"#
    pub struct BackgroundTasksChanged {
        /// All of them, in place of those of the event before.
        pub tasks: Vec<BackgroundTask>,
    }
    line
}

record! {
    /// One of [`BackgroundTasksChanged::tasks`].
    r#"{"task_id":"a5d3","task_type":"local_agent","subagent_type":"general-purpose","description":"check tests"}"#
    pub struct BackgroundTask {
        /// The task.
        pub task_id: String,
        /// This run of it.
        pub run_id: Option<String>,
        /// `local_agent`, `local_bash`, …; the set is open.
        pub task_type: String,
        /// The kind of the subagent.
        pub subagent_type: Option<String>,
        /// What it does.
        pub description: String,
        /// The task that started it.
        pub parent_task_id: Option<String>,
        /// It goes on by itself, and nobody waits for it.
        pub ambient: Option<bool>,
    }
}
