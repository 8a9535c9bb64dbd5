//! What becomes of events that the program does not read.

use std::time::Duration;

use byre::{ErrorKind, Event, Session, Transport, options::Backlog};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines},
    time::timeout,
};

/// How many events nobody reads.
const MANY: usize = 1_000_000;

/// What still does not come after this time hangs.
const LIMIT: Duration = Duration::from_secs(120);

/// Adds two integers.
#[byre::tool(register = false)]
async fn add(a: i64, b: i64) -> i64 {
    a + b
}

/// A CLI played by hand.
pub(crate) struct Peer {
    lines: Lines<BufReader<DuplexStream>>,
    writes: DuplexStream,
}

impl Peer {
    async fn read(&mut self) -> Value {
        let line = timeout(LIMIT, self.lines.next_line()).await.expect("it hangs");
        serde_json::from_str(&line.unwrap().expect("the host is there")).unwrap()
    }

    async fn write(&mut self, line: &str) {
        self.writes.write_all(line.as_bytes()).await.unwrap();
    }

    /// Writes many pieces of a message, and whole ones in between.
    pub(crate) async fn flood(&mut self, count: usize) {
        let piece = json!({"type": "stream_event", "event": {"type": "content_block_delta", "index": 0,
            "delta": {"type": "text_delta", "text": "moo"}}, "session_id": "s", "uuid": "u"});
        let hundred = format!("{piece}\n").repeat(100);
        for _ in 0..count / 100 {
            self.write(&hundred).await;
        }
        self.write("{\"type\":\"assistant\",\"message\":{\"content\":[]}}\n").await;
    }

    /// Calls a tool, and gives the text that comes back.
    pub(crate) async fn call(&mut self) -> String {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": "add", "arguments": {"a": 2, "b": 3}}});
        let request = json!({"subtype": "mcp_message", "server_name": "byre", "message": message});
        let line = json!({"type": "control_request", "request_id": "c-1", "request": request});
        self.write(&format!("{line}\n")).await;
        let answer = self.read().await;
        answer["response"]["response"]["mcp_response"]["result"]["content"][0]["text"]
            .as_str()
            .unwrap()
            .to_owned()
    }
}

pub(crate) async fn start(backlog: Backlog) -> (Session, Peer) {
    let (stdout, writes) = tokio::io::duplex(64 * 1024);
    let (stdin, reads) = tokio::io::duplex(64 * 1024);
    let mut peer = Peer { lines: BufReader::new(reads).lines(), writes };
    let builder = Session::builder().tools(byre::tools![add]).hooks([]).backlog(backlog);
    let answer = async {
        let id = peer.read().await["request_id"].clone();
        let response = json!({"subtype": "success", "request_id": id, "response": {}});
        peer.write(&format!("{}\n", json!({"type": "control_response", "response": response})))
            .await;
        peer
    };
    let spawn = builder.transport(Transport::new(stdout, stdin)).spawn();
    let (session, peer) = tokio::join!(spawn, answer);
    (session.unwrap(), peer)
}

/// Reads what waits, up to the message after the flood: how many pieces, and the warnings.
pub(crate) async fn read(session: &mut Session) -> (usize, Vec<String>) {
    let (mut pieces, mut warnings) = (0, Vec::new());
    loop {
        let event = timeout(LIMIT, session.next_event()).await.expect("it hangs");
        match event.expect("there is more").unwrap() {
            Event::Stream(_) => pieces += 1,
            Event::Warning(warning) => warnings.push(warning.to_string()),
            Event::Assistant(_) => return (pieces, warnings),
            _ => {}
        }
    }
}

#[tokio::test]
async fn a_million_unread_events_are_kept_and_tools_answered_meanwhile() {
    let (mut session, mut peer) = start(Backlog::grow(64_000_000)).await;
    peer.flood(MANY).await;
    assert_eq!(peer.call().await, "5");
    let (pieces, warnings) = read(&mut session).await;
    assert_eq!(pieces, MANY);
    // At 64 MB, and each time that it has doubled.
    assert!((1..=4).contains(&warnings.len()), "{warnings:?}");
    assert!(warnings.iter().all(|text| text.contains("MB of events wait")), "{warnings:?}");
}

#[tokio::test]
async fn pieces_of_messages_can_be_left_out_and_nothing_else_is() {
    let (mut session, mut peer) = start(Backlog::drop_partials(1_000_000)).await;
    peer.flood(MANY).await;
    assert_eq!(peer.call().await, "5");
    let (pieces, warnings) = read(&mut session).await;
    assert!((1000..10_000).contains(&pieces), "{pieces}");
    let first = "too many events wait to be read, and pieces of messages are left out";
    assert_eq!(warnings[0], first);
    // How many they were is told with the first event that fits in again: the message, if it came alone.
    if let Some(told) = warnings.get(1) {
        let left_out = MANY - pieces;
        let want = format!("{left_out} pieces of messages were left out, as too much waited");
        assert_eq!(*told, want);
    }
}

#[tokio::test]
async fn a_session_can_end_when_nobody_reads() {
    let (session, mut peer) = start(Backlog::fail(1_000_000)).await;
    let handle = session.handle();
    let flood = tokio::spawn(async move {
        let piece = "{\"type\":\"stream_event\"}\n".repeat(100);
        // Until the host hangs up.
        while peer.writes.write_all(piece.as_bytes()).await.is_ok() {}
    });
    while handle.is_alive() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let error = handle.interrupt().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unread);
    assert!(error.to_string().contains("1000000 are the limit of `backlog`"), "{error}");
    timeout(LIMIT, flood).await.expect("it hangs").unwrap();
    timeout(LIMIT, session.close()).await.expect("it hangs").unwrap();
}
