//! Sounds. The model can't hear them: the CLI saves them to a file and shows the model its path (seen with
//! 2.1.332).
//!
//! Each function looks at the bytes, which must be of the kind that it is named after and not empty. What is
//! wrong is an error that says so.
//!
//! # Example
//!
//! ```
//! use byre::{ToolError, tool::Content};
//!
//! /// Reads a text aloud, to a file.
//! #[byre::tool(read_only)]
//! async fn speak(text: String) -> Result<Content, ToolError> {
//!     byre::audio::wav(synthesize(&text))
//! }
//! # fn synthesize(_: &str) -> Vec<u8> { vec![] }
//! # fn main() {}
//! ```

use super::{Content, ToolError, image::beginning};

/// Makes a sound from the bytes of a WAV file.
///
/// # Errors
///
/// If the bytes are no WAV.
///
/// # Example
///
/// ```
/// assert!(byre::audio::wav(b"RIFF\x24\0\0\0WAVEfmt ").is_ok());
/// ```
pub fn wav(bytes: impl AsRef<[u8]>) -> Result<Content, ToolError> {
    of_format(bytes.as_ref(), &WAV)
}

/// Makes a sound from the bytes of an MP3 file.
///
/// # Errors
///
/// If the bytes are no MP3.
///
/// # Example
///
/// ```
/// let error = byre::audio::mp3(b"OggS").unwrap_err();
/// assert_eq!(error.text(), "the sound is no MP3 but Ogg; use `audio::ogg` or `audio::any`");
/// ```
pub fn mp3(bytes: impl AsRef<[u8]>) -> Result<Content, ToolError> {
    of_format(bytes.as_ref(), &MP3)
}

/// Makes a sound from the bytes of an Ogg file, with Vorbis or Opus in it.
///
/// # Errors
///
/// If the bytes are no Ogg.
///
/// # Example
///
/// ```
/// assert!(byre::audio::ogg(b"OggS").is_ok());
/// ```
pub fn ogg(bytes: impl AsRef<[u8]>) -> Result<Content, ToolError> {
    of_format(bytes.as_ref(), &OGG)
}

/// Makes a sound from the bytes of a FLAC file.
///
/// # Errors
///
/// If the bytes are no FLAC.
///
/// # Example
///
/// ```
/// assert!(byre::audio::flac(b"fLaC").is_ok());
/// ```
pub fn flac(bytes: impl AsRef<[u8]>) -> Result<Content, ToolError> {
    of_format(bytes.as_ref(), &FLAC)
}

/// Makes a sound from the bytes of a file of any of these kinds, which they tell themselves.
///
/// # Errors
///
/// If the bytes are no WAV, MP3, Ogg or FLAC. For other kinds there is [`Content::audio`].
///
/// # Example
///
/// ```
/// use byre::tool::Content;
///
/// let sound = byre::audio::any(b"fLaC").unwrap();
/// assert!(matches!(sound, Content::Audio { mime_type, .. } if mime_type == "audio/flac"));
/// ```
pub fn any(bytes: impl AsRef<[u8]>) -> Result<Content, ToolError> {
    let bytes = bytes.as_ref();
    match find(bytes) {
        Some(format) => of_format(bytes, format),
        None if bytes.is_empty() => Err(ToolError::new("the sound is empty")),
        None => Err(ToolError::new(format!(
            "the sound is no WAV, MP3, Ogg or FLAC: it begins with {}",
            beginning(bytes)
        ))),
    }
}

/// A kind of sound.
struct Format {
    name: &'static str,
    media_type: &'static str,
    function: &'static str,
    is: fn(&[u8]) -> bool,
}

static WAV: Format = Format {
    name: "WAV",
    media_type: "audio/wav",
    function: "wav",
    is: |bytes| bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WAVE"),
};

/// A tag comes first, or a frame: eleven bits that are set, and then no layer that is reserved.
static MP3: Format = Format {
    name: "MP3",
    media_type: "audio/mpeg",
    function: "mp3",
    is: |bytes| {
        bytes.starts_with(b"ID3")
            || matches!(bytes, [0xff, next, ..] if next & 0xe0 == 0xe0 && next & 0x06 != 0)
    },
};

static OGG: Format = Format {
    name: "Ogg",
    media_type: "audio/ogg",
    function: "ogg",
    is: |bytes| bytes.starts_with(b"OggS"),
};

static FLAC: Format = Format {
    name: "FLAC",
    media_type: "audio/flac",
    function: "flac",
    is: |bytes| bytes.starts_with(b"fLaC"),
};

fn find(bytes: &[u8]) -> Option<&'static Format> {
    [&WAV, &MP3, &OGG, &FLAC].into_iter().find(|format| (format.is)(bytes))
}

fn of_format(bytes: &[u8], format: &Format) -> Result<Content, ToolError> {
    let Format { name, media_type, .. } = format;
    if (format.is)(bytes) {
        return Ok(Content::audio(bytes, *media_type));
    }
    Err(ToolError::new(match find(bytes) {
        Some(Format { name: found, function, .. }) => {
            format!("the sound is no {name} but {found}; use `audio::{function}` or `audio::any`")
        }
        None if bytes.is_empty() => "the sound is empty".to_owned(),
        None => format!("the sound is no {name}: it begins with {}", beginning(bytes)),
    }))
}
