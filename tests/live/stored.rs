//! What the real CLI has stored is read and changed without it, and what byre wrote is understood by it.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use byre::{
    Error, ErrorKind, Event, SessionBuilder,
    sessions::{Conversation, Filter, ForkOptions, Role, SessionMessage, Sessions},
    testing::{MessagesApi, RealCli, Reply, Script},
};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::harness::{cli_path, session};

/// What no session of these tests may exceed. Most take a second; a machine may be busy.
const LIMIT: Duration = Duration::from_secs(60);

/// Adds two integers.
#[byre::tool(register = false, read_only)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// A CLI whose model plays a script, and the sessions that it stores.
struct Stored {
    api: MessagesApi,
    cli: RealCli,
    sessions: Sessions,
}

impl Stored {
    async fn new(script: Script) -> Self {
        let api = MessagesApi::start(script).await.expect("start the API");
        let cli = RealCli::new(cli_path(), &api).expect("make the CLI's folders");
        let envs = cli.envs();
        let (_, folder) = envs.iter().find(|(name, _)| name == "CLAUDE_CONFIG_DIR").unwrap();
        Self { sessions: Sessions::in_dir(folder), api, cli }
    }

    fn builder(&self) -> SessionBuilder {
        session(&self.cli).tools(byre::tools![add]).bypass_permissions()
    }

    /// A directory for the CLI to work in.
    fn directory(&self, name: impl AsRef<Path>) -> PathBuf {
        let directory = self.cli.work_dir().join(name);
        fs::create_dir_all(&directory).unwrap();
        directory
    }

    /// The conversation that the model was shown last.
    fn shown(&self) -> Vec<Value> {
        let body = self.api.requests().pop().unwrap().body;
        body["messages"].as_array().unwrap().clone()
    }
}

/// Runs a session with these prompts, and gives its id and all warnings.
async fn run(builder: SessionBuilder, prompts: &[&str]) -> Result<(String, Vec<String>), Error> {
    let work = async {
        let mut session = builder.spawn().await?;
        let mut warnings = Vec::new();
        for prompt in prompts {
            let mut turn = session.prompt(*prompt);
            while let Some(event) = turn.next().await {
                if let Event::Warning(warning) = event? {
                    warnings.push(warning.to_string());
                }
            }
            let outcome = turn.outcome().await?;
            assert!(!outcome.is_error(), "{outcome:?}");
        }
        let id = session.handle().session_id().unwrap();
        session.close().await?;
        Ok((id, warnings))
    };
    timeout(LIMIT, work).await.expect("the session ends in time")
}

/// What is said in a stored conversation, one line for each message.
fn said(conversation: &Conversation) -> Vec<String> {
    assert_eq!(conversation.skipped, [], "the CLI writes nothing that byre can't read");
    let line = |message: &SessionMessage| {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(Some(message.text()).filter(|text| !text.is_empty()));
        parts.extend(message.tool_uses().map(|call| format!("{} {}", call.name, call.input)));
        parts.extend(message.tool_results().map(|result| format!("= {}", result.text())));
        let role = if message.role == Role::User { "user" } else { "model" };
        format!("{role}: {}", parts.join(", "))
    };
    conversation.messages.iter().map(line).collect()
}

/// The texts, calls and results that the model was shown, without what the CLI adds to them.
fn shown_as_text(messages: &[Value]) -> String {
    let contents: Vec<_> = messages.iter().map(|message| message["content"].to_string()).collect();
    contents.join("\n")
}

fn assert_in_order(text: &str, parts: &[&str]) {
    let mut rest = text;
    for part in parts {
        let at =
            rest.find(part).unwrap_or_else(|| panic!("{part:?} is not in its place in {text}"));
        rest = &rest[at + part.len()..];
    }
}

#[tokio::test]
async fn what_the_cli_stored_is_listed_and_read() {
    let script = Script::new()
        .call("add", json!({"a": 2, "b": 3}))
        .say("It is {result}.")
        .say("You are welcome. 😀");
    let stored = Stored::new(script).await;
    let (id, _) = run(stored.builder(), &["2 + 3?\nPlease.", "Thank you."]).await.unwrap();

    let listing = stored.sessions.list(&Filter::project(stored.cli.work_dir())).unwrap();
    assert_eq!(listing.skipped, []);
    let [info] = &listing.sessions[..] else { panic!("{listing:?}") };
    assert_eq!(info.id, id);
    assert_eq!(info.first_prompt.as_deref(), Some("2 + 3? Please."));
    assert_eq!(info.summary, "Thank you.");
    assert_eq!(info.cwd.as_deref(), Some(&*fs::canonicalize(stored.cli.work_dir()).unwrap()));
    assert_eq!((&info.title, &info.tag), (&None, &None));
    let created = info.created.unwrap();
    assert!(created <= info.modified && created.elapsed().unwrap() < LIMIT, "{info:?}");
    assert_eq!(&stored.sessions.get(&id).unwrap(), info);
    assert_eq!(stored.sessions.list(&Filter::all()).unwrap().sessions, listing.sessions);

    let conversation = stored.sessions.conversation(&id).unwrap();
    assert_eq!(
        said(&conversation),
        [
            "user: 2 + 3?\nPlease.",
            "model: mcp__byre__add {\"a\":2,\"b\":3}",
            "user: = 5",
            "model: It is 5.",
            "user: Thank you.",
            "model: You are welcome. 😀",
        ]
    );
    assert!(conversation.messages.iter().all(|message| message.session_id == id));
}

#[tokio::test]
async fn a_renamed_and_tagged_session_is_resumed_by_its_title() {
    let script = Script::new().say("One.").say("Two.").say("Three.");
    let stored = Stored::new(script).await;
    let (id, _) = run(stored.builder(), &["first"]).await.unwrap();
    stored.sessions.rename(&id, "The \"barn\"").unwrap();
    stored.sessions.tag(&id, "hay").unwrap();

    let (other, _) = run(stored.builder().resume("The \"barn\""), &["second"]).await.unwrap();
    assert_eq!(other, id);
    assert_in_order(&shown_as_text(&stored.shown()), &["first", "One.", "second"]);
    let info = stored.sessions.get(&id).unwrap();
    assert_eq!(info.title.as_deref(), Some("The \"barn\""), "the CLI keeps it");
    assert_eq!(info.tag.as_deref(), Some("hay"));

    // The CLI has given it another one meanwhile, and byre gives it its last.
    let mut session = stored.builder().resume(&id).spawn().await.unwrap();
    let rename = json!({"title": "Cow house"});
    session.handle().control("rename_session", rename).await.unwrap();
    assert_eq!(stored.sessions.get(&id).unwrap().title.as_deref(), Some("Cow house"));
    // While the CLI runs.
    stored.sessions.rename(&id, "Stable").unwrap();
    session.prompt("third").await.unwrap();
    session.close().await.unwrap();
    assert_eq!(stored.sessions.get(&id).unwrap().title.as_deref(), Some("Stable"));
    assert_eq!(said(&stored.sessions.conversation(&id).unwrap()).len(), 6);
}

#[tokio::test]
async fn a_fork_of_byre_is_resumed_by_the_cli() {
    let script = Script::new()
        .reply(
            Reply::say("I will add.")
                .and_call("add", json!({"a": 1, "b": 1}))
                .and_call("add", json!({"a": 2, "b": 2}))
                .and_call("Bash", json!({"command": "echo hay"})),
        )
        .say("Two, four, hay.")
        .say("In the fork.")
        .say("In the short fork.")
        .say("In the original.");
    let stored = Stored::new(script).await;
    let (id, _) = run(stored.builder(), &["Do three things."]).await.unwrap();
    let original = said(&stored.sessions.conversation(&id).unwrap());
    assert_eq!(
        original,
        [
            "user: Do three things.",
            "model: I will add.",
            "model: mcp__byre__add {\"a\":1,\"b\":1}",
            "model: mcp__byre__add {\"a\":2,\"b\":2}",
            "model: Bash {\"command\":\"echo hay\"}",
            "user: = 2",
            "user: = 4",
            "user: = hay",
            "model: Two, four, hay.",
        ]
    );

    let fork = stored.sessions.fork(&id, &ForkOptions::default()).unwrap();
    assert_eq!(said(&stored.sessions.conversation(&fork).unwrap()), original);
    assert_eq!(
        stored.sessions.get(&fork).unwrap().title.as_deref(),
        Some("Do three things. (fork)")
    );
    let (resumed, _) = run(stored.builder().resume(&fork), &["And now?"]).await.unwrap();
    assert_eq!(resumed, fork);
    let shown = shown_as_text(&stored.shown());
    assert_in_order(
        &shown,
        &["Do three things.", "I will add.", "echo hay", "Two, four, hay.", "And now?"],
    );
    assert_eq!(shown.matches("\"type\":\"tool_result\"").count(), 3, "{shown}");
    assert!(!shown.contains("interrupted"), "{shown}");

    let first = stored.sessions.conversation(&id).unwrap().messages[0].uuid.clone();
    let options = ForkOptions::default().up_to(first).title("Short");
    let short = stored.sessions.fork(&id, &options).unwrap();
    run(stored.builder().resume("short"), &["Never mind."]).await.unwrap();
    let shown = shown_as_text(&stored.shown());
    assert_in_order(&shown, &["Do three things.", "Never mind."]);
    assert!(!shown.contains("I will add."), "{shown}");

    run(stored.builder().resume(&id), &["Here?"]).await.unwrap();
    let shown = shown_as_text(&stored.shown());
    assert_in_order(&shown, &["Do three things.", "Two, four, hay.", "Here?"]);
    assert!(!shown.contains("And now?") && !shown.contains("Never mind."), "{shown}");

    stored.sessions.delete(&fork).unwrap();
    stored.sessions.delete(&short).unwrap();
    let left = stored.sessions.list(&Filter::all()).unwrap().sessions;
    assert_eq!(left.iter().map(|info| &info.id).collect::<Vec<_>>(), [&id]);
}

#[tokio::test]
async fn a_compacted_session_is_read_as_the_model_sees_it_and_so_is_its_fork() {
    let script = Script::new()
        .say("Unus.")
        .say("Duo.")
        .say("<summary>They counted.</summary>")
        .say("Tres.")
        .say("Quattuor.")
        .say("Quinque.");
    let stored = Stored::new(script).await;
    let (id, _) =
        run(stored.builder(), &["Primus?", "Secundus?", "/compact", "Tertius?"]).await.unwrap();
    let shown = shown_as_text(&stored.shown());
    assert!(shown.contains("They counted.") && !shown.contains("Primus"), "{shown}");

    let conversation = stored.sessions.conversation(&id).unwrap();
    let messages = said(&conversation);
    assert!(conversation.messages[0].is_compact_summary, "{messages:?}");
    let text = messages.join("\n");
    assert!(!text.contains("Primus"), "{text}");
    // What was preserved is shown to the model after the summary, and so it is read.
    let preserved: Vec<&str> =
        ["Unus.", "Secundus?", "Duo."].into_iter().filter(|part| shown.contains(part)).collect();
    assert!(!preserved.is_empty(), "{shown}");
    let parts = [&["They counted."][..], &preserved, &["Tertius?", "Tres."]].concat();
    assert_in_order(&text, &parts);
    for part in ["Unus.", "Secundus?", "Duo."] {
        assert_eq!(text.contains(part), shown.contains(part), "{part}: {text}\n\n{shown}");
    }

    let fork = stored.sessions.fork(&id, &ForkOptions::default()).unwrap();
    assert_eq!(said(&stored.sessions.conversation(&fork).unwrap()), messages);
    run(stored.builder().resume(&fork), &["Quartus?"]).await.unwrap();
    let shown = shown_as_text(&stored.shown());
    assert_in_order(&shown, &[&parts[..], &["Quartus?"]].concat());
    assert!(!shown.contains("Primus"), "{shown}");
    assert_in_order(
        &said(&stored.sessions.conversation(&fork).unwrap()).join("\n"),
        &["They counted.", "Quartus?", "Quattuor."],
    );

    // The CLI's own fork, which keeps the ids of entries, reads the same.
    let (theirs, _) =
        run(stored.builder().resume(&id).fork_session(true), &["Quintus?"]).await.unwrap();
    let text = said(&stored.sessions.conversation(&theirs).unwrap()).join("\n");
    assert_in_order(&text, &[&parts[..], &["Quintus?", "Quinque."]].concat());
}

#[tokio::test]
async fn a_subagent_is_read_apart() {
    let task =
        json!({"description": "count", "prompt": "Count the files.", "run_in_background": false});
    let script = Script::new().call("Agent", task).say("Seven.").for_prompt(
        "Count the files",
        Script::new().call("add", json!({"a": 3, "b": 4})).say("{result}"),
    );
    let stored = Stored::new(script).await;
    let (id, _) = run(stored.builder(), &["How many?"]).await.unwrap();

    let main = stored.sessions.conversation(&id).unwrap();
    assert_eq!(main.messages.len(), 4, "{:?}", said(&main));
    let call = main.messages[1].tool_uses().next().unwrap().id.clone();
    let subagents = stored.sessions.subagents(&id).unwrap();
    let [subagent] = &subagents[..] else { panic!("{subagents:?}") };
    assert_eq!(subagent.tool_use_id.as_deref(), Some(call.as_str()));
    assert_eq!(subagent.description.as_deref(), Some("count"));
    assert_eq!(subagent.agent_type.as_deref(), Some("general-purpose"));
    let conversation = stored.sessions.subagent_conversation(&id, &subagent.id).unwrap();
    assert_eq!(
        said(&conversation),
        [
            "user: Count the files.",
            "model: mcp__byre__add {\"a\":3,\"b\":4}",
            "user: = 7",
            "model: 7",
        ]
    );
    let parents = conversation.messages.iter().map(|message| message.parent_tool_use_id.as_deref());
    assert!(parents.into_iter().all(|parent| parent == Some(call.as_str())));

    stored.sessions.delete(&id).unwrap();
    assert!(!subagent.path.exists());
    let error = run(stored.builder().resume(&id), &["Still there?"]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SessionNotFound);
    assert!(error.to_string().contains(&id), "{error}");
}

#[tokio::test]
async fn sessions_are_found_by_their_directory() {
    let names = [
        "dot.under_score".to_owned(),
        "emoji 😀 e\u{301}".to_owned(),
        format!("{}/{}", "a".repeat(120), "ü".repeat(60)),
    ];
    let script = names.iter().fold(Script::new(), |script, _| script.say("Hello."));
    let stored = Stored::new(script).await;
    for name in &names {
        let directory = stored.directory(name);
        let (id, _) = run(stored.builder().current_dir(&directory), &["Hi."]).await.unwrap();
        let listing = stored.sessions.list(&Filter::project(&directory)).unwrap();
        let ids: Vec<_> = listing.sessions.iter().map(|info| &info.id).collect();
        assert_eq!(ids, [&id], "{name:?}");
        let folder = stored.sessions.project_dir(&directory);
        assert_eq!(listing.sessions[0].path.parent(), Some(&*folder), "{name:?}");
    }
}

#[tokio::test]
async fn half_a_line_costs_no_other() {
    use std::io::Write as _;

    let stored = Stored::new(Script::new().say("One.").say("Two.")).await;
    let (id, _) = run(stored.builder(), &["first"]).await.unwrap();
    let path = stored.sessions.get(&id).unwrap().path;
    let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"{\"type\":\"user\",\"mess").unwrap();
    stored.sessions.rename(&id, "Torn").unwrap();
    run(stored.builder().resume("Torn"), &["second"]).await.unwrap();
    assert_in_order(&shown_as_text(&stored.shown()), &["first", "One.", "second"]);
    let conversation = stored.sessions.conversation(&id).unwrap();
    assert_eq!(conversation.messages.len(), 4);
    assert_eq!(conversation.skipped.len(), 1, "{:?}", conversation.skipped);
}

#[tokio::test]
async fn a_new_session_stands_in_for_one_that_is_gone() {
    let stored = Stored::new(Script::new().say("One.").say("Two.").say("Three.")).await;
    let id = "6a4bb1ab-0c1a-4d52-8a85-1d0a4a9f9d3c";
    let (first, warnings) = run(stored.builder().resume_or_new(id), &["first"]).await.unwrap();
    assert_eq!(first, id);
    assert_eq!(
        warnings,
        [format!("session {id:?} is not stored; this is a new one, with the same id")]
    );
    let (second, warnings) = run(stored.builder().resume_or_new(id), &["second"]).await.unwrap();
    assert_eq!((second.as_str(), warnings), (id, vec![]));
    assert_in_order(&shown_as_text(&stored.shown()), &["first", "One.", "second"]);

    // A file without a conversation can neither be resumed nor written to.
    let path = stored.sessions.get(id).unwrap().path;
    fs::write(&path, "{\"type\":\"mode\",\"mode\":\"normal\"}\n").unwrap();
    let (third, warnings) = run(stored.builder().resume_or_new(id), &["third"]).await.unwrap();
    assert_ne!(third, id);
    assert_eq!(warnings, [format!("session {id:?} is not stored; this is a new one")]);

    let error = run(stored.builder().resume("no such title"), &["x"]).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SessionNotFound);
    assert!(error.to_string().contains("no such title"), "{error}");
}
