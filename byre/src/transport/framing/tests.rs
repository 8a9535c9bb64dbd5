use tokio::io::AsyncWriteExt;

use super::*;

/// Everything that `stdout` is split into, as short texts.
async fn all(stdout: &[u8], max_line: usize) -> Vec<String> {
    let mut reader = LineReader::new(stdout, max_line);
    let mut lines = Vec::new();
    while reader.read(&mut lines).await.unwrap() {}
    lines.into_iter().map(describe).collect()
}

fn describe(framed: Framed) -> String {
    match framed {
        Framed::Line(Line::Frame(raw)) => raw.to_string(),
        Framed::Line(Line::Text(text)) => format!("text {text}"),
        Framed::Skipped(limit) => format!("over {limit}"),
    }
}

#[tokio::test]
async fn splits_on_line_feeds_only() {
    let separators = "{\"t\":\"a\u{2028}b\u{2029}c\u{85}d\"}";
    assert_eq!(
        all(format!("{{\"a\":1}}\r\n\n{separators}\nwarning: x\n").as_bytes(), 1000).await,
        ["{\"a\":1}", separators, "text warning: x"]
    );
}

#[tokio::test]
async fn a_last_line_without_a_line_break_counts() {
    assert_eq!(all(b"{\"a\":1}\n{\"b\":2}", 1000).await, ["{\"a\":1}", "{\"b\":2}"]);
}

#[tokio::test]
async fn a_line_over_the_limit_is_skipped_and_the_next_one_is_not() {
    let long = "x".repeat(300_000);
    let stdout = format!("{{\"a\":1}}\n{{\"t\":\"{long}\"}}\n{{\"b\":2}}\n");
    assert_eq!(all(stdout.as_bytes(), 1000).await, ["{\"a\":1}", "over 1000", "{\"b\":2}"]);
}

#[tokio::test]
async fn an_endless_line_takes_no_memory_and_is_told_of_once() {
    let mut reader = LineReader::new(tokio::io::repeat(b'x'), 100_000);
    let mut lines = Vec::new();
    for _ in 0..100 {
        assert!(reader.read(&mut lines).await.unwrap());
        assert!(reader.buffer.capacity() < 400_000, "{}", reader.buffer.capacity());
    }
    assert!(matches!(lines[..], [Framed::Skipped(100_000)]), "{lines:?}");
}

#[tokio::test]
async fn a_cancelled_read_loses_no_bytes() {
    let (mut cli, host) = tokio::io::duplex(64);
    let mut reader = LineReader::new(host, MAX_LINE);
    let mut lines = Vec::new();
    cli.write_all(b"{\"n\":").await.unwrap();
    assert!(reader.read(&mut lines).await.unwrap());
    tokio::select! {
        biased;
        _ = reader.read(&mut lines) => panic!("there is nothing to read"),
        () = tokio::task::yield_now() => (),
    }
    cli.write_all(b"1}\n").await.unwrap();
    drop(cli); // If bytes were lost, the line below is missing and nothing hangs.
    while reader.read(&mut lines).await.unwrap() {}
    assert_eq!(lines.into_iter().map(describe).collect::<Vec<_>>(), ["{\"n\":1}"]);
}

#[tokio::test]
async fn any_cut_gives_the_same_lines() {
    let text = "{\"t\":\"žluťoučký 🐄\"}\nnot json\n{\"t\":\"\u{2028}\"}\r\n\n{\"last\":true}";
    let whole = all(text.as_bytes(), 1000).await;
    assert_eq!(whole.len(), 4);
    for cut in 1..text.len() {
        let (mut cli, host) = tokio::io::duplex(4096);
        let mut reader = LineReader::new(host, MAX_LINE);
        let mut lines = Vec::new();
        cli.write_all(&text.as_bytes()[..cut]).await.unwrap();
        assert!(reader.read(&mut lines).await.unwrap());
        cli.write_all(&text.as_bytes()[cut..]).await.unwrap();
        drop(cli);
        while reader.read(&mut lines).await.unwrap() {}
        let got: Vec<_> = lines.into_iter().map(describe).collect();
        assert_eq!(got, whole, "cut at {cut}");
    }
}

#[tokio::test]
async fn a_large_line_between_small_ones_is_whole() {
    let large = format!("{{\"t\":\"{}\"}}", "é".repeat(3_000_000));
    let stdout = format!("{{\"a\":1}}\n{large}\n{large}\n{{\"b\":2}}\n");
    let lines = all(stdout.as_bytes(), MAX_LINE).await;
    assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [7, large.len(), large.len(), 7]);
    assert!(lines[1] == large && lines[2] == large);
}
