//! Strips a picture's file of everything but the picture: notes of cameras and programs (places, names, times), text, and bytes
//! after its end. The coded picture, its colours and its movement stay unchanged.
//!
//! Each format returns none for a malformed file.

use std::{io::Read as _, ops::Range};

use flate2::read::ZlibDecoder;
use image::ImageFormat;
use rules::image::PROFILE_MAX_BYTES;

#[derive(Debug)]
pub(super) struct Stripped<'a> {
    pub(super) bytes: Vec<u8>,
    /// Notes of the camera, as the file had them.
    pub(super) exif: Option<&'a [u8]>,
    pub(super) frames: usize,
    pub(super) moving: bool,
    /// Bytes that a decoder holds for each pixel beside the picture.
    pub(super) held_per_pixel: u64,
    format: ImageFormat,
    /// Where `bytes` hold the colour profile, in file order.
    profile: Vec<Range<usize>>,
}

pub(super) fn strip(bytes: &[u8], format: ImageFormat) -> Option<Stripped<'_>> {
    let mut stripped = Stripped {
        bytes: Vec::with_capacity(bytes.len()),
        exif: None,
        frames: 1,
        moving: false,
        held_per_pixel: 0,
        format,
        profile: Vec::new(),
    };
    match format {
        ImageFormat::Jpeg => strip_jpeg(bytes, &mut stripped)?,
        ImageFormat::Png => strip_png(bytes, &mut stripped)?,
        ImageFormat::WebP => strip_webp(bytes, &mut stripped)?,
        ImageFormat::Gif => strip_gif(bytes, &mut stripped)?,
        _ => return None,
    }
    Some(stripped)
}

impl<'a> Stripped<'a> {
    fn keep(&mut self, part: &[u8]) {
        self.bytes.extend(part);
    }

    fn keep_profile(&mut self, part: &[u8]) {
        self.profile.push(self.bytes.len()..self.bytes.len() + part.len());
        self.bytes.extend(part);
    }

    fn note_exif(&mut self, exif: &'a [u8]) {
        self.exif = self.exif.or(Some(exif));
    }

    /// The colour profile, unpacked; none where it is damaged, or too long.
    pub(super) fn profile(&self) -> Option<Vec<u8>> {
        let parts: Vec<&[u8]> = self.profile.iter().filter_map(|part| self.bytes.get(part.clone())).collect();
        let profile = match self.format {
            ImageFormat::Jpeg => jpeg_profile(&parts),
            ImageFormat::Png => png_profile(parts.first()?),
            ImageFormat::WebP => webp_profile(parts.first()?),
            _ => None,
        };
        profile.filter(|profile| profile.len() as u64 <= PROFILE_MAX_BYTES)
    }

    pub(super) fn remove_profile(&mut self) {
        if self.profile.is_empty() {
            return;
        }
        for part in self.profile.drain(..).rev() {
            self.bytes.drain(part);
        }
        if self.format == ImageFormat::WebP {
            promise_no_webp_profile(&mut self.bytes);
        }
    }
}

const JPEG_PROFILE: &[u8] = b"ICC_PROFILE\0";
const JPEG_EXIF: &[u8] = b"Exif\0\0";
const JPEG_JFIF: &[u8] = b"JFIF\0";
const JPEG_ADOBE: &[u8] = b"Adobe";

/// ITU-T T.81 annex B: without application segments but those that say how colours are meant, and without comments.
fn strip_jpeg<'a>(bytes: &'a [u8], kept: &mut Stripped<'a>) -> Option<()> {
    kept.keep(bytes.get(..2)?);
    let mut at = 2;
    let mut scanned = false;
    loop {
        // Any number of fill bytes may come before a marker.
        if *bytes.get(at)? != 0xff {
            return None;
        }
        let marker = *bytes.get(at + 1)?;
        match marker {
            0xff => at += 1,
            0xd9 => {
                kept.keep(&[0xff, 0xd9]);
                return Some(());
            }
            _ => {
                let length = usize::from(u16::from_be_bytes([*bytes.get(at + 2)?, *bytes.get(at + 3)?]));
                let segment = bytes.get(at..at + 2 + length)?;
                let data = segment.get(4..)?;
                at += segment.len();
                match marker {
                    // Profiles are read from the head alone.
                    0xe2 if data.starts_with(JPEG_PROFILE) && !scanned => kept.keep_profile(segment),
                    0xe1 => {
                        if let Some(exif) = data.strip_prefix(JPEG_EXIF) {
                            kept.note_exif(exif);
                        }
                    }
                    // Without its small picture, which may show what was cut off since (ITU-T T.871).
                    0xe0 if data.starts_with(JPEG_JFIF) && data.len() >= 14 => {
                        kept.keep(&[0xff, marker, 0, 16]);
                        kept.keep(data.get(..12)?);
                        kept.keep(&[0, 0]);
                    }
                    // Without what a program put behind it (ITU-T T.872).
                    0xee if data.starts_with(JPEG_ADOBE) && data.len() >= 12 => {
                        kept.keep(&[0xff, marker, 0, 14]);
                        kept.keep(data.get(..12)?);
                    }
                    0xe0 | 0xe2..=0xef | 0xfe => {}
                    _ => kept.keep(segment),
                }
                if marker == 0xda {
                    scanned = true;
                    let scan = scan(bytes.get(at..)?)?;
                    kept.keep(scan);
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

/// The profile in numbered segments (ICC.1 annex B.4).
fn jpeg_profile(segments: &[&[u8]]) -> Option<Vec<u8>> {
    let mut parts = Vec::with_capacity(segments.len());
    for segment in segments {
        let [number, count, data @ ..] = segment.get(4 + JPEG_PROFILE.len()..)? else { return None };
        if usize::from(*count) != segments.len() {
            return None;
        }
        parts.push((*number, data));
    }
    parts.sort_by_key(|(number, _)| *number);
    let in_order = parts.iter().zip(1..).all(|((number, _), expected)| *number == expected);
    (in_order && !parts.is_empty()).then(|| parts.into_iter().flat_map(|(_, data)| data).copied().collect())
}

/// Chunks that say what a picture looks like, and how it moves.
const PNG_KEPT: [&[u8; 4]; 16] = [
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"cICP", b"sBIT", b"bKGD",
    b"pHYs", b"acTL", b"fcTL", b"fdAT", b"hIST",
];

/// Up to the last chunk.
fn strip_png<'a>(bytes: &'a [u8], kept: &mut Stripped<'a>) -> Option<()> {
    kept.keep(bytes.get(..8)?);
    let mut at = 8;
    loop {
        let head = bytes.get(at..at + 8)?;
        let length = usize::try_from(u32::from_be_bytes(*head.first_chunk()?)).ok()?;
        let chunk = bytes.get(at..at.checked_add(length)?.checked_add(12)?)?;
        at += chunk.len();
        let kind = head.last_chunk::<4>()?;
        match kind {
            b"iCCP" if kept.profile.is_empty() => kept.keep_profile(chunk),
            b"eXIf" => kept.note_exif(chunk.get(8..8 + length)?),
            b"acTL" => kept.moving = true,
            _ => {}
        }
        if PNG_KEPT.contains(&kind) {
            kept.keep(chunk);
        }
        if kind == b"IEND" {
            return Some(());
        }
    }
}

/// The profile of a chunk: its name, a zero, how it is packed, and the packed bytes. Of one that is too long, a byte too many.
fn png_profile(chunk: &[u8]) -> Option<Vec<u8>> {
    let data = chunk.get(8..chunk.len().checked_sub(4)?)?;
    let name = data.iter().take(80).position(|byte| *byte == 0)?;
    let [0, packed @ ..] = data.get(name + 1..)? else { return None };
    let mut profile = Vec::new();
    ZlibDecoder::new(packed).take(PROFILE_MAX_BYTES + 1).read_to_end(&mut profile).ok()?;
    Some(profile)
}

const WEBP_KEPT: [&[u8; 4]; 6] = [b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF"];
/// Bits of the header: a profile, notes of two kinds, movement.
const WEBP_PROFILE: u8 = 0b0010_0000;
const WEBP_NOTES: u8 = 0b0000_1100;
const WEBP_MOVES: u8 = 0b0000_0010;
/// Where the bits stand in a file that has them: its first chunk is `VP8X`.
const WEBP_BITS_AT: usize = 20;

/// As long as the header says.
fn strip_webp<'a>(bytes: &'a [u8], kept: &mut Stripped<'a>) -> Option<()> {
    let length = usize::try_from(u32::from_le_bytes(*bytes.get(4..8)?.first_chunk()?)).ok()?;
    let chunks = bytes.get(12..length.checked_add(8)?)?;
    kept.keep(bytes.get(..12)?);
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
        let padding: &[u8] = if length % 2 == 1 { &[0] } else { &[] };
        if kind == b"ICCP" && kept.profile.is_empty() {
            kept.keep_profile(&[chunk, padding].concat());
        }
        if kind == b"EXIF" {
            let exif = chunk.get(8..)?;
            kept.note_exif(exif.strip_prefix(b"Exif\0\0").unwrap_or(exif));
        }
        if !WEBP_KEPT.contains(&kind) {
            continue;
        }
        kept.held_per_pixel = kept.held_per_pixel.max(webp_held(*kind));
        let start = kept.bytes.len();
        kept.keep(chunk);
        kept.keep(padding);
        if kind == b"VP8X" {
            let bits = kept.bytes.get_mut(start + 8)?;
            *bits &= !WEBP_NOTES;
            kept.moving = *bits & WEBP_MOVES != 0;
        }
    }
    set_webp_length(&mut kept.bytes)
}

/// The decoder's memory per pixel of a chunk: lossless pixels with transparency, planes of the others, transparency as lossless
/// pixels, and for a frame the canvas of those before.
const fn webp_held(kind: [u8; 4]) -> u64 {
    match &kind {
        b"VP8L" => 4,
        b"VP8 " => 2,
        b"ALPH" => 7,
        b"ANMF" => 10,
        _ => 0,
    }
}

fn webp_profile(chunk: &[u8]) -> Option<Vec<u8>> {
    let length = usize::try_from(u32::from_le_bytes(*chunk.get(4..8)?.first_chunk()?)).ok()?;
    Some(chunk.get(8..8 + length)?.to_vec())
}

fn promise_no_webp_profile(bytes: &mut [u8]) {
    if bytes.get(12..16) == Some(b"VP8X")
        && let Some(bits) = bytes.get_mut(WEBP_BITS_AT)
    {
        *bits &= !WEBP_PROFILE;
    }
    let _ = set_webp_length(bytes);
}

fn set_webp_length(bytes: &mut [u8]) -> Option<()> {
    let length = u32::try_from(bytes.len().checked_sub(8)?).ok()?;
    bytes.get_mut(4..8)?.copy_from_slice(&length.to_le_bytes());
    Some(())
}

/// Up to the trailer, without comments and foreign extensions.
fn strip_gif<'a>(bytes: &'a [u8], kept: &mut Stripped<'a>) -> Option<()> {
    let table = |packed: u8| if packed & 0x80 == 0 { 0 } else { 3 << ((packed & 7) + 1) };
    let mut at = 13 + table(*bytes.get(10)?);
    kept.keep(bytes.get(..at)?);
    kept.frames = 0;
    loop {
        let start = at;
        let mut is_note = false;
        match *bytes.get(at)? {
            0x3b => {
                kept.keep(&[0x3b]);
                kept.moving = kept.frames > 1;
                // A frame; of films also what stays of those before, and both drawn together.
                kept.held_per_pixel = if kept.moving { 12 } else { 4 };
                return Some(());
            }
            0x2c => {
                kept.frames += 1;
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
            kept.keep(bytes.get(start..at)?);
        }
    }
}

#[cfg(test)]
mod tests;
