//! How large an image is, in pixels, by its header.

use super::Format;

/// Returns width and height; `None` where the file ends before it says them.
pub(super) fn of(bytes: &[u8], format: Format) -> Option<(u32, u32)> {
    match format {
        Format::Png => png(bytes),
        Format::Jpeg => jpeg(bytes),
        Format::Gif => Some((u16_le(bytes, 6)?, u16_le(bytes, 8)?)),
        Format::Webp => webp(bytes),
    }
}

/// The first chunk has to be `IHDR`, which begins with both.
fn png(bytes: &[u8]) -> Option<(u32, u32)> {
    let side = |at| Some(u32::from_be_bytes(array(bytes, at)?));
    (array(bytes, 12)? == *b"IHDR").then_some(())?;
    Some((side(16)?, side(20)?))
}

/// Goes from segment to segment to the first header of a frame.
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        let [0xff, marker] = array(bytes, at)? else { return None };
        match marker {
            // Any number of these may stand before a marker.
            0xff => at += 1,
            // These stand alone.
            0x01 | 0xd0..=0xd8 => at += 2,
            // The picture begins, or the file ends.
            0xd9 | 0xda => return None,
            // Tables, in the middle of the numbers of frames.
            0xc4 | 0xc8 | 0xcc => at += 2 + length(bytes, at + 2)?,
            0xc0..=0xcf => return Some((u16_be(bytes, at + 7)?, u16_be(bytes, at + 5)?)),
            _ => at += 2 + length(bytes, at + 2)?,
        }
    }
}

/// The length of a segment, which counts itself.
fn length(bytes: &[u8], at: usize) -> Option<usize> {
    let length = u16::from_be_bytes(array(bytes, at)?);
    (length >= 2).then_some(length.into())
}

/// The first chunk says how the picture is packed, and each way has its own header.
fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    match &array(bytes, 12)? {
        b"VP8 " => {
            (array(bytes, 23)? == [0x9d, 0x01, 0x2a]).then_some(())?;
            Some((u16_le(bytes, 26)? & 0x3fff, u16_le(bytes, 28)? & 0x3fff))
        }
        b"VP8L" => {
            (array(bytes, 20)? == [0x2f]).then_some(())?;
            let bits = u32::from_le_bytes(array(bytes, 21)?);
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8X" => {
            let side = |at| {
                let [a, b, c] = array(bytes, at)?;
                Some(u32::from_le_bytes([a, b, c, 0]) + 1)
            };
            Some((side(24)?, side(27)?))
        }
        _ => None,
    }
}

fn u16_be(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u16::from_be_bytes(array(bytes, at)?).into())
}

fn u16_le(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u16::from_le_bytes(array(bytes, at)?).into())
}

fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}
