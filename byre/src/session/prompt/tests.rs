use super::*;

fn line(prompt: Prompt) -> Value {
    serde_json::from_str(&prompt.into_line("u").unwrap()).unwrap()
}

#[test]
fn text_alone_is_a_string() {
    assert_eq!(
        line("What is\n2 + 3?".into()),
        json!({
            "type": "user",
            "message": {"role": "user", "content": "What is\n2 + 3?"},
            "parent_tool_use_id": null,
            "session_id": "",
            "uuid": "u",
        })
    );
}

#[test]
fn a_prompt_is_one_line() {
    assert!(!Prompt::new("a\nb\u{2028}c").into_line("u").unwrap().contains('\n'));
}

#[test]
fn what_happens_in_a_running_turn_is_a_priority() {
    let priority = |when| line(Prompt::new("x").when_busy(when)).get("priority").cloned();
    assert_eq!(priority(WhenBusy::FoldIn), None);
    assert_eq!(priority(WhenBusy::Refuse), None);
    assert_eq!(priority(WhenBusy::Queue), Some(json!("later")));
    assert_eq!(priority(WhenBusy::Interrupt), Some(json!("now")));
}

#[test]
fn images_are_told_by_their_bytes() {
    for (bytes, media_type) in [
        (&b"\x89PNG\r\n\x1a\nrest"[..], "image/png"),
        (b"\xff\xd8\xff\xe0rest", "image/jpeg"),
        (b"GIF87arest", "image/gif"),
        (b"GIF89arest", "image/gif"),
        (b"RIFF\x01\x02\x03\x04WEBPrest", "image/webp"),
    ] {
        let line = line(Prompt::new("What is this?").image(bytes));
        assert_eq!(
            line["message"]["content"],
            json!([
                {
                    "type": "image",
                    "source": {
                        "type": "base64",
                        "media_type": media_type,
                        "data": BASE64.encode(bytes),
                    },
                },
                {"type": "text", "text": "What is this?"},
            ])
        );
    }
}

#[test]
fn other_images_are_refused_by_number() {
    for bytes in [&b"<svg/>"[..], b"", b"BM", b"RIFF\0\0\0\0WAVE"] {
        let prompt = Prompt::new("x").image(*b"GIF89a").image(bytes);
        let error = prompt.into_line("u").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Prompt);
        assert!(error.to_string().contains("image 2 of 2"), "{error}");
    }
}
