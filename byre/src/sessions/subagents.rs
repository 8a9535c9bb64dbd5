//! Finds the subagents of a session.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;

use super::{
    message::Subagent,
    places::{Found, is_absent},
};
use crate::error::{Error, Result};

/// How deep folders below `subagents` are looked into. The CLI goes two deep.
const MAX_DEPTH: usize = 8;

/// The subagents of a session, sorted by their paths; none where it had none.
///
/// # Errors
///
/// [`ErrorKind::Io`](crate::ErrorKind::Io) if the folder is there and can't be read.
pub(super) fn of(session: &Found) -> Result<Vec<Subagent>> {
    let mut files = Vec::new();
    walk(&session.path.with_extension("").join("subagents"), MAX_DEPTH, &mut files)?;
    files.sort();
    Ok(files.into_iter().filter_map(read).collect())
}

fn walk(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<()> {
    let failed = |error| Error::io(format!("list {}", folder.display()), error);
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if is_absent(&error) => return Ok(()),
        Err(error) => return Err(failed(error)),
    };
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let kind = entry.file_type().map_err(failed)?;
        // Links are not followed, so that nothing goes in a circle.
        if kind.is_dir() && depth > 0 {
            walk(&entry.path(), depth - 1, files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// Reads `agent-<id>.jsonl` and what stands beside it; `None` for any other file.
fn read(path: PathBuf) -> Option<Subagent> {
    #[derive(Default, Deserialize)]
    #[serde(default, rename_all = "camelCase")]
    struct Sidecar {
        agent_type: Option<String>,
        description: Option<String>,
        tool_use_id: Option<String>,
        parent_agent_id: Option<String>,
    }

    let name = path.file_name()?.to_str()?;
    let id = name.strip_prefix("agent-")?.strip_suffix(".jsonl")?.to_owned();
    // A conversation is worth reading without its sidecar too.
    let sidecar = fs::read_to_string(path.with_extension("meta.json")).ok();
    let sidecar = sidecar.and_then(|text| serde_json::from_str::<Sidecar>(&text).ok());
    let Sidecar { agent_type, description, tool_use_id, parent_agent_id } =
        sidecar.unwrap_or_default();
    Some(Subagent { id, agent_type, description, tool_use_id, parent_agent_id, path })
}
