//! WebP: with the chunks of [`KEPT`] alone, as long as its header says.

use super::Stripped;

/// Chunks that say what a picture looks like, and how it moves.
const KEPT: [&[u8; 4]; 6] = [b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF"];
/// Bits of the header: a profile, notes of two kinds, movement.
const PROFILE: u8 = 0b0010_0000;
const NOTES: u8 = 0b0000_1100;
const MOVES: u8 = 0b0000_0010;
/// Where the bits stand in a file that has them: its first chunk is `VP8X`.
const BITS_AT: usize = 20;

pub(super) fn strip<'a>(bytes: &'a [u8], kept: &mut Stripped<'a>) -> Option<()> {
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
        if !KEPT.contains(&kind) {
            continue;
        }
        kept.held_per_pixel = kept.held_per_pixel.max(held(*kind));
        let start = kept.bytes.len();
        kept.keep(chunk);
        kept.keep(padding);
        if kind == b"VP8X" {
            let bits = kept.bytes.get_mut(start + 8)?;
            *bits &= !NOTES;
            kept.moving = *bits & MOVES != 0;
        }
    }
    set_length(&mut kept.bytes)
}

/// The decoder's memory per pixel of a chunk: lossless pixels with transparency, planes of the others, transparency as lossless
/// pixels, and for a frame the canvas of those before.
const fn held(kind: [u8; 4]) -> u64 {
    match &kind {
        b"VP8L" => 4,
        b"VP8 " => 2,
        b"ALPH" => 7,
        b"ANMF" => 10,
        _ => 0,
    }
}

pub(super) fn profile(chunk: &[u8]) -> Option<Vec<u8>> {
    let length = usize::try_from(u32::from_le_bytes(*chunk.get(4..8)?.first_chunk()?)).ok()?;
    Some(chunk.get(8..8 + length)?.to_vec())
}

pub(super) fn promise_no_profile(bytes: &mut [u8]) {
    if bytes.get(12..16) == Some(b"VP8X")
        && let Some(bits) = bytes.get_mut(BITS_AT)
    {
        *bits &= !PROFILE;
    }
    let _ = set_length(bytes);
}

fn set_length(bytes: &mut [u8]) -> Option<()> {
    let length = u32::try_from(bytes.len().checked_sub(8)?).ok()?;
    bytes.get_mut(4..8)?.copy_from_slice(&length.to_le_bytes());
    Some(())
}
