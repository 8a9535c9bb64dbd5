//! A session that goes on in another CLI.

use std::sync::atomic::AtomicBool;

use byre::{
    PermissionMode, Transport,
    testing::{Recorder, ScriptedCli},
};

use super::*;

/// The starts of a CLI, in order.
#[derive(Clone, Default)]
struct Starts(Arc<Mutex<Vec<Start>>>);

/// The arguments, and what it heard.
type Start = (Vec<String>, Recorder);

impl Starts {
    /// Plays the next of these scripts at each start.
    fn transport(&self, scripts: impl IntoIterator<Item = Script>) -> Transport {
        let scripts = Mutex::new(scripts.into_iter().collect::<std::collections::VecDeque<_>>());
        let starts = self.clone();
        Transport::on_every_launch(move |args| {
            let script = scripts.lock().unwrap().pop_front().expect("it starts too often");
            starts.play(script, args)
        })
    }

    fn play(&self, script: Script, args: &[std::ffi::OsString]) -> Transport {
        let cli = ScriptedCli::new(script);
        let args = args.iter().map(|arg| arg.to_str().unwrap().to_owned()).collect();
        self.0.lock().unwrap().push((args, cli.recorder()));
        cli.into()
    }

    /// The values of this flag, one for each start.
    fn flag(&self, name: &str) -> Vec<Option<String>> {
        let value = |args: &Vec<String>| {
            args.iter().find_map(|arg| Some(arg.strip_prefix(name)?.trim_matches('=').to_owned()))
        };
        self.0.lock().unwrap().iter().map(|(args, _)| value(args)).collect()
    }

    /// The texts of the prompts that each start was sent.
    fn prompts(&self) -> Vec<Vec<String>> {
        let prompts = |recorder: &Recorder| {
            let lines = recorder.received().into_iter().filter(|line| line["type"] == "user");
            lines.map(|line| line["message"]["content"].as_str().unwrap().to_owned()).collect()
        };
        self.0.lock().unwrap().iter().map(|(_, recorder)| prompts(recorder)).collect()
    }
}

fn in_memory(starts: &Starts, scripts: impl IntoIterator<Item = Script>) -> SessionBuilder {
    let tools = byre::tools![add, text_of];
    Session::builder().tools(tools).hooks([]).transport(starts.transport(scripts))
}

const ID: &str = "8f3a8990-6fca-4756-b667-0911376e0d4c";

#[tokio::test]
async fn a_session_goes_on_after_its_cli_was_killed_and_no_prompt_is_sent_twice() {
    let folder = Folder::new("restart");
    let script = Script::new().call("add", json!({"a": 2, "b": 3})).reply(Reply::hold());
    let builder = fake(&script, "grandchild")
        .hooks(byre::hooks![once_more])
        .env("FAKE_CLAUDE_DUMP", folder.path("dump.json"))
        .transcript(folder.path("transcript.jsonl"))
        .permission_mode(PermissionMode::Plan);
    let mut session = start(builder).await;
    let (old, old_handle) = (pid(&session), session.handle());
    let mut turn = session.prompt("Add.");
    let error = loop {
        match in_time(turn.next()).await.unwrap() {
            // The tool has run.
            Ok(Event::User(_)) => kill(old),
            Ok(_) => {}
            Err(error) => break error,
        }
    };
    assert_eq!(error.kind(), ErrorKind::Exited);
    assert_eq!(error.exit().unwrap().signal(), Some(9));
    assert!(error.unfinished_prompt().is_some());
    let text = error.to_string();
    assert!(text.contains("SIGKILL"), "{text}");
    assert!(text.contains("somebody killed it"), "{text}");
    assert!(text.ends_with("may have been carried out in part, and is not sent again"), "{text}");
    assert!(!session.is_alive());
    let id = session.handle().session_id().unwrap();

    in_time(session.restart()).await.unwrap();
    assert!(session.is_alive());
    assert_ne!(pid(&session), old);
    assert_eq!(session.handle().session_id(), Some(id.clone()));
    assert!(!old_handle.is_alive());
    assert_eq!(old_handle.send("Hm?").unwrap_err().kind(), ErrorKind::Exited);
    let args = folder.dump().await["args"].clone();
    let args = args.as_array().unwrap();
    assert!(args.contains(&json!(format!("--resume={id}"))), "{args:?}");
    assert!(args.contains(&json!("--permission-mode=plan")), "{args:?}");
    // It plays its script from the start: the tool and the hook are served again.
    let mut turn = session.prompt("Again.");
    loop {
        if let Event::User(user) = in_time(turn.next()).await.unwrap().unwrap() {
            assert_eq!(user.tool_results().next().unwrap().text(), "5");
            break;
        }
    }
    drop(turn);
    in_time(session.close()).await.unwrap();

    let recorded = fs::read_to_string(folder.path("transcript.jsonl")).unwrap();
    let sent = recorded.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let sent = sent.filter(|line| line["dir"] == "send" && line["msg"]["type"] == "user");
    let sent = sent.map(|line| line["msg"]["message"]["content"].as_str().unwrap().to_owned());
    assert_eq!(sent.collect::<Vec<_>>(), ["Add.", "Again."]);
}

#[tokio::test]
async fn a_cli_never_runs_a_turn_again_by_itself() {
    const VARIABLE: &str = "CLAUDE_CODE_RESUME_INTERRUPTED_TURN";

    if !is_alone("restart::a_cli_never_runs_a_turn_again_by_itself", &[(VARIABLE, "1")]) {
        return;
    }
    let folder = Folder::new("interrupted");
    for (says_so, want) in [(false, None), (true, Some("1"))] {
        let mut builder = fake(&hello(), "").env("FAKE_CLAUDE_DUMP", folder.path("dump.json"));
        if says_so {
            builder = builder.env(VARIABLE, "1");
        }
        let mut session = start(builder).await;
        in_time(session.prompt("Hi.")).await.unwrap();
        in_time(session.restart()).await.unwrap();
        assert_eq!(folder.dump().await["env"].get(VARIABLE).and_then(Value::as_str), want);
        in_time(session.close()).await.unwrap();
    }
}

#[tokio::test]
async fn a_session_that_is_alive_is_closed_first() {
    let starts = Starts::default();
    let mut session = start(in_memory(&starts, [hello(), hello()])).await;
    in_time(session.prompt("Hi.")).await.unwrap();
    let (old, id) = (session.handle(), session.handle().session_id());
    in_time(session.restart()).await.unwrap();
    assert_eq!(old.send("Hm?").unwrap_err().kind(), ErrorKind::Closed);
    assert_eq!(starts.flag("--resume"), [None, id]);
    assert_eq!(in_time(session.prompt("Hi again.")).await.unwrap().text(), "Hello.");
    assert_eq!(starts.prompts(), [["Hi."], ["Hi again."]]);
    in_time(session.close()).await.unwrap();
}

#[tokio::test]
async fn prompts_that_waited_are_not_sent_again() {
    let starts = Starts::default();
    let mut session = start(in_memory(&starts, [endless(), hello(), hello()])).await;
    let turn = begin(&mut session).await;
    drop(turn);
    session.handle().send("And then?").unwrap();
    in_time(session.restart()).await.unwrap();
    in_time(session.prompt("Hi.")).await.unwrap();
    in_time(session.restart()).await.unwrap();
    in_time(session.prompt("Hi again.")).await.unwrap();
    assert_eq!(starts.prompts()[1..], [["Hi."], ["Hi again."]]);
    let ids = starts.flag("--resume");
    assert!(ids[0].is_none() && ids[1].is_some() && ids[1] == ids[2], "{ids:?}");
}

#[tokio::test]
async fn an_id_that_nobody_has_read_is_found() {
    let starts = Starts::default();
    let mut session = start(in_memory(&starts, [hello(), hello()])).await;
    let handle = session.handle();
    handle.send("Hi.").unwrap();
    let recorder = starts.0.lock().unwrap()[0].1.clone();
    until("the model is asked", || !recorder.requests().is_empty()).await;
    assert_eq!(handle.session_id(), None);
    in_time(session.restart()).await.unwrap();
    assert!(starts.flag("--resume")[1].is_some());
}

#[tokio::test]
async fn a_session_that_has_not_begun_starts_as_it_did() {
    type Describe = fn(SessionBuilder) -> SessionBuilder;
    let cases: [(Describe, [&str; 4]); 5] = [
        (|builder| builder, ["", "", "", ""]),
        (|builder| builder.resume(ID), ["", ID, "", ""]),
        (|builder| builder.resume(ID).fork_session(true), ["", ID, "fork", ""]),
        (|builder| builder.continue_conversation(true), ["", "", "", "continue"]),
        // Whether it is stored, only the CLI knows; this one says yes.
        (|builder| builder.session_id(ID), ["", ID, "", ""]),
    ];
    for (n, (describe, [id, resume, fork, go_on])) in cases.into_iter().enumerate() {
        let starts = Starts::default();
        let mut session = start(describe(in_memory(&starts, [hello(), hello()]))).await;
        in_time(session.restart()).await.unwrap();
        let flag = |name: &str, want: &str| {
            let got = starts.flag(name).pop().unwrap();
            assert_eq!(got.is_some(), !want.is_empty(), "{name} of {n}: {got:?}");
            assert!(got.is_none_or(|got| got.is_empty() || got == want), "{name} of {n}");
        };
        flag("--session-id", id);
        flag("--resume", resume);
        flag("--fork-session", fork);
        flag("--continue", go_on);
    }
}

#[tokio::test]
async fn what_said_where_to_begin_is_not_said_again() {
    type Describe = fn(SessionBuilder) -> SessionBuilder;
    let cases: [Describe; 5] = [
        |builder| builder.resume(ID).fork_session(true),
        |builder| builder.continue_conversation(true),
        |builder| builder.session_id(ID),
        |builder| builder.resume(ID).resume_at(ID),
        |builder| builder.resume_or_new(ID),
    ];
    for (n, describe) in cases.into_iter().enumerate() {
        let starts = Starts::default();
        let mut session = start(describe(in_memory(&starts, [hello(), hello()]))).await;
        in_time(session.prompt("Hi.")).await.unwrap();
        let id = session.handle().session_id().unwrap();
        in_time(session.restart()).await.unwrap();
        assert_eq!(starts.flag("--resume").pop().unwrap(), Some(id), "{n}");
        for flag in ["--fork-session", "--continue", "--session-id", "--resume-session-at"] {
            assert_eq!(starts.flag(flag).pop().unwrap(), None, "{flag} of {n}");
        }
    }
}

#[tokio::test]
async fn what_can_not_go_on_is_refused() {
    let mut session =
        start(in_memory(&Starts::default(), []).transport(ScriptedCli::new(hello()))).await;
    in_time(session.prompt("Hi.")).await.unwrap();
    let error = in_time(session.restart()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Configuration);
    assert_eq!(
        error.to_string(),
        "could not restart the session: it is over a transport that was made once; give the builder one \
         of `Transport::on_every_launch`"
    );
    assert_eq!(in_time(session.prompt("Hi.")).await.unwrap().text(), "Hello again.");

    let starts = Starts::default();
    let builder = in_memory(&starts, [hello(), hello()]).persist_session(false);
    let mut session = start(builder).await;
    // Nothing to be lost yet.
    in_time(session.restart()).await.unwrap();
    in_time(session.prompt("Hi.")).await.unwrap();
    let error = in_time(session.restart()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Configuration);
    assert!(error.to_string().contains("`persist_session(false)`"), "{error}");
    assert_eq!(in_time(session.prompt("Go on.")).await.unwrap().text(), "Hello again.");
}

#[tokio::test]
async fn a_restart_that_fails_or_is_dropped_can_be_tried_again() {
    let fails = Arc::new(AtomicBool::new(false));
    let starts = Starts::default();
    let (switch, begun) = (Arc::clone(&fails), starts.clone());
    let transport = Transport::on_every_launch(move |args| {
        if switch.load(Ordering::SeqCst) {
            // Nobody is at the other end.
            return Transport::new(tokio::io::empty(), tokio::io::sink());
        }
        begun.play(hello(), args)
    });
    let builder = Session::builder().tools(byre::tools![add]).hooks([]).transport(transport);
    let mut session = start(builder).await;
    in_time(session.prompt("Hi.")).await.unwrap();
    let id = session.handle().session_id();

    fails.store(true, Ordering::SeqCst);
    assert_eq!(in_time(session.restart()).await.unwrap_err().kind(), ErrorKind::Exited);
    assert!(!session.is_alive());
    assert_eq!(in_time(session.prompt("Hi.")).await.unwrap_err().unfinished_prompt(), None);

    fails.store(false, Ordering::SeqCst);
    {
        let mut restart = std::pin::pin!(session.restart());
        let poll = std::future::poll_fn(|cx| std::task::Poll::Ready(restart.as_mut().poll(cx)));
        assert!(poll.await.is_pending(), "a start takes longer than that");
    }
    assert!(!session.is_alive());
    in_time(session.restart()).await.unwrap();
    assert_eq!(starts.flag("--resume").pop().unwrap(), id);
    assert_eq!(in_time(session.prompt("Hi.")).await.unwrap().text(), "Hello.");
}

#[tokio::test]
async fn permissions_and_clocks_are_there_again() {
    let starts = Starts::default();
    let builder = in_memory(&starts, [hello(), endless()])
        .permissions_as_stream()
        .turn_timeout(Duration::from_secs(1));
    let mut session = start(builder).await;
    assert!(session.permissions().is_some());
    assert!(session.permissions().is_none());
    in_time(session.restart()).await.unwrap();
    assert!(session.permissions().is_some());
    let error = in_time(session.prompt("Go.")).await.unwrap_err();
    assert_eq!(error.timeout().unwrap().clock, byre::Clock::Turn);
}
