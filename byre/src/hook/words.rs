//! The words that stand in the inputs of hooks.

use crate::wire::words::words;

words! {
    in "hook"

    /// Where a prompt came from.
    pub enum PromptSource {
        /// A person typed it.
        User = "user",
        /// A program sent it, as byre does.
        Sdk = "sdk",
        /// The CLI itself.
        System = "system",
        /// A loop woke up.
        LoopWakeup = "loop_wakeup",
        /// A schedule woke up.
        ScheduleWakeup = "schedule_wakeup",
        /// Something that was watched has happened.
        PollEvent = "poll_event",
    }

    /// What was turned into a prompt.
    pub enum ExpansionType {
        /// A slash command.
        SlashCommand = "slash_command",
        /// A prompt of an MCP server.
        McpPrompt = "mcp_prompt",
    }

    /// Why a conversation starts.
    pub enum SessionStartSource {
        /// The process started. Hooks of a program are never asked then.
        Startup = "startup",
        /// An old conversation goes on. Hooks of a program are never asked then.
        Resume = "resume",
        /// `/clear`.
        Clear = "clear",
        /// After compaction.
        Compact = "compact",
        /// A copy of an old conversation goes on.
        Fork = "fork",
    }

    /// Why a conversation ends.
    pub enum SessionEndReason {
        /// `/clear`.
        Clear = "clear",
        /// Another conversation is resumed.
        Resume = "resume",
        /// The user logged out.
        Logout = "logout",
        /// The user left the prompt.
        PromptInputExit = "prompt_input_exit",
    }

    /// Who switches the model.
    pub enum ModelSwitchSource {
        /// A slash command.
        Command = "command",
        /// The list of models.
        Picker = "picker",
        /// A program, by `set_model`.
        Sdk = "sdk",
        /// The CLI itself.
        Auto = "auto",
        /// A resumed conversation.
        Resume = "resume",
    }

    /// How long the API keeps what it has read of the conversation.
    pub enum CacheTtl {
        /// Five minutes.
        FiveMinutes = "5m",
        /// An hour.
        OneHour = "1h",
    }

    /// Where the prices are from.
    pub enum Pricing {
        /// The settings.
        Configured = "configured",
        /// The list of prices.
        Catalog = "catalog",
        /// No price is known, and a usual one is taken.
        Assumed = "default",
    }

    /// Why the CLI sets up the working directory.
    pub enum SetupTrigger {
        /// For the first time.
        Init = "init",
        /// From time to time.
        Maintenance = "maintenance",
    }

    /// What the user did with a question.
    pub enum ElicitationAction {
        /// Answered it.
        Accept = "accept",
        /// Did not want to answer it.
        Decline = "decline",
        /// Closed it.
        Cancel = "cancel",
    }

    /// Which settings changed.
    pub enum ConfigSource {
        /// The user's.
        UserSettings = "user_settings",
        /// The project's.
        ProjectSettings = "project_settings",
        /// The user's for this project.
        LocalSettings = "local_settings",
        /// The organisation's.
        PolicySettings = "policy_settings",
        /// Skills.
        Skills = "skills",
    }

    /// Whose memory a file is.
    pub enum MemoryType {
        /// The user's.
        User = "User",
        /// The project's.
        Project = "Project",
        /// The user's for this project.
        Local = "Local",
        /// The organisation's.
        Managed = "Managed",
    }

    /// Why a memory file was read.
    pub enum LoadReason {
        /// The session started.
        SessionStart = "session_start",
        /// The agent went into its folder.
        NestedTraversal = "nested_traversal",
        /// Its rules are for a path that the agent touched.
        PathGlobMatch = "path_glob_match",
        /// Another memory file names it.
        Include = "include",
        /// The conversation was compacted.
        Compact = "compact",
    }

    /// What happened to a file.
    pub enum FileEvent {
        /// It was written.
        Change = "change",
        /// It was made.
        Add = "add",
        /// It was removed.
        Unlink = "unlink",
    }

    /// Who added a directory.
    pub enum DirectorySource {
        /// A slash command.
        SlashCommand = "slash_command",
        /// A program, by `register_repo_root`.
        RegisterRepoRoot = "register_repo_root",
    }

    /// Who asked for a skill.
    pub enum SkillInvoker {
        /// The user.
        User = "user",
        /// The model.
        Claude = "claude",
    }
}
