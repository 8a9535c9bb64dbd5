use std::{
    pin::Pin,
    sync::Mutex,
    task::{Context, Poll, ready},
};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadBuf};
use tokio::time;

use super::*;
use crate::{error::ErrorKind, transport::Transport};

/// Answers `{"subtype":"echo"}` with the request, panics on `panic`, and never answers `hang`.
struct Echo {
    started: mpsc::UnboundedSender<String>,
}

impl Serve for Echo {
    fn serve(&self, request: &Request<'_>) -> BoxFuture<Answer> {
        let value: Value = serde_json::from_str(request.body()).unwrap();
        let subtype = value["subtype"].as_str().unwrap_or_default().to_owned();
        let _ = self.started.send(subtype.clone());
        Box::pin(async move {
            match subtype.as_str() {
                "hang" => future::pending().await,
                "panic" => panic!("oh no"),
                _ => Answer::Success(value.to_string()),
            }
        })
    }
}

/// The CLI's end of the pipe, played by hand.
struct Cli {
    stdin: Lines<BufReader<DuplexStream>>,
    stdout: DuplexStream,
    started: mpsc::UnboundedReceiver<String>,
}

impl Cli {
    async fn say(&mut self, line: Value) {
        self.stdout.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    async fn ask(&mut self, id: &str, subtype: &str) {
        self.say(json!({
            "type": "control_request", "request_id": id, "request": {"subtype": subtype},
        }))
        .await;
    }

    async fn hear(&mut self) -> Option<Value> {
        self.stdin.next_line().await.unwrap().map(|line| serde_json::from_str(&line).unwrap())
    }
}

fn connect(capacity: usize) -> (Link, Reports, Cli) {
    let (host_reads, cli_writes) = tokio::io::duplex(capacity);
    let (cli_reads, host_writes) = tokio::io::duplex(capacity);
    let (sender, started) = mpsc::unbounded_channel();
    let connection = Transport::new(host_reads, host_writes).connect(&[]);
    let (link, reports) = start(connection, None, Arc::new(Echo { started: sender }));
    let stdin = BufReader::new(cli_reads).lines();
    (link, reports, Cli { stdin, stdout: cli_writes, started })
}

const SOON: Duration = Duration::from_secs(5);

#[tokio::test]
async fn answers_requests_while_nobody_reads_events() {
    let (_link, _reports, mut cli) = connect(256);
    for n in 0..10_000 {
        cli.say(json!({"type": "assistant", "n": n})).await;
    }
    cli.ask("a", "echo").await;
    let answer = cli.hear().await.unwrap();
    assert_eq!(answer["response"]["request_id"], "a");
    assert_eq!(answer["response"]["response"], json!({"subtype": "echo"}));
}

#[tokio::test]
async fn a_request_that_panics_or_hangs_hurts_only_itself() {
    let (_link, _reports, mut cli) = connect(4096);
    cli.ask("hangs", "hang").await;
    cli.ask("panics", "panic").await;
    let answer = cli.hear().await.unwrap();
    assert_eq!(answer["response"]["request_id"], "panics");
    assert_eq!(answer["response"]["subtype"], "error");
    cli.ask("c", "echo").await;
    assert_eq!(cli.hear().await.unwrap()["response"]["request_id"], "c");
}

#[tokio::test]
async fn a_withdrawn_request_gets_no_answer_and_a_repeated_one_gets_one() {
    let (link, _reports, mut cli) = connect(4096);
    cli.ask("a", "hang").await;
    cli.ask("a", "hang").await;
    cli.say(json!({"type": "control_cancel_request", "request_id": "a"})).await;
    cli.say(json!({"type": "control_cancel_request", "request_id": "unknown"})).await;
    cli.ask("b", "echo").await;
    assert_eq!(cli.hear().await.unwrap()["response"]["request_id"], "b");
    // Its id is free again.
    cli.ask("a", "echo").await;
    assert_eq!(cli.hear().await.unwrap()["response"]["request_id"], "a");
    let started = [cli.started.recv().await, cli.started.recv().await, cli.started.recv().await];
    assert_eq!(started.map(Option::unwrap), ["hang", "echo", "echo"]);
    drop(link);
}

#[tokio::test]
async fn a_request_of_ours_gets_its_own_answer() {
    let (link, _reports, mut cli) = connect(4096);
    let other = link.clone();
    let first = tokio::spawn(async move { other.request("one", json!({}), SOON).await });
    let one = cli.hear().await.unwrap();
    let second = tokio::spawn(async move { link.request("two", json!({"x": 1}), SOON).await });
    let two = cli.hear().await.unwrap();
    assert_eq!(two["request"], json!({"subtype": "two", "x": 1}));
    for (request, answer) in [(&two, "second"), (&one, "first"), (&one, "late")] {
        cli.say(json!({"type": "control_response", "response": {
            "subtype": "success", "request_id": request["request_id"], "response": answer,
        }}))
        .await;
    }
    assert_eq!(first.await.unwrap().unwrap(), "first");
    assert_eq!(second.await.unwrap().unwrap(), "second");
}

#[tokio::test(start_paused = true)]
async fn a_request_that_times_out_is_withdrawn() {
    let (link, _reports, mut cli) = connect(4096);
    let error = link.request("slow", json!({}), SOON).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    let request = cli.hear().await.unwrap();
    let cancel = cli.hear().await.unwrap();
    assert_eq!(cancel["type"], "control_cancel_request");
    assert_eq!(cancel["request_id"], request["request_id"]);
}

#[tokio::test]
async fn the_end_of_stdout_fails_what_waits_and_ends_the_reports() {
    let (link, mut reports, mut cli) = connect(4096);
    let other = link.clone();
    let waiting = tokio::spawn(async move { other.request("slow", json!({}), SOON).await });
    cli.hear().await.unwrap();
    cli.stdout.write_all(b"node: bad option\n").await.unwrap();
    drop(cli);
    let error = waiting.await.unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Exited);
    assert_eq!(error.exit().unwrap().stdout, ["node: bad option"]);
    assert!(reports.recv().await.is_none());
    assert!(!link.is_alive());
    let error = link.request("later", json!({}), SOON).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Exited);
}

#[tokio::test]
async fn a_long_stray_line_is_kept_in_part() {
    let (link, mut reports, mut cli) = connect(4096);
    cli.stdout.write_all("€".repeat(100_000).as_bytes()).await.unwrap();
    drop(cli);
    assert!(reports.recv().await.is_none());
    let error = link.request("later", json!({}), SOON).await.unwrap_err();
    let [kept] = &error.exit().unwrap().stdout[..] else { panic!("{error:?}") };
    assert!(kept.len() <= STRAY_LINE && kept.starts_with("€€"), "{} bytes", kept.len());
}

#[tokio::test]
async fn the_last_stray_lines_are_kept_and_no_others() {
    let (link, mut reports, mut cli) = connect(4096);
    for n in 0..50 {
        cli.stdout.write_all(format!("line {n}\n").as_bytes()).await.unwrap();
    }
    drop(cli);
    assert!(reports.recv().await.is_none());
    let error = link.request("later", json!({}), SOON).await.unwrap_err();
    let want: Vec<_> = (30..50).map(|n| format!("line {n}")).collect();
    assert_eq!(error.exit().unwrap().stdout, want);
}

#[tokio::test]
async fn the_last_error_result_is_the_reason() {
    let (link, _reports, mut cli) = connect(4096);
    cli.say(json!({"type": "result", "is_error": true, "errors": ["too many turns"]})).await;
    cli.say(json!({"type": "command_lifecycle", "state": "cancelled"})).await;
    cli.say(json!({"type": "system", "subtype": "session_state_changed"})).await;
    drop(cli.stdout);
    let error = link.request("x", json!({}), SOON).await.unwrap_err();
    assert_eq!(error.exit().unwrap().result.as_ref().unwrap().text(), "too many turns");
}

#[tokio::test]
async fn a_conversation_that_goes_on_makes_an_error_result_stale() {
    for line in [json!({"type": "assistant"}), json!({"type": "system", "subtype": "init"})] {
        let (link, _reports, mut cli) = connect(4096);
        cli.say(json!({"type": "result", "is_error": true, "errors": ["too many turns"]})).await;
        cli.say(line).await;
        drop(cli.stdout);
        let error = link.request("x", json!({}), SOON).await.unwrap_err();
        assert_eq!(error.exit().unwrap().result, None);
    }
}

#[tokio::test]
async fn a_turn_runs_from_its_prompt_to_its_result_or_until_it_is_withdrawn() {
    let (link, mut reports, mut cli) = connect(4096);
    let lifecycle = |state: &str| json!({"type": "command_lifecycle", "state": state});
    let init = json!({"type": "system", "subtype": "init"});
    let result = json!({"type": "result"});
    for (lines, runs) in [
        (vec![], true),
        (vec![lifecycle("queued")], true),
        (vec![lifecycle("queued"), lifecycle("cancelled")], false),
        (vec![lifecycle("queued"), lifecycle("started"), init.clone()], true),
        // Another prompt, which waited.
        (vec![init.clone(), lifecycle("cancelled")], true),
        (vec![init, result.clone(), lifecycle("completed")], false),
    ] {
        cli.say(result.clone()).await;
        reports.recv().await.unwrap();
        assert!(!link.is_in_turn());
        link.send_line("{}".to_owned()).unwrap();
        for line in &lines {
            cli.say(line.clone()).await;
            reports.recv().await.unwrap();
        }
        assert_eq!(link.is_in_turn(), runs, "{lines:?}");
    }
}

#[tokio::test]
async fn close_writes_everything_then_closes_stdin_and_drops_handlers() {
    let (link, _reports, mut cli) = connect(64);
    cli.ask("a", "hang").await;
    cli.started.recv().await.unwrap();
    link.send_line(json!({"type": "user", "text": "x".repeat(1000)}).to_string()).unwrap();
    let other = link.clone();
    let closing = tokio::spawn(async move { other.close().await });
    assert_eq!(cli.hear().await.unwrap()["type"], "user");
    assert!(cli.hear().await.is_none(), "stdin is closed");
    assert!(!closing.is_finished());
    // What still comes is read, although nobody could be answered.
    cli.ask("late", "hang").await;
    cli.say(json!({"type": "result", "is_error": true, "errors": ["too late"]})).await;
    drop(cli.stdout);
    closing.await.unwrap();
    assert!(cli.started.try_recv().is_err(), "no handler is started");
    assert_eq!(link.send_line(String::new()).unwrap_err().kind(), ErrorKind::Closed);
    link.close().await;
}

#[tokio::test]
async fn what_waits_when_the_session_is_closed_fails_as_closed() {
    let (link, _reports, mut cli) = connect(4096);
    let other = link.clone();
    let waiting = tokio::spawn(async move { other.request("slow", json!({}), SOON).await });
    cli.hear().await.unwrap();
    let other = link.clone();
    let closing = tokio::spawn(async move { other.close().await });
    assert!(cli.hear().await.is_none(), "stdin is closed");
    // The CLI has not ended yet, and already there is nobody to talk to.
    assert!(!link.is_alive());
    assert_eq!(link.send_line(String::new()).unwrap_err().kind(), ErrorKind::Closed);
    let late = time::timeout(SOON / 2, link.request("late", json!({}), SOON)).await;
    assert_eq!(late.unwrap().unwrap_err().kind(), ErrorKind::Closed);
    drop(cli);
    assert_eq!(waiting.await.unwrap().unwrap_err().kind(), ErrorKind::Closed);
    closing.await.unwrap();
}

#[tokio::test]
async fn closing_after_the_end_does_not_hide_the_reason() {
    let (link, mut reports, cli) = connect(4096);
    drop(cli);
    assert!(reports.recv().await.is_none());
    link.close().await;
    assert_eq!(link.send_line(String::new()).unwrap_err().kind(), ErrorKind::Exited);
}

#[tokio::test]
async fn everybody_who_closes_waits_for_the_end() {
    let (link, _reports, cli) = connect(64);
    let close = |link: Link| tokio::spawn(async move { link.close().await });
    let closing = [close(link.clone()), close(link.clone())];
    tokio::task::yield_now().await;
    assert!(closing.iter().all(|task| !task.is_finished()));
    drop(cli);
    for task in closing {
        time::timeout(SOON, task).await.unwrap().unwrap();
    }
}

/// A CLI that writes faster than anybody reads.
struct Flood;

impl AsyncRead for Flood {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let budget = ready!(tokio::task::coop::poll_proceed(cx));
        budget.made_progress();
        buffer.put_slice(b"{\"type\":\"keep_alive\"}\n");
        Poll::Ready(Ok(()))
    }
}

#[tokio::test(start_paused = true)]
async fn a_cli_that_writes_without_end_does_not_keep_the_end_back() {
    let (sender, _started) = mpsc::unbounded_channel();
    let connection = Transport::new(Flood, tokio::io::sink()).connect(&[]);
    let (link, _reports) = start(connection, None, Arc::new(Echo { started: sender }));
    let closing = tokio::spawn(async move { link.close().await });
    // The clock stands still by itself, because there is always something to do.
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert!(!closing.is_finished());
    time::advance(CLOSE_STEP).await;
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert!(closing.is_finished());
}

#[tokio::test]
async fn a_transport_that_is_slow_to_flush_holds_nothing_up() {
    let (host_reads, mut cli_writes) = tokio::io::duplex(4096);
    let (cli_reads, host_writes) = tokio::io::duplex(64);
    let (sender, mut started) = mpsc::unbounded_channel();
    let buffered = tokio::io::BufWriter::with_capacity(64 * 1024, host_writes);
    let connection = Transport::new(host_reads, buffered).connect(&[]);
    let (link, _reports) = start(connection, None, Arc::new(Echo { started: sender }));
    // Stays in the buffer until the CLI reads, which it does not yet.
    link.send_line("x".repeat(1000)).unwrap();
    tokio::task::yield_now().await;
    let ask = json!({"type": "control_request", "request_id": "a", "request": {"subtype": "echo"}});
    cli_writes.write_all(format!("{ask}\n").as_bytes()).await.unwrap();
    assert_eq!(time::timeout(SOON, started.recv()).await.unwrap().unwrap(), "echo");
    link.close_in_background();
    let mut lines = BufReader::new(cli_reads).lines();
    assert_eq!(lines.next_line().await.unwrap().unwrap().len(), 1000);
    drop(cli_writes);
    time::timeout(SOON, link.close()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn close_does_not_wait_for_ever() {
    let (link, _reports, _cli) = connect(64);
    let started = Instant::now();
    link.close().await;
    assert!(started.elapsed() < CLOSE_STEP * 2, "{:?}", started.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_close_still_ends_the_session() {
    let (link, mut reports, cli) = connect(64);
    assert!(time::timeout(Duration::from_millis(1), link.close()).await.is_err());
    assert!(reports.recv().await.is_none());
    assert!(!link.is_alive());
    drop(cli);
}

#[tokio::test]
async fn unknown_and_stray_lines_end_nothing() {
    let (link, mut reports, mut cli) = connect(4096);
    cli.stdout.write_all(b"[debug] x\n{\"type\":\"resu\n\n[]\n").await.unwrap();
    cli.say(json!({"type": "keep_alive"})).await;
    cli.say(json!({"type": "control_response", "response": {"request_id": "nobody"}})).await;
    cli.say(json!({"type": "control_response"})).await;
    cli.say(json!({"type": "control_request"})).await;
    cli.say(json!({"no": "type"})).await;
    // Whoever reads it finds out.
    cli.stdout.write_all(b"{\"type\":\"assistant\",\"message\":[}\n").await.unwrap();
    cli.stdout.write_all(b"{\"type\":\"control_request\",\"request_id\":]}\n").await.unwrap();
    cli.say(json!({"type": "never_heard_of"})).await;
    let mut kinds = Vec::new();
    while kinds.len() < 3 {
        for report in reports.recv().await.unwrap() {
            match report {
                Report::Frame(raw) => kinds.push(kind_of(raw.as_str()).into_owned()),
                Report::Warning(text) => panic!("{text}"),
            }
        }
    }
    assert_eq!(kinds, ["", "assistant", "never_heard_of"]);
    assert!(link.is_alive());
}

#[test]
fn a_dropped_runtime_says_so() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (link, _reports, _cli) = runtime.block_on(async { connect(64) });
    drop(runtime);
    let error = link.send_line(String::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Closed);
}

/// The pump may be moved between threads, and links shared.
#[test]
fn links_are_send_and_sync() {
    fn check<T: Send + Sync>() {}
    check::<Link>();
    check::<Mutex<Reports>>();
}

#[cfg(unix)]
mod blocking;
