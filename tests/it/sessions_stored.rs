//! Stored sessions, over files made by hand; and what the builder does where one is gone.

use std::{
    collections::HashSet,
    env, fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
    time::{Duration, SystemTime},
};

use byre::{
    Error, ErrorKind, Event, Session, SessionBuilder, State,
    event::ContentBlock,
    hook::StopInput,
    permission::PermissionAnswer,
    sessions::{Conversation, Filter, ForkOptions, Role, Sessions, SkipReason},
    testing::Script,
};
use serde_json::{Value, json};

const ID: &str = "11111111-1111-4111-8111-111111111111";
const OTHER: &str = "22222222-2222-4222-8222-222222222222";
const THIRD: &str = "33333333-3333-4333-8333-333333333333";

/// A config folder with sessions, removed when the test is over.
struct Folder {
    root: PathBuf,
    sessions: Sessions,
}

impl Folder {
    fn new() -> Self {
        static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let root = env::temp_dir().join(format!("byre-stored-{}-{count}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        let root = fs::canonicalize(root).unwrap();
        Self { sessions: Sessions::in_dir(root.join("config")), root }
    }

    /// Where a session lies that was started in a directory of this name.
    fn file(&self, directory: &str, id: &str) -> PathBuf {
        let folder = self.sessions.project_dir(self.root.join(directory));
        fs::create_dir_all(&folder).unwrap();
        folder.join(format!("{id}.jsonl"))
    }

    /// Stores a session of these lines that was changed this many seconds ago.
    fn store(&self, directory: &str, id: &str, age: u64, lines: &[Value]) -> PathBuf {
        let path = self.file(directory, id);
        let text: Vec<_> = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(&path, text.concat()).unwrap();
        set_age(&path, age);
        path
    }

    fn ids(&self, filter: &Filter) -> Vec<String> {
        let sessions = self.sessions.list(filter).unwrap().sessions;
        sessions.into_iter().map(|session| session.id).collect()
    }

    fn project(&self, directory: &str) -> Filter {
        Filter::project(self.root.join(directory))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

fn set_age(path: &Path, age: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 - age);
    fs::File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
}

/// An entry: its kind, its id and that of its parent, and what it says.
fn entry(kind: &str, uuid: &str, parent: Option<&str>, content: impl Into<Value>) -> Value {
    json!({
        "parentUuid": parent, "isSidechain": false, "type": kind, "uuid": uuid, "cwd": "/srv/app",
        "timestamp": "2026-12-01T02:17:51.770Z", "sessionId": ID, "gitBranch": "main",
        "message": {"role": kind, "content": content.into()},
    })
}

fn hello() -> Vec<Value> {
    vec![entry("user", "a", None, "Hello."), entry("assistant", "b", Some("a"), "Yes?")]
}

/// What is said, without ids.
fn said(conversation: &Conversation) -> Vec<(Role, String)> {
    let block = |block: &ContentBlock| match block {
        ContentBlock::Text(block) => block.text.clone(),
        ContentBlock::ToolUse(call) => format!("{}({}) as {}", call.name, call.input, call.id),
        ContentBlock::ToolResult(result) => {
            format!("{} gave {}", result.tool_use_id, result.text())
        }
        other => format!("{other:?}"),
    };
    let messages = conversation.messages.iter();
    messages
        .map(|message| (message.role, message.message.content.iter().map(block).collect()))
        .collect()
}

fn not_found(result: byre::Result<impl std::fmt::Debug>) -> Error {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SessionNotFound, "{error}");
    error
}

#[test]
fn a_machine_without_sessions_has_none() {
    let folder = Folder::new();
    assert!(folder.ids(&Filter::all()).is_empty());
    assert!(folder.ids(&folder.project("app")).is_empty());
    let error = not_found(folder.sessions.get(ID));
    assert!(error.to_string().contains(ID), "{error}");
}

#[test]
fn sessions_are_listed_with_the_newest_first() {
    let folder = Folder::new();
    folder.store("app", ID, 20, &hello());
    folder.store("app", OTHER, 10, &hello());
    folder.store("barn", THIRD, 15, &hello());
    assert_eq!(folder.ids(&Filter::all()), [OTHER, THIRD, ID]);
    assert_eq!(folder.ids(&Filter::all().limit(2)), [OTHER, THIRD]);
    assert_eq!(folder.ids(&Filter::all().offset(1)), [THIRD, ID]);
    assert_eq!(folder.ids(&Filter::all().offset(1).limit(1)), [THIRD]);
    assert_eq!(folder.ids(&Filter::all().offset(3)), [""; 0]);
    assert_eq!(folder.ids(&Filter::all().limit(0)), [""; 0]);
    assert_eq!(folder.ids(&folder.project("app")), [OTHER, ID]);
    assert_eq!(folder.ids(&folder.project("nowhere")), [""; 0]);
}

#[test]
fn a_session_in_two_projects_is_listed_once() {
    let folder = Folder::new();
    folder.store("app", ID, 20, &hello());
    let newer = folder.store("barn", ID, 10, &hello());
    assert_eq!(folder.ids(&Filter::all()), [ID]);
    assert_eq!(folder.sessions.get(ID).unwrap().path, newer);
    folder.sessions.delete(ID).unwrap();
    assert_eq!(folder.ids(&Filter::all()), [""; 0]);
}

#[test]
fn sessions_of_other_work_trees_are_listed_too() {
    let folder = Folder::new();
    let of_tree = folder.root.join("app/.git/worktrees/tree");
    fs::create_dir_all(&of_tree).unwrap();
    fs::create_dir(folder.root.join("tree")).unwrap();
    fs::write(folder.root.join("tree/.git"), format!("gitdir: {}\n", of_tree.display())).unwrap();
    fs::write(of_tree.join("commondir"), "../..\n").unwrap();
    let back = folder.root.join("tree/.git");
    fs::write(of_tree.join("gitdir"), format!("{}\n", back.display())).unwrap();
    folder.store("app", ID, 20, &hello());
    folder.store("tree", OTHER, 10, &hello());
    for directory in ["app", "tree"] {
        assert_eq!(folder.ids(&folder.project(directory)), [OTHER, ID], "{directory}");
    }
    assert_eq!(folder.ids(&folder.project("app").without_worktrees()), [ID]);
}

#[test]
fn what_is_no_session_is_skipped_with_a_reason() {
    let folder = Folder::new();
    let good = folder.store("app", ID, 10, &hello());
    let project = good.parent().unwrap();
    let mut sidechain = entry("user", "a", None, "x");
    sidechain["isSidechain"] = true.into();
    folder.store("app", OTHER, 20, &[sidechain]);
    folder.store("app", THIRD, 30, &[json!({"type": "mode", "mode": "normal"})]);
    let id = |n: u32| format!("{n}4444444-4444-4444-8444-444444444444.jsonl");
    fs::write(project.join(id(0)), "").unwrap();
    fs::write(project.join(id(1)), b"\xff\xfe\0\n{\"type\":").unwrap();
    fs::create_dir(project.join(id(2))).unwrap();
    fs::write(project.join("notes.jsonl"), "{}\n").unwrap();
    // None of these looks like a session.
    fs::write(project.join("notes.md"), "x").unwrap();
    fs::create_dir(project.join("memory")).unwrap();
    fs::write(folder.root.join("config/projects/file"), "x").unwrap();
    fs::create_dir(folder.root.join("config/projects/a\nb 😀")).unwrap();

    let listing = folder.sessions.list(&Filter::all()).unwrap();
    assert_eq!(listing.sessions.len(), 1);
    let mut skipped: Vec<_> = listing
        .skipped
        .iter()
        .map(|skipped| {
            assert_eq!(skipped.line, None);
            (skipped.path.file_name().unwrap().to_str().unwrap().to_owned(), skipped.reason.clone())
        })
        .collect();
    skipped.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!(
        skipped,
        [
            (id(0), SkipReason::Empty),
            (id(1), SkipReason::NoConversation),
            (format!("{OTHER}.jsonl"), SkipReason::Sidechain),
            (id(2), SkipReason::NotAFile),
            (format!("{THIRD}.jsonl"), SkipReason::NoConversation),
            ("notes.jsonl".to_owned(), SkipReason::NotASession),
        ]
    );
    assert!(
        listing.skipped.iter().all(|skipped| skipped.to_string().contains(": it")
            || skipped.to_string().contains(": there"))
    );
}

#[cfg(unix)]
#[test]
fn pipes_links_and_locked_files_do_no_harm() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = Folder::new();
    let good = folder.store("app", ID, 10, &hello());
    let project = good.parent().unwrap();
    let link = project.join(format!("{OTHER}.jsonl"));
    let outside = folder.root.join("outside.jsonl");
    fs::copy(&good, &outside).unwrap();
    symlink(&outside, &link).unwrap();
    symlink("/no/such/file", project.join(format!("{THIRD}.jsonl"))).unwrap();
    let socket = project.join("44444444-4444-4444-8444-444444444444.jsonl");
    // Made elsewhere: the name of a socket must be short.
    let _listener = std::os::unix::net::UnixListener::bind(folder.root.join("s")).unwrap();
    fs::rename(folder.root.join("s"), &socket).unwrap();
    let locked = project.join("55555555-5555-4555-8555-555555555555.jsonl");
    fs::copy(&good, &locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    let is_root = fs::read(&locked).is_ok();

    let listing = folder.sessions.list(&Filter::all()).unwrap();
    let reasons: Vec<_> = listing.skipped.iter().map(|skipped| &skipped.reason).collect();
    assert_eq!(listing.sessions.len(), if is_root { 3 } else { 2 }, "{reasons:?}");
    assert!(reasons.contains(&&SkipReason::NotAFile), "{reasons:?}");
    let unreadable = reasons.iter().filter(|reason| matches!(reason, SkipReason::Unreadable(_)));
    assert_eq!(unreadable.count(), if is_root { 1 } else { 2 }, "{reasons:?}");

    // A link is a session; deleting it leaves what it leads to.
    let away = folder.root.join("away");
    fs::create_dir(&away).unwrap();
    fs::write(away.join("kept"), "x").unwrap();
    symlink(&away, link.with_extension("")).unwrap();
    folder.sessions.delete(OTHER).unwrap();
    assert!(outside.exists() && away.join("kept").exists());
    assert!(fs::symlink_metadata(&link).is_err());
    assert!(fs::symlink_metadata(link.with_extension("")).is_err());
}

#[test]
fn an_id_never_leads_out_of_the_folder() {
    let folder = Folder::new();
    let file = folder.store("app", ID, 10, &hello());
    let outside = folder.root.join("config/outside.jsonl");
    fs::copy(&file, &outside).unwrap();
    for id in
        ["../../outside", "../outside", "", ".", "..", "notes", &format!("{ID}/../{ID}"), &ID[1..]]
    {
        let sessions = &folder.sessions;
        not_found(sessions.get(id));
        not_found(sessions.conversation(id));
        not_found(sessions.entries(id));
        not_found(sessions.subagents(id));
        not_found(sessions.subagent_conversation(id, "x"));
        not_found(sessions.rename(id, "x"));
        not_found(sessions.tag(id, "x"));
        not_found(sessions.untag(id));
        not_found(sessions.delete(id));
        not_found(sessions.fork(id, &ForkOptions::default()));
    }
    not_found(folder.sessions.subagent_conversation(ID, "../../x"));
    assert!(outside.exists() && file.exists());
}

#[test]
fn a_session_that_is_not_there_is_told_by_its_id() {
    let folder = Folder::new();
    folder.store("app", ID, 10, &hello());
    fs::write(folder.file("app", THIRD), "").unwrap();
    for id in [OTHER, THIRD] {
        let error = not_found(folder.sessions.conversation(id));
        assert!(error.to_string().contains(id), "{error}");
        not_found(folder.sessions.rename(id, "x"));
        not_found(folder.sessions.delete(id));
    }
    assert_eq!(fs::read(folder.file("app", THIRD)).unwrap(), b"", "an empty file is left alone");
}

#[test]
fn a_conversation_is_read_with_the_types_of_events() {
    let folder = Folder::new();
    let calls = json!([{"type": "tool_use", "id": "toolu_1", "name": "add", "input": {"a": 2}}]);
    let result = json!([{"type": "tool_result", "tool_use_id": "toolu_1", "content": "5", "is_error": true}]);
    let path = folder.store(
        "app",
        ID,
        10,
        &[
            entry("user", "a", None, "2 + 3?"),
            entry("assistant", "b", Some("a"), calls),
            entry("user", "c", Some("b"), result),
        ],
    );
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend(b"{\"type\":\"user\",\"uuid\":\"x\",\"parentUuid\":\"c\",\"message\":{\"content\":\"\\ud83d \xff\"}}\n");
    bytes.extend(b"no json\n{\"type\":\"us");
    fs::write(&path, bytes).unwrap();

    let conversation = folder.sessions.conversation(ID).unwrap();
    let [prompt, call, result, odd] = &conversation.messages[..] else {
        panic!("{:?}", conversation.messages)
    };
    assert_eq!((prompt.role, prompt.text().as_str()), (Role::User, "2 + 3?"));
    assert_eq!((prompt.uuid.as_str(), prompt.session_id.as_str()), ("a", ID));
    let since = prompt.timestamp.unwrap().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    assert_eq!(since.as_millis(), 1_796_091_471_770);
    assert_eq!(prompt.raw.to_value()["gitBranch"], "main");
    assert_eq!(call.role, Role::Assistant);
    assert_eq!(call.tool_uses().next().unwrap().input, json!({"a": 2}));
    let result = result.tool_results().next().unwrap();
    assert!(result.is_error && result.text() == "5");
    assert_eq!(odd.text(), "\u{fffd} \u{fffd}");
    let lines: Vec<_> = conversation.skipped.iter().map(|s| (s.line, &s.reason)).collect();
    assert_eq!(lines, [(Some(5), &SkipReason::NotJson), (Some(6), &SkipReason::CutShort)]);
    assert_eq!(folder.sessions.entries(ID).unwrap().entries.len(), 4);
}

#[test]
fn subagents_are_found_wherever_they_lie() {
    let folder = Folder::new();
    let path = folder.store("app", ID, 10, &hello());
    assert_eq!(folder.sessions.subagents(ID).unwrap(), []);
    let of = path.with_extension("").join("subagents");
    let deep = of.join("workflows/run-1");
    fs::create_dir_all(&deep).unwrap();
    let lines: Vec<String> = hello()
        .into_iter()
        .map(|mut line| {
            line["isSidechain"] = true.into();
            format!("{line}\n")
        })
        .collect();
    fs::write(of.join("agent-a1.jsonl"), lines.concat()).unwrap();
    let sidecar = json!({"agentType": "Explore", "toolUseId": "toolu_1", "description": "count"});
    fs::write(of.join("agent-a1.meta.json"), sidecar.to_string()).unwrap();
    fs::write(deep.join("agent-b2.jsonl"), lines.concat()).unwrap();
    fs::write(deep.join("agent-b2.meta.json"), json!({"parentAgentId": "a1"}).to_string()).unwrap();
    fs::write(deep.join("agent-c3.jsonl"), "").unwrap();
    fs::write(deep.join("agent-c3.meta.json"), "no json").unwrap();
    fs::write(deep.join("notes.jsonl"), "{}\n").unwrap();

    let subagents = folder.sessions.subagents(ID).unwrap();
    let ids: Vec<_> = subagents.iter().map(|subagent| subagent.id.as_str()).collect();
    assert_eq!(ids, ["a1", "b2", "c3"]);
    assert_eq!(subagents[0].agent_type.as_deref(), Some("Explore"));
    assert_eq!(subagents[0].description.as_deref(), Some("count"));
    assert_eq!(subagents[2].tool_use_id, None);
    let read = |id: &str| folder.sessions.subagent_conversation(ID, id).unwrap().messages;
    let messages = read("a1");
    assert_eq!(messages.len(), 2);
    assert!(messages.iter().all(|m| m.parent_tool_use_id.as_deref() == Some("toolu_1")));
    assert!(read("b2").iter().all(|m| m.parent_agent_id.as_deref() == Some("a1")));
    assert_eq!(read("b2").len(), 2);
    assert!(read("c3").is_empty());
    not_found(folder.sessions.subagent_conversation(ID, "d4"));
}

#[test]
fn titles_and_tags_come_back_as_they_were_given() {
    let folder = Folder::new();
    let path = folder.store("app", ID, 10, &hello());
    let get = || folder.sessions.get(ID).unwrap();
    assert_eq!((get().title, get().tag), (None, None));
    for title in
        ["One", "  with space\t", "\"quotes\" \\ and\nlines", "émoji 😀", "{\"type\":\"tag\"}"]
    {
        folder.sessions.rename(ID, title).unwrap();
        assert_eq!(get().title.as_deref(), Some(title.trim()));
        assert_eq!(get().summary, title.trim());
        folder.sessions.tag(ID, title).unwrap();
        assert_eq!(get().tag.as_deref(), Some(title.trim()));
    }
    folder.sessions.untag(ID).unwrap();
    assert_eq!(get().tag, None);
    for nothing in ["", "  \n"] {
        assert_eq!(
            folder.sessions.rename(ID, nothing).unwrap_err().kind(),
            ErrorKind::InvalidInput
        );
        assert_eq!(folder.sessions.tag(ID, nothing).unwrap_err().kind(), ErrorKind::InvalidInput);
    }
    assert_eq!(folder.sessions.tag(ID, "\u{200b}").unwrap_err().kind(), ErrorKind::InvalidInput);
    let text = fs::read_to_string(path).unwrap();
    let last = text.lines().last().unwrap();
    assert_eq!(last, format!("{{\"type\":\"tag\",\"tag\":\"\",\"sessionId\":\"{ID}\"}}"));
    assert_eq!(said(&folder.sessions.conversation(ID).unwrap()).len(), 2, "nothing is lost");
}

#[test]
fn a_deleted_session_leaves_nothing_behind() {
    let folder = Folder::new();
    let path = folder.store("app", ID, 10, &hello());
    let other = folder.store("app", OTHER, 10, &hello());
    fs::create_dir_all(path.with_extension("").join("subagents/x")).unwrap();
    fs::write(path.with_extension("").join("subagents/x/agent-a.jsonl"), "{}").unwrap();
    folder.sessions.delete(ID).unwrap();
    assert!(!path.exists() && !path.with_extension("").exists() && other.exists());
    not_found(folder.sessions.delete(ID));
}

#[test]
fn a_copy_says_the_same_under_another_id() {
    let folder = Folder::new();
    let path = folder.store("app", ID, 10, &hello());
    folder.sessions.rename(ID, "Original").unwrap();
    let before = fs::read(&path).unwrap();
    let copy = folder.sessions.fork(ID, &ForkOptions::default()).unwrap();
    assert_eq!(fs::read(&path).unwrap(), before, "the original is left alone");
    let info = folder.sessions.get(&copy).unwrap();
    assert_eq!(info.title.as_deref(), Some("Original (fork)"));
    assert_eq!(info.path.parent(), path.parent());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&info.path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let [original, copied] = [ID, &copy].map(|id| said(&folder.sessions.conversation(id).unwrap()));
    assert_eq!(original, copied);

    let options = ForkOptions::default().up_to("a").title(" Mine ");
    let short = folder.sessions.fork(ID, &options).unwrap();
    assert_eq!(folder.sessions.get(&short).unwrap().title.as_deref(), Some("Mine"));
    assert_eq!(said(&folder.sessions.conversation(&short).unwrap()).len(), 1);

    let refused = |options| folder.sessions.fork(ID, &options).unwrap_err().kind();
    assert_eq!(refused(ForkOptions::default().up_to("nowhere")), ErrorKind::InvalidInput);
    assert_eq!(refused(ForkOptions::default().title(" ")), ErrorKind::InvalidInput);
    assert_eq!(folder.ids(&Filter::all()).len(), 3);
    folder.store("app", OTHER, 1, &[json!({"type": "custom-title", "customTitle": "T"})]);
    not_found(folder.sessions.fork(OTHER, &ForkOptions::default()));
}

/// Numbers that look random, and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }
}

/// A session that went back, branched, called tools in parallel and was compacted.
fn random_session(dice: &mut Dice) -> Vec<Value> {
    let mut lines = vec![entry("user", "0", None, "Go.")];
    let mut uuids = vec!["0".to_owned()];
    for turn in 1..2 + dice.below(12) {
        let parent = match dice.below(4) {
            0 => uuids[dice.below(uuids.len())].clone(),
            _ => uuids.last().unwrap().clone(),
        };
        // A compaction preserves messages, and never a report of progress.
        let is_progress = |line: &Value| line["type"] == "progress" && line["uuid"] == *parent;
        let preserved = if lines.iter().any(is_progress) { "0" } else { &*parent };
        let uuid = |part: usize| format!("{turn}-{part}");
        let mut add = |mut line: Value, field: &str, value: Value| {
            uuids.push(line["uuid"].as_str().unwrap().to_owned());
            line[field] = value;
            lines.push(line);
        };
        match dice.below(6) {
            0 => {
                let calls = 1 + dice.below(3);
                for call in 0..calls {
                    let parent = if call == 0 { parent.clone() } else { uuid(call - 1) };
                    let id = format!("toolu_{turn}_{call}");
                    let content = json!([{"type": "tool_use", "id": id, "name": "add", "input": {"a": turn}}]);
                    let line = entry("assistant", &uuid(call), Some(&parent), "");
                    add(line, "message", json!({"id": format!("msg_{turn}"), "content": content}));
                }
                for call in 0..calls {
                    let id = format!("toolu_{turn}_{call}");
                    let content =
                        json!([{"type": "tool_result", "tool_use_id": id, "content": id}]);
                    let line = entry("user", &uuid(10 + call), Some(&uuid(call)), content);
                    add(line, "sourceToolAssistantUUID", uuid(call).into());
                }
            }
            1 => add(entry("attachment", &uuid(0), Some(&parent), ""), "x", json!({"y": [1.5]})),
            2 => {
                add(entry("progress", &uuid(0), Some(&parent), ""), "x", Value::Null);
                add(entry("user", &uuid(1), Some(&uuid(0)), "After it."), "x", Value::Null);
            }
            3 => {
                let preserved = json!({"anchorUuid": uuid(1), "uuids": [preserved]});
                let line = entry("system", &uuid(0), None, "");
                add(line, "compactMetadata", json!({"preservedMessages": preserved}));
                add(
                    entry("user", &uuid(1), Some(&uuid(0)), "All."),
                    "isCompactSummary",
                    true.into(),
                );
            }
            4 => add(entry("user", &uuid(0), Some(&parent), "Hm."), "isMeta", true.into()),
            _ => add(
                entry("assistant", &uuid(0), Some(&parent), format!("{turn}.")),
                "x",
                json!(1e3),
            ),
        }
    }
    lines
}

#[test]
fn whatever_the_session_its_copy_says_the_same() {
    let folder = Folder::new();
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let mut longest = 0;
    for round in 0..300 {
        let lines = random_session(&mut dice);
        folder.store("app", ID, 10, &lines);
        let original = folder.sessions.conversation(ID).unwrap();
        longest = longest.max(original.messages.len());
        let copy = folder.sessions.fork(ID, &ForkOptions::default()).unwrap();
        let second = folder.sessions.fork(&copy, &ForkOptions::default()).unwrap();
        let mut uuids = HashSet::new();
        for id in [ID, &copy, &second] {
            let conversation = folder.sessions.conversation(id).unwrap();
            assert_eq!(said(&conversation), said(&original), "round {round}: {lines:#?}");
            assert!(conversation.messages.iter().all(|message| message.session_id == id));
            for entry in folder.sessions.entries(id).unwrap().entries {
                if let Some(uuid) = entry.to_value()["uuid"].as_str() {
                    assert!(uuids.insert(uuid.to_owned()), "{uuid} is there twice");
                }
            }
        }
        folder.sessions.delete(&copy).unwrap();
        folder.sessions.delete(&second).unwrap();
    }
    assert!(longest > 10, "the sessions are worth the while: {longest}");
}

#[test]
fn sessions_can_be_used_from_async_code() {
    fn check<T: Send + Sync + Clone + 'static>() {}
    check::<Sessions>();
    check::<Filter>();
    check::<Conversation>();
}

/// A session over the stand-in, as a process of its own, that misbehaves in these ways.
fn fake(misbehaviour: &str) -> SessionBuilder {
    let script = Script::new().say("Hello.").say("Hello again.");
    Session::builder()
        .tools([])
        .hooks([])
        .cli_path(env!("CARGO_BIN_EXE_fake-claude"))
        .env("FAKE_CLAUDE_SCRIPT", script.to_json().unwrap())
        .env("FAKE_CLAUDE_MISBEHAVE", misbehaviour)
}

/// Spawns, and gives the warnings of the first turn, and the session's id.
async fn start(builder: SessionBuilder) -> byre::Result<(Vec<String>, String)> {
    let mut session = builder.spawn().await?;
    let mut turn = session.prompt("Hi.");
    let mut events = Vec::new();
    while let Some(event) = turn.next().await {
        events.push(event?);
    }
    let id = turn.outcome().await?.session_id().to_owned();
    session.close().await?;
    let warnings = events.iter().filter_map(|event| match event {
        Event::Warning(warning) => Some(warning.to_string()),
        _ => None,
    });
    let warnings: Vec<_> = warnings.collect();
    assert!(warnings.is_empty() || matches!(events[0], Event::Warning(_)), "a warning comes first");
    Ok((warnings, id))
}

#[tokio::test]
async fn a_session_that_is_gone_can_not_be_resumed() {
    let error = not_found(start(fake("no-sessions").resume(ID)).await);
    let text = error.to_string();
    assert!(text.contains(&format!("No conversation found with session ID: {ID}")), "{text}");
    assert_eq!(error.exit().unwrap().status.unwrap().code(), Some(1));
}

#[tokio::test]
async fn a_session_that_is_there_is_resumed_without_a_word() {
    let (warnings, id) = start(fake("").resume_or_new(ID)).await.unwrap();
    assert_eq!((warnings, id.as_str()), (vec![], ID));
}

#[tokio::test]
async fn a_new_session_stands_in_for_one_that_is_gone_and_says_so() {
    let (warnings, id) = start(fake("no-sessions").resume_or_new(ID)).await.unwrap();
    let text = format!("session {ID:?} is not stored; this is a new one, with the same id");
    assert_eq!((warnings, id.as_str()), (vec![text], ID));

    for builder in [
        fake("no-sessions,ids-in-use").resume_or_new(ID),
        fake("no-sessions").resume_or_new(ID).fork_session(true),
        fake("no-sessions").resume_or_new("a title"),
    ] {
        let (warnings, id) = start(builder).await.unwrap();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].ends_with("is not stored; this is a new one"), "{warnings:?}");
        assert_ne!(id, ID);
    }
}

/// Who has been asked.
#[derive(Clone, Default)]
struct Asked(Arc<Mutex<Vec<&'static str>>>);

impl Asked {
    fn note(&self, who: &'static str) {
        self.0.lock().unwrap().push(who);
    }
}

/// Says that it was called.
#[byre::tool(register = false)]
async fn touch(State(asked): State<Asked>) {
    asked.note("tool");
}

#[byre::hook(register = false)]
async fn watch(_: StopInput, State(asked): State<Asked>) {
    asked.note("hook");
}

#[tokio::test]
async fn the_new_session_is_served_all_that_the_lost_one_would_have_been() {
    let asked = Asked::default();
    let decides = asked.clone();
    let script = Script::new().call("touch", json!({})).say("Done.");
    let dump = Folder::new();
    let path = dump.root.join("dump.json");
    let builder = fake("no-sessions")
        .env("FAKE_CLAUDE_SCRIPT", script.to_json().unwrap())
        .env("FAKE_CLAUDE_DUMP", &path)
        .tools(byre::tools![touch])
        .hooks(byre::hooks![watch])
        .state(asked.clone())
        .ask_for_own_tools()
        .can_use_tool(move |_, _| {
            decides.note("permission");
            async { PermissionAnswer::allow() }
        })
        .model("opus");
    let (warnings, id) = start(builder.resume_or_new(ID)).await.unwrap();
    assert_eq!((warnings.len(), id.as_str()), (1, ID));
    assert_eq!(*asked.0.lock().unwrap(), ["permission", "tool", "hook"]);
    let launch = fs::read_to_string(path).unwrap();
    assert!(launch.contains("--model=opus") && !launch.contains("--resume"), "{launch}");
}

#[tokio::test]
async fn only_a_session_that_is_gone_is_replaced() {
    let error = start(fake("exit-at-start=7").resume_or_new(ID)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Exited);
    // The last word counts.
    not_found(start(fake("no-sessions").resume_or_new(OTHER).resume(ID)).await);
}
