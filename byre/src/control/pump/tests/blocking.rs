//! Code of the user that blocks its thread holds nobody else up, where there are other threads.

use std::{
    io::{BufRead, BufReader, Write},
    os::unix::net::UnixStream,
    sync::mpsc as blocking,
};

use super::*;

/// Answers `{"subtype":"echo"}`, and blocks its thread on `block`, once it has said so and, on
/// `talk_and_block`, has asked the pump for something.
struct Blocks {
    link: Mutex<Option<Link>>,
    started: blocking::Sender<()>,
    gate: Arc<Mutex<blocking::Receiver<()>>>,
}

impl Serve for Blocks {
    fn serve(&self, request: &Request<'_>) -> BoxFuture<Answer> {
        let value: Value = serde_json::from_str(request.body()).unwrap();
        let (started, gate) = (self.started.clone(), Arc::clone(&self.gate));
        let link = self.link.lock().unwrap().clone();
        Box::pin(async move {
            let subtype = value["subtype"].as_str().unwrap_or_default();
            if subtype == "talk_and_block" {
                link.unwrap().request_without_answer("progress", json!({}));
            }
            if subtype != "echo" {
                started.send(()).unwrap();
                let _ = gate.lock().unwrap().recv();
            }
            Answer::Success(value.to_string())
        })
    }
}

/// The CLI's end of a real socket, from a thread that is none of the runtime's.
struct Cli {
    host: BufReader<UnixStream>,
    link: Link,
    reports: Option<Reports>,
    started: blocking::Receiver<()>,
    opens_gate: blocking::Sender<()>,
}

impl Cli {
    fn connect() -> Self {
        let (ours, theirs) = UnixStream::pair().unwrap();
        theirs.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        ours.set_nonblocking(true).unwrap();
        let (stdout, stdin) = tokio::net::UnixStream::from_std(ours).unwrap().into_split();
        let (sender, started) = blocking::channel();
        let (opens_gate, gate) = blocking::channel();
        let serve = Arc::new(Blocks {
            link: Mutex::default(),
            started: sender,
            gate: Arc::new(Mutex::new(gate)),
        });
        let connection = Transport::new(stdout, stdin).connect(&[]);
        let (link, reports) = start(connection, None, Arc::clone(&serve) as Arc<dyn Serve>);
        *serve.link.lock().unwrap() = Some(link.clone());
        let host = BufReader::new(theirs);
        Self { host, link, reports: Some(reports), started, opens_gate }
    }

    fn say(&mut self, line: &Value) {
        // One write, as the CLI does.
        self.host.get_mut().write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn ask(&mut self, id: &str, subtype: &str) {
        self.say(&json!({
            "type": "control_request", "request_id": id, "request": {"subtype": subtype},
        }));
    }

    /// Waits for a line. Fails after 20 seconds without one.
    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.host.read_line(&mut line).expect("the host answers while something blocks");
        serde_json::from_str(&line).unwrap()
    }

    fn check_that_others_are_answered(&mut self) {
        for id in ["a", "b", "c"] {
            self.ask(id, "echo");
            assert_eq!(self.hear()["response"]["request_id"], id);
        }
        self.opens_gate.send(()).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_handler_that_blocks_its_thread_holds_no_other_up() {
    let mut cli = Cli::connect();
    cli.ask("blocks", "block");
    cli.started.recv().unwrap();
    cli.check_that_others_are_answered();
    assert_eq!(cli.hear()["response"]["request_id"], "blocks");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn neither_does_one_that_has_just_talked_to_the_pump() {
    let mut cli = Cli::connect();
    cli.ask("blocks", "talk_and_block");
    cli.started.recv().unwrap();
    assert_eq!(cli.hear()["request"]["subtype"], "progress");
    cli.check_that_others_are_answered();
    assert_eq!(cli.hear()["response"]["request_id"], "blocks");
    assert!(cli.link.is_alive());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nor_does_a_program_that_blocks_when_it_has_read_an_event() {
    let mut cli = Cli::connect();
    let mut reports = cli.reports.take().unwrap();
    let (has_read, read) = blocking::channel();
    let (end, wait) = blocking::channel::<()>();
    let reader = tokio::spawn(async move {
        while reports.recv().await.is_some() {
            has_read.send(()).unwrap();
            let _ = wait.recv();
        }
    });
    for n in 0..3 {
        cli.say(&json!({"type": "assistant", "n": n}));
        read.recv().unwrap();
        cli.ask("a", "echo");
        assert_eq!(cli.hear()["response"]["request_id"], "a");
        end.send(()).unwrap();
    }
    drop(end);
    drop(cli);
    reader.await.unwrap();
}
