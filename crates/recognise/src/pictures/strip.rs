//! What is left of a picture's file when everything but the picture is taken out: no notes of cameras and programs (places,
//! names, times), no text, and nothing behind its end. The coded picture itself, its colours and its movement stay as they are.
//!
//! Each function answers none for a file that is not built as its format says.

/// A JPEG (ITU-T T.81 annex B) without application segments but those that say how colours are meant, and without comments.
pub(super) fn jpeg(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut kept = bytes.get(..2)?.to_vec();
    let mut at = 2;
    loop {
        // Any number of fill bytes may come before a marker.
        if *bytes.get(at)? != 0xff {
            return None;
        }
        let marker = *bytes.get(at + 1)?;
        match marker {
            0xff => at += 1,
            0xd9 => {
                kept.extend([0xff, 0xd9]);
                return Some(kept);
            }
            _ => {
                let length = usize::from(u16::from_be_bytes([*bytes.get(at + 2)?, *bytes.get(at + 3)?]));
                let segment = bytes.get(at..at + 2 + length)?;
                at += segment.len();
                let is_note = match marker {
                    0xe0 | 0xee => false,
                    0xe2 => !segment.get(4..)?.starts_with(b"ICC_PROFILE\0"),
                    0xe1..=0xef | 0xfe => true,
                    _ => false,
                };
                if !is_note {
                    kept.extend(segment);
                }
                if marker == 0xda {
                    let scan = scan(bytes.get(at..)?)?;
                    kept.extend(scan);
                    at += scan.len();
                }
            }
        }
    }
}

/// Coded data up to the next marker; restart markers and coded 0xff are part of it.
fn scan(bytes: &[u8]) -> Option<&[u8]> {
    let end = bytes
        .windows(2)
        .position(|pair| matches!(pair, [0xff, next] if !matches!(*next, 0x00 | 0xd0..=0xd7 | 0xff)))?;
    bytes.get(..end)
}

/// Chunks of a PNG that say what it looks like, and how it moves.
const PNG_KEPT: [&[u8; 4]; 17] = [
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"cICP", b"sBIT",
    b"bKGD", b"pHYs", b"acTL", b"fcTL", b"fdAT", b"hIST",
];

/// A PNG up to its last chunk, with the chunks of [`PNG_KEPT`] alone.
pub(super) fn png(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut kept = bytes.get(..8)?.to_vec();
    let mut at = 8;
    loop {
        let head = bytes.get(at..at + 8)?;
        let length = usize::try_from(u32::from_be_bytes(*head.first_chunk()?)).ok()?;
        let chunk = bytes.get(at..at.checked_add(length)?.checked_add(12)?)?;
        at += chunk.len();
        let kind = head.last_chunk::<4>()?;
        if PNG_KEPT.contains(&kind) {
            kept.extend(chunk);
        }
        if kind == b"IEND" {
            return Some(kept);
        }
    }
}

/// Chunks of a WebP that say what it looks like, and how it moves.
const WEBP_KEPT: [&[u8; 4]; 7] = [b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF", b"ICCP"];
/// The bits of its header that promise notes.
const WEBP_NOTES: u8 = 0b0000_1100;

/// A WebP with the chunks of [`WEBP_KEPT`] alone, as long as its header says.
pub(super) fn webp(bytes: &[u8]) -> Option<Vec<u8>> {
    let length = usize::try_from(u32::from_le_bytes(*bytes.get(4..8)?.first_chunk()?)).ok()?;
    let chunks = bytes.get(12..length.checked_add(8)?)?;
    let mut kept = bytes.get(..12)?.to_vec();
    let mut at = 0;
    while at < chunks.len() {
        let head = chunks.get(at..at + 8)?;
        let length = usize::try_from(u32::from_le_bytes(*head.last_chunk()?)).ok()?;
        let padded = length.checked_add(length % 2)?;
        // The padding of the last one is missing in files of some programs.
        let end = at.checked_add(8)?.checked_add(padded)?;
        let chunk = chunks.get(at..at.checked_add(8)?.checked_add(length)?)?;
        at = end;
        let kind = head.first_chunk::<4>()?;
        if !WEBP_KEPT.contains(&kind) {
            continue;
        }
        let start = kept.len();
        kept.extend(chunk);
        if length % 2 == 1 {
            kept.push(0);
        }
        if kind == b"VP8X" {
            *kept.get_mut(start + 8)? &= !WEBP_NOTES;
        }
    }
    let length = u32::try_from(kept.len().checked_sub(8)?).ok()?;
    kept.get_mut(4..8)?.copy_from_slice(&length.to_le_bytes());
    Some(kept)
}

/// A GIF up to its trailer, without comments and foreign extensions; with the number of its frames.
pub(super) fn gif(bytes: &[u8]) -> Option<(Vec<u8>, usize)> {
    let table = |packed: u8| if packed & 0x80 == 0 { 0 } else { 3 << ((packed & 7) + 1) };
    let mut at = 13 + table(*bytes.get(10)?);
    let mut kept = bytes.get(..at)?.to_vec();
    let mut frames = 0;
    loop {
        let start = at;
        let mut is_note = false;
        match *bytes.get(at)? {
            0x3b => {
                kept.push(0x3b);
                return Some((kept, frames));
            }
            0x2c => {
                frames += 1;
                at += 10 + table(*bytes.get(at + 9)?) + 1;
            }
            0x21 => {
                let loops = bytes.get(at + 2..).is_some_and(|rest| {
                    rest.starts_with(b"\x0bNETSCAPE2.0") || rest.starts_with(b"\x0bANIMEXTS1.0")
                });
                is_note = *bytes.get(at + 1)? != 0xf9 && !loops;
                at += 2;
            }
            _ => return None,
        }
        loop {
            let length = usize::from(*bytes.get(at)?);
            at += 1 + length;
            if length == 0 {
                break;
            }
        }
        if !is_note {
            kept.extend(bytes.get(start..at)?);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

    use super::*;

    fn packed(format: ImageFormat) -> Vec<u8> {
        let shade = |place: u32| u8::try_from(6 * place).unwrap();
        let picture = RgbImage::from_fn(40, 30, |x, y| Rgb([shade(x), shade(y), 90]));
        let mut bytes = Cursor::new(Vec::new());
        DynamicImage::ImageRgb8(picture).write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn same_picture(one: &[u8], other: &[u8]) {
        assert_eq!(image::load_from_memory(one).unwrap(), image::load_from_memory(other).unwrap());
    }

    fn with(bytes: &[u8], at: usize, inserted: &[u8]) -> Vec<u8> {
        [&bytes[..at], inserted, &bytes[at..], b"<script>"].concat()
    }

    #[test]
    fn a_jpeg_keeps_its_picture_alone() {
        let plain = packed(ImageFormat::Jpeg);
        let noted =
            with(&plain, 2, b"\xff\xe1\0\x08Exif\0\0\xff\xfe\0\x05abc\xff\xed\0\x04ab\xff\xe2\0\x04ab");
        assert_eq!(jpeg(&noted).unwrap(), plain);
        for length in 0..plain.len() - 1 {
            assert!(jpeg(&plain[..length]).is_none_or(|kept| kept.len() <= length), "{length}");
        }
    }

    #[test]
    fn a_png_keeps_its_picture_alone() {
        let plain = packed(ImageFormat::Png);
        let noted = with(&plain, 33, b"\0\0\0\x04tEXta\0bc\0\0\0\0\0\0\0\x02eXIfMM\0\0\0\0");
        assert_eq!(png(&noted).unwrap(), plain);
        for length in 0..plain.len() {
            assert_eq!(png(&plain[..length]), None, "{length}");
        }
        assert_eq!(png(&with(&plain, 33, b"\xff\xff\xff\xfftEXt")), None);
    }

    #[test]
    fn a_webp_keeps_its_picture_alone() {
        let plain = packed(ImageFormat::WebP);
        let mut noted = plain.clone();
        noted.extend(b"EXIF\x03\0\0\0MM*\0XMP \x02\0\0\0<x");
        let length = u32::try_from(noted.len() - 8).unwrap().to_le_bytes();
        noted[4..8].copy_from_slice(&length);
        noted.extend(b"<script>");
        let kept = webp(&noted).unwrap();
        assert_eq!(kept, plain);
        same_picture(&kept, &plain);
        assert_eq!(webp(&plain[..plain.len() - 4]), None);
    }

    #[test]
    fn a_gif_keeps_its_frames_alone() {
        let plain = packed(ImageFormat::Gif);
        let (kept, frames) = gif(&[plain.as_slice(), b"<script>"].concat()).unwrap();
        assert_eq!(frames, 1);
        same_picture(&kept, &plain);
        assert!(!kept.windows(7).any(|window| window == b"<script"));
        let noted = [&plain[..plain.len() - 1], b"\x21\xfe\x03abc\0\x3b"].concat();
        assert_eq!(gif(&noted).unwrap().0, kept);
        for length in 0..plain.len() - 1 {
            assert_eq!(gif(&plain[..length]), None, "{length}");
        }
    }
}
