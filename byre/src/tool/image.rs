//! Images that the model can see.
//!
//! Each function looks at the bytes: they must be of the kind that it is named after, not empty, and no
//! larger than what the API takes, which is 5 MB in base64 and 8000 pixels a side. What is wrong is an error
//! that says so; the CLI would show the model the path of a file, or a later turn would fail.
//!
//! # Example
//!
//! ```
//! use byre::{ToolError, tool::Content};
//!
//! /// Draws the plan of a floor.
//! #[byre::tool(read_only)]
//! async fn plan(floor: u8) -> Result<Content, ToolError> {
//!     let png = std::fs::read(format!("/srv/plans/{floor}.png"))?;
//!     byre::image::png(png)
//! }
//! # fn main() {}
//! ```

mod size;

use std::fmt;

use super::{Content, ToolError};

/// What the API takes as an image. The CLI saves other kinds to a file.
///
/// Source: Anthropic's documentation, "Vision"; seen with CLI 2.1.332.
pub(super) const MEDIA_TYPES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// How many bytes of base64 the API takes for one image.
///
/// Source: Anthropic's documentation, "Vision", which says 5 MB; the API's error says 5242880 bytes.
pub(super) const MAX_BASE64: usize = 5 * 1024 * 1024;

/// How many pixels a side the API takes. It is 2000 in requests with more than 20 images, and the CLI scales
/// most images down before that.
///
/// Source: Anthropic's documentation, "Vision".
const MAX_SIDE: u32 = 8000;

/// Makes an image from the bytes of a PNG file.
///
/// # Errors
///
/// If the bytes are no PNG, or too large for the API.
///
/// # Example
///
/// ```
/// let error = byre::image::png(b"\xff\xd8\xff\xe0").unwrap_err();
/// assert_eq!(error.text(), "the image is no PNG but a JPEG; use `image::jpeg` or `image::any`");
/// ```
pub fn png(bytes: impl AsRef<[u8]>) -> Result<Content, ToolError> {
    of_format(bytes.as_ref(), Format::Png)
}

/// Makes an image from the bytes of a JPEG file.
///
/// # Errors
///
/// If the bytes are no JPEG, or too large for the API.
///
/// # Example
///
/// ```
/// assert!(byre::image::jpeg(b"").is_err());
/// ```
pub fn jpeg(bytes: impl AsRef<[u8]>) -> Result<Content, ToolError> {
    of_format(bytes.as_ref(), Format::Jpeg)
}

/// Makes an image from the bytes of a GIF file. Of an animation the model sees one picture.
///
/// # Errors
///
/// If the bytes are no GIF, or too large for the API.
///
/// # Example
///
/// ```
/// assert!(byre::image::gif(b"GIF89a\x01\x00\x01\x00\x00\x00\x00;").is_ok());
/// ```
pub fn gif(bytes: impl AsRef<[u8]>) -> Result<Content, ToolError> {
    of_format(bytes.as_ref(), Format::Gif)
}

/// Makes an image from the bytes of a WebP file.
///
/// # Errors
///
/// If the bytes are no WebP, or too large for the API.
///
/// # Example
///
/// ```
/// assert!(byre::image::webp(b"RIFF").is_err());
/// ```
pub fn webp(bytes: impl AsRef<[u8]>) -> Result<Content, ToolError> {
    of_format(bytes.as_ref(), Format::Webp)
}

/// Makes an image from the bytes of a file of any kind that the model can see, which they tell themselves.
///
/// # Errors
///
/// If the bytes are no PNG, JPEG, GIF or WebP, or too large for the API.
///
/// # Example
///
/// ```
/// use byre::tool::Content;
///
/// let image = byre::image::any(b"GIF89a\x01\x00\x01\x00\x00\x00\x00;").unwrap();
/// assert!(matches!(image, Content::Image { mime_type, .. } if mime_type == "image/gif"));
/// ```
pub fn any(bytes: impl AsRef<[u8]>) -> Result<Content, ToolError> {
    let bytes = bytes.as_ref();
    match Format::of(bytes) {
        Some(format) => of_format(bytes, format),
        None if bytes.is_empty() => Err(ToolError::new("the image is empty")),
        None => Err(ToolError::new(format!(
            "the image is no PNG, JPEG, GIF or WebP: it begins with {}; the model sees no other kinds",
            beginning(bytes)
        ))),
    }
}

fn of_format(bytes: &[u8], format: Format) -> Result<Content, ToolError> {
    check(bytes, format).map_err(ToolError::new)?;
    Ok(Content::image(bytes, format.media_type()))
}

/// Checks what of an image can be checked without decoding it.
pub(super) fn check(bytes: &[u8], format: Format) -> Result<(), String> {
    if bytes.is_empty() {
        return Err("the image is empty".to_owned());
    }
    match Format::of(bytes) {
        Some(found) if found == format => (),
        Some(found) => {
            return Err(format!(
                "the image is no {format} but a {found}; use `image::{}` or `image::any`",
                found.function()
            ));
        }
        None => {
            return Err(format!("the image is no {format}: it begins with {}", beginning(bytes)));
        }
    }
    let base64 = bytes.len().div_ceil(3) * 4;
    if base64 > MAX_BASE64 {
        return Err(format!(
            "the image has {base64} bytes in base64, and the API takes at most {MAX_BASE64} (5 MB); make it \
             smaller"
        ));
    }
    match size::of(bytes, format) {
        None | Some((0, _) | (_, 0)) => {
            Err(format!("the {format} is broken: it does not say how large it is"))
        }
        Some((width, height)) if width.max(height) > MAX_SIDE => Err(format!(
            "the image has {width} by {height} pixels, and the API takes at most {MAX_SIDE} a side; scale it down"
        )),
        Some(_) => Ok(()),
    }
}

/// Returns the first bytes, as numbers of base 16.
pub(super) fn beginning(bytes: &[u8]) -> String {
    let bytes: Vec<_> = bytes.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    bytes.join(" ")
}

/// A kind of image that the model can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Png,
    Jpeg,
    Gif,
    Webp,
}

impl Format {
    /// Returns what the bytes are by their beginning.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            Some(Self::Png)
        } else if bytes.starts_with(b"\xff\xd8\xff") {
            Some(Self::Jpeg)
        } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
            Some(Self::Gif)
        } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
            Some(Self::Webp)
        } else {
            None
        }
    }

    /// Returns the kind with this media type.
    pub(super) fn of_media_type(media_type: &str) -> Option<Self> {
        [Self::Png, Self::Jpeg, Self::Gif, Self::Webp]
            .into_iter()
            .find(|format| format.media_type() == media_type)
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::Webp => "image/webp",
        }
    }

    fn function(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpeg",
            Self::Gif => "gif",
            Self::Webp => "webp",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
            Self::Gif => "GIF",
            Self::Webp => "WebP",
        })
    }
}
