//! Files, and what the CLI reads from files.

use std::{
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

use serde_json::json;

use super::SessionHandle;
use crate::{
    error::Result,
    wire::answer::{
        self,
        files::{FileContents, FileSuggestions, PluginsReloaded, RewindResult},
        info::SlashCommand,
    },
};

/// Files, and what the CLI reads from files.
impl SessionHandle {
    /// Brings the files back to what they were before a prompt, or only says what that would change. The prompt
    /// goes by the id that [`send`](Self::send) has returned.
    ///
    /// Needs [`file_checkpointing`](crate::SessionBuilder::file_checkpointing).
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt); [`ErrorKind::Refused`](crate::ErrorKind::Refused)
    /// without checkpoints, and for a prompt that has none. Only to say what would change, the CLI answers
    /// with [`RewindResult::error`] instead.
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// let prompt = handle.send("Tidy up.")?;
    /// // … and later:
    /// handle.rewind_files(&prompt, false).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn rewind_files(&self, prompt_uuid: &str, dry_run: bool) -> Result<RewindResult> {
        let body = json!({"user_message_id": prompt_uuid, "dry_run": dry_run});
        Ok(self.control("rewind_files", body).await?.into())
    }

    /// Reads a file as the agent may: under the rules for `Read`. At most 1 MB.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt); [`ErrorKind::Refused`](crate::ErrorKind::Refused)
    /// if it may not be read.
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// println!("{}", handle.read_file("notes.txt").await?.contents);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn read_file(&self, path: impl AsRef<Path>) -> Result<FileContents> {
        let body = json!({"path": path.as_ref().to_string_lossy()});
        Ok(self.control("read_file", body).await?.into())
    }

    /// Reads up to so many bytes of a file as the agent may, and gives them as base64.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt); [`ErrorKind::Refused`](crate::ErrorKind::Refused)
    /// if it may not be read.
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// let image = handle.read_file_base64("cat.png", 1_000_000).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn read_file_base64(
        &self,
        path: impl AsRef<Path>,
        max_bytes: u64,
    ) -> Result<FileContents> {
        let body = json!({
            "path": path.as_ref().to_string_lossy(),
            "max_bytes": max_bytes,
            "encoding": "base64",
        });
        Ok(self.control("read_file", body).await?.into())
    }

    /// Returns files that fit what a user has begun to type.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt).
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// println!("{:?}", handle.file_suggestions("main").await?.suggestions);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn file_suggestions(&self, query: &str) -> Result<FileSuggestions> {
        Ok(self.control("file_suggestions", json!({"query": query})).await?.into())
    }

    /// Says that the agent has read a file as it was last changed at this time, so that it may edit it without
    /// reading it again. Does nothing if the file has changed since.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt).
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// let modified = std::fs::metadata("notes.txt").and_then(|file| file.modified());
    /// if let Ok(modified) = modified {
    ///     handle.seed_read_state("notes.txt", modified).await?;
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn seed_read_state(
        &self,
        path: impl AsRef<Path>,
        modified: SystemTime,
    ) -> Result<()> {
        let since = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
        let mtime = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        let body = json!({"path": path.as_ref().to_string_lossy(), "mtime": mtime});
        self.control("seed_read_state", body).await.map(drop)
    }

    /// Says that a folder below the working directory, or below one of
    /// [`add_dir`](crate::SessionBuilder::add_dir), is the root of a repository, and reads its `CLAUDE.md`,
    /// plugins and skills. Works once for each folder.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt); [`ErrorKind::Refused`](crate::ErrorKind::Refused)
    /// for any other folder.
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// handle.register_repo_root("/srv/app/vendor/lib").await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn register_repo_root(&self, folder: impl AsRef<Path>) -> Result<()> {
        let body = json!({
            "directory": folder.as_ref().to_string_lossy(),
            "reload_claude_md": true,
            "reload_plugins": true,
            "reload_skills": true,
        });
        self.control("register_repo_root", body).await.map(drop)
    }

    /// Reads the plugins again.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt).
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// println!("{} plugins", handle.reload_plugins().await?.plugins.len());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn reload_plugins(&self) -> Result<PluginsReloaded> {
        Ok(self.control("reload_plugins", json!({})).await?.into())
    }

    /// Reads the skills again, and returns them.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt).
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// println!("{} skills", handle.reload_skills().await?.len());
    /// # Ok(())
    /// # }
    /// ```
    pub async fn reload_skills(&self) -> Result<Vec<SlashCommand>> {
        Ok(answer::field(&self.control("reload_skills", json!({})).await?, "skills"))
    }

    /// Reads the output styles again, and returns their names.
    ///
    /// # Errors
    ///
    /// Those of [`interrupt`](Self::interrupt).
    ///
    /// # Cancel safety
    ///
    /// That of [`interrupt`](Self::interrupt).
    ///
    /// # Example
    ///
    /// ```no_run
    /// # async fn run(handle: byre::SessionHandle) -> byre::Result<()> {
    /// println!("{:?}", handle.reload_output_styles().await?);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn reload_output_styles(&self) -> Result<Vec<String>> {
        let answer = self.control("reload_output_styles", json!({})).await?;
        Ok(answer::field(&answer, "available_output_styles"))
    }
}
