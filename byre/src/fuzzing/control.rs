//! The requests of the CLI, from its stdout to what stands on its stdin.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
    time::Duration,
};

use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::{check_line, frames, mcp::server, run};
use crate::{
    ErrorKind, Transport, control,
    hook::{self, Hook, HookInput, events::*},
    host::Host,
    permission::{
        Answers, DialogAnswer, ElicitationAnswer, PermissionAnswer,
        def::Handler,
        desk::{Decides, Desk},
    },
    registry::HookTable,
    wire::control::{RequestId, parse_response},
};

/// Room for all answers, so that nobody has to read them meanwhile.
const CAPACITY: usize = 64 * 1024 * 1024;

/// How long the host waits for answers to its own requests.
const PATIENCE: Duration = Duration::from_secs(10);

/// Writes `data` on a CLI's stdout, waits until byre has nothing more to do, and looks at what it wrote.
/// Two requests of the host, `byre-0` and `byre-1`, are on their way meanwhile.
pub fn control(data: &[u8]) {
    let (said, told) = run(async {
        tokio::time::pause();
        let (mut stdout, host_stdout) = tokio::io::duplex(data.len() + 1);
        let (host_stdin, mut stdin) = tokio::io::duplex(CAPACITY);
        let connection = Transport::new(host_stdout, host_stdin).connect(&[]);
        let (link, reports) = control::start(connection, None, host());
        let requests = [0, 1].map(|_| {
            let link = link.clone();
            tokio::spawn(async move { link.request("ask", json!({}), PATIENCE).await })
        });
        // The clock stands still while anything runs.
        tokio::time::sleep(Duration::from_millis(1)).await;
        stdout.write_all(data).await.expect("there is room");
        stdout.write_all(b"\n").await.expect("there is room");
        tokio::time::sleep(Duration::from_millis(1)).await;
        let mut told = Vec::new();
        for request in requests {
            let result = request.await.expect("asking never panics");
            told.push(result.map_err(|error| error.kind()));
        }
        drop(stdout);
        let end = tokio::time::timeout(Duration::from_secs(60), link.close()).await;
        end.expect("it ends");
        drop(reports);
        let mut said = String::new();
        stdin.read_to_string(&mut said).await.expect("only text is written");
        (said, told)
    });
    check(data, &said);
    for (n, told) in told.iter().enumerate() {
        let is_answer =
            |line: &str| parse_response(line).is_some_and(|(id, _)| id == RequestId::nth(n as u64));
        let is_answered = frames(data)
            .iter()
            .any(|(kind, raw)| kind == "control_response" && is_answer(raw.as_str()));
        let is_late = *told == Err(ErrorKind::Timeout);
        assert_eq!(is_late, !is_answered, "byre-{n} was told {told:?}");
    }
}

/// What a request of the CLI has: without both, nobody can be answered.
#[derive(Deserialize)]
struct Asked<'a> {
    #[serde(borrow)]
    request_id: &'a RawValue,
    #[serde(borrow)]
    request: &'a RawValue,
}

/// What the host writes: an answer, or else a request or withdrawal of its own.
#[derive(Deserialize)]
struct Said<'a> {
    #[serde(borrow)]
    response: Option<Answered<'a>>,
}

#[derive(Deserialize)]
struct Answered<'a> {
    #[serde(borrow)]
    request_id: &'a RawValue,
}

/// Every request is answered once, and none that was not made.
fn check(data: &[u8], said: &str) {
    let mut made: HashMap<String, usize> = HashMap::new();
    let mut may_be_withdrawn = false;
    let mut sure = Vec::new();
    for (kind, raw) in frames(data) {
        may_be_withdrawn |= kind == "control_cancel_request";
        if kind != "control_request" {
            continue;
        }
        let Ok(asked) = serde_json::from_str::<Asked<'_>>(raw.as_str()) else { continue };
        let id = asked.request_id.get().to_owned();
        let body = serde_json::from_str::<Value>(asked.request.get());
        may_be_withdrawn |= body.as_ref().map_or(true, |body| ends_calls(&body["message"]));
        let count = made.entry(id.clone()).or_default();
        *count += 1;
        if body.is_ok_and(|body| *count == 1 && is_answered(&body)) {
            sure.push(id);
        }
    }
    let mut answered: HashMap<String, usize> = HashMap::new();
    for line in said.lines() {
        check_line(line);
        let said: Said<'_> = serde_json::from_str(line).expect("an object");
        if let Some(answer) = said.response {
            *answered.entry(answer.request_id.get().to_owned()).or_default() += 1;
        }
    }
    for (id, count) in &answered {
        let made = made.get(id).copied().unwrap_or_default();
        assert!(*count <= made, "{id} was asked {made} times and answered {count} times");
    }
    for id in sure.iter().filter(|_| !may_be_withdrawn) {
        assert!(answered.contains_key(id), "{id} was not answered");
    }
}

/// Says whether byre surely answers, if nothing is withdrawn.
fn is_answered(request: &Value) -> bool {
    match request["subtype"].as_str() {
        Some("mcp_message") => request["message"]["method"] != "tools/call",
        Some(other) => !other.starts_with("remote_") && other != "request_user_dialog",
        None => true,
    }
}

/// Says whether an MCP message cancels calls that run.
fn ends_calls(message: &Value) -> bool {
    message["method"] == "notifications/cancelled" || message["method"] == "initialize"
}

/// A host with tools, a hook for each event, and somebody to ask.
fn host() -> Arc<Host> {
    static HOST: OnceLock<Arc<Host>> = OnceLock::new();

    let make = || {
        let hooks = HookTable::new(hooks(), &|_| Vec::new()).expect("the hooks are fine");
        let servers = HashMap::from([("byre".to_owned(), server())]);
        Arc::new(Host::new(Arc::new(servers), hooks).with_desk(desk()))
    };
    Arc::clone(HOST.get_or_init(make))
}

fn desk() -> Desk {
    let text = |value: &dyn std::fmt::Debug| format!("{value:?}").len();
    Desk {
        decides: Decides::Function(Handler::new("decide", move |asked| {
            let asked = text(&asked);
            let answer = match asked % 3 {
                0 => PermissionAnswer::allow(),
                1 => PermissionAnswer::allow_with(asked),
                _ => PermissionAnswer::deny("No."),
            };
            Box::pin(async move { Ok(answer) })
        })),
        ask_user: Some(Handler::new("ask", |questions: crate::permission::Questions| {
            let answers = questions.iter().fold(Answers::new(), |answers, question| {
                answers.answer(&question.question, "Yes.")
            });
            Box::pin(async move { Ok(answers) })
        })),
        elicitation: Some(Handler::new("elicit", move |request| {
            let answer = ElicitationAnswer::accept(text(&request).into());
            Box::pin(async move { Ok(answer) })
        })),
        dialogs: Some((
            vec!["refusal_fallback_prompt".to_owned()],
            Handler::new("dialog", move |dialog| {
                let answer = DialogAnswer::completed(text(&dialog).into());
                Box::pin(async move { Ok(answer) })
            }),
        )),
    }
}

/// A hook for each event, which looks at all of its input.
pub(super) fn hooks() -> Vec<Hook> {
    fn look<I: HookInput + std::fmt::Debug>(input: &I) {
        assert!(!format!("{input:?}").is_empty());
    }
    macro_rules! all {
        ($($input:ident)*) => { vec![$(Hook::from(hook::on(async |input: $input| look(&input)))),*] };
    }
    let mut hooks = all! {
        PreToolUseInput PostToolUseInput PostToolUseFailureInput PostToolBatchInput NotificationInput
        UserPromptSubmitInput UserPromptExpansionInput SessionStartInput SessionEndInput StopInput
        StopFailureInput SubagentStartInput SubagentStopInput PreCompactInput PostCompactInput
        PreModelSwitchInput PostModelSwitchInput PermissionRequestInput PermissionDeniedInput SetupInput
        TeammateIdleInput TaskCreatedInput TaskCompletedInput ElicitationInput ElicitationResultInput
        ConfigChangeInput WorktreeRemoveInput InstructionsLoadedInput CwdChangedInput FileChangedInput
        DirectoryAddedInput MessageDisplayInput PreSkillShellCommandInput
    };
    let stop = async |_: StopInput| StopOutput::block("Again.").at_most(2);
    hooks.push(hook::on(stop).into());
    let tree = async |input: WorktreeCreateInput| {
        look(&input);
        WorktreeCreateOutput::created("/srv/tree")
    };
    hooks.push(hook::on(tree).into());
    hooks
}
