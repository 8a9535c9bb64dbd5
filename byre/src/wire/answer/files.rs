//! What the CLI answers about files, and what it has read anew.

use serde_json::Value;

use super::{
    answers,
    info::{AgentInfo, SlashCommand},
};

answers! {
    /// What going back to an earlier state of the files did, or would do.
    ///
    /// ```json
    /// {"canRewind":true,"filesChanged":["/srv/app/notes.txt"],"insertions":0,"deletions":1}
    /// ```
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle, prompt: &str) -> byre::Result<()> {
    /// let rewound = handle.rewind_files(prompt, true).await?;
    /// println!("would change {:?}", rewound.files_changed);
    /// # Ok(())
    /// # }
    /// ```
    pub struct RewindResult {
        /// It can be done, or was done.
        pub can_rewind: bool = "canRewind",
        /// Why not.
        pub error: Option<String> = "error",
        /// The files that change, by their paths; empty where the CLI does not say.
        pub files_changed: Vec<String> = "filesChanged",
        /// Lines that come back.
        pub insertions: Option<u64> = "insertions",
        /// Lines that go.
        pub deletions: Option<u64> = "deletions",
        /// Symbolic links that were left alone.
        pub skipped_links: Option<u64> = "skippedLinks",
    }

    /// A file, as far as the CLI may read it.
    ///
    /// ```json
    /// {"contents":"one\n","absPath":"/srv/app/notes.txt","truncated":false}
    /// ```
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// println!("{}", handle.read_file("notes.txt").await?.contents);
    /// # Ok(())
    /// # }
    /// ```
    pub struct FileContents {
        /// The contents: text, or base64 if `encoding` says so.
        pub contents: String = "contents",
        /// The file's full path.
        pub abs_path: String = "absPath",
        /// The file goes on.
        pub truncated: bool = "truncated",
        /// `base64`, or nothing for text.
        pub encoding: Option<String> = "encoding",
        /// The file is not UTF-8, and some of its bytes stand as U+FFFD.
        pub lossy: bool = "lossy",
    }

    /// Files that fit what a user has begun to type.
    ///
    /// ```json
    /// {"suggestions":[{"path":"src/main.rs"}],"cwd":"/srv/app"}
    /// ```
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// println!("{:?}", handle.file_suggestions("main").await?.suggestions);
    /// # Ok(())
    /// # }
    /// ```
    pub struct FileSuggestions {
        /// The suggestions, best first, as the CLI gives them.
        pub suggestions: Vec<Value> = "suggestions",
        /// The folder that they are in.
        pub cwd: Option<String> = "cwd",
    }

    /// What there is after the plugins were read again.
    ///
    /// ```json
    /// {"commands":[],"agents":[],"plugins":[{"name":"fmt","path":"/srv/fmt"}],"mcpServers":[],"error_count":0}
    /// ```
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// assert_eq!(handle.reload_plugins().await?.error_count, 0);
    /// # Ok(())
    /// # }
    /// ```
    pub struct PluginsReloaded {
        /// The slash commands.
        pub commands: Vec<SlashCommand> = "commands",
        /// The subagents.
        pub agents: Vec<AgentInfo> = "agents",
        /// The plugins.
        pub plugins: Vec<PluginInfo> = "plugins",
        /// The MCP servers, as the CLI gives them.
        pub mcp_servers: Vec<Value> = "mcpServers",
        /// How many plugins could not be read.
        pub error_count: u64 = "error_count",
        /// Nothing was changed, because the prompt cache would have been lost.
        pub held: bool = "held",
    }

    /// A plugin.
    ///
    /// ```json
    /// {"name":"fmt","path":"/srv/fmt","version":"1.0.0"}
    /// ```
    ///
    /// # Example
    ///
    /// ```
    /// fn has(reloaded: &byre::cli::PluginsReloaded, name: &str) -> bool {
    ///     reloaded.plugins.iter().any(|plugin| plugin.name == name)
    /// }
    /// ```
    pub struct PluginInfo {
        /// The name.
        pub name: String = "name",
        /// Its folder.
        pub path: String = "path",
        /// Where it comes from.
        pub source: Option<String> = "source",
        /// Its version.
        pub version: Option<String> = "version",
    }
}
