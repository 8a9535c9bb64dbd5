//! Turns, calls, withdrawals, requests and interrupts in random order: every request is answered exactly
//! once, or not at all where it was withdrawn.
//!
//! The cases come from seeds. One that fails is made as short as can be before it is shown.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use byre::{ErrorKind, Result, Session, State, ToolContext, Transport, hook::StopInput};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream},
    task::JoinHandle,
    time,
};

/// How many cases there are, and how many steps each has.
const CASES: u64 = 400;
const STEPS: usize = 40;

/// How many tools run, in one session.
type Running = Arc<AtomicUsize>;

/// Counts itself among those that run.
struct Guard(Running);

impl Guard {
    fn new(running: &Running) -> Self {
        running.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(running))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Takes its time: so many steps.
#[byre::tool(register = false, read_only)]
async fn work(State(running): State<Running>, steps: u32) -> u32 {
    let _guard = Guard::new(&running);
    for _ in 0..steps {
        tokio::task::yield_now().await;
    }
    steps
}

/// Waits for ever.
#[byre::tool(register = false)]
async fn wait(State(running): State<Running>) {
    let _guard = Guard::new(&running);
    std::future::pending::<()>().await;
}

/// Ends by itself when it is cancelled, and not at once.
#[byre::tool(register = false)]
async fn linger(context: ToolContext, State(running): State<Running>) -> String {
    let _guard = Guard::new(&running);
    context.cancellation().cancelled().await;
    tokio::task::yield_now().await;
    "too late".to_owned()
}

#[byre::hook(register = false)]
async fn watch(_: StopInput) {
    tokio::task::yield_now().await;
}

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }
}

/// What somebody does. Numbers choose among what there is by then.
#[derive(Clone, Copy, Debug)]
enum Step {
    // The CLI.
    Call(&'static str, usize),
    AskHook,
    AskPermission,
    AskUnknown,
    /// Makes a request that it has made already once more, with the same id.
    Repeat(usize),
    /// `notifications/cancelled` for one of its calls.
    CancelCall(usize),
    /// `control_cancel_request` for one of its requests.
    Withdraw(usize),
    Answer(usize),
    Refuse(usize),
    AnswerNobody,
    Event,
    EndTurn,
    // The host.
    Request,
    DropRequest(usize),
    Interrupt,
    Prompt,
    // Both.
    Pause(usize),
}

fn step(random: &mut Random) -> Step {
    let n = random.below(1000);
    match random.below(25) {
        0..=3 => Step::Call("work", n % 6),
        4 | 5 => Step::Call("wait", n),
        6 => Step::Call("linger", n),
        7 => Step::AskHook,
        8 => Step::AskPermission,
        9 => Step::AskUnknown,
        10 => Step::Repeat(n),
        11 | 12 => Step::CancelCall(n),
        13 | 14 => Step::Withdraw(n),
        15 | 16 => Step::Answer(n),
        17 => Step::Refuse(n),
        18 => Step::AnswerNobody,
        19 => Step::Event,
        20 => Step::EndTurn,
        21 => Step::Request,
        22 => Step::Interrupt,
        23 => Step::DropRequest(n),
        _ if n < 500 => Step::Prompt,
        _ => Step::Pause(n % 4),
    }
}

/// A request of the CLI.
struct Asked {
    line: Value,
    /// How often it was made.
    times: usize,
    /// Never ends by itself.
    waits: bool,
    /// It was withdrawn.
    withdrawn: bool,
    /// The request that the CLI made right after it had withdrawn this one, before it had heard an answer.
    after: Option<usize>,
    rpc_id: Option<usize>,
}

/// A request of the host.
struct Requested {
    task: JoinHandle<Result<Value>>,
    dropped: bool,
}

/// One case.
struct Case {
    stdout: DuplexStream,
    heard: Arc<Mutex<Vec<Value>>>,
    listening: JoinHandle<()>,
    session: Session,
    running: Running,
    asked: Vec<Asked>,
    requested: Vec<Requested>,
    /// What the CLI has answered to each request, by its id.
    answered: HashMap<String, Value>,
    prompts: usize,
    events: usize,
}

impl Case {
    async fn start() -> Self {
        let (stdout, cli_stdout) = tokio::io::duplex(1024 * 1024);
        let (stdin, cli_stdin) = tokio::io::duplex(64);
        let running = Running::default();
        let heard = Arc::new(Mutex::new(Vec::<Value>::new()));
        let ears = Arc::clone(&heard);
        let listening = tokio::spawn(async move {
            let mut lines = BufReader::new(cli_stdin).lines();
            while let Some(line) = lines.next_line().await.unwrap() {
                ears.lock().unwrap().push(serde_json::from_str(&line).unwrap());
            }
        });
        let builder = Session::builder()
            .tools(byre::tools![work, wait, linger])
            .hooks(byre::hooks![watch])
            .state(Arc::clone(&running))
            .can_use_tool(async |_, _| {
                tokio::task::yield_now().await;
                byre::permission::PermissionAnswer::deny("No.")
            })
            .transport(Transport::new(stdout, stdin));
        let mut cli_stdout = cli_stdout;
        let answer = async {
            // The clock stands still until `initialize` is heard.
            time::sleep(Duration::from_millis(1)).await;
            let id = heard.lock().unwrap()[0]["request_id"].clone();
            say(&mut cli_stdout, &json!({"type": "control_response", "response": {
                "subtype": "success", "request_id": id, "response": {"hook_on_failure_supported": true}}})).await;
        };
        let (session, ()) = tokio::join!(builder.spawn(), answer);
        heard.lock().unwrap().clear();
        Self {
            stdout: cli_stdout,
            heard,
            listening,
            session: session.unwrap(),
            running,
            asked: Vec::new(),
            requested: Vec::new(),
            answered: HashMap::new(),
            prompts: 0,
            events: 0,
        }
    }

    async fn say(&mut self, line: Value) {
        say(&mut self.stdout, &line).await;
    }

    async fn ask(&mut self, request: Value, waits: bool, rpc_id: Option<usize>) {
        let id = format!("c-{}", self.asked.len());
        let line = json!({"type": "control_request", "request_id": id, "request": request});
        self.say(line.clone()).await;
        self.asked.push(Asked { line, times: 1, waits, withdrawn: false, after: None, rpc_id });
    }

    async fn mcp(&mut self, message: Value, waits: bool, rpc_id: Option<usize>) {
        let request = json!({"subtype": "mcp_message", "server_name": "byre", "message": message});
        self.ask(request, waits, rpc_id).await;
    }

    fn heard(&self) -> Vec<Value> {
        self.heard.lock().unwrap().clone()
    }

    /// How many answers to a request of the CLI were heard.
    fn answers_to(&self, asked: &Asked) -> usize {
        let id = &asked.line["request_id"];
        let is = |line: &&Value| {
            line["type"] == "control_response" && line["response"]["request_id"] == *id
        };
        self.heard().iter().filter(is).count()
    }

    async fn take(&mut self, step: Step) {
        match step {
            Step::Call(tool, steps) => {
                let id = self.asked.len();
                let message = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
                    "params": {"name": tool, "arguments": if tool == "work" { json!({"steps": steps}) } else { json!({}) }}});
                self.mcp(message, tool != "work", Some(id)).await;
            }
            Step::AskHook => {
                let input = json!({"hook_event_name": "Stop", "stop_hook_active": false});
                let request =
                    json!({"subtype": "hook_callback", "callback_id": "hook_0000", "input": input});
                self.ask(request, false, None).await;
            }
            Step::AskPermission => {
                let request = json!({"subtype": "can_use_tool", "tool_name": "Bash", "input": {}});
                self.ask(request, false, None).await;
            }
            Step::AskUnknown => self.ask(json!({"subtype": "of_tomorrow"}), false, None).await,
            Step::Repeat(n) if !self.asked.is_empty() => {
                let n = n % self.asked.len();
                self.asked[n].times += 1;
                // It may be running, or be over; then it runs again.
                self.say(self.asked[n].line.clone()).await;
            }
            Step::CancelCall(n) => {
                let calls: Vec<_> =
                    (0..self.asked.len()).filter(|n| self.asked[*n].rpc_id.is_some()).collect();
                if !calls.is_empty() {
                    let call = calls[n % calls.len()];
                    self.withdrawn(call);
                    let message = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
                        "params": {"requestId": self.asked[call].rpc_id}});
                    self.mcp(message, false, None).await;
                }
            }
            Step::Withdraw(n) if !self.asked.is_empty() => {
                let n = n % self.asked.len();
                self.withdrawn(n);
                let id = self.asked[n].line["request_id"].clone();
                self.say(json!({"type": "control_cancel_request", "request_id": id})).await;
                // The answer to it shows that the withdrawal was read.
                self.ask(json!({"subtype": "of_tomorrow"}), false, None).await;
            }
            Step::Answer(n) => self.answer(n, true).await,
            Step::Refuse(n) => self.answer(n, false).await,
            Step::AnswerNobody => {
                self.say(json!({"type": "control_response", "response": {
                    "subtype": "success", "request_id": "byre-999", "response": {"mine": 999}}}))
                    .await;
            }
            Step::Event => {
                self.events += 1;
                self.say(json!({"type": "of_tomorrow", "n": self.events})).await;
            }
            Step::EndTurn => {
                self.events += 1;
                self.say(json!({"type": "result", "n": self.events, "is_error": false})).await;
            }
            Step::Request => {
                let (handle, n) = (self.session.handle(), self.requested.len());
                let request =
                    async move { handle.control("of_tomorrow", json!({"mine": n})).await };
                self.request(request);
            }
            Step::Interrupt => {
                let handle = self.session.handle();
                self.request(async move {
                    handle.interrupt().await.map(|receipt| json!({"mine": receipt.still_queued}))
                });
            }
            Step::DropRequest(n) if !self.requested.is_empty() => {
                let n = n % self.requested.len();
                let request = &mut self.requested[n];
                request.dropped |= !request.task.is_finished();
                request.task.abort();
            }
            Step::Prompt => {
                self.prompts += 1;
                self.session.handle().send(format!("prompt {}", self.prompts)).unwrap();
            }
            Step::Pause(turns) => {
                for _ in 0..turns {
                    tokio::task::yield_now().await;
                }
            }
            Step::Repeat(_) | Step::Withdraw(_) | Step::DropRequest(_) => {}
        }
    }

    fn withdrawn(&mut self, n: usize) {
        let was_answered = self.answers_to(&self.asked[n]) > 0;
        let next = self.asked.len();
        let asked = &mut self.asked[n];
        if !asked.withdrawn && !was_answered {
            asked.after = Some(next);
        }
        asked.withdrawn = true;
    }

    fn request(&mut self, request: impl Future<Output = Result<Value>> + Send + 'static) {
        self.requested.push(Requested { task: tokio::spawn(request), dropped: false });
    }

    /// Answers one of the requests that were heard and not answered, withdrawn or not.
    async fn answer(&mut self, n: usize, succeeds: bool) {
        let open: Vec<_> = self
            .heard()
            .into_iter()
            .filter(|line| line["type"] == "control_request")
            .filter(|line| !self.answered.contains_key(line["request_id"].as_str().unwrap()))
            .collect();
        if open.is_empty() {
            return;
        }
        let request = &open[n % open.len()];
        let id = request["request_id"].as_str().unwrap().to_owned();
        let mine = if request["request"]["subtype"] == "interrupt" {
            json!({"still_queued": [id]})
        } else {
            json!({"mine": request["request"]["mine"]})
        };
        let response = if succeeds {
            json!({"subtype": "success", "request_id": id, "response": mine})
        } else {
            json!({"subtype": "error", "request_id": id, "error": "no"})
        };
        self.answered.insert(id, response.clone());
        self.say(json!({"type": "control_response", "response": response})).await;
    }

    /// Lets everything happen that can, and looks at what has.
    async fn end(mut self) -> std::result::Result<(), String> {
        // The clock stands still while anybody runs.
        time::sleep(Duration::from_millis(1)).await;
        self.check_answers()?;
        self.check_events().await?;
        let requested = std::mem::take(&mut self.requested);
        let heard = self.heard();
        let (answered, running) = (self.answered, self.running);
        let closing = tokio::spawn(self.session.close());
        // The CLI hears that its stdin ends, and ends.
        self.listening.await.unwrap();
        drop(self.stdout);
        closing.await.unwrap().unwrap();
        check_requests(requested, &heard, &answered).await?;
        time::sleep(Duration::from_millis(1)).await;
        let running = running.load(Ordering::SeqCst);
        if running > 0 { Err(format!("{running} tools run on")) } else { Ok(()) }
    }

    fn check_answers(&self) -> std::result::Result<(), String> {
        for asked in &self.asked {
            let answers = self.answers_to(asked);
            let least = usize::from(!asked.waits && !asked.withdrawn);
            // Withdrawn after it was answered, or on the way. A call that was withdrawn and comes again at
            // once, with the same id of JSON-RPC, is refused while the first is on its way out.
            let most = if asked.waits { asked.times - 1 } else { asked.times };
            let fits = (least..=most).contains(&answers);
            if !fits {
                return Err(format!("{answers} answers to {}, not {least} to {most}", asked.line));
            }
        }
        self.check_withdrawals()?;
        let of_asked: usize = self.asked.iter().map(|asked| self.answers_to(asked)).sum();
        let all = self.heard().iter().filter(|line| line["type"] == "control_response").count();
        if all != of_asked {
            return Err(format!("{all} answers, and {of_asked} to requests that were made"));
        }
        let heard = self.heard();
        let prompts = heard.iter().filter(|line| line["type"] == "user");
        let prompts: Vec<_> = prompts.map(|line| line["message"]["content"].to_string()).collect();
        let want: Vec<_> = (1..=self.prompts).map(|n| format!("\"prompt {n}\"")).collect();
        if prompts == want { Ok(()) } else { Err(format!("{prompts:?} in place of {want:?}")) }
    }

    /// Once a withdrawal is read, no answer is written.
    fn check_withdrawals(&self) -> std::result::Result<(), String> {
        let heard = self.heard();
        let answer = |asked: &Asked| {
            let id = &asked.line["request_id"];
            heard.iter().position(|line| {
                line["type"] == "control_response" && line["response"]["request_id"] == *id
            })
        };
        // One that is made again is another request.
        for asked in self.asked.iter().filter(|asked| asked.times == 1) {
            let Some(after) = asked.after.map(|after| &self.asked[after]) else { continue };
            if let (Some(late), Some(read)) = (answer(asked), answer(after))
                && late > read
            {
                return Err(format!("an answer to {} after it was withdrawn", asked.line));
            }
        }
        Ok(())
    }

    async fn check_events(&mut self) -> std::result::Result<(), String> {
        for n in 1..=self.events {
            let event = time::timeout(Duration::from_secs(1), self.session.next_event()).await;
            let event = event.map_err(|_| format!("event {n} does not come"))?.unwrap().unwrap();
            if event.raw().to_value()["n"] != n {
                return Err(format!("{} in place of event {n}", event.raw()));
            }
        }
        Ok(())
    }
}

/// Each request of the host was told its own answer, once, or that the session is closed; and the CLI was
/// told of those that were dropped.
async fn check_requests(
    requested: Vec<Requested>,
    heard: &[Value],
    answered: &HashMap<String, Value>,
) -> std::result::Result<(), String> {
    let of_type = |kind: &str| {
        let lines = heard.iter().filter(|line| line["type"] == kind);
        lines.map(|line| line["request_id"].to_string()).collect::<Vec<_>>()
    };
    let (requests, withdrawals) = (of_type("control_request"), of_type("control_cancel_request"));
    let count = requested.len();
    let dropped = requested.iter().filter(|request| request.dropped).count();
    for (what, ids, most) in
        [("requests", &requests, count), ("withdrawals", &withdrawals, dropped)]
    {
        let different = ids.iter().collect::<HashSet<_>>().len();
        if ids.len() > most || different < ids.len() {
            return Err(format!("the CLI heard {} {what} of {most}: {ids:?}", ids.len()));
        }
    }
    let (mut answers, mut refusals) = (Vec::new(), 0);
    for answer in answered.values() {
        match &answer["response"] {
            _ if answer["subtype"] == "error" => refusals += 1,
            // What `interrupt` makes of it.
            said if said["still_queued"].is_array() => {
                answers.push(json!({"mine": said["still_queued"]}));
            }
            said => answers.push(said.clone()),
        }
    }
    for request in requested {
        match request.task.await {
            Ok(Ok(said)) => match answers.iter().position(|answer| *answer == said) {
                Some(at) => drop(answers.remove(at)),
                None => return Err(format!("told of {said}, which was another's or is no answer")),
            },
            Ok(Err(error)) if error.kind() == ErrorKind::Refused && refusals > 0 => refusals -= 1,
            Ok(Err(error)) if error.kind() == ErrorKind::Closed => {}
            Err(error) if error.is_cancelled() && request.dropped => {}
            other => return Err(format!("a request of the host ends with {other:?}")),
        }
    }
    // What was answered when nobody waited any more.
    let lost = answers.len() + refusals;
    if lost > dropped {
        Err(format!("{lost} answers are lost, and {dropped} dropped"))
    } else {
        Ok(())
    }
}

async fn say(stdout: &mut DuplexStream, line: &Value) {
    stdout.write_all(format!("{line}\n").as_bytes()).await.unwrap();
}

/// Runs a case on a clock of its own.
fn run(steps: &[Step]) -> std::result::Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(async {
        let case = async {
            let mut case = Case::start().await;
            for step in steps {
                case.take(*step).await;
            }
            case.end().await
        };
        time::timeout(Duration::from_secs(60), case).await.map_err(|_| "it hangs".to_owned())?
    })
}

/// Leaves out what the failure does not need.
fn shortest<T: Clone + fmt::Debug>(
    mut steps: Vec<T>,
    run: impl Fn(&[T]) -> std::result::Result<(), String>,
) -> (Vec<T>, String) {
    let mut reason = run(&steps).unwrap_err();
    let mut at = 0;
    while at < steps.len() {
        let mut fewer = steps.clone();
        fewer.remove(at);
        match run(&fewer) {
            Ok(()) => at += 1,
            Err(why) => (steps, reason) = (fewer, why),
        }
    }
    (steps, reason)
}

#[test]
fn every_request_is_answered_once_or_was_withdrawn() {
    for seed in 0..CASES {
        let mut random = Random(seed);
        let steps: Vec<_> = (0..STEPS).map(|_| step(&mut random)).collect();
        if run(&steps).is_err() {
            let (steps, reason) = shortest(steps, run);
            panic!("seed {seed}: {reason}\nafter {steps:#?}");
        }
    }
}

#[test]
fn a_failing_case_is_made_short() {
    let fails = |steps: &[u32]| {
        if steps.contains(&3) && steps.contains(&7) { Err("3 and 7".to_owned()) } else { Ok(()) }
    };
    assert_eq!(shortest((0..20).collect(), fails).0, [3, 7]);
}
