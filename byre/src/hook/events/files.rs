//! Files, folders and settings.

use std::path::{Path, PathBuf};

use crate::hook::{
    ConfigSource, DirectorySource, FileEvent, LoadReason, MemoryType,
    input::hook_input,
    output::{Body, hook_output, output_block, output_methods},
};

hook_input! {
    /// A settings file has changed. The matcher is compared with `source`.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"ConfigChange","source":"project_settings","file_path":"/home/me/a/.claude/settings.json"}
    /// ```
    ConfigChange => ConfigChangeInput {
        /// Whose settings.
        source: ConfigSource,
        /// The file.
        file_path: Option<PathBuf>,
    }
}

hook_output! {
    /// Whether changed settings are taken.
    ///
    /// ```json
    /// {"decision":"block","reason":"Settings are fixed here."}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{ConfigChangeInput, ConfigChangeOutput};
    ///
    /// #[byre::hook(matcher = "project_settings")]
    /// async fn fixed(_: ConfigChangeInput) -> ConfigChangeOutput {
    ///     ConfigChangeOutput::block("Settings are fixed here.")
    /// }
    /// # fn main() {}
    /// ```
    ConfigChangeInput => ConfigChangeOutput
}
output_methods! { ConfigChangeOutput: new }
output_block! { ConfigChangeOutput,
    /// Leaves the settings as they were.
}

hook_input! {
    /// A worktree is to be made, by the hook. Takes no matcher.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"WorktreeCreate","name":"fix-7"}
    /// ```
    WorktreeCreate => WorktreeCreateInput {
        /// What to call it.
        name: String,
    }
}

/// Where a worktree was made. This event needs an answer; a hook that can't make one returns an error.
///
/// ```json
/// {"hookSpecificOutput":{"hookEventName":"WorktreeCreate","worktreePath":"/tmp/fix-7"}}
/// ```
///
/// # Example
///
/// ```
/// use byre::hook::{WorktreeCreateInput, WorktreeCreateOutput};
///
/// #[byre::hook]
/// async fn copy(input: WorktreeCreateInput) -> std::io::Result<WorktreeCreateOutput> {
///     let folder = std::env::temp_dir().join(input.name);
///     std::fs::create_dir(&folder)?;
///     Ok(WorktreeCreateOutput::created(folder))
/// }
/// # fn main() {}
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "a hook has to return its answer"]
pub struct WorktreeCreateOutput(PathBuf);

impl WorktreeCreateOutput {
    /// Says where the worktree is. A path that is not absolute counts from this program's directory.
    ///
    /// # Example
    ///
    /// ```
    /// byre::hook::WorktreeCreateOutput::created("/tmp/fix-7");
    /// ```
    pub fn created(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        Self(std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
    }
}

impl crate::hook::HookOutput<WorktreeCreateInput> for WorktreeCreateOutput {
    fn into_answer(
        self,
    ) -> Result<crate::hook::output::HookAnswer, crate::hook::output::HookError> {
        let path = self.0.to_string_lossy().into_owned();
        let event = <WorktreeCreateInput as crate::hook::HookInput>::EVENT;
        Ok(Body::default().specific("worktreePath", path).into_answer(event))
    }
}

hook_input! {
    /// A worktree is to be removed, by the hook. Takes no matcher.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"WorktreeRemove","worktree_path":"/tmp/fix-7"}
    /// ```
    WorktreeRemove => WorktreeRemoveInput {
        /// Where it is.
        worktree_path: PathBuf,
    }
}

hook_output! {
    /// The answer to the removal of a worktree, which the hook has to remove itself.
    ///
    /// ```json
    /// {"systemMessage":"/tmp/fix-7 is gone."}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{WorktreeRemoveInput, WorktreeRemoveOutput};
    ///
    /// #[byre::hook]
    /// async fn remove(input: WorktreeRemoveInput) -> std::io::Result<WorktreeRemoveOutput> {
    ///     std::fs::remove_dir_all(&input.worktree_path)?;
    ///     Ok(WorktreeRemoveOutput::new())
    /// }
    /// # fn main() {}
    /// ```
    WorktreeRemoveInput => WorktreeRemoveOutput
}
output_methods! { WorktreeRemoveOutput: new }

hook_input! {
    /// A memory file was read. The matcher is compared with `load_reason`.
    ///
    /// Hooks of a program are not asked for those that are read when the process starts.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"InstructionsLoaded","file_path":"/home/me/a/CLAUDE.md","memory_type":"Project","load_reason":"nested_traversal","globs":["src/**"],"trigger_file_path":"/home/me/a/src/x.rs","parent_file_path":"/home/me/CLAUDE.md"}
    /// ```
    InstructionsLoaded => InstructionsLoadedInput {
        /// The file.
        file_path: PathBuf,
        /// Whose it is.
        memory_type: MemoryType,
        /// Why it was read.
        load_reason: LoadReason,
        /// For which paths its rules are.
        globs: Option<Vec<String>>,
        /// The path that the agent touched.
        trigger_file_path: Option<PathBuf>,
        /// The file that includes it.
        parent_file_path: Option<PathBuf>,
    }
}

hook_output! {
    /// The answer to a memory file, which changes nothing about it.
    ///
    /// ```json
    /// {"systemMessage":"There are rules for src/."}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{InstructionsLoadedInput, InstructionsLoadedOutput};
    ///
    /// #[byre::hook]
    /// async fn tell(input: InstructionsLoadedInput) -> InstructionsLoadedOutput {
    ///     let file = input.file_path.display().to_string();
    ///     InstructionsLoadedOutput::new().system_message(file)
    /// }
    /// # fn main() {}
    /// ```
    InstructionsLoadedInput => InstructionsLoadedOutput
}
output_methods! { InstructionsLoadedOutput: new }

hook_input! {
    /// The working directory has changed. Takes no matcher.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/b","hook_event_name":"CwdChanged","old_cwd":"/home/me/a","new_cwd":"/home/me/b"}
    /// ```
    CwdChanged => CwdChangedInput {
        /// What it was.
        old_cwd: PathBuf,
        /// What it is.
        new_cwd: PathBuf,
    }
}

hook_output! {
    /// What is watched in a new working directory.
    ///
    /// ```json
    /// {"hookSpecificOutput":{"hookEventName":"CwdChanged","watchPaths":["/home/me/b/.env"]}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{CwdChangedInput, CwdChangedOutput};
    ///
    /// #[byre::hook]
    /// async fn watch(input: CwdChangedInput) -> CwdChangedOutput {
    ///     CwdChangedOutput::new().watch_paths([input.new_cwd.join(".env")])
    /// }
    /// # fn main() {}
    /// ```
    CwdChangedInput => CwdChangedOutput
}
output_methods! { CwdChangedOutput: new, watch_paths }

hook_input! {
    /// A watched file has changed. The matcher is compared with the file's name.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"FileChanged","file_path":"/home/me/a/.env","event":"change"}
    /// ```
    FileChanged => FileChangedInput {
        /// The file.
        file_path: PathBuf,
        /// What happened to it.
        event: FileEvent,
    }
}

hook_output! {
    /// What is watched from now on.
    ///
    /// ```json
    /// {"hookSpecificOutput":{"hookEventName":"FileChanged","watchPaths":["/home/me/a/.env"]}}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{FileChangedInput, FileChangedOutput, FileEvent};
    ///
    /// #[byre::hook]
    /// async fn tell(input: FileChangedInput) -> FileChangedOutput {
    ///     match input.event {
    ///         FileEvent::Unlink => FileChangedOutput::new().system_message("The file is gone."),
    ///         _ => FileChangedOutput::new(),
    ///     }
    /// }
    /// # fn main() {}
    /// ```
    FileChangedInput => FileChangedOutput
}
output_methods! { FileChangedOutput: new, watch_paths }

hook_input! {
    /// A directory was added to those that the agent may work in. The matcher is compared with `source`.
    ///
    /// ```json
    /// {"session_id":"0198…","cwd":"/home/me/a","hook_event_name":"DirectoryAdded","directory":"/srv","source":"slash_command"}
    /// ```
    DirectoryAdded => DirectoryAddedInput {
        /// The directory.
        directory: PathBuf,
        /// Who added it.
        source: DirectorySource,
    }
}

hook_output! {
    /// The answer to an added directory, which changes nothing about it.
    ///
    /// ```json
    /// {"systemMessage":"/srv is in reach now."}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// use byre::hook::{DirectoryAddedInput, DirectoryAddedOutput};
    ///
    /// #[byre::hook]
    /// async fn tell(input: DirectoryAddedInput) -> DirectoryAddedOutput {
    ///     let directory = input.directory.display();
    ///     DirectoryAddedOutput::new().system_message(format!("{directory} is in reach now."))
    /// }
    /// # fn main() {}
    /// ```
    DirectoryAddedInput => DirectoryAddedOutput
}
output_methods! { DirectoryAddedOutput: new }
