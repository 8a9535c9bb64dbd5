//! What the helpers for images, sounds and resources let through.

use super::*;
use crate::tool::{audio, image, resource, resource_link};

/// A helper that makes content of bytes.
type Helper = fn(Vec<u8>) -> Result<Content, ToolError>;

/// A PNG up to the end of its first chunk, with these sides.
fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    bytes.extend(b"\x08\0\0\0\0");
    bytes
}

/// A JPEG up to its first frame, with tables and a comment before it.
fn jpeg(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = b"\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc4\0\x03a\xff\xc2\0\x0b\x08".to_vec();
    bytes.extend(height.to_be_bytes());
    bytes.extend(width.to_be_bytes());
    bytes.extend(b"\x01\x01\x11\0");
    bytes
}

fn gif(width: u16, height: u16) -> Vec<u8> {
    let mut bytes = b"GIF89a".to_vec();
    bytes.extend(width.to_le_bytes());
    bytes.extend(height.to_le_bytes());
    bytes.extend(b"\0\0\0;");
    bytes
}

/// A WebP with one chunk.
fn webp(kind: [u8; 4], chunk: &[u8]) -> Vec<u8> {
    [b"RIFF\0\0\0\0WEBP", &kind[..], b"\0\0\0\0", chunk].concat()
}

fn media_type(content: &Content) -> &str {
    match content {
        Content::Image { mime_type, .. } | Content::Audio { mime_type, .. } => mime_type,
        other => panic!("{other:?} is no image and no sound"),
    }
}

fn check_error(result: Result<Content, ToolError>, want: &str) {
    assert_eq!(result.unwrap_err().text(), want);
}

#[test]
fn images_are_what_their_bytes_say() {
    let webp_bytes = webp(*b"VP8X", &[0, 0, 0, 0, 15, 0, 0, 15, 0, 0]);
    let images: [(Vec<u8>, Helper, &str); 4] = [
        (png(16, 16), |bytes| image::png(bytes), "image/png"),
        (jpeg(16, 16), |bytes| image::jpeg(bytes), "image/jpeg"),
        (gif(16, 16), |bytes| image::gif(bytes), "image/gif"),
        (webp_bytes, |bytes| image::webp(bytes), "image/webp"),
    ];
    for (bytes, helper, want) in &images {
        assert_eq!(media_type(&helper(bytes.clone()).unwrap()), *want);
        assert_eq!(helper(bytes.clone()).unwrap(), image::any(bytes).unwrap());
        for (other, _, kind) in &images {
            assert_eq!(helper(other.clone()).is_ok(), kind == want, "{kind} as {want}");
        }
        check_error(helper(Vec::new()), "the image is empty");
        // Whatever is cut off, nothing panics, and what does not say its size is broken.
        for end in 1..bytes.len() {
            let _ = helper(bytes[..end].to_vec());
            let _ = image::any(&bytes[..end]);
        }
    }
    check_error(image::any(b""), "the image is empty");
    check_error(
        image::any(b"<svg/>"),
        "the image is no PNG, JPEG, GIF or WebP: it begins with 3c 73 76 67 2f 3e; the model sees no other \
         kinds",
    );
    check_error(image::gif(b"BM"), "the image is no GIF: it begins with 42 4d");
    check_error(
        image::webp(png(1, 1)),
        "the image is no WebP but a PNG; use `image::png` or `image::any`",
    );
    check_error(
        image::png(&png(16, 16)[..20]),
        "the PNG is broken: it does not say how large it is",
    );
    check_error(image::png(png(0, 16)), "the PNG is broken: it does not say how large it is");
    check_error(
        image::jpeg(b"\xff\xd8\xff\xda"),
        "the JPEG is broken: it does not say how large it is",
    );
}

#[test]
fn images_are_no_larger_than_the_api_takes() {
    let vp8 = |width: u16, height: u16| {
        let sides = [width.to_le_bytes(), height.to_le_bytes()].concat();
        webp(*b"VP8 ", &[&[0, 0, 0, 0x9d, 0x01, 0x2a], &sides[..]].concat())
    };
    let lossless = |width: u32, height: u32| {
        let bits = ((width - 1) | (height - 1) << 14).to_le_bytes();
        webp(*b"VP8L", &[&[0x2f], &bits[..]].concat())
    };
    let extended = |width: u32, height: u32| {
        let (width, height) = ((width - 1).to_le_bytes(), (height - 1).to_le_bytes());
        webp(*b"VP8X", &[&[0; 4], &width[..3], &height[..3]].concat())
    };
    for (fits, too_large) in [
        (png(8000, 8000), png(8001, 2)),
        (jpeg(8000, 1), jpeg(8001, 2)),
        (gif(1, 8000), gif(8001, 2)),
        (vp8(8000, 1), vp8(8001, 2)),
        (lossless(8000, 8000), lossless(8001, 2)),
        (extended(1, 8000), extended(8001, 2)),
    ] {
        image::any(fits).unwrap();
        check_error(
            image::any(too_large),
            "the image has 8001 by 2 pixels, and the API takes at most 8000 a side; scale it down",
        );
    }

    let of_length = |length| {
        let mut bytes = png(16, 16);
        bytes.resize(length, 0);
        image::png(bytes)
    };
    of_length(5 * 1024 * 1024 / 4 * 3).unwrap();
    check_error(
        of_length(5 * 1024 * 1024 / 4 * 3 + 1),
        "the image has 5242884 bytes in base64, and the API takes at most 5242880 (5 MB); make it smaller",
    );
}

#[test]
fn sounds_are_what_their_bytes_say() {
    let sounds: [(&[u8], Helper, &str); 6] = [
        (b"RIFF\0\0\0\0WAVEfmt ", |bytes| audio::wav(bytes), "audio/wav"),
        (b"ID3\x04", |bytes| audio::mp3(bytes), "audio/mpeg"),
        (b"\xff\xfb\x90", |bytes| audio::mp3(bytes), "audio/mpeg"),
        (b"\xff\xf3\x90", |bytes| audio::mp3(bytes), "audio/mpeg"),
        (b"OggS\0", |bytes| audio::ogg(bytes), "audio/ogg"),
        (b"fLaC\0", |bytes| audio::flac(bytes), "audio/flac"),
    ];
    for (bytes, helper, want) in sounds {
        let sound = helper(bytes.to_vec()).unwrap();
        assert_eq!(media_type(&sound), want);
        assert_eq!(sound, audio::any(bytes).unwrap());
        for (other, _, kind) in sounds {
            assert_eq!(helper(other.to_vec()).is_ok(), kind == want, "{kind} as {want}");
        }
        check_error(helper(Vec::new()), "the sound is empty");
    }
    check_error(audio::any(b""), "the sound is empty");
    check_error(
        audio::any(b"\xff\xf1\x50"), // AAC, of whose frames layer 0 is the mark
        "the sound is no WAV, MP3, Ogg or FLAC: it begins with ff f1 50",
    );
    check_error(
        audio::wav(b"RIFF\0\0\0\0WEBP"),
        "the sound is no WAV: it begins with 52 49 46 46 00 00 00 00",
    );
    check_error(
        audio::wav(b"fLaC"),
        "the sound is no WAV but FLAC; use `audio::flac` or `audio::any`",
    );
}

#[test]
fn resources_have_a_uri_and_a_media_type() {
    for uri in ["file:///a.txt", "https://example.com/a", "urn:isbn:0", "x-note+v1.0:7"] {
        let content = resource::text(uri, "text/plain", "a").unwrap();
        assert_eq!(content, Content::resource_text(uri, "text/plain", "a"));
        let content = resource_link(uri, "a").unwrap();
        assert_eq!(content, Content::resource_link(uri, "a"));
    }
    for (uri, problem) in [
        ("", "has no scheme; use `file:///…` or `https://…`"),
        ("a.txt", "has no scheme; use `file:///…` or `https://…`"),
        ("/a:b", "has no scheme; use `file:///…` or `https://…`"),
        ("C:\\a.txt", "has no scheme; use `file:///…` or `https://…`"),
        ("1a:b", "has no scheme; use `file:///…` or `https://…`"),
        ("file:", "names nothing after its scheme"),
        ("file:///a b", "has blanks in it; write `%20` for a blank"),
    ] {
        let want = format!("the URI {uri:?} {problem}");
        check_error(resource::text(uri, "text/plain", "a"), &want);
        check_error(resource::bytes(uri, "text/plain", b"a"), &want);
        check_error(resource_link(uri, "a"), &want);
    }
    for media_type in ["", "text", "/plain", "text/"] {
        let want = format!(
            "{media_type:?} is no media type; use `text/plain` or `application/octet-stream`, for example"
        );
        check_error(resource::text("file:///a", media_type, "a"), &want);
        check_error(resource::bytes("file:///a", media_type, b"a"), &want);
    }
    check_error(resource_link("file:///a", " "), "the link to \"file:///a\" has no name");
}

#[test]
fn resources_have_bytes_that_fit() {
    let content = resource::bytes("file:///a.zip", "application/zip", b"PK").unwrap();
    assert_eq!(content, Content::resource_bytes("file:///a.zip", "application/zip", b"PK"));
    check_error(
        resource::bytes("file:///a.zip", "application/zip", b""),
        "the resource \"file:///a.zip\" is empty",
    );
    resource::bytes("file:///a.png", "image/png", png(1, 1)).unwrap();
    check_error(
        resource::bytes("file:///a.png", "image/png", gif(1, 1)),
        "the image is no PNG but a GIF; use `image::gif` or `image::any`",
    );
    resource::bytes("file:///a.svg", "image/svg+xml", b"<svg/>").unwrap();
}
