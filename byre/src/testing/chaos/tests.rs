use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::*;

const LINES: &str = concat!(
    "{\"type\":\"control_request\",\"request_id\":\"a\",\"request\":{}}\n",
    "{\"type\":\"control_response\",\"response\":{\"request_id\":\"1\"}}\n",
    "{\"type\":\"control_response\",\"response\":{\"request_id\":\"2\"}}\n",
    "{\"type\":\"control_response\",\"response\":{\"request_id\":\"3\"}}\n",
    "{\"type\":\"assistant\",\"text\":\"ž\"}\n",
    "{\"type\":\"result\"}\n",
);

/// What the host reads of `LINES`, and what the CLI reads of `said`.
async fn pass(chaos: Chaos, said: &str) -> (Vec<u8>, String) {
    let (mut cli_stdout, stdout) = tokio::io::duplex(1024);
    let (stdin, mut cli_stdin) = tokio::io::duplex(1024);
    let connection = chaos.over(Transport::new(stdout, stdin)).connect(&[]);
    let (mut host_stdout, mut host_stdin) = (connection.stdout, connection.stdin);
    let (mut read, mut heard) = (Vec::new(), String::new());
    let write = async {
        host_stdin.write_all(said.as_bytes()).await.unwrap();
        host_stdin.shutdown().await.unwrap();
        cli_stdin.read_to_string(&mut heard).await.unwrap();
        cli_stdout.write_all(LINES.as_bytes()).await.unwrap();
        drop(cli_stdout);
    };
    tokio::join!(write, async { host_stdout.read_to_end(&mut read).await.unwrap() });
    (read, heard)
}

#[tokio::test(start_paused = true)]
async fn without_faults_every_byte_is_passed_on() {
    let said = "{\"type\":\"user\",\"text\":\"\u{1f404}\"}\n";
    assert_eq!(pass(Chaos::new(1), said).await, (LINES.into(), said.to_owned()));
}

#[tokio::test(start_paused = true)]
async fn the_same_seed_does_the_same_and_another_something_else() {
    let (first, _) = pass(Chaos::survivable(1), "").await;
    assert_eq!(pass(Chaos::survivable(1), "").await.0, first);
    assert_ne!(pass(Chaos::survivable(2), "").await.0, first);
}

#[tokio::test(start_paused = true)]
async fn every_fault_comes_sooner_or_later() {
    let mut all = Vec::new();
    let mut orders = std::collections::HashSet::new();
    for seed in 0..100 {
        let (read, _) =
            pass(Chaos::new(seed).garbage().unknown_lines().lone_surrogates(), "").await;
        all.extend(read);
        let (read, _) = pass(Chaos::new(seed).duplicates().reorders(), "").await;
        orders.insert(read);
    }
    let all = String::from_utf8_lossy(&all).into_owned();
    for line in
        ["Debugger attached.\n", "\n\n", "{\"type\":\"resu\n", "\u{fffd}", "\"of_tomorrow\""]
    {
        assert!(all.contains(line), "{line:?}");
    }
    assert!(all.contains("{\"chaos\":\"\\ud83d\",\"type\":\"result\"}\n"));
    let (read, _) = pass(Chaos::new(1).broken_utf8(), "").await;
    let line = b"{\"chaos_bytes\":\"\xff\",\"type\":\"result\"}\n";
    assert!(read.windows(line.len()).any(|window| window == line));
    // Three answers in some of their orders, and some lines twice.
    assert!(orders.len() > 10, "{} ways", orders.len());
    assert!(orders.contains(LINES.as_bytes()), "or nothing happens");
    let last = orders.iter().all(|lines| lines.ends_with(b"{\"type\":\"result\"}\n"));
    assert!(!last, "an answer may come after the last line");
}

#[tokio::test(start_paused = true)]
async fn what_is_answered_to_unknown_lines_does_not_reach_the_cli() {
    let answer = "{\"type\":\"control_response\",\"response\":{\"request_id\":\"chaos-7\"}}\n";
    assert_eq!(pass(Chaos::new(1).unknown_lines(), answer).await.1, "");
    assert_eq!(pass(Chaos::new(1), answer).await.1, answer);
}
