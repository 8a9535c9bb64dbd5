//! The files of stored sessions.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::sessions::{Filter, ForkOptions, Sessions};

const ID: &str = "11111111-1111-4111-8111-111111111111";

/// Stores `data` as the file of a session and of a subagent, and does everything that can be done with it.
pub fn sessions(data: &[u8]) {
    if data.is_empty() {
        return; // no session
    }
    let folder = Folder::new();
    let project = folder.0.join("projects/-srv-app");
    let subagents = project.join(ID).join("subagents");
    fs::create_dir_all(&subagents).expect("a folder can be made");
    let write = |path: &Path, data: &[u8]| fs::write(path, data).expect("a file can be written");
    write(&project.join(format!("{ID}.jsonl")), data);
    write(&subagents.join("agent-a1.jsonl"), data);
    write(&subagents.join("agent-a1.meta.json"), data);
    let sessions = Sessions::in_dir(&folder.0);
    read(&sessions, ID);
    let list = sessions.list(&Filter::all()).expect("the folder can be read");
    assert_eq!(list.sessions.len() + list.skipped.len(), 1, "{list:?}");
    // Without it, byre waits for the rest of the last line.
    if data.ends_with(b"\n") {
        change(&sessions);
    }
}

fn read(sessions: &Sessions, id: &str) {
    let entries = sessions.entries(id).expect("the file is there");
    let conversation = sessions.conversation(id).expect("the file is there");
    assert!(conversation.messages.len() <= entries.entries.len());
    assert_eq!(conversation.skipped, entries.skipped);
    assert!(!format!("{conversation:?}").is_empty());
    if let Ok(info) = sessions.get(id) {
        assert_eq!(info.id, id);
    }
    for subagent in sessions.subagents(id).expect("the folder is there") {
        let conversation = sessions.subagent_conversation(id, &subagent.id);
        drop(conversation.expect("the subagent is there"));
    }
}

fn change(sessions: &Sessions) {
    let before = sessions.entries(ID).expect("the file is there");
    let said = |id: &str| sessions.conversation(id).expect("the file is there").messages.len();
    let messages = said(ID);
    sessions.rename(ID, " The one with the \u{1f404} ").expect("it can be named");
    sessions.tag(ID, "\u{200b}reviewed").expect("it can be tagged");
    let after = sessions.entries(ID).expect("the file is there");
    assert_eq!(after.entries.len(), before.entries.len() + 2);
    assert_eq!(after.skipped, before.skipped);
    assert_eq!(said(ID), messages, "names are not messages");
    if let Ok(info) = sessions.get(ID) {
        assert_eq!(info.title.as_deref(), Some("The one with the \u{1f404}"));
        assert_eq!(info.tag.as_deref(), Some("reviewed"));
    }
    if let Ok(copy) = sessions.fork(ID, &ForkOptions::default()) {
        assert_ne!(copy, ID);
        assert!(sessions.entries(&copy).expect("it is there").skipped.is_empty());
        read(sessions, &copy);
    }
    sessions.delete(ID).expect("it can be deleted");
    assert!(sessions.get(ID).is_err());
}

/// A config folder, gone when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let name = format!("byre-fuzz-{}", uuid::Uuid::new_v4().simple());
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
