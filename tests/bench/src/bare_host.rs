//! The work done by hand: a blocking loop, one borrowed parse per line, one write per answer. No library
//! can do with less, and it has none of what a library is for.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use crate::work::{Kind, Report, Work, cpu_ns, memory_kb};

/// Everything that any line of this work can have, in one pass.
#[derive(Deserialize)]
struct Line<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(borrow, default)]
    request_id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    request: Option<Request<'a>>,
    #[serde(borrow, default)]
    event: Option<ApiEvent<'a>>,
    #[serde(borrow, default)]
    message: Option<Message<'a>>,
    #[serde(default)]
    duration_ms: u64,
}

#[derive(Deserialize)]
struct Request<'a> {
    subtype: &'a str,
    #[serde(borrow, default)]
    message: Option<Rpc<'a>>,
}

#[derive(Deserialize)]
struct Rpc<'a> {
    method: &'a str,
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    params: Option<Params<'a>>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow, default)]
    name: Option<&'a str>,
    #[serde(borrow, default)]
    arguments: Option<Arguments<'a>>,
}

#[derive(Deserialize)]
struct Arguments<'a> {
    #[serde(default)]
    a: i64,
    #[serde(default)]
    b: i64,
    #[serde(borrow, default)]
    text: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct ApiEvent<'a> {
    #[serde(borrow, default)]
    delta: Option<Text<'a>>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow, default)]
    content: Vec<Text<'a>>,
}

#[derive(Deserialize)]
struct Text<'a> {
    #[serde(borrow, default)]
    text: Cow<'a, str>,
}

#[expect(clippy::disallowed_methods, reason = "this host is not byre")]
pub(crate) fn run(work: &Work) -> Report {
    let this = std::env::current_exe().unwrap_or_default();
    let mut child = Command::new(this)
        .env_remove(crate::HOST)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the stand-in starts");
    let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
        panic!("there are pipes")
    };
    // Timers of slow tools write their answers from threads of their own.
    let (late, late_answers) = mpsc::channel::<Vec<u8>>();
    let mut stdout = BufReader::with_capacity(256 * 1024, stdout);
    let initialize = "{\"type\":\"control_request\",\"request_id\":\"i\",\"request\":{\"subtype\":\
                      \"initialize\",\"hooks\":{\"Stop\":[{\"hookCallbackIds\":[\"h\"]}]}}}\n";
    stdin.write_all(initialize.as_bytes()).expect("a write");
    let (mut started, mut cpu) = (Instant::now(), 0);
    let (mut line, mut out) = (Vec::new(), Vec::new());
    let (mut counted, mut has_slept, mut slow) = (0, false, 0);
    let mut kept: Vec<String> = Vec::new();
    let round_trip_ns = loop {
        line.clear();
        let count = stdout.read_until(b'\n', &mut line).expect("a read");
        assert!(count > 0, "the stand-in ended");
        let parsed: Line<'_> = serde_json::from_slice(&line).expect("JSON");
        match parsed.kind {
            "control_request" => {
                let request = parsed.request.expect("a request");
                let id = parsed.request_id.expect("an id").get();
                let is_slow = answer(id, &request, &mut out);
                if is_slow {
                    slow += 1;
                    let (late, answer) = (late.clone(), std::mem::take(&mut out));
                    thread::spawn(move || {
                        thread::sleep(Duration::from_millis(200));
                        let _ = late.send(answer);
                    });
                    if slow == work.count {
                        for answer in late_answers.iter().take(slow) {
                            stdin.write_all(&answer).expect("a write");
                        }
                    }
                } else if stdout.buffer().is_empty() || out.len() > 64 * 1024 {
                    // Answers of one read go out together.
                    stdin.write_all(&out).expect("a write");
                    out.clear();
                }
                let is_list = request.message.is_some_and(|rpc| rpc.method == "tools/list");
                if is_list {
                    (started, cpu) = (Instant::now(), cpu_ns());
                    let user = "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"go\"},\
                                \"uuid\":\"u\"}\n";
                    stdin.write_all(user.as_bytes()).expect("a write");
                }
            }
            "stream_event" => {
                let delta = parsed.event.and_then(|event| event.delta);
                counted += delta.map_or(0, |delta| delta.text.len()) as u64;
            }
            "assistant" => {
                let blocks = parsed.message.map(|message| message.content).unwrap_or_default();
                if matches!(work.kind, Kind::BigLine { .. }) {
                    // As whoever goes on with it has it: on its own, when the line is gone.
                    kept.extend(blocks.iter().map(|block| block.text.clone().into_owned()));
                }
                counted += blocks.iter().map(|block| block.text.len() as u64).sum::<u64>();
                if work.kind == Kind::Stalled && !has_slept {
                    has_slept = true;
                    thread::sleep(Duration::from_secs(1));
                }
            }
            "result" => break parsed.duration_ms,
            _ => {}
        }
    };
    let report = Report {
        elapsed_ns: crate::work::ns(started.elapsed()),
        cpu_ns: cpu_ns() - cpu,
        round_trip_ns,
        resident_kb: memory_kb("VmRSS"),
        peak_kb: memory_kb("VmHWM"),
        extra_starts: 0,
        counted,
    };
    drop(stdin);
    child.wait().expect("the stand-in ends");
    report
}

/// Appends the answer to a request, and says whether it is to come late.
fn answer(id: &str, request: &Request<'_>, out: &mut Vec<u8>) -> bool {
    let head =
        "{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":";
    if request.subtype == "hook_callback" {
        let _ = writeln!(out, "{head}{id},\"response\":{{}}}}}}");
        return false;
    }
    let rpc = request.message.as_ref().expect("a message");
    let rpc_id = rpc.id.map_or("0", RawValue::get);
    let mut is_slow = false;
    let result = match (rpc.method, rpc.params.as_ref()) {
        ("tools/call", Some(Params { name: Some(name), arguments: Some(arguments) })) => {
            let text = match *name {
                "add" => (arguments.a + arguments.b).to_string(),
                "echo" => arguments.text.clone().unwrap_or_default().into_owned(),
                _ => {
                    is_slow = true;
                    "done".to_owned()
                }
            };
            let text = Value::from(text);
            format!("{{\"content\":[{{\"type\":\"text\",\"text\":{text}}}]}}")
        }
        ("tools/list", _) => "{\"tools\":[]}".to_owned(),
        _ => "{}".to_owned(),
    };
    let _ = writeln!(
        out,
        "{head}{id},\"response\":{{\"mcp_response\":{{\"jsonrpc\":\"2.0\",\"id\":{rpc_id},\
         \"result\":{result}}}}}}}}}"
    );
    is_slow
}
