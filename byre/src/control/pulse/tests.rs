use super::*;

fn line(text: &str) -> Framed {
    Framed::Line(Line::parse(text.as_bytes().to_vec()).unwrap())
}

const MINUTE: Duration = Duration::from_secs(60);

/// How much of the silence has passed; `None` while something of ours runs.
fn silence(pulse: &Pulse) -> Option<Duration> {
    pulse.silent_since().map(|since| Instant::now().saturating_duration_since(since))
}

#[tokio::test(start_paused = true)]
async fn the_last_line_of_json_is_what_was_heard() {
    let pulse = Pulse::default();
    assert_eq!(pulse.timeout(Clock::Idle, MINUTE).last_heard, None);
    pulse.heard(&[line(r#"{"type":"assistant"}"#), line("a warning")]);
    let heard = |pulse: &Pulse| pulse.timeout(Clock::Idle, MINUTE).last_heard.unwrap();
    assert_eq!(heard(&pulse).line, "assistant");
    tokio::time::advance(MINUTE).await;
    pulse.heard(&[line("a warning"), Framed::Skipped(3)]);
    assert_eq!(heard(&pulse).ago, MINUTE);
    pulse.heard(&[line(r#"{"type":"system","subtype":"status"}"#)]);
    assert_eq!(heard(&pulse), LastHeard { line: "system/status".to_owned(), ago: Duration::ZERO });
    pulse.heard(&[line(&format!(r#"{{"type":"{}"}}"#, "é".repeat(1000)))]);
    assert_eq!(heard(&pulse).line, "é".repeat(NAME));
}

#[tokio::test(start_paused = true)]
async fn silence_begins_after_what_was_heard_and_said_last() {
    let pulse = Pulse::default();
    assert_eq!(silence(&pulse), None, "nothing has been said at all");
    pulse.heard(&[line(r#"{"type":"assistant"}"#)]);
    tokio::time::advance(MINUTE).await;
    assert_eq!(silence(&pulse), Some(MINUTE));
    pulse.prompted();
    assert_eq!(silence(&pulse), Some(Duration::ZERO));
}

#[tokio::test(start_paused = true)]
async fn there_is_no_silence_while_something_of_ours_runs() {
    let pulse = Pulse::default();
    pulse.heard(&[line(r#"{"type":"control_request"}"#)]);
    pulse.serving(2);
    pulse.serving(1);
    tokio::time::advance(MINUTE).await;
    assert_eq!(silence(&pulse), None);
    pulse.serving(0);
    assert_eq!(silence(&pulse), Some(Duration::ZERO), "it begins with the answer");
    tokio::time::advance(MINUTE).await;
    pulse.serving(0);
    assert_eq!(silence(&pulse), Some(MINUTE));
}

#[tokio::test(start_paused = true)]
async fn a_wait_that_the_cli_announces_is_no_silence() {
    let pulse = Pulse::default();
    let Framed::Line(Line::Frame(raw)) =
        line(r#"{"type":"system","subtype":"api_retry","attempt":1,"retry_delay_ms":90000.5}"#)
    else {
        unreachable!()
    };
    pulse.system(&raw);
    tokio::time::advance(MINUTE).await;
    assert_eq!(silence(&pulse), Some(Duration::ZERO));
    tokio::time::advance(MINUTE).await;
    assert_eq!(silence(&pulse).unwrap().as_secs(), 29);
}

#[tokio::test(start_paused = true)]
async fn no_delay_that_can_be_written_is_too_long_or_too_odd() {
    for delay in ["1e300", "-1e300", "1e999", "\"soon\"", "null"] {
        let pulse = Pulse::default();
        let text = format!(r#"{{"type":"system","subtype":"api_retry","retry_delay_ms":{delay}}}"#);
        pulse.system(&Raw::new(text));
        assert!(silence(&pulse).is_none_or(|silence| silence.is_zero()), "{delay}");
    }
}
