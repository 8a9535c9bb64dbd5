use super::*;

/// A file that can be looked at from outside, and that fails after `limit` lines.
#[derive(Clone, Default)]
struct Shared {
    text: Arc<std::sync::Mutex<String>>,
    limit: Option<usize>,
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut text = self.text.lock().unwrap();
        if self.limit.is_some_and(|limit| text.lines().count() >= limit) {
            return Err(io::Error::other("disk full"));
        }
        text.push_str(std::str::from_utf8(bytes).unwrap());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn hides_the_email_from_the_line_on_that_tells_it() {
    let file = Shared::default();
    let mut recorder = Recorder::start(file.clone(), Redactor::default()).unwrap();
    let answer = "{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\
                  \"request_id\":\"byre-0\",\"response\":{\"account\":{\"email\":\"a@b.c\"}}}}";
    recorder.record(Direction::Send, "{\"type\":\"control_request\"}");
    recorder.record(Direction::Receive, answer);
    recorder.record(Direction::Send, "{\"type\":\"user\",\"text\":\"I am a@b.c.\"}");
    recorder.finish().await;
    assert_eq!(
        *file.text.lock().unwrap(),
        format!(
            "{{\"dir\":\"send\",\"msg\":{{\"type\":\"control_request\"}}}}\n\
             {{\"dir\":\"recv\",\"msg\":{}}}\n\
             {{\"dir\":\"send\",\"msg\":{{\"type\":\"user\",\"text\":\"I am [redacted].\"}}}}\n",
            answer.replace("a@b.c", "[redacted]")
        )
    );
}

#[tokio::test]
async fn a_write_error_is_told_once_and_stops_the_writing() {
    let file = Shared { limit: Some(1), ..Shared::default() };
    let mut recorder = Recorder::start(file.clone(), Redactor::default()).unwrap();
    for _ in 0..5 {
        recorder.record(Direction::Send, "{}");
    }
    assert_eq!(recorder.problem().await, "the transcript is not written on: disk full");
    // The disk is not slow, it is full.
    let long = format!("{{\"x\":\"{}\"}}", "x".repeat(MAX_WAITING / 2));
    for _ in 0..3 {
        recorder.record(Direction::Send, &long);
    }
    assert!(recorder.problems.try_recv().is_err());
    recorder.finish().await;
    assert_eq!(file.text.lock().unwrap().lines().count(), 1);
}

#[cfg(unix)]
#[tokio::test]
async fn the_file_is_for_its_owner_and_grows() {
    use std::os::unix::fs::PermissionsExt;

    let path = std::env::temp_dir().join(format!("byre-transcript-{}", uuid::Uuid::new_v4()));
    for _ in 0..2 {
        let mut recorder = Recorder::open(&path, Redactor::default()).unwrap();
        recorder.record(Direction::Receive, "{}");
        recorder.finish().await;
    }
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(text, "{\"dir\":\"recv\",\"msg\":{}}\n".repeat(2));
}
