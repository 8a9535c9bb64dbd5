//! What the CLI reports, and what else `initialize` switches on.

use std::path::PathBuf;

use serde_json::{Map, Value};

use super::args::Args;

/// What the CLI reports, and what else `initialize` switches on.
#[derive(Clone, Debug, Default)]
pub(crate) struct OutputOptions {
    pub(crate) hook_events: bool,
    pub(crate) debug: bool,
    pub(crate) debug_file: Option<PathBuf>,
    /// Fields of `initialize` that are no more than themselves, by name.
    pub(crate) fields: Map<String, Value>,
    /// Lines that the CLI sends only to hosts reach the application too.
    pub(crate) host_only_events: bool,
}

impl OutputOptions {
    pub(super) fn write(&self, args: &mut Args) {
        args.switch("include-hook-events", self.hook_events);
        args.switch("debug", self.debug);
        args.maybe("debug-file", self.debug_file.as_ref());
    }
}
