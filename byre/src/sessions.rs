//! The conversations that the CLI has stored on this machine: lists, reads, names, copies and deletes
//! them, without starting it.
//!
//! ```
//! use byre::sessions::{Filter, Sessions};
//!
//! # fn run() -> byre::Result<()> {
//! let sessions = Sessions::new()?;
//! for session in sessions.list(&Filter::project("/srv/app").limit(10))?.sessions {
//!     println!("{}  {}", session.id, session.summary);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! To go on with one, give its id to [`resume`](crate::SessionBuilder::resume).
//!
//! # Blocking
//!
//! These are plain functions that read and write files, and need no runtime. Files of long sessions are
//! large: in async code, call them from a thread where waiting does no harm. [`Sessions`] is cheap to
//! clone.
//!
//! ```
//! use byre::sessions::{Filter, Sessions};
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let sessions = Sessions::new()?;
//! let list = tokio::task::spawn_blocking(move || sessions.list(&Filter::all())).await??;
//! # Ok(())
//! # }
//! ```
//!
//! # While the CLI runs
//!
//! Reading a session that a CLI is writing to gives what is there so far. Renaming and tagging are safe
//! too, and a running CLI learns of them when it reads the file again. Deleting is not: the CLI goes on
//! writing, and makes the file again.
//!
//! Source: files of CLI 2.1.332. Their format is open, and changes from version to version; what byre does
//! not know it leaves alone.

mod chain;
mod change;
mod entry;
mod filter;
mod fork;
mod info;
mod message;
mod places;
mod skipped;
mod subagents;
mod time;

use std::{
    collections::HashSet,
    io,
    path::{Path, PathBuf},
};

use self::places::Found;
pub use self::{
    filter::{Filter, Listing},
    fork::ForkOptions,
    info::SessionInfo,
    message::{Conversation, Entries, Role, SessionMessage, Subagent},
    skipped::{SkipReason, Skipped},
};
use crate::error::{Error, ErrorKind, Result};

/// The sessions that are stored in one config folder of the CLI.
///
/// Every method takes the id of a session and finds its file, in whichever project it is. Where copies of
/// one id lie in several projects, the one that was changed last counts.
///
/// # Example
///
/// ```
/// use byre::sessions::Sessions;
///
/// # fn run(id: &str) -> byre::Result<()> {
/// let sessions = Sessions::new()?;
/// sessions.rename(id, "The one with the hay")?;
/// assert_eq!(sessions.get(id)?.title.as_deref(), Some("The one with the hay"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Sessions {
    config_dir: PathBuf,
}

impl Sessions {
    /// The sessions of this user: in the folder that `CLAUDE_CONFIG_DIR` names, or else `~/.claude`.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Configuration`] where there is no home folder either. A folder that does not exist is
    /// no error; it holds no sessions.
    ///
    /// # Example
    ///
    /// ```
    /// let sessions = byre::sessions::Sessions::new();
    /// ```
    pub fn new() -> Result<Self> {
        Ok(Self { config_dir: places::config_dir()? })
    }

    /// The sessions in this config folder, which is what the CLI knows as `CLAUDE_CONFIG_DIR`.
    ///
    /// # Example
    ///
    /// ```
    /// let sessions = byre::sessions::Sessions::in_dir("/srv/claude");
    /// ```
    pub fn in_dir(config_dir: impl Into<PathBuf>) -> Self {
        Self { config_dir: config_dir.into() }
    }

    /// Returns the config folder.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::sessions::Sessions;
    ///
    /// assert!(Sessions::in_dir("/srv/claude").config_dir().ends_with("claude"));
    /// ```
    #[must_use]
    pub fn config_dir(&self) -> &Path {
        &self.config_dir
    }

    /// Returns the folder in which the CLI stores the sessions that are started in `directory`.
    ///
    /// Its name is the real path of the directory, with `-` in place of everything but ASCII letters and
    /// digits; after 200 characters it is cut, and a hash follows.
    ///
    /// # Example
    ///
    /// ```
    /// use byre::sessions::Sessions;
    ///
    /// let folder = Sessions::in_dir("/srv/claude").project_dir("/no/such.place");
    /// assert!(folder.ends_with("projects/-no-such-place"), "{}", folder.display());
    /// ```
    #[must_use]
    pub fn project_dir(&self, directory: impl AsRef<Path>) -> PathBuf {
        self.projects().join(places::project_key(directory.as_ref()))
    }

    /// Lists sessions, the one that was changed last first.
    ///
    /// Reads only the beginning and the end of each file, 64 KiB each, so it takes about as long for long
    /// conversations as for short ones.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Io`] if the folder of all projects is there and can't be read. A single project or
    /// session that can't be read is [`skipped`](Listing::skipped).
    ///
    /// # Example
    ///
    /// ```
    /// use byre::sessions::{Filter, Sessions};
    ///
    /// # fn run() -> byre::Result<()> {
    /// let newest = Sessions::new()?.list(&Filter::project(".").limit(1))?.sessions.pop();
    /// # Ok(())
    /// # }
    /// ```
    pub fn list(&self, filter: &Filter) -> Result<Listing> {
        let mut skipped = Vec::new();
        let mut found = Vec::new();
        for folder in self.folders(filter)? {
            found.extend(places::sessions_in(&folder, &mut skipped));
        }
        places::newest_first(&mut found);
        let (mut sessions, mut seen) = (Vec::new(), HashSet::new());
        let end = filter.limit.map(|limit| filter.offset.saturating_add(limit));
        for file in found {
            if end.is_some_and(|end| seen.len() >= end) {
                break;
            }
            if seen.contains(&file.id) {
                continue;
            }
            let id = file.id.clone();
            match info::read(file, filter.project.as_ref()) {
                Ok(session) => {
                    seen.insert(id);
                    if seen.len() > filter.offset {
                        sessions.push(session);
                    }
                }
                Err(reason) => skipped.push(reason),
            }
        }
        Ok(Listing { sessions, skipped })
    }

    /// Returns what is known of one session.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::SessionNotFound`] if it is not stored here, or `id` is no session id
    /// - [`ErrorKind::Io`] if its file can't be read
    ///
    /// # Example
    ///
    /// ```
    /// use byre::{ErrorKind, sessions::Sessions};
    ///
    /// let error = Sessions::in_dir("/no/such/folder")
    ///     .get("8f3a8990-6fca-4756-b667-0911376e0d4c")
    ///     .unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::SessionNotFound);
    /// ```
    pub fn get(&self, id: &str) -> Result<SessionInfo> {
        let action = format!("read session {id}");
        info::read(self.find(id, &action)?, None).map_err(|skipped| match skipped.reason {
            SkipReason::Unreadable(reason) => Error::new(ErrorKind::Io, action)
                .reason(format!("{} can't be read: {reason}", skipped.path.display())),
            _ => Error::new(ErrorKind::SessionNotFound, action).reason(skipped.to_string()),
        })
    }

    /// Reads a conversation, as the model would be shown it if the session were resumed now.
    ///
    /// Where it was compacted, that is the summary and what came after it; where somebody went back to an
    /// earlier prompt, only the branch that was taken last. [`entries`](Self::entries) has everything.
    /// What subagents say is in conversations of their own: see [`subagents`](Self::subagents).
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::SessionNotFound`] if it is not stored here, or `id` is no session id
    /// - [`ErrorKind::Io`] if its file can't be read
    ///
    /// # Example
    ///
    /// ```
    /// use byre::sessions::Sessions;
    ///
    /// # fn run(id: &str) -> byre::Result<()> {
    /// let conversation = Sessions::new()?.conversation(id)?;
    /// println!("{} messages", conversation.messages.len());
    /// # Ok(())
    /// # }
    /// ```
    pub fn conversation(&self, id: &str) -> Result<Conversation> {
        let action = format!("read session {id}");
        let (entries, skipped) = read(&self.find(id, &action)?.path, &action)?;
        let messages = chain::conversation(&entries);
        let messages = messages.into_iter().map(|entry| SessionMessage::new(entry, None)).collect();
        Ok(Conversation { messages, skipped })
    }

    /// Reads all entries of a session's file, as JSON.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::SessionNotFound`] if it is not stored here, or `id` is no session id
    /// - [`ErrorKind::Io`] if its file can't be read
    ///
    /// # Example
    ///
    /// ```
    /// use byre::sessions::Sessions;
    ///
    /// # fn run(id: &str) -> byre::Result<()> {
    /// let entries = Sessions::new()?.entries(id)?.entries;
    /// let compactions = entries
    ///     .iter()
    ///     .filter(|entry| entry.to_value()["subtype"] == "compact_boundary");
    /// println!("compacted {} times", compactions.count());
    /// # Ok(())
    /// # }
    /// ```
    pub fn entries(&self, id: &str) -> Result<Entries> {
        let action = format!("read session {id}");
        let (entries, skipped) = read(&self.find(id, &action)?.path, &action)?;
        Ok(Entries { entries: entries.into_iter().map(|entry| entry.raw).collect(), skipped })
    }

    /// Lists the subagents that worked in a session, sorted by the paths of their files.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::SessionNotFound`] if the session is not stored here, or `id` is no session id
    /// - [`ErrorKind::Io`] if their folder can't be read
    ///
    /// # Example
    ///
    /// ```
    /// use byre::sessions::Sessions;
    ///
    /// # fn run(id: &str) -> byre::Result<()> {
    /// for subagent in Sessions::new()?.subagents(id)? {
    ///     println!("{}", subagent.description.unwrap_or(subagent.id));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn subagents(&self, id: &str) -> Result<Vec<Subagent>> {
        subagents::of(&self.find(id, &format!("list the subagents of session {id}"))?)
    }

    /// Reads the conversation of a subagent. It begins with the prompt that the subagent was given.
    ///
    /// # Errors
    ///
    /// - [`ErrorKind::SessionNotFound`] if the session is not stored here, `id` is no session id, or it
    ///   had no such subagent
    /// - [`ErrorKind::Io`] if a file can't be read
    ///
    /// # Example
    ///
    /// ```
    /// use byre::sessions::Sessions;
    ///
    /// # fn run(id: &str, agent_id: &str) -> byre::Result<()> {
    /// let conversation = Sessions::new()?.subagent_conversation(id, agent_id)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn subagent_conversation(&self, id: &str, agent_id: &str) -> Result<Conversation> {
        let action = format!("read subagent {agent_id:?} of session {id}");
        let subagents = subagents::of(&self.find(id, &action)?)?;
        let subagent =
            subagents.iter().find(|subagent| subagent.id == agent_id).ok_or_else(|| {
                Error::new(ErrorKind::SessionNotFound, &action)
                    .reason("the session has no subagent of this id")
            })?;
        let (entries, skipped) = read(&subagent.path, &action)?;
        let messages = chain::subagent(&entries);
        let message = |entry| SessionMessage::new(entry, Some(subagent));
        Ok(Conversation { messages: messages.into_iter().map(message).collect(), skipped })
    }

    fn projects(&self) -> PathBuf {
        self.config_dir.join("projects")
    }

    fn folders(&self, filter: &Filter) -> Result<Vec<PathBuf>> {
        let Some(directory) = &filter.project else {
            return places::project_dirs(&self.projects());
        };
        let mut directories = vec![directory.clone()];
        if filter.worktrees {
            directories.extend(places::worktrees(directory));
        }
        let folders = directories
            .iter()
            .flat_map(|directory| places::project_dirs_of(&self.projects(), directory));
        let mut seen = HashSet::new();
        Ok(folders.filter(|folder| seen.insert(folder.clone())).collect())
    }

    /// The files of a session, the one that was changed last first; at least one.
    fn find_all(&self, id: &str, action: &str) -> Result<Vec<Found>> {
        let failed = |reason| Error::new(ErrorKind::SessionNotFound, action).reason(reason);
        if !places::is_session_id(id) {
            return Err(failed("this is not a session id".to_owned()));
        }
        let found = places::find(&places::project_dirs(&self.projects())?, id);
        if found.is_empty() {
            return Err(failed(format!("it is not in {}", self.projects().display())));
        }
        Ok(found)
    }

    fn find(&self, id: &str, action: &str) -> Result<Found> {
        Ok(self.find_all(id, action)?.swap_remove(0))
    }
}

fn read(path: &Path, action: &str) -> Result<(Vec<entry::Entry>, Vec<Skipped>)> {
    entry::read(path).map_err(|error| or_gone(action, error))
}

/// The error for a file that was there a moment ago.
fn or_gone(action: impl Into<String>, error: io::Error) -> Error {
    if error.kind() == io::ErrorKind::NotFound {
        return Error::new(ErrorKind::SessionNotFound, action).reason("it has just been deleted");
    }
    Error::io(action, error)
}
