//! Hooks that the CLI runs, as commands and otherwise; only where the session asks for them.

use super::table::{record, words};

record! {
    /// `system`/`hook_started`: a hook runs.
    r#"{"type":"system","subtype":"hook_started","hook_id":"h1","hook_name":"SessionStart:startup","hook_event":"SessionStart","session_id":"8f3a…","uuid":"…"}"#
    pub struct HookStarted {
        /// This run of it.
        pub hook_id: String,
        /// Its event and what it matches.
        pub hook_name: String,
        /// Its event.
        pub hook_event: String,
    }
    line
}

record! {
    /// `system`/`hook_progress`: what a hook has written so far.
    r#"{"type":"system","subtype":"hook_progress","hook_id":"h1","hook_name":"Stop","hook_event":"Stop","stdout":"half\n","stderr":"","output":"half\n","session_id":"8f3a…","uuid":"…"}"#
    pub struct HookProgress {
        /// This run of it.
        pub hook_id: String,
        /// Its event and what it matches.
        pub hook_name: String,
        /// Its event.
        pub hook_event: String,
        /// What it has written to stdout.
        pub stdout: String,
        /// What it has written to stderr.
        pub stderr: String,
        /// Both.
        pub output: String,
        /// The turn does not wait for it.
        pub backgrounded: Option<bool>,
    }
    line
}

words! {
    /// How a hook ended.
    pub enum HookOutcome {
        /// Well.
        Success = "success",
        /// It failed.
        Error = "error",
        /// It was stopped.
        Cancelled = "cancelled",
    }
}

record! {
    /// `system`/`hook_response`: a hook has ended.
    r#"{"type":"system","subtype":"hook_response","hook_id":"h1","hook_name":"Stop","hook_event":"Stop","output":"done\n","stdout":"done\n","stderr":"","exit_code":0,"outcome":"success","session_id":"8f3a…","uuid":"…"}"#
    pub struct HookResponse {
        /// This run of it.
        pub hook_id: String,
        /// Its event and what it matches.
        pub hook_name: String,
        /// Its event.
        pub hook_event: String,
        /// All that it has written.
        pub output: String,
        /// What it has written to stdout.
        pub stdout: String,
        /// What it has written to stderr.
        pub stderr: String,
        /// The exit code; `None` where there was no process, or a signal ended it.
        pub exit_code: Option<i64>,
        /// How it ended.
        pub outcome: HookOutcome,
    }
    line
}
